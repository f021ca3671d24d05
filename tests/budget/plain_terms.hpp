// For the tests of budget rules: an expansion of any number of outputs that a rule places terms in (RuleAtWork), and the
// same terms as plain vectors of doubles, to be changed straight by the maths (PlainTerms). Slots are kept in the order of
// the expansion's: a removed term is replaced by the last.
#pragma once

#include <algorithm>
#include <cmath>
#include <Eigen/Dense>
#include <memory>
#include <string>
#include <vector>

#include "budget/budget_rule.hpp"
#include "kinglet/registry.hpp"
#include "learn/registry_entries.hpp"
#include "model/expansion.hpp"
#include "random_vectors.hpp"

namespace kinglet {

struct PlainTerm {
  std::vector<float> x;
  std::vector<double> weights;  // one per output
  std::uint64_t birth = 0;

  double squared() const {
    double sum = 0;
    for (const double w : weights) sum += w * w;
    return sum;
  }
};

class PlainTerms {
 public:
  explicit PlainTerms(const Kernel& kernel) : kernel_(kernel) {}

  std::vector<PlainTerm> terms;

  double kernel(const std::vector<float>& x, const std::vector<float>& z) const {
    return kernel_(Features::dense(x), Features::dense(z));
  }
  std::vector<double> scores(const std::vector<float>& x, std::size_t outputs) const {
    std::vector<double> out(outputs, 0.0);
    for (const PlainTerm& term : terms) {
      for (std::size_t c = 0; c < outputs; ++c) out[c] += term.weights[c] * kernel(term.x, x);
    }
    return out;
  }
  void remove(std::size_t slot) {
    terms[slot] = terms.back();
    terms.pop_back();
  }
  // The coefficients of the projection of k(x, ·) on the terms in `slots`, by a direct solve.
  Eigen::VectorXd shares(const std::vector<float>& x, const std::vector<std::size_t>& slots) const {
    const auto n = static_cast<Eigen::Index>(slots.size());
    if (n == 0) return {};
    return gram(slots).ldlt().solve(row(x, slots));
  }
  // The squared distance of k(x, ·) from that projection.
  double residual(const std::vector<float>& x, const std::vector<std::size_t>& slots) const {
    if (slots.empty()) return kernel(x, x);
    return kernel(x, x) - row(x, slots).dot(shares(x, slots));
  }
  Eigen::MatrixXd gram(const std::vector<std::size_t>& slots) const {
    const auto n = static_cast<Eigen::Index>(slots.size());
    Eigen::MatrixXd matrix(n, n);
    for (Eigen::Index i = 0; i < n; ++i) matrix.col(i) = row(terms[slots[static_cast<std::size_t>(i)]].x, slots);
    return matrix;
  }
  Eigen::VectorXd row(const std::vector<float>& x, const std::vector<std::size_t>& slots) const {
    Eigen::VectorXd values(static_cast<Eigen::Index>(slots.size()));
    for (std::size_t i = 0; i < slots.size(); ++i) {
      values(static_cast<Eigen::Index>(i)) = kernel(terms[slots[i]].x, x);
    }
    return values;
  }
  std::vector<std::size_t> all_but(std::size_t without) const {
    std::vector<std::size_t> slots;
    for (std::size_t j = 0; j < terms.size(); ++j) {
      if (j != without) slots.push_back(j);
    }
    return slots;
  }
  std::vector<std::size_t> all() const { return all_but(terms.size()); }
  // Adds `weights` times the combination of the terms in `slots`.
  void add(const std::vector<double>& weights, const Eigen::VectorXd& shares, const std::vector<std::size_t>& slots) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      for (std::size_t c = 0; c < weights.size(); ++c) {
        terms[slots[i]].weights[c] += weights[c] * shares(static_cast<Eigen::Index>(i));
      }
    }
  }

 private:
  Kernel kernel_;
};

