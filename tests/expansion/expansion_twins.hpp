// Twins: an expansion with its observers, and a reference in double precision. Every operation of the expansion, and
// every compound change of the budget rules, is applied to both.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <Eigen/Dense>
#include <limits>
#include <vector>

#include "budget/hand_over.hpp"
#include "budget/merge_terms.hpp"
#include "budget/project_terms.hpp"
#include "expansion/model_function.hpp"
#include "random_vectors.hpp"

namespace kinglet {

inline const Kernel kGaussian{.kind = KernelKind::rbf, .gamma = 0.3};

// f_c = Σ_j weights[j][c] k(x_j, ·) in double precision.
struct PlainExpansion {
  struct Entry {
    std::vector<double> x;
    std::vector<double> weights;
    std::uint64_t birth = 0;
  };
  double gamma = kGaussian.gamma;
  std::vector<Entry> terms;
  std::uint64_t born = 0;

  double kernel(const std::vector<double>& x, const std::vector<double>& z) const {
    double sum = 0;
    for (std::size_t f = 0; f < std::max(x.size(), z.size()); ++f) {
      const double difference = (f < x.size() ? x[f] : 0) - (f < z.size() ? z[f] : 0);
      sum += difference * difference;
    }
    return std::exp(-gamma * sum);
  }
  double evaluate(const std::vector<double>& x, std::size_t output, double& length) const {
    double sum = 0;
    for (const Entry& term : terms) {
      sum += term.weights[output] * kernel(term.x, x);
      length += std::abs(term.weights[output]) * kernel(term.x, x);
    }
    return sum;
  }
  // Returns ‖f‖² and adds the absolute values of its summands to `length`.
  double squared_norm(double& length) const {
    double sum = 0;
    for (const Entry& a : terms) {
      for (const Entry& b : terms) {
        const double k = kernel(a.x, b.x);
        for (std::size_t c = 0; c < a.weights.size(); ++c) {
          sum += a.weights[c] * b.weights[c] * k;
          length += std::abs(a.weights[c] * b.weights[c] * k);
        }
      }
    }
    return sum;
  }
  void remove(std::size_t slot) {
    terms[slot] = terms.back();
    terms.pop_back();
  }
  // The coefficients of the projection of k(x, ·) on all terms except `without`.
  Eigen::VectorXd shares(const std::vector<double>& x, std::size_t without) const {
    const auto n = static_cast<Eigen::Index>(terms.size());
    Eigen::MatrixXd gram(n, n);
    Eigen::VectorXd row(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) gram(i, j) = kernel(terms[i].x, terms[j].x);
      row(i) = kernel(terms[i].x, x);
    }
    if (without < terms.size()) {
      const auto p = static_cast<Eigen::Index>(without);
      gram.row(p).setZero();
      gram.col(p).setZero();
      gram(p, p) = 1;
      row(p) = 0;
    }
    return gram.ldlt().solve(row);
  }
};

class Twins {
 public:
  Twins(std::size_t outputs, std::uint64_t seed, const ModelFunction::Kept& kept = {})
      : random_(seed), function_(kGaussian, {.dimension = 3, .classes = 2}, outputs, 8, kept), f_(function_.f) {}

