// Reference learner in double precision. It follows the formulas directly: no lazy scale, no windows, no tables,
// vectors of doubles. Its slots have the same order as those of the fast learner (the last term fills the slot of a
// removed one), so that both draw the same random terms and can be compared slot by slot.
//
// Every step also reports whether its decisions were clear. If not, the fast learner with its float scores may decide
// differently.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/kernel.hpp"
#include "core/learner.hpp"
#include "core/random.hpp"
#include "plain_model.hpp"

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
  bool regress = false;  // regression instead of classification
  double epsilon = 0;
  double limit = 1;  // C
  double least = 0;  // margin β up to which perceptron and mira learn
  double alpha = 1;  // alpha and beta of spa
  double beta = 2;
  double thinning = 1;  // G of oskl
  std::uint64_t seed = 1;
};

class ReferenceLearner {
 public:
  using Term = PlainTermOf<double>;
  using Scores = std::vector<double>;

  explicit ReferenceLearner(const ReferenceOptions& options)
      : options_(options),
        outputs_(options.classes <= 2 ? 1 : options.classes),
        random_(options.seed),
        model_(options.kernel, outputs_) {}

  const std::vector<Term>& terms() const { return model_.terms; }
  // Continues from the terms and the random numbers of another learner.
  void take_over(std::vector<Term> terms, const Random& random) {
    model_.terms = std::move(terms);
    born_ = 0;
    for (const Term& term : model_.terms) born_ = std::max(born_, term.birth + 1);
    random_ = random;
  }
  std::size_t outputs() const { return outputs_; }

  Scores scores(const std::vector<double>& x) const { return model_.scores(x); }

