// A plain learner in double precision, written straight from the maths: no lazy scale, no windows, no tables, vectors of
// doubles. Slots are kept in the order of the fast learner's (a removed one is filled by the last), so that both draw the
// same random terms and can be compared slot by slot.
//
// Every step also tells how close a discrete decision was: with float scores the fast learner may decide otherwise.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <Eigen/Dense>
#include <limits>
#include <string>
#include <vector>

#include "core/kernel.hpp"
#include "core/random.hpp"
#include "kinglet/learner.hpp"

namespace kinglet {

struct ReferenceOptions {
  std::string update = "pegasos";
  std::string maintain = "none";
  std::size_t budget = 0;
  Kernel kernel;
  std::uint32_t classes = 2;
  double lambda = 1e-2;
  double eta = 1;
  double radius = std::numeric_limits<double>::infinity();
  std::string loss = "hinge";
  double limit = 1;  // C
  double least = 0;  // margin β up to which perceptron and mira learn
  double alpha = 1;  // spa
  double beta = 2;
  std::uint64_t seed = 1;
};

class ReferenceLearner {
 public:
  struct Term {
    std::vector<double> x;
    std::vector<double> weights;
    std::uint64_t birth = 0;
  };
  using Scores = std::vector<double>;

  explicit ReferenceLearner(const ReferenceOptions& options)
      : options_(options), outputs_(options.classes <= 2 ? 1 : options.classes), random_(options.seed) {}

  const std::vector<Term>& terms() const { return terms_; }
  // Goes on from another learner's terms and random numbers.
  void take_over(std::vector<Term> terms, const Random& random) {
    terms_ = std::move(terms);
    born_ = 0;
    for (const Term& term : terms_) born_ = std::max(born_, term.birth + 1);
    random_ = random;
  }
  std::size_t outputs() const { return outputs_; }

  Scores scores(const std::vector<double>& x) const {
    Scores out(outputs_, 0.0);
    for (const Term& term : terms_) {
      const double k = kernel(term.x, x);
      for (std::size_t c = 0; c < outputs_; ++c) out[c] += term.weights[c] * k;
    }
    return out;
  }

  // Learns one example. Returns whether every decision on the way was clear.
  bool learn(const std::vector<double>& x, ClassId label, double weight) {
    clear_ = true;
    const Scores f = scores(x);
    ClassId rival = label == 0 ? 1 : 0;
    double margin = 0;
    if (outputs_ == 1) {
      margin = label == 1 ? f[0] : -f[0];
    } else {
      for (ClassId c = 0; c < outputs_; ++c) {
        if (c != label && f[c] > f[rival]) rival = c;
      }
      for (ClassId c = 0; c < outputs_; ++c) {
        if (c != label && c != rival && f[c] != f[rival]) doubt(f[rival] - f[c], kScoreError * (1 + std::abs(f[c])));
      }
      margin = f[label] - f[rival];
    }
    const bool by_mistakes = options_.update == "perceptron" || options_.update == "mira";
    const bool looks_at_all = options_.update == "ilk" || options_.update == "oskl" || options_.loss == "logistic";
    if (!looks_at_all) doubt(margin - (by_mistakes ? options_.least : 1), kScoreError * (1 + largest(f)));
    if (options_.loss == "ramp") doubt(margin + 1, kScoreError * (1 + largest(f)));
    update({x, f, label, rival, margin, weight});
    return clear_;
  }

 private:
  static constexpr double kScoreError = 2e-5;  // of a float score against a double one

  static double largest(const Scores& f) {
    double size = 0;
    for (const double score : f) size = std::max(size, std::abs(score));
    return size;
  }
  // A quantity whose sign decides something is too close to 0 for single precision.
  void doubt(double difference, double error) { clear_ &= std::abs(difference) > error; }

  double kernel(const std::vector<double>& x, const std::vector<double>& z) const {
    double dot = 0, squared = 0, absolute = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      dot += x[i] * z[i];
      squared += (x[i] - z[i]) * (x[i] - z[i]);
      absolute += std::abs(x[i] - z[i]);
    }
    switch (options_.kernel.kind) {
      case KernelKind::rbf:
        return std::exp(-options_.kernel.gamma * squared);
      case KernelKind::laplacian:
        return std::exp(-options_.kernel.gamma * absolute);
      case KernelKind::linear:
        return dot;
      case KernelKind::poly:
        return std::pow(options_.kernel.gamma * dot + options_.kernel.coef0, options_.kernel.degree);
      case KernelKind::hpoly:
        return std::pow(options_.kernel.gamma * dot, options_.kernel.degree);
      case KernelKind::sigmoid:
        return std::tanh(options_.kernel.gamma * dot + options_.kernel.coef0);
    }
    return 0;
  }

