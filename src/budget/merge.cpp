// Merge: the term of least weight, m, joins the partner n with which it loses least.
//   z = h x_m + (1−h) x_n,   α_z = k(x_m, z) α_m + k(x_n, z) α_n      (the maths: model/merge_table.hpp)
// The kernel row of m is what the search needs. In the long run every new vector is the lightest one, so the row is the
// one its scoring left behind; only otherwise is it computed.
// Wang, Crammer, Vucetic: Breaking the Curse of Kernelization, JMLR 13 (2012).
#include <algorithm>
#include <cmath>

#include "budget/reducing_rule.hpp"
#include "model/merge_table.hpp"

namespace kinglet::budgets {
namespace {

class Merge final : public ReducingRule {
 public:
  explicit Merge(std::size_t budget)
      : ReducingRule(budget), kappa_(round_up(budget + 1, 16)), products_(kappa_.size()), screen_(kappa_.size()) {}

  std::size_t memory_bytes() const override { return 3 * kappa_.size() * sizeof(float); }
  static std::size_t bytes(std::size_t budget) { return 3 * round_up(budget + 1, 16) * sizeof(float); }

 private:
  void reduce(Expansion& f, std::size_t newest, const Term& term, Random&) override {
    const std::size_t m = f.smallest();
    if (m == newest) {
      std::copy_n(term.kernel_row, newest, kappa_.begin());
      kappa_[newest] = 1;
    } else {
      f.set().kernel_row_of(m, kappa_.data());
    }
    const std::size_t n = partner(f, m);
    f.merge(m, n, static_cast<double>(kappa_[n]), best_place(f, m, n));
  }

  std::size_t partner(const Expansion& f, std::size_t m) {
    f.products(m, products_.data());
    const simd::MergeQuery query{kappa_.data(), f.sizes(), products_.data(), screen_.data(), f.size(), m};
    return simd::best_partner(table_.grid(), query);
  }

  double best_place(const Expansion& f, std::size_t m, std::size_t n) const {
    const MergeWeights weights{static_cast<double>(f.sizes()[m]), static_cast<double>(f.sizes()[n]),
                               static_cast<double>(products_[n])};
    const auto kappa = static_cast<double>(kappa_[n]);
    const bool parallel =
        weights.product > 0 && weights.product * weights.product >= (1 - 1e-6) * weights.m * weights.n;
    return parallel ? table_.place(std::sqrt(weights.m / weights.n), kappa) : best_merge_place(weights, kappa);
  }

  const MergeTable& table_ = MergeTable::instance();
  AlignedFloats kappa_;
  AlignedFloats products_;
  AlignedFloats screen_;
};

}  // namespace

extern const BudgetRuleEntry merge;
const BudgetRuleEntry merge{
    .entry = {.name = "merge",
              .summary = "merge the term of least weight with its best partner",
              .formula = "z = h x_m + (1−h) x_n, α_z = k(x_m, z) α_m + k(x_n, z) α_n with the least loss",
              .paper = "Wang, Crammer, Vucetic: Breaking the Curse of Kernelization, JMLR 13 (2012)",
              .cost = "O(B C + d)"},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<Merge>(budget_of(options));
    },
    .refusal = [](const Options& options) -> std::string {
      if (options.text("kernel") == "rbf") return {};
      return "merge needs the Gaussian kernel (--kernel rbf); with --kernel " + options.text("kernel") +
             " use --maintain project, smallest, oldest, random, stop or none";
    },
    .memory = Merge::bytes};

}  // namespace kinglet::budgets
