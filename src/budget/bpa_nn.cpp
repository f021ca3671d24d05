// BPA-NN, nearest neighbour: an old term r is replaced by its projection on the new vector t and its own nearest
// neighbour n. bpa_s.cpp explains why it is enough to compare the losses of the old terms.
//   V = {t, n(r)}:   r = argmin ‖α_r‖² (k_rr − k_rᵀ K_V⁻¹ k_r),   β = α_r K_V⁻¹ k_r
// For every vector, its nearest neighbour in the feature space is stored with their kernel value; ties go to the
// oldest. A new vector is compared with all others, O(B). A vector whose neighbour was removed searches for another,
// O(B d), only when it could be the term to remove; until then the old kernel value bounds its loss (term_search.hpp).
// If k(x, x) is not constant there is no such bound, and it searches at once, about once per step. Wang, Vucetic:
// Online Passive-Aggressive Algorithms on a Budget, AISTATS (2010).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "budget/append_then.hpp"
#include "budget/budget_rule.hpp"
#include "budget/choices.hpp"
#include "budget/hand_over.hpp"
#include "core/assert.hpp"
#include "core/zeroed.hpp"
#include "expansion/gram_inverse.hpp"
#include "simd/term_search.hpp"

namespace kinglet::budgets {
namespace {

using simd::kNoNeighbour;

class BpaNearestNeighbour final : public BudgetRule {
 public:
  explicit BpaNearestNeighbour(std::size_t budget)
      : budget_(budget),
        neighbours_(padded(budget)),
        kernels_(padded(budget)),
        row_(padded(budget)),
        neighbours_kernels_(padded(budget)) {}

  bool place(Expansion& f, const Term& term, Random&) override {
    StateReader::require(count_ == f.size(), "neighbours and vectors differ in number");
    measure_neighbours(f);
    const std::size_t closest = simd::nearest({term.kernel_row, f.self_kernels(), f.births()}, count_, count_);
    if (f.size() < budget_) {
      meet(f, term, f.append(term), closest);
      return false;
    }
    const Leaving leaving = choose(f, term, closest);
    append_then(f, term, [&](std::size_t newest) {
      const std::array<Heir, 2> heirs{{{newest, leaving.by_new}, {leaving.neighbour, leaving.by_neighbour}}};
      hand_over(f, leaving.slot, std::span(heirs).first(leaving.by_neighbour == 0 ? 1 : 2), leaving.squared_distance);
    });
    meet(f, term, leaving.slot, closest);
    return true;
  }

  // There is no new vector to project on.
  void take_one_out(Expansion& f, Random&) override {
    const std::size_t slot = smallest_of(f);
    f.remove(slot);
    forget(f, slot);
  }

  void after_rescale(Expansion& f) override {
    for (std::size_t j = 0; j < count_; ++j) {
      f.set().kernel_row_of(j, row_.data());
      choose_neighbour(f, j, row_.data());
    }
  }

  std::size_t memory_bytes() const override { return bytes(budget_); }
  static std::size_t bytes(std::size_t budget) {
    return padded(budget) * (sizeof(std::uint32_t) + 2 * sizeof(float) + sizeof(double));
  }

  void save(StateWriter& out) const override {
    out.put_array(std::span<const std::uint32_t>(neighbours_.data(), count_));
    out.put_array(std::span<const float>(kernels_.data(), count_));
  }
  void load(StateReader& in) override {
    const auto neighbours = in.get_array<std::uint32_t>();
    const auto kernels = in.get_array<float>();
    const std::size_t count = neighbours.size();
    StateReader::require(count <= budget_ && kernels.size() == count, "neighbours and vectors differ in number");
    for (std::size_t j = 0; j < count; ++j) {
      const bool good = neighbours[j] == kNoNeighbour || (neighbours[j] < count && neighbours[j] != j);
      StateReader::require(good, "a neighbour that is not there");
      StateReader::require(std::isfinite(kernels[j]), "a kernel value is not finite");
    }
    std::ranges::copy(neighbours, neighbours_.begin());
    std::ranges::copy(kernels, kernels_.begin());
    count_ = count;
  }