  struct Example {
    const std::vector<double>& x;
    const Scores& f;
    ClassId label;
    ClassId rival;
    double margin;
    double weight;
  };

  void update(const Example& example) {
    ++rounds_;
    Term term{example.x, std::vector<double>(outputs_, 0.0), 0};
    if (options_.update == "mira") {
      if (example.margin >= options_.least || example.weight == 0) return;
      term.weights = mira(example);
    } else {
      const double step = step_of(example);
      if (step == 0) return;
      if (outputs_ == 1) {
        term.weights[0] = example.label == 1 ? step : -step;
      } else {
        term.weights[example.label] = step;
        term.weights[example.rival] = -step;
      }
    }
    place(term);
    if (options_.update != "mp" || std::isinf(options_.radius)) return;
    const double norm = std::sqrt(std::max(0.0, squared_norm()));
    if (norm > options_.radius) scale_all(options_.radius / norm);
  }

  // −ℓ'(margin)
  double slope(double margin) const {
    if (options_.loss == "logistic") return 1 / (1 + std::exp(margin));
    if (options_.loss == "squared-hinge") return std::max(0.0, 1 - margin);
    if (options_.loss == "ramp" && margin <= -1) return 0;
    return margin < 1 ? 1 : 0;
  }

  // Squared losses do not step beyond the margin of 1.
  double gradient_step(double rate, double margin, double length) const {
    const double step = rate * slope(margin);
    return options_.loss == "squared-hinge" ? std::min(step, std::max(0.0, 1 - margin) / length) : step;
  }

  // Shrinks f and returns the length of the step.
  double step_of(const Example& example) {
    const auto t = static_cast<double>(rounds_);
    const double own = kernel(example.x, example.x);
    const double length = outputs_ == 1 ? own : 2 * own;
    const double loss = std::max(0.0, 1 - example.margin);
    const std::string& rule = options_.update;
    if (rule == "pegasos") {
      scale_all(1 - 1 / t);
      return gradient_step(example.weight / (options_.lambda * t), example.margin, length);
    }
    if (rule == "norma" || rule == "ogd") {
      const double rate = rule == "ogd" ? options_.eta : options_.eta / std::sqrt(t);
      scale_all(1 - options_.lambda * rate);
      return gradient_step(example.weight * rate, example.margin, length);
    }
    if (rule == "mp") return example.margin < 1 ? example.weight * options_.eta : 0;
    if (rule == "perceptron") return example.margin <= options_.least ? example.weight : 0;
    if (rule == "pa") return std::min(1.0, example.weight) * loss / length;
    if (rule == "pa1") return std::min(example.weight * options_.limit, loss / length);
    if (rule == "pa2") {
      return example.weight == 0 ? 0 : loss / (length + 1 / (2 * example.weight * options_.limit));
    }
    if (rule == "ilk") {
      const double rho = options_.eta * options_.lambda / (1 + options_.eta * options_.lambda);
      scale_all(1 - rho);
      const double missing = (1 - (1 - rho) * example.margin) / length;
      doubt(missing, kScoreError * (1 + std::abs(example.margin)));
      return std::clamp(missing, 0.0, example.weight * (1 - rho) * options_.eta * options_.limit);
    }
    if (rule == "spa") {
      if (loss == 0) return 0;
      const double chance = std::min(options_.alpha, loss) / options_.beta;
      const double draw = random_.uniform();
      doubt(draw - chance, kScoreError * (1 + std::abs(example.margin)));
      if (draw >= chance) return 0;
      return std::min(example.weight * options_.eta / chance, loss / length);
    }
    // oskl
    const double draw = random_.uniform();
    const double chance = 1 / (1 + std::exp(example.margin));
    doubt(draw - chance, kScoreError * (1 + std::abs(example.margin)));
    return draw < chance ? example.weight * options_.eta : 0;
  }

