// Reference model in double precision, to compare the fast code with. It follows the formulas directly: explicit kernel
// values, no scale, no padding, projections by a dense solve. Features are floats, or doubles for tests whose vectors
// floats cannot represent.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <Eigen/Dense>
#include <limits>
#include <vector>

#include "core/kernel.hpp"
#include "expansion/expansion.hpp"
#include "kinglet/example.hpp"

namespace kinglet {

inline Kernel gaussian(double gamma) { return {.kind = KernelKind::rbf, .gamma = gamma}; }

template <class Number>
double plain_kernel(const Kernel& kernel, const std::vector<Number>& x, const std::vector<Number>& z) {
  double dot = 0, squared = 0, absolute = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto a = static_cast<double>(x[i]), b = static_cast<double>(z[i]);
    dot += a * b;
    squared += (a - b) * (a - b);
    absolute += std::abs(a - b);
  }
  switch (kernel.kind) {
    case KernelKind::rbf:
      return std::exp(-kernel.gamma * squared);
    case KernelKind::laplacian:
      return std::exp(-kernel.gamma * absolute);
    case KernelKind::linear:
      return dot;
    case KernelKind::poly:
      return std::pow(kernel.gamma * dot + kernel.coef0, kernel.degree);
    case KernelKind::hpoly:
      return std::pow(kernel.gamma * dot, kernel.degree);
    case KernelKind::sigmoid:
      return std::tanh(kernel.gamma * dot + kernel.coef0);
  }
  return 0;
}

template <class Number>
struct PlainTermOf {
  std::vector<Number> x;
  std::vector<double> weights;  // one per output
  std::uint64_t birth = 0;
  ClassId label = 0;
  std::vector<double> counts{};  // examples of each class that it represents; empty unless the rule counts them

  double squared() const {
    double sum = 0;
    for (const double w : weights) sum += w * w;
    return sum;
  }
};

template <class Number>
class PlainModelOf {
 public:
  using Vector = std::vector<Number>;
  using Term = PlainTermOf<Number>;
  using Slots = std::vector<std::size_t>;

  explicit PlainModelOf(const Kernel& kernel, std::size_t outputs = 1) : kernel_(kernel), outputs_(outputs) {}

  std::vector<Term> terms;

  std::size_t outputs() const { return outputs_; }
  double kernel(const Vector& x, const Vector& z) const { return plain_kernel(kernel_, x, z); }

  // Scores of x by the function without the term in slot `without`; by default, with all terms.
  std::vector<double> scores(const Vector& x, std::size_t without = std::numeric_limits<std::size_t>::max()) const {
    std::vector<double> out(outputs_, 0.0);
    for (std::size_t j = 0; j < terms.size(); ++j) {
      if (j == without) continue;
      const double k = kernel(terms[j].x, x);
      for (std::size_t c = 0; c < outputs_; ++c) out[c] += terms[j].weights[c] * k;
    }
    return out;
  }
  // The class other than `label` with the largest score; ties go to the first.
  static ClassId rival(const std::vector<double>& scores, ClassId label) {
    ClassId best = label == 0 ? 1 : 0;
    for (ClassId c = 0; c < scores.size(); ++c) {
      if (c != label && scores[c] > scores[best]) best = c;
    }
    return best;
  }
  static double margin(const std::vector<double>& scores, ClassId label) {
    if (scores.size() == 1) return label == 1 ? scores[0] : -scores[0];
    return scores[label] - scores[rival(scores, label)];
  }

  // α_a · α_b
  static double product(const Term& a, const Term& b) {
    double sum = 0;
    for (std::size_t c = 0; c < a.weights.size(); ++c) sum += a.weights[c] * b.weights[c];
    return sum;
  }
  // Σ_c ⟨α_ac k(x_a, ·), α_bc k(x_b, ·)⟩
  double inner(const Term& a, const Term& b) const { return product(a, b) * kernel(a.x, b.x); }
  double size(const Term& a) const { return inner(a, a); }
  // Σ_c ⟨f_c, g_c⟩
  double inner(const PlainModelOf& g) const {
    double sum = 0;
    for (const Term& a : terms) {
      for (const Term& b : g.terms) sum += inner(a, b);
    }
    return sum;
  }
  double squared_norm() const { return inner(*this); }

  void scale(double factor) {
    for (Term& term : terms) {
      for (double& weight : term.weights) weight *= factor;
    }
  }
  // Removes a term; the last term takes its slot, as in an expansion.
  void remove(std::size_t slot) {
    terms[slot] = terms.back();
    terms.pop_back();
  }
  // Removes a term and keeps the order of the others.
  void drop(std::size_t slot) { terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(slot)); }

  Slots all_but(std::size_t without) const {
    Slots slots;
    for (std::size_t j = 0; j < terms.size(); ++j) {
      if (j != without) slots.push_back(j);
    }
    return slots;
  }
  Slots all() const { return all_but(terms.size()); }

  // Kernel values of the terms in `slots`: row() with x, gram() with each other.
  Eigen::VectorXd row(const Vector& x, const Slots& slots) const {
    Eigen::VectorXd values(static_cast<Eigen::Index>(slots.size()));
    for (std::size_t i = 0; i < slots.size(); ++i) {
      values(static_cast<Eigen::Index>(i)) = kernel(terms[slots[i]].x, x);
    }
    return values;
  }
  Eigen::MatrixXd gram(const Slots& slots) const {
    const auto n = static_cast<Eigen::Index>(slots.size());
    Eigen::MatrixXd matrix(n, n);
    for (Eigen::Index i = 0; i < n; ++i) matrix.col(i) = row(terms[slots[static_cast<std::size_t>(i)]].x, slots);
    return matrix;
  }
  // The coefficients of the projection of k(x, ·) on the terms in `slots`, by a direct solve.
  Eigen::VectorXd shares(const Vector& x, const Slots& slots) const {
    if (slots.empty()) return {};
    return gram(slots).fullPivLu().solve(row(x, slots));
  }
  // The squared distance of k(x, ·) from that projection.
  double residual(const Vector& x, const Slots& slots) const {
    if (slots.empty()) return kernel(x, x);
    return kernel(x, x) - row(x, slots).dot(shares(x, slots));
  }
  // Adds `weights` times the combination of the terms in `slots` with coefficients `shares`.
  void add(const std::vector<double>& weights, const Eigen::VectorXd& shares, const Slots& slots) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      for (std::size_t c = 0; c < weights.size(); ++c) {
        terms[slots[i]].weights[c] += weights[c] * shares(static_cast<Eigen::Index>(i));
      }
    }
  }
  // Replaces a term by its projection on the others.
  void project_out(std::size_t slot) {
    const Slots slots = all_but(slot);
    add(terms[slot].weights, shares(terms[slot].x, slots), slots);
    remove(slot);
  }

 private:
  Kernel kernel_;
  std::size_t outputs_;
};

using PlainTerm = PlainTermOf<float>;
using PlainModel = PlainModelOf<float>;

// A copy of an expansion, slot by slot.
inline PlainModel plain(const Expansion& f) {
  PlainModel copy(f.set().kernel(), f.outputs());
  for (std::size_t j = 0; j < f.size(); ++j) {
    PlainTerm term{std::vector<float>(f.set().dimension()), {}, f.births()[j], f.labels()[j]};
    f.set().copy_to(j, term.x);
    for (std::size_t c = 0; c < f.outputs(); ++c) term.weights.push_back(f.coefficient(j, c));
    copy.terms.push_back(term);
  }
  return copy;
}

}  // namespace kinglet