 private:
  static std::size_t padded(std::size_t budget) { return round_up(budget + 1, 16); }

  struct Leaving {
    std::size_t slot = 0;
    std::size_t neighbour = 0;
    double by_new = 0;  // shares of the projection
    double by_neighbour = 0;
    double squared_distance = 0;
  };

  // k(x, x) of the neighbour of each vector, before the new vector is added.
  void measure_neighbours(const Expansion& f) {
    for (std::size_t j = 0; j < count_ && !f.set().kernel().is_radial(); ++j) {
      neighbours_kernels_[j] = neighbours_[j] == kNoNeighbour ? 0 : f.self_kernels()[neighbours_[j]];
    }
  }
  const double* neighbours_kernels(const Expansion& f) const {
    return f.set().kernel().is_radial() ? f.self_kernels() : neighbours_kernels_.data();  // 1, all of them
  }

  Leaving choose(Expansion& f, const Term& term, std::size_t closest) {
    simd::Projections terms{.to_new = term.kernel_row,
                            .inverse = term.self_kernel > 0 ? 1 / term.self_kernel : 0,
                            .outputs = f.stored_outputs(),
                            .self_kernels = f.self_kernels(),
                            .births = f.births(),
                            .span = GramInverse::kSpan};
    if (count_ > 1) {  // one vector alone has no neighbour
      terms.neighbours = neighbours_.data();
      terms.to_neighbour = kernels_.data();
      terms.neighbours_kernels = neighbours_kernels(f);
      terms.bounded = f.set().kernel().is_radial();
      terms.largest_to_new = closest < count_ ? static_cast<double>(term.kernel_row[closest]) : 1;
    }
    std::size_t best = simd::least_loss(terms, count_);
    while (count_ > 1 && neighbours_[best] == kNoNeighbour) {
      look_around(f, best);
      best = simd::least_loss(terms, count_);
    }
    return projected(f, term, best);
  }

  // Projects first on t, then on the part of the neighbour that is orthogonal to t, if any.
  Leaving projected(const Expansion& f, const Term& term, std::size_t r) const {
    const double own = f.self_kernels()[r];
    const auto to_new = static_cast<double>(term.kernel_row[r]);
    Leaving leaving{.slot = r, .by_new = share(to_new, term.self_kernel, own)};
    leaving.squared_distance = std::max(0.0, own - leaving.by_new * to_new);
    if (neighbours_[r] == kNoNeighbour) return leaving;
    const std::size_t n = neighbours_[r];
    const double neighbour_own = f.self_kernels()[n];
    const auto neighbour_to_new = static_cast<double>(term.kernel_row[n]);
    const double neighbour_share = share(neighbour_to_new, term.self_kernel, neighbour_own);
    const double rest = neighbour_own - neighbour_share * neighbour_to_new;  // of the neighbour, without t
    if (!(rest > GramInverse::kSpan * neighbour_own)) return leaving;
    const double product = static_cast<double>(kernels_[r]) - leaving.by_new * neighbour_to_new;
    leaving.neighbour = n;
    leaving.by_neighbour = share(product, rest, leaving.squared_distance);
    leaving.by_new -= leaving.by_neighbour * neighbour_share;
    leaving.squared_distance = std::max(0.0, leaving.squared_distance - leaving.by_neighbour * product);
    return leaving;
  }

  // The share product/onto of a projection, limited to √(own/onto), which it exceeds only by rounding or if the kernel
  // is not positive definite.
  static double share(double product, double onto, double own) {
    if (!(onto > 0 && own > 0)) return 0;
    const double most = std::sqrt(own / onto);
    return std::clamp(product / onto, -most, most);
  }