  // argmin ½ k(x, x) Σ τ² + Σ τ_r g_r, τ_r ≤ δ_ry, Σ τ = 0: τ_r = min(θ − D_r, 0) + δ_ry with the θ that makes the sum 0,
  // found by halving. Two classes: one number, the step that reaches the margin.
  std::vector<double> mira(const Example& example) const {
    const double own = kernel(example.x, example.x);
    if (outputs_ == 1) {
      const double step = std::clamp((options_.least - example.margin) / own, 0.0, example.weight);
      return {example.label == 1 ? step : -step};
    }
    std::vector<double> d(outputs_);
    for (ClassId r = 0; r < outputs_; ++r) {
      d[r] = r == example.label ? example.f[r] / own + example.weight : (example.f[r] + options_.least) / own;
    }
    const auto tau = [&](ClassId r, double theta) {
      return std::min(theta - d[r], 0.0) + (r == example.label ? example.weight : 0);
    };
    double low = *std::min_element(d.begin(), d.end()) - example.weight;
    double high = *std::max_element(d.begin(), d.end());
    for (int i = 0; i < 200; ++i) {
      const double theta = (low + high) / 2;
      double sum = 0;
      for (ClassId r = 0; r < outputs_; ++r) sum += tau(r, theta);
      (sum < 0 ? low : high) = theta;
    }
    std::vector<double> steps(outputs_);
    for (ClassId r = 0; r < outputs_; ++r) steps[r] = tau(r, low);
    return steps;
  }

  void scale_all(double factor) {
    for (Term& term : terms_) {
      for (double& weight : term.weights) weight *= factor;
    }
  }
  double squared_norm() const {
    double sum = 0;
    for (const Term& a : terms_) {
      for (const Term& b : terms_) sum += product(a, b) * kernel(a.x, b.x);
    }
    return sum;
  }
  static double product(const Term& a, const Term& b) {
    double sum = 0;
    for (std::size_t c = 0; c < a.weights.size(); ++c) sum += a.weights[c] * b.weights[c];
    return sum;
  }
  double size(const Term& a) const { return product(a, a) * kernel(a.x, a.x); }

  // --- the budget -----------------------------------------------------------------------------------------------------

  void place(Term term) {
    if (options_.maintain == "project") return place_projecting(term);
    if (options_.maintain == "stop" && terms_.size() == options_.budget) return;
    append(term);
    if (options_.maintain == "none" || terms_.size() <= options_.budget) return;
    if (options_.maintain == "random") return remove(random_.below(terms_.size() - 1));
    if (options_.maintain == "oldest") {
      std::size_t oldest = 0;
      for (std::size_t j = 1; j < terms_.size(); ++j) {
        if (terms_[j].birth < terms_[oldest].birth) oldest = j;
      }
      return remove(oldest);
    }
    if (options_.maintain == "smallest") return remove(smallest());
    merge(smallest());
  }
  void append(Term term) {
    term.birth = born_++;
    terms_.push_back(term);
  }
  void remove(std::size_t slot) {
    terms_[slot] = terms_.back();
    terms_.pop_back();
  }

