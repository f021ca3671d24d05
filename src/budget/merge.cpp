// Merge: merges the term m of smallest weight ‖α_m‖² with the partner n for which the loss is smallest. The weight is
// also the size of the term, because k(x, x) = 1 for the Gaussian kernel.
//   z = h x_m + (1−h) x_n,   α_z = k(x_m, z) α_m + k(x_n, z) α_n      (the maths: expansion/merge_table.hpp)
// The search needs the kernel row of m. After a while every new vector is the lightest one, so its row is known from
// scoring; only otherwise is it computed.
// With merge-pairs P > 1, the next P − 1 lightest terms are also merged with their best partners: this makes room for P
// terms at once, and merging is needed P times less often. (Qaadan, Glasmachers: Multi-Merge Budget Maintenance, 2018,
// also save searches by merging more than two vectors into one; but then a light vector pulls heavy ones together.)
// Wang, Crammer, Vucetic: Breaking the Curse of Kernelization, JMLR 13 (2012).
#include <cmath>

#include "budget/append_then.hpp"
#include "budget/budget_rule.hpp"
#include "budget/choices.hpp"
#include "budget/merge_terms.hpp"
#include "core/assert.hpp"
#include "core/compose.hpp"
#include "expansion/merge_table.hpp"

namespace kinglet::budgets {
namespace {

class Merge final : public BudgetRule {
 public:
  Merge(std::size_t budget, std::size_t pairs)
      : budget_(budget),
        pairs_(pairs),
        kappa_(round_up(budget + 1, 16)),
        products_(kappa_.size()),
        screen_(kappa_.size()) {}

  bool place(Expansion& f, const Term& term, Random&) override {
    if (f.size() < budget_) {
      f.append(term);
      return false;
    }
    const std::span<const float> stored = f.stored(term);
    const float own = size_of(stored, term.self_kernel);
    if (own < simd::least(f.sizes(), f.size())) {
      multiply_weights(f, stored.data(), 1);
      const std::size_t n = partner(f, {term.kernel_row, f.size(), own});
      const auto kappa = static_cast<double>(term.kernel_row[n]);
      merge_in(f, term, stored, n, kappa, best_place(f, own, n, kappa));
    } else {
      append_then(f, term, [&](std::size_t) { merge_lightest(f); });
    }
    for (std::size_t pair = 1; pair < pairs_; ++pair) {
      try {
        merge_lightest(f);
      } catch (const Error&) {  // out of range; ignored, as there is already room for the new term
        break;
      }
    }
    return true;
  }

  void take_one_out(Expansion& f, Random&) override {
    try {
      merge_lightest(f);
    } catch (const Error&) {  // out of range
      f.remove(smallest_of(f));
    }
  }

  std::size_t memory_bytes() const override { return bytes(budget_); }
  static std::size_t bytes(std::size_t budget) { return 3 * round_up(budget + 1, 16) * sizeof(float); }

 private:
  // ‖α‖² k(x, x) of a term, from its stored coefficients.
  static float size_of(std::span<const float> stored, double self_kernel) {
    double sum = 0;
    for (const float a : stored) sum += static_cast<double>(a) * static_cast<double>(a);
    return static_cast<float>(sum * self_kernel);
  }
  // products_[j] = α · α_j in stored units, where α_c = first[c · stride].
  void multiply_weights(const Expansion& f, const float* first, std::size_t stride) {
    simd::combine_outputs({first, stride, f.outputs()}, f.stored_outputs(), f.set().padded_size(), products_.data());
  }

  void merge_lightest(Expansion& f) {
    const std::size_t m = smallest_of(f);
    f.set().kernel_row_of(m, kappa_.data());
    const simd::Outputs all = f.stored_outputs();
    multiply_weights(f, all.coefficients + m, all.stride);
    const float own = f.sizes()[m];
    const std::size_t n = partner(f, {kappa_.data(), m, own});
    const auto kappa = static_cast<double>(kappa_[n]);
    merge_terms(f, m, n, kappa, best_place(f, own, n, kappa));
  }

  // The term m to be merged. multiply_weights() must have been called for it.
  struct Lightest {
    const float* kernel_row;
    std::size_t slot;  // the size of f if the term is not part of it
    float size;
  };
  std::size_t partner(const Expansion& f, const Lightest& m) {
    const std::size_t n = simd::best_partner(table_.grid(), {m.kernel_row, f.sizes(), products_.data(), screen_.data(),
                                                             f.size(), m.slot, m.size, f.outputs() == 1});
    KINGLET_ASSERT(n < f.size());
    return n;
  }

  // h for merging m, of size `own`, with n: from the table if the weights are parallel, otherwise by search.
  double best_place(const Expansion& f, float own, std::size_t n, double kappa) const {
    const MergeWeights weights{static_cast<double>(own), static_cast<double>(f.sizes()[n]),
                               static_cast<double>(products_[n])};
    const bool parallel =
        weights.product > 0 && weights.product * weights.product >= (1 - 1e-6) * weights.m * weights.n;
    return parallel ? table_.place(std::sqrt(weights.m / weights.n), kappa) : best_merge_place(weights, kappa);
  }

  std::size_t budget_;
  std::size_t pairs_;
  const MergeTable& table_ = MergeTable::instance();
  ZeroedFloats kappa_;     // k(x_m, x_j), for an m that is in f
  ZeroedFloats products_;  // α_m · α_j
  ZeroedFloats screen_;    // scratch of the search
};

// Why the number of pairs does not fit the budget; empty if it does.
Message too_many_pairs(const Options& options) {
  const std::int64_t pairs = options.integer("merge-pairs");
  if (pairs == 1 || options.is_auto("budget") || pairs < options.integer("budget")) return {};
  return compose("{} must be less than the budget, {}", option("merge-pairs", options.text("merge-pairs")),
                 options.text("budget"));
}

}  // namespace

extern const BudgetRuleEntry merge;
const BudgetRuleEntry merge{
    .entry = {.name = "merge",
              .summary = "merge the term of smallest weight with its best partner",
              .formula = "z = h x_m + (1−h) x_n, α_z = k(x_m, z) α_m + k(x_n, z) α_n with the least loss",
              .paper = "Wang, Crammer, Vucetic: Breaking the Curse of Kernelization, JMLR 13 (2012)",
              .cost = "O(B C + d)",
              .use = "For the Gaussian kernel: merging loses little, so a hundred vectors can do the work of "
                     "thousands.",
              .options =
                  {{.name = "merge-pairs",
                    .kind = OptionKind::integer,
                    .default_value = "1",
                    .help = "number of pairs to merge at once when the budget is full; larger values merge less often",
                    .low = 1,
                    .high = 100'000'000}}},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      // A budget computed from the memory limit is known only now.
      if (const Message reason = too_many_pairs(options); !reason.empty()) throw Error(reason);
      return std::make_unique<Merge>(budget_of(options), static_cast<std::size_t>(options.integer("merge-pairs")));
    },
    .incompatibility = [](const Options& options) -> Message {
      if (options.text("kernel") == "rbf") return too_many_pairs(options);
      return compose(
          "merge needs the Gaussian kernel ({}); with {} give another {}, such as project, bpa-nn, projectron or "
          "smallest",
          option("kernel", "rbf"), option("kernel", options.text("kernel")), option("budget-rule"));
    },
    .memory = Merge::bytes};

}  // namespace kinglet::budgets