  // Updates the neighbours after a new vector was put into a slot, either a new one or that of a removed vector.
  // `closest` is the vector nearest to it among those that were there before.
  void meet(Expansion& f, const Term& term, std::size_t slot, std::size_t closest) {
    const auto place = static_cast<std::uint32_t>(slot);
    simd::make_neighbour({term.kernel_row, term.self_kernel, neighbours_kernels(f), place}, count_, neighbours_.data(),
                         kernels_.data());
    if (closest == slot) {
      choose_neighbour(f, slot, term.kernel_row);
    } else {
      set_neighbour(f, slot, term.kernel_row, closest);
    }
    count_ = f.size();
    if (f.set().kernel().is_radial()) return;
    for (std::size_t j = 0; j < count_ && count_ > 1; ++j) {
      if (neighbours_[j] == kNoNeighbour) look_around(f, j);
    }
  }

  // The vector of a slot was removed, and the last one moved there. Those that lost their neighbour keep its kernel
  // value as a bound, or search at once where it is none.
  void forget(Expansion& f, std::size_t slot) {
    const std::size_t last = --count_;
    neighbours_[slot] = neighbours_[last];
    kernels_[slot] = kernels_[last];
    for (std::size_t j = 0; j < count_; ++j) {
      if (neighbours_[j] == slot) neighbours_[j] = kNoNeighbour;
      if (neighbours_[j] == last) neighbours_[j] = static_cast<std::uint32_t>(slot);
    }
    if (count_ == 1) kernels_[0] = std::numeric_limits<float>::lowest();
    if (count_ == 1 || f.set().kernel().is_radial()) return;
    for (std::size_t j = 0; j < count_; ++j) {
      if (neighbours_[j] == kNoNeighbour) look_around(f, j);
    }
  }

  // Finds the nearest neighbour of the vector in a slot, with or without its kernel row.
  void choose_neighbour(const Expansion& f, std::size_t slot, const float* kernel_row) {
    set_neighbour(f, slot, kernel_row, simd::nearest({kernel_row, f.self_kernels(), f.births()}, count_, slot));
  }
  void look_around(Expansion& f, std::size_t slot) {
    f.set().kernel_row_of(slot, row_.data());
    choose_neighbour(f, slot, row_.data());
    KINGLET_ASSERT(neighbours_[slot] != kNoNeighbour);
  }
  void set_neighbour(const Expansion& f, std::size_t slot, const float* kernel_row, std::size_t neighbour) {
    const bool alone = neighbour == count_;  // no neighbour found
    neighbours_[slot] = alone ? kNoNeighbour : static_cast<std::uint32_t>(neighbour);
    kernels_[slot] = alone ? std::numeric_limits<float>::lowest() : kernel_row[neighbour];
    neighbours_kernels_[slot] = alone ? 0 : f.self_kernels()[neighbour];
  }

  std::size_t budget_;
  std::size_t count_ = 0;
  Zeroed<std::uint32_t> neighbours_;  // by slot, if known
  ZeroedFloats kernels_;              // k(x_j, x_neighbour), or an upper bound
  ZeroedFloats row_;                  // scratch
  ZeroedDoubles neighbours_kernels_;
};

}  // namespace

extern const BudgetRuleEntry bpa_nn;
const BudgetRuleEntry bpa_nn{
    .entry = {.name = "bpa-nn",
              .summary = "replace an old term by its projection onto the new vector and its nearest neighbour",
              .formula = "V = {t, n(r)}, r = argmin ‖α_r‖² (k_rr − k_rᵀK_V⁻¹k_r): α_V ← α_V + α_r K_V⁻¹k_r",
              .paper = "Wang, Vucetic: Online Passive-Aggressive Algorithms on a Budget, AISTATS (2010)",
              .cost = "O(B C + B d)",
              .use = "For passive-aggressive updates: nearly as good as bpa-p at nearly the cost of bpa-s."},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<BpaNearestNeighbour>(budget_of(options));
    },
    .incompatibility = needs_inner_product,
    .memory = BpaNearestNeighbour::bytes};

}  // namespace kinglet::budgets