  void append() {
    const std::vector<float> x = random_vector(random_, f_.set().dimension());
    const std::vector<double> weights = draw_weights();
    const AlignedFloats row = kernel_row(x);
    const std::size_t slot = f_.append({Features::dense(x), row.data(), 1, weights});
    ASSERT_EQ(slot, plain_.terms.size());
    plain_.terms.push_back({{x.begin(), x.end()}, weights, plain_.born++});
  }
  void remove(std::size_t slot) {
    f_.remove(slot);
    plain_.remove(slot);
  }
  void shrink(double factor) {
    f_.shrink(factor);
    largest_ever_ *= factor;
    for (auto& term : plain_.terms) {
      for (double& weight : term.weights) weight *= factor;
    }
  }
  void absorb() {
    const std::vector<float> x = random_vector(random_, f_.set().dimension());
    const std::vector<double> wide(x.begin(), x.end());
    const std::vector<double> weights = draw_weights();
    const Eigen::VectorXd shares = plain_.shares(wide, plain_.terms.size());
    double length = 0;
    for (std::size_t j = 0; j < plain_.terms.size(); ++j) {
      length += shares(static_cast<Eigen::Index>(j)) * plain_.kernel(plain_.terms[j].x, wide);
    }
    const AlignedFloats row = kernel_row(x);
    kinglet::absorb(f_, {Features::dense(x), row.data(), 1, weights}, {shares.data(), plain_.terms.size()}, length);
    for (std::size_t j = 0; j < plain_.terms.size(); ++j) {
      for (std::size_t c = 0; c < weights.size(); ++c) {
        plain_.terms[j].weights[c] += weights[c] * shares(static_cast<Eigen::Index>(j));
      }
    }
  }
  void project_out(std::size_t slot) {
    const auto gone = plain_.terms[slot];
    const Eigen::VectorXd shares = plain_.shares(gone.x, slot);
    double residual = 1;
    for (std::size_t j = 0; j < plain_.terms.size(); ++j) {
      if (j != slot) residual -= shares(static_cast<Eigen::Index>(j)) * plain_.kernel(plain_.terms[j].x, gone.x);
    }
    std::vector<double> given(shares.data(), shares.data() + shares.size());
    given[slot] = 1e9;  // must be ignored
    kinglet::project_out(f_, slot, given, residual);
    for (std::size_t j = 0; j < plain_.terms.size(); ++j) {
      for (std::size_t c = 0; c < gone.weights.size(); ++c)
        plain_.terms[j].weights[c] += gone.weights[c] * given[j] * (j != slot);
    }
    plain_.remove(slot);
  }
  void merge(std::size_t m, std::size_t n, double h) {
    const double kappa = plain_.kernel(plain_.terms[m].x, plain_.terms[n].x);
    merge_terms(f_, m, n, kappa, h);
    auto& a = plain_.terms[m];
    const auto& b = plain_.terms[n];
    const double u = std::pow(kappa, (1 - h) * (1 - h));
    const double v = std::pow(kappa, h * h);
    for (std::size_t c = 0; c < a.weights.size(); ++c) a.weights[c] = u * a.weights[c] + v * b.weights[c];
    for (std::size_t i = 0; i < a.x.size(); ++i) a.x[i] = h * a.x[i] + (1 - h) * b.x[i];
    a.birth = std::min(a.birth, b.birth);
    if (m > n) std::swap(plain_.terms[m], plain_.terms[n]);
    plain_.remove(std::max(m, n));
  }
  // Merges a new term into term n. The result must be the same as appending the term and then merging.
  void merge_in(std::size_t n, double h) {
    const std::vector<float> x = random_vector(random_, f_.set().dimension());
    const std::vector<double> weights = draw_weights();
    const AlignedFloats row = kernel_row(x);
    const std::vector<double> wide(x.begin(), x.end());
    const double kappa = plain_.kernel(plain_.terms[n].x, wide);
    const Term term{Features::dense(x), row.data(), 1, weights};
    kinglet::merge_in(f_, term, f_.stored(term), n, kappa, h);
    // If the norm is maintained, the term is appended before it is merged. Its full size then determines the rounding
    // error of the norm.
    PlainExpansion between = plain_;
    between.terms.push_back({wide, weights});
    double length = 0;
    between.squared_norm(length);
    largest_norm_ = std::max(largest_norm_, length);
    ++plain_.born;
    auto& b = plain_.terms[n];
    const double u = std::pow(kappa, (1 - h) * (1 - h));
    const double v = std::pow(kappa, h * h);
    for (std::size_t c = 0; c < weights.size(); ++c) b.weights[c] = u * weights[c] + v * b.weights[c];
    for (std::size_t i = 0; i < b.x.size(); ++i) b.x[i] = h * wide[i] + (1 - h) * b.x[i];
  }
  // Replaces a term by multiples of one or two others, with arbitrary shares.
  void hand_over(std::size_t slot) {
    const std::size_t n = plain_.terms.size();
    const std::array<Heir, 2> heirs{{{(slot + 1) % n, random_.normal()}, {(slot + 2) % n, random_.normal()}}};
    const std::size_t count = 1 + random_.below(2);
    double distance = 1;  // ‖k(x, ·) − Σ_i share_i k(x_i, ·)‖²
    for (std::size_t i = 0; i < count; ++i) {
      distance -= 2 * heirs[i].share * plain_.kernel(plain_.terms[slot].x, plain_.terms[heirs[i].slot].x);
      for (std::size_t k = 0; k < count; ++k) {
        distance += heirs[i].share * heirs[k].share *
                    plain_.kernel(plain_.terms[heirs[i].slot].x, plain_.terms[heirs[k].slot].x);
      }
    }
    kinglet::hand_over(f_, slot, std::span(heirs).first(count), distance);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t c = 0; c < f_.outputs(); ++c) {
        plain_.terms[heirs[i].slot].weights[c] += heirs[i].share * plain_.terms[slot].weights[c];
      }
    }
    plain_.remove(slot);
  }
  void replace(std::size_t slot) {
    const std::vector<float> x = random_vector(random_, f_.set().dimension());
    const std::vector<double> weights = draw_weights();
    const AlignedFloats row = kernel_row(x);
    f_.replace(slot, {Features::dense(x), row.data(), 1, weights});
    plain_.terms[slot] = {{x.begin(), x.end()}, weights, plain_.born++};
  }
  // Multiplies every term by its own factor.
  void rewrite() {
    const std::size_t stride = f_.stored_outputs().stride;
    f_.rewrite([&](float* coefficients) {
      for (std::size_t j = 0; j < f_.size(); ++j) {
        const double factor = 0.5 + random_.uniform();
        for (std::size_t c = 0; c < f_.outputs(); ++c) {
          coefficients[c * stride + j] *= static_cast<float>(factor);
          plain_.terms[j].weights[c] *= factor;
        }
      }
    });
  }
  // Another metric.
  void rescale() {
    std::vector<float> ratios(f_.set().dimension());
    for (float& ratio : ratios) ratio = static_cast<float>(0.8 + 0.4 * random_.uniform());
    f_.rescale(ratios);
    for (auto& term : plain_.terms) {
      for (std::size_t k = 0; k < term.x.size(); ++k) term.x[k] *= static_cast<double>(ratios[k]);
    }
  }
  void grow(std::uint32_t dimension, std::size_t outputs) {
    for (auto& term : plain_.terms) {
      if (term.weights.size() == 1 && outputs > 1) term.weights = {-term.weights[0] / 2, term.weights[0] / 2};
      term.weights.resize(std::max(outputs, term.weights.size()));
      term.x.resize(std::max<std::size_t>(dimension, term.x.size()));
    }
    f_.grow({.dimension = dimension, .classes = 2}, outputs);
  }

  void step() {
    const auto action = random_.below(17);
    const std::size_t n = plain_.terms.size();
    if (action < 4 || n < 3) return append();
    const std::size_t slot = random_.below(n);
    if (action < 5) return remove(slot);
    if (action < 6) return absorb();
    if (action < 7) return project_out(slot);
    if (action < 9)
      return merge(slot, (slot + 1 + random_.below(n - 1)) % n, random_.coin(0.2) ? 0 : random_.uniform());
    if (action < 10) return merge_in(slot, random_.coin(0.2) ? 0 : random_.uniform());
    if (action < 11) return hand_over(slot);
    if (action < 12) return replace(slot);
    if (action < 13) return rewrite();
    if (action < 15) return shrink(random_.coin(0.1) ? 1e-9 : 0.5 + random_.uniform() / 2);
    if (action < 16) return rescale();
    grow(f_.set().dimension() + static_cast<std::uint32_t>(random_.below(2)), f_.outputs());
  }

  void expect_same() {
    ASSERT_EQ(f_.size(), plain_.terms.size());
    if (f_.size() == 0) return;
    for (const auto& term : plain_.terms) {
      for (const double weight : term.weights) largest_ever_ = std::max(largest_ever_, std::abs(weight));
    }
    for (int i = 0; i < 5; ++i) {
      const std::vector<float> x = random_vector(random_, f_.set().dimension());
      const AlignedFloats row = kernel_row(x);
      std::vector<float> scores(f_.outputs());
      evaluate(f_, row.data(), scores.data());
      for (std::size_t c = 0; c < f_.outputs(); ++c) {
        double length = 0;
        const double want = plain_.evaluate({x.begin(), x.end()}, c, length);
        // Merging weights of opposite sign leaves rounding errors of the size of the weights. Floats below the smallest
        // normal one have almost no precision.
        ASSERT_NEAR(static_cast<double>(scores[c]), want,
                    1e-4 * length + 1e-6 * largest_ever_ + std::numeric_limits<float>::min());
      }
    }
    for (std::size_t j = 0; j < f_.size(); ++j) {
      double size = 0;
      for (std::size_t c = 0; c < f_.outputs(); ++c) {
        const double want = plain_.terms[j].weights[c];
        ASSERT_NEAR(f_.coefficient(j, c), want, 1e-4 * std::abs(want) + 1e-5 * largest_weight());
        size += f_.coefficient(j, c) * f_.coefficient(j, c);
      }
      ASSERT_EQ(f_.births()[j], plain_.terms[j].birth);
      ASSERT_NEAR(f_.scale() * f_.scale() * static_cast<double>(f_.sizes()[j]), size, 1e-5 * size + 1e-30);
    }
    if (!function_.norm) return;
    double length = 0;
    const double want = plain_.squared_norm(length);
    ASSERT_NEAR(function_.norm->squared(), want, 1e-4 * std::max(length, largest_norm_));
    largest_norm_ = std::max(largest_norm_ * 0.999, length);
  }

  ModelFunction& function() { return function_; }
  Expansion& f() { return f_; }
  const PlainExpansion& plain() const { return plain_; }
  Random& random() { return random_; }
  // The largest weight that expect_same() has seen so far, shrunk like f since then. f may still contain its rounding
  // error.
  double largest_ever() const { return largest_ever_; }

  AlignedFloats kernel_row(const std::vector<float>& x) {
    AlignedFloats row(f_.set().padded_size() + 16);
    const RowBlock block({x});
    f_.set().kernel_rows(block.rows(), row.data(), f_.set().padded_size());
    return row;
  }

 private:
  std::vector<double> draw_weights() {
    std::vector<double> weights(f_.outputs());
    for (double& weight : weights) weight = largest_weight() * random_.normal();
    if (random_.coin(0.2)) weights[0] = 0;
    return weights;
  }
  // The scale of the weights of new terms: that of the existing ones, within limits in which squares are accurate as
  // floats.
  double largest_weight() const {
    double largest = 0;
    for (const auto& term : plain_.terms) {
      for (const double weight : term.weights) largest = std::max(largest, std::abs(weight));
    }
    return std::clamp(largest, 1e-6, 1.0);
  }

  Random random_;
  ModelFunction function_;
  Expansion& f_;
  PlainExpansion plain_;
  double largest_norm_ = 0;
  double largest_ever_ = 0;
};

}  // namespace kinglet