inline Kernel gaussian(double gamma) { return {.kind = KernelKind::rbf, .gamma = gamma}; }

class RuleAtWork {
 public:
  RuleAtWork(const Options& given, const Kernel& kernel, std::uint32_t dimension, std::size_t outputs = 1)
      : kernel_(kernel),
        dimension_(dimension),
        f_(kernel, {.dimension = dimension, .classes = outputs == 1 ? 2 : static_cast<std::uint32_t>(outputs)}, outputs,
           static_cast<std::size_t>(std::stoul(given.text("budget"))) + 1) {
    Options options = given;
    options.set("gamma", "0.5");  // the expansion has a kernel of its own
    rule_ = budget_rule_entry(given.text("maintain")).make(complete(options));
  }

  bool place(const std::vector<float>& x, const std::vector<double>& weights, double step = 1, double margin = 0) {
    const AlignedFloats row = kernel_row(x);
    return rule_->place(f_, term(x, weights, row, step, margin), random);
  }
  bool on_margin_error(const std::vector<float>& x, const std::vector<double>& direction, double margin) {
    const AlignedFloats row = kernel_row(x);
    return rule_->on_margin_error(f_, term(x, direction, row, 1, margin));
  }
  std::vector<double> scores(const std::vector<float>& x) {
    const AlignedFloats row = kernel_row(x);
    std::vector<float> out(f_.outputs());
    f_.evaluate(row.data(), out.data());
    return {out.begin(), out.end()};
  }
  PlainTerms plain() const {
    PlainTerms copy(kernel_);
    for (std::size_t j = 0; j < f_.size(); ++j) {
      PlainTerm term{std::vector<float>(dimension_), {}, f_.birth(j)};
      f_.set().copy_to(j, term.x);
      for (std::size_t c = 0; c < f_.outputs(); ++c) term.weights.push_back(f_.coefficient(j, c));
      copy.terms.push_back(term);
    }
    return copy;
  }
  // The largest difference of a score from that of the plain terms at any of the points, relative to the largest score.
  double error(const PlainTerms& expected, const Vectors& points) {
    double worst = 0, largest = 1e-3;
    for (const auto& x : points) {
      const std::vector<double> got = scores(x);
      const std::vector<double> want = expected.scores(x, f_.outputs());
      for (std::size_t c = 0; c < got.size(); ++c) {
        worst = std::max(worst, std::abs(got[c] - want[c]));
        largest = std::max(largest, std::abs(want[c]));
      }
    }
    return worst / largest;
  }
  Expansion& f() { return f_; }
  BudgetRule& rule() { return *rule_; }

  Random random{1};

 private:
  AlignedFloats kernel_row(const std::vector<float>& x) const {
    AlignedFloats row(f_.set().padded_size() + 16);
    f_.set().kernel_rows(RowBlock({x}).rows(), row.data(), f_.set().padded_size());
    return row;
  }
  Term term(const std::vector<float>& x, const std::vector<double>& weights, const AlignedFloats& row, double step,
            double margin) const {
    return {.x = Features::dense(x),
            .kernel_row = row.data(),
            .self_kernel = kernel_(Features::dense(x), Features::dense(x)),
            .coefficients = weights,
            .step = step,
            .margin = margin};
  }

  Kernel kernel_;
  std::uint32_t dimension_;
  Expansion f_;
  std::unique_ptr<BudgetRule> rule_;
};

// A step along the direction of a random example: ± for one output, e_y − e_r for more.
inline std::vector<double> random_step(Random& random, std::size_t outputs, double step) {
  if (outputs == 1) return {random.coin(0.5) ? step : -step};
  std::vector<double> weights(outputs, 0.0);
  const auto y = static_cast<std::size_t>(random.below(outputs));
  weights[y] = step;
  weights[(y + 1 + static_cast<std::size_t>(random.below(outputs - 1))) % outputs] = -step;
  return weights;
}

}  // namespace kinglet
