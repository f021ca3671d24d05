// Project: the term of least weight, p, is replaced by its projection on the others.
//   Δα = α_p K_p⁻¹ k_p,   loss ‖α_p‖² (k_pp − k_pᵀ K_p⁻¹ k_p) = ‖α_p‖² / (K⁻¹)_pp
// where K_p is the kernel matrix of the others and k_p the kernel values of p against them. With the inverse of the full
// matrix at hand, K_p⁻¹ k_p = −(K⁻¹)_{·p} / (K⁻¹)_pp, so a step is one rank-one update when a vector enters and one
// when it leaves: O(B²), in double precision from exact kernel values.
// A new vector that lies in the span of the others (up to kSpan) is projected itself, which keeps K well conditioned.
// A row of K K⁻¹ is checked now and then; when rounding has crept in, the inverse is computed afresh.
// Wang, Crammer, Vucetic: Breaking the Curse of Kernelization, JMLR 13 (2012).
#include <algorithm>
#include <cmath>
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <vector>

#include "budget/reducing_rule.hpp"
#include "core/assert.hpp"

namespace kinglet::budgets {
namespace {

constexpr double kSpan =
    1e-4;  // relative squared distance from the span below which a vector counts as inside: coefficients
           // are floats, and a worse conditioned K makes large ones that cancel
constexpr double kTolerance = 1e-6;        // of the checked row of K K⁻¹
constexpr std::uint64_t kCheckEvery = 64;  // insertions

class Project final : public BudgetRule {
 public:
  explicit Project(std::size_t budget)
      : budget_(budget),
        inverse_(Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(budget + 1), static_cast<Eigen::Index>(budget + 1))),
        row_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(budget + 1))),
        shares_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(budget + 1))) {}

  bool place(Expansion& f, const Term& term, Random&) override {
    const auto n = static_cast<Eigen::Index>(f.size());
    f.set().exact_row(term.x, {row_.data(), f.size()});
    shares_.head(n).noalias() = inverse_.topLeftCorner(n, n) * row_.head(n);
    const double length = row_.head(n).dot(shares_.head(n));
    const double residual = term.self_kernel - length;
    if (residual <= kSpan * term.self_kernel) {
      f.absorb(term, {shares_.data(), f.size()}, length);
      return f.size() == budget_;
    }
    f.append(term);
    include(n, residual);
    if (f.size() <= budget_) return false;
    const auto p = static_cast<Eigen::Index>(f.smallest());
    const Eigen::Index last = n;
    const double own = inverse_(p, p);
    shares_ = -inverse_.col(p) / own;
    try {
      f.project_out(static_cast<std::size_t>(p), {shares_.data(), f.size()}, 1 / own);
    } catch (const Error&) {
      f.remove(static_cast<std::size_t>(last));  // as before the term came
      exclude(last, last);
      throw;
    }
    exclude(p, last);
    if (++steps_ % kCheckEvery == 0) verify(f);
    return true;
  }

  std::size_t memory_bytes() const override { return bytes(budget_); }
  static std::size_t bytes(std::size_t budget) { return (budget + 1) * (budget + 3) * sizeof(double); }

  void save(StateWriter& out) const override {
    out.put(steps_);
    out.put_array(std::span<const double>(inverse_.data(), static_cast<std::size_t>(inverse_.size())));
  }
  void load(StateReader& in) override {
    steps_ = in.get<std::uint64_t>();
    const auto values = in.get_array<double>();
    StateReader::require(values.size() == static_cast<std::size_t>(inverse_.size()), "an inverse of another size");
    StateReader::require(std::ranges::all_of(values, [](double v) { return std::isfinite(v); }),
                         "an inverse that is not finite");
    std::ranges::copy(values, inverse_.data());
  }

 private:
  // K grows by the vector with kernel values row_, shares_ = K⁻¹ row_:
  //   K⁻¹ ← [K⁻¹ 0; 0 0] + [shares; −1][shares; −1]ᵀ / residual
  void include(Eigen::Index n, double residual) {
    shares_(n) = -1;
    inverse_.row(n).head(n + 1).setZero();
    inverse_.col(n).head(n + 1).setZero();
    const auto side = shares_.head(n + 1);
    inverse_.topLeftCorner(n + 1, n + 1).noalias() += side * (side / residual).transpose();
  }

  // K loses vector p, and the last takes its place:   K_p⁻¹ = (K⁻¹ without p) − b bᵀ / (K⁻¹)_pp,  b = (K⁻¹)_{·p}
  void exclude(Eigen::Index p, Eigen::Index last) {
    const double own = inverse_(p, p);
    shares_.head(last + 1) = inverse_.col(p).head(last + 1);
    const auto side = shares_.head(last + 1);
    inverse_.topLeftCorner(last + 1, last + 1).noalias() -= side * (side / own).transpose();
    if (p == last) return;
    inverse_.row(p).head(last) = inverse_.row(last).head(last);
    inverse_.col(p).head(last) = inverse_.col(last).head(last);
    inverse_(p, p) = inverse_(last, last);
  }

  // One row of K K⁻¹ should be a row of the identity.
  void verify(Expansion& f) {
    const auto n = static_cast<Eigen::Index>(f.size());
    const auto slot = static_cast<Eigen::Index>(steps_ / kCheckEvery) % n;
    exact_row_of(f, slot);
    shares_.head(n).noalias() = inverse_.topLeftCorner(n, n) * row_.head(n);
    shares_(slot) -= 1;
    if (!(shares_.head(n).cwiseAbs().maxCoeff() <= kTolerance)) refresh(f);
  }

  void refresh(Expansion& f) {
    const auto n = static_cast<Eigen::Index>(f.size());
    Eigen::MatrixXd kernel(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
      exact_row_of(f, j);
      kernel.col(j) = row_.head(n);
    }
    kernel.diagonal() *= 1 + 1e-12;
    const Eigen::LLT<Eigen::MatrixXd> factor(kernel);
    if (factor.info() != Eigen::Success) return;  // an indefinite kernel (sigmoid): keep the updated inverse
    inverse_.topLeftCorner(n, n) = factor.solve(Eigen::MatrixXd::Identity(n, n));
  }

  void exact_row_of(Expansion& f, Eigen::Index slot) {
    vector_.resize(f.set().dimension());
    f.set().copy_to(static_cast<std::size_t>(slot), vector_);
    f.set().exact_row(Features::dense(vector_), {row_.data(), f.size()});
  }

  std::size_t budget_;
  Eigen::MatrixXd inverse_;  // of the kernel matrix, in the order of the slots
  Eigen::VectorXd row_;
  Eigen::VectorXd shares_;
  std::vector<float> vector_;
  std::uint64_t steps_ = 0;
};

}  // namespace

extern const BudgetRuleEntry project;
const BudgetRuleEntry project{
    .entry = {.name = "project",
              .summary = "project the term of least weight on the others",
              .formula = "Δα = α_p K_p⁻¹ k_p, p = argmin ‖α_p‖² k(x_p, x_p)",
              .paper = "Wang, Crammer, Vucetic: Breaking the Curse of Kernelization, JMLR 13 (2012)",
              .cost = "O(B² + B d)"},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<Project>(budget_of(options));
    },
    .refusal = needs_inner_product,
    .memory = Project::bytes};

}  // namespace kinglet::budgets