  // Learns one example. Returns whether every decision was clear.
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
    update({x, f, label, rival, margin, shrink_first() * margin, weight});
    return clear_;
  }

  // Learns an example of regression with target y. The label passed to update() is the direction: 1 if f must increase.
  bool learn_number(const std::vector<double>& x, double y, double weight) {
    clear_ = true;
    const Scores f = scores(x);
    const double residual = y - shrink_first() * f[0];
    const double margin = 1 + options_.epsilon - std::abs(residual);
    const double error = kScoreError * (1 + largest(f) + std::abs(y));
    doubt(residual, error);
    doubt(margin - 1, error);
    update({x, f, residual < 0 ? ClassId{0} : ClassId{1}, 0, margin, margin, weight});
    return clear_;
  }

 private:
  static constexpr double kScoreError = 2e-5;  // error of a float score, relative to 1 + its size

  static double largest(const Scores& f) {
    double size = 0;
    for (const double score : f) size = std::max(size, std::abs(score));
    return size;
  }
  // Records a decision that depends on the sign of `difference`. It is not clear if the error in single precision may
  // be that large.
  void doubt(double difference, double error) { clear_ &= std::abs(difference) > error; }

  double kernel(const std::vector<double>& x, const std::vector<double>& z) const { return model_.kernel(x, z); }

  struct Example {
    const std::vector<double>& x;
    const Scores& f;
    ClassId label;
    ClassId rival;
    double margin;
    double margin_after;  // margin after the shrink, for ilk
    double weight;
  };

  // 1 − ρ of ilk, which computes its step after the shrink; 1 for other rules.
  double shrink_first() const { return options_.update == "ilk" ? 1 / (1 + options_.eta * options_.lambda) : 1; }

  void update(const Example& example) {
    if (example.weight == 0) return;
    ++rounds_;
    Term term{example.x, std::vector<double>(outputs_, 0.0), 0};
    if (options_.update == "mira") {
      if (example.margin >= options_.least) return;
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
    if (options_.loss.starts_with("squared")) return std::max(0.0, 1 - margin);
    if (options_.loss == "ramp" && margin <= -1) return 0;
    return margin < 1 ? 1 : 0;
  }

  // With squared losses and in regression, a step does not go beyond the margin of 1.
  double gradient_step(double rate, double margin, double length) const {
    const double step = rate * slope(margin);
    const bool stops = options_.regress || options_.loss.starts_with("squared");
    return stops ? std::min(step, std::max(0.0, 1 - margin) / length) : step;
  }

  // Shrinks f and returns the step size.
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
      return loss / (length + 1 / (2 * example.weight * options_.limit));
    }
    if (rule == "ilk") {
      const double rho = options_.eta * options_.lambda / (1 + options_.eta * options_.lambda);
      scale_all(1 - rho);
      const double missing = (1 - example.margin_after) / length;
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
    const double chance = 1 / (1 + std::exp(example.margin)) / options_.thinning;
    doubt(draw - chance, kScoreError * (1 + std::abs(example.margin)));
    return draw < chance ? example.weight * options_.eta * options_.thinning : 0;
  }

  // The solution of min ½ k(x, x) Σ τ² + Σ τ_r g_r with τ_r ≤ δ_ry and Σ τ = 0. It has the form
  // τ_r = min(θ − D_r, 0) + δ_ry, and bisection finds the θ for which the sum is 0. For two classes it is a single
  // number: the step that reaches the margin.
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

  void scale_all(double factor) { model_.scale(factor); }
  double squared_norm() const { return model_.squared_norm(); }

  // --- the budget ----------------------------------------------------------------------------------------------------

  void place(Term term) {
    if (options_.maintain == "project") return place_projecting(term);
    if (options_.maintain == "stop" && model_.terms.size() == options_.budget) return;
    append(term);
    if (options_.maintain == "none" || model_.terms.size() <= options_.budget) return;
    if (options_.maintain == "random") return model_.remove(random_.below(model_.terms.size() - 1));
    if (options_.maintain == "oldest") {
      std::size_t oldest = 0;
      for (std::size_t j = 1; j < model_.terms.size(); ++j) {
        if (model_.terms[j].birth < model_.terms[oldest].birth) oldest = j;
      }
      return model_.remove(oldest);
    }
    if (options_.maintain == "smallest") return model_.remove(smallest());
    merge(smallest());
  }
  void append(Term term) {
    term.birth = born_++;
    model_.terms.push_back(term);
  }

  // argmin ‖α‖² k(x, x); ties go to the oldest. Sizes that differ only by rounding are ties.
  std::size_t smallest() {
    std::vector<double> sizes;
    for (const Term& term : model_.terms) sizes.push_back(model_.size(term));
    const double least = *std::min_element(sizes.begin(), sizes.end());
    std::size_t best = model_.terms.size();
    for (std::size_t j = 0; j < model_.terms.size(); ++j) {
      const double gap = sizes[j] - least;
      if (gap > 1e-9 * least) {
        doubt(gap, 1e-4 * least);
        continue;
      }
      if (best == model_.terms.size() || model_.terms[j].birth < model_.terms[best].birth) best = j;
    }
    return best;
  }

  // A term in the span of the others (relative squared distance at most 1e-4) is projected at once. Otherwise it is
  // added; if that exceeds the budget, the smallest term is projected on the others.
  void place_projecting(const Term& term) {
    const double own = kernel(term.x, term.x);
    const auto slots = model_.all();
    const double residual = model_.residual(term.x, slots);
    doubt(residual - 1e-4 * own, 1e-6 * std::abs(own));
    if (residual <= 1e-4 * own) return model_.add(term.weights, model_.shares(term.x, slots), slots);
    append(term);
    if (model_.terms.size() > options_.budget) model_.project_out(smallest());
  }

  // --- merging -------------------------------------------------------------------------------------------------------

  double merge_loss(const Term& m, const Term& n, double kappa, double h) const {
    const double u = std::pow(kappa, (1 - h) * (1 - h));
    const double v = std::pow(kappa, h * h);
    double loss = 2 * kappa * model_.product(m, n);
    for (std::size_t c = 0; c < outputs_; ++c) {
      const double a = m.weights[c], b = n.weights[c];
      loss += a * a + b * b - (u * a + v * b) * (u * a + v * b);
    }
    return loss;
  }
  // The h ∈ [0, 1] with the smallest loss, by golden-section search in each quarter, so that no minimum is missed.
  double best_place(const Term& m, const Term& n, double kappa) const {
    const double golden = (std::sqrt(5.0) - 1) / 2;
    const auto loss = [&](double h) { return merge_loss(m, n, kappa, h); };
    double best = model_.size(m) <= model_.size(n) ? 0 : 1;
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
    const Term& lightest = model_.terms[m];
    const double own = model_.size(lightest);
    double least = std::numeric_limits<double>::infinity();
    std::size_t partner = m;
    double place = 0;
    std::vector<double> losses;
    for (std::size_t n = 0; n < model_.terms.size(); ++n) {
      losses.push_back(std::numeric_limits<double>::infinity());
      if (n == m) continue;
      const double kappa = kernel(lightest.x, model_.terms[n].x);
      const double h = best_place(lightest, model_.terms[n], kappa);
      losses[n] = merge_loss(lightest, model_.terms[n], kappa, h);
      if (losses[n] < least) {
        least = losses[n];
        partner = n;
        place = h;
      }
    }
    // For several outputs, the fast search uses an upper bound of the loss, which may be a third too high.
    const double error = outputs_ == 1 ? 0.02 : 0.4;
    for (std::size_t n = 0; n < model_.terms.size(); ++n) {
      if (n != m && n != partner) doubt(losses[n] - least, error * losses[n] + 1e-5 * own);
    }
    // Two vectors of equal weight that are far apart: rounding decides which of them stays.
    const double mirrored =
        merge_loss(lightest, model_.terms[partner], kernel(lightest.x, model_.terms[partner].x), 1 - place);
    if (std::abs(place - 0.5) > 1e-3) doubt(mirrored - least, 1e-4 * own);
    join(m, partner, place);
  }
  void join(std::size_t m, std::size_t n, double h) {
    const double kappa = kernel(model_.terms[m].x, model_.terms[n].x);
    const double u = std::pow(kappa, (1 - h) * (1 - h));
    const double v = std::pow(kappa, h * h);
    Term z = model_.terms[m];
    for (std::size_t c = 0; c < outputs_; ++c) z.weights[c] = u * z.weights[c] + v * model_.terms[n].weights[c];
    for (std::size_t i = 0; i < z.x.size(); ++i) z.x[i] = h * z.x[i] + (1 - h) * model_.terms[n].x[i];
    z.birth = std::min(model_.terms[m].birth, model_.terms[n].birth);
    model_.terms[std::min(m, n)] = z;
    model_.remove(std::max(m, n));
  }

  ReferenceOptions options_;
  std::size_t outputs_;
  Random random_;
  PlainModelOf<double> model_;
  std::uint64_t rounds_ = 0;
  std::uint64_t born_ = 0;
  bool clear_ = true;
};

}  // namespace kinglet