  // argmin ‖α‖² k(x, x); of equals, the oldest. Sizes that differ by rounding alone are equal.
  std::size_t smallest() {
    std::vector<double> sizes;
    for (const Term& term : terms_) sizes.push_back(size(term));
    const double least = *std::min_element(sizes.begin(), sizes.end());
    std::size_t best = terms_.size();
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      const double gap = sizes[j] - least;
      if (gap > 1e-9 * least) {
        doubt(gap, 1e-4 * least);
        continue;
      }
      if (best == terms_.size() || terms_[j].birth < terms_[best].birth) best = j;
    }
    return best;
  }

  // K d = k by a direct solve over all terms but `without`.
  Eigen::VectorXd projection(const std::vector<double>& x, std::size_t without) const {
    std::vector<std::size_t> slots;
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      if (j != without) slots.push_back(j);
    }
    const auto n = static_cast<Eigen::Index>(slots.size());
    if (n == 0) return Eigen::VectorXd::Zero(static_cast<Eigen::Index>(terms_.size()));
    Eigen::MatrixXd gram(n, n);
    Eigen::VectorXd row(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto& z = terms_[slots[static_cast<std::size_t>(i)]].x;
      row(i) = kernel(z, x);
      for (Eigen::Index j = 0; j < n; ++j) gram(i, j) = kernel(z, terms_[slots[static_cast<std::size_t>(j)]].x);
    }
    const Eigen::VectorXd part = gram.fullPivLu().solve(row);
    Eigen::VectorXd all = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(terms_.size()));
    for (Eigen::Index i = 0; i < n; ++i) all(static_cast<Eigen::Index>(slots[static_cast<std::size_t>(i)])) = part(i);
    return all;
  }
  void add_shares(const Term& term, const Eigen::VectorXd& shares) {
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      for (std::size_t c = 0; c < outputs_; ++c) {
        terms_[j].weights[c] += term.weights[c] * shares(static_cast<Eigen::Index>(j));
      }
    }
  }
  // A term in the span of the others (relative squared distance 1e-4) is projected at once; otherwise it enters and, over
  // budget, the smallest is projected on the others.
  void place_projecting(const Term& term) {
    const double own = kernel(term.x, term.x);
    const Eigen::VectorXd shares = projection(term.x, terms_.size());
    double residual = own;
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      residual -= shares(static_cast<Eigen::Index>(j)) * kernel(terms_[j].x, term.x);
    }
    doubt(residual - 1e-4 * own, 1e-6 * std::abs(own));
    if (residual <= 1e-4 * own) return add_shares(term, shares);
    append(term);
    if (terms_.size() <= options_.budget) return;
    const std::size_t p = smallest();
    const Term gone = terms_[p];
    add_shares(gone, projection(gone.x, p));
    remove(p);
  }

  // --- merging --------------------------------------------------------------------------------------------------------

  double merge_loss(const Term& m, const Term& n, double kappa, double h) const {
    const double u = std::pow(kappa, (1 - h) * (1 - h));
    const double v = std::pow(kappa, h * h);
    double loss = 2 * kappa * product(m, n);
    for (std::size_t c = 0; c < outputs_; ++c) {
      const double a = m.weights[c], b = n.weights[c];
      loss += a * a + b * b - (u * a + v * b) * (u * a + v * b);
    }
    return loss;
  }
  // The h ∈ [0, 1] of the least loss: golden-section search in four parts, so that no minimum is missed.
  double best_place(const Term& m, const Term& n, double kappa) const {
    const double golden = (std::sqrt(5.0) - 1) / 2;
    const auto loss = [&](double h) { return merge_loss(m, n, kappa, h); };
    double best = size(m) <= size(n) ? 0 : 1;
    double least = loss(best);
    for (int part = 0; part < 4; ++part) {
      double low = part / 4.0, high = (part + 1) / 4.0;
      double a = high - golden * (high - low), b = low + golden * (high - low);
      double loss_a = loss(a), loss_b = loss(b);
      while (high - low > 1e-7) {
        if (loss_a < loss_b) {
          high = b;
          b = a;
          loss_b = loss_a;
          loss_a = loss(a = high - golden * (high - low));
        } else {
          low = a;
          a = b;
          loss_a = loss_b;
          loss_b = loss(b = low + golden * (high - low));
        }
      }
      if (std::min(loss_a, loss_b) < least) {
        least = std::min(loss_a, loss_b);
        best = loss_a < loss_b ? a : b;
      }
    }
    return best;
  }
  void merge(std::size_t m) {
    const Term& lightest = terms_[m];
    const double own = size(lightest);
    double least = std::numeric_limits<double>::infinity();
    std::size_t partner = m;
    double place = 0;
    std::vector<double> losses;
    for (std::size_t n = 0; n < terms_.size(); ++n) {
      losses.push_back(std::numeric_limits<double>::infinity());
      if (n == m) continue;
      const double kappa = kernel(lightest.x, terms_[n].x);
      const double h = best_place(lightest, terms_[n], kappa);
      losses[n] = merge_loss(lightest, terms_[n], kappa, h);
      if (losses[n] < least) {
        least = losses[n];
        partner = n;
        place = h;
      }
    }
    // The fast search values weights of several outputs by an upper bound that may be a third too high.
    const double error = outputs_ == 1 ? 0.02 : 0.4;
    for (std::size_t n = 0; n < terms_.size(); ++n) {
      if (n != m && n != partner) doubt(losses[n] - least, error * losses[n] + 1e-5 * own);
    }
    // Two vectors of one weight that see little of each other: either of them may be the one that stays.
    const double mirrored = merge_loss(lightest, terms_[partner], kernel(lightest.x, terms_[partner].x), 1 - place);
    if (std::abs(place - 0.5) > 1e-3) doubt(mirrored - least, 1e-4 * own);
    join(m, partner, place);
  }
  void join(std::size_t m, std::size_t n, double h) {
    const double kappa = kernel(terms_[m].x, terms_[n].x);
    const double u = std::pow(kappa, (1 - h) * (1 - h));
    const double v = std::pow(kappa, h * h);
    Term z = terms_[m];
    for (std::size_t c = 0; c < outputs_; ++c) z.weights[c] = u * z.weights[c] + v * terms_[n].weights[c];
    for (std::size_t i = 0; i < z.x.size(); ++i) z.x[i] = h * z.x[i] + (1 - h) * terms_[n].x[i];
    z.birth = std::min(terms_[m].birth, terms_[n].birth);
    terms_[std::min(m, n)] = z;
    remove(std::max(m, n));
  }

  ReferenceOptions options_;
  std::size_t outputs_;
  Random random_;
  std::vector<Term> terms_;
  std::uint64_t rounds_ = 0;
  std::uint64_t born_ = 0;
  bool clear_ = true;
};

}  // namespace kinglet
