// BPA-NN, nearest neighbour: an old term r makes room for the new one, and its projection on the new vector t and on its
// own nearest neighbour n stays. Why it is enough to look at the losses of the old terms: bpa_s.cpp.
//   V = {t, n(r)}:   r = argmin ‖α_r‖² (k_rr − k_rᵀ K_V⁻¹ k_r),   β = α_r K_V⁻¹ k_r
// The neighbour of every vector, in the distance of the kernel, is kept with their kernel value. A new vector is compared
// with all of them, O(B); only those whose neighbour has left look for another one, O(B d) each, one of them on average.
// Wang, Vucetic: Online Passive-Aggressive Algorithms on a Budget, AISTATS (2010).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "budget/reducing_rule.hpp"
#include "core/assert.hpp"
#include "model/gram_inverse.hpp"
#include "simd/term_search.hpp"

namespace kinglet::budgets {
namespace {

constexpr auto kNobody = std::numeric_limits<std::uint32_t>::max();

class NearestNeighbour final : public BudgetRule {
 public:
  explicit NearestNeighbour(std::size_t budget)
      : budget_(budget),
        neighbours_(padded(budget), kNobody),
        kernels_(padded(budget)),
        row_(padded(budget)),
        neighbours_kernels_(padded(budget)),
        places_(padded(budget)) {}

  bool place(Expansion& f, const Term& term, Random&) override {
    StateReader::require(count_ == f.size(), "neighbours and vectors differ in number");
    if (f.size() < budget_) {
      f.append(term);
      meet(f, term, kNobody);
      return false;
    }
    const Leaving leaving = choose(f, term);
    append_then(f, term, [&](std::size_t newest) {
      const std::array<Expansion::Part, 2> parts{{{newest, leaving.by_new}, {leaving.neighbour, leaving.by_neighbour}}};
      f.hand_over(leaving.slot, std::span(parts).first(leaving.by_neighbour == 0 ? 1 : 2), leaving.squared_distance);
    });
    meet(f, term, static_cast<std::uint32_t>(leaving.slot));
    part_from(f, static_cast<std::uint32_t>(leaving.slot));
    return true;
  }

  std::size_t memory_bytes() const override { return bytes(budget_); }
  static std::size_t bytes(std::size_t budget) {
    return padded(budget) * (2 * sizeof(std::uint32_t) + 2 * sizeof(float) + sizeof(double));
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
      const bool good = count == 1 ? neighbours[j] == kNobody : neighbours[j] < count && neighbours[j] != j;
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

  // k(x, x) of the neighbour of each of the first `count` vectors.
  const double* neighbours_kernels(const Expansion& f, std::size_t count) {
    if (f.set().kernel().is_radial()) return f.self_kernels();  // 1, all of them
    for (std::size_t j = 0; j < count; ++j) neighbours_kernels_[j] = f.self_kernel(neighbours_[j]);
    return neighbours_kernels_.data();
  }

  Leaving choose(const Expansion& f, const Term& term) {
    simd::Projections terms{.to_new = term.kernel_row,
                            .inverse = term.self_kernel > 0 ? 1 / term.self_kernel : 0,
                            .outputs = f.stored_outputs(),
                            .self_kernels = f.self_kernels(),
                            .births = f.births(),
                            .span = GramInverse::kSpan};
    if (f.size() > 1) {  // one vector alone has no neighbour
      for (std::size_t j = 0; j < f.size(); ++j) row_[j] = term.kernel_row[neighbours_[j]];
      terms.to_neighbour = kernels_.data();
      terms.neighbours_to_new = row_.data();
      terms.neighbours_kernels = neighbours_kernels(f, f.size());
    }
    const std::size_t best = simd::least_loss(terms, f.size());
    return projected(f, term, best);
  }

  // First on t, then on what of the neighbour is orthogonal to t, if there is anything.
  Leaving projected(const Expansion& f, const Term& term, std::size_t r) const {
    const double own = f.self_kernel(r);
    const auto to_new = static_cast<double>(term.kernel_row[r]);
    Leaving leaving{.slot = r, .by_new = share(to_new, term.self_kernel, own)};
    leaving.squared_distance = std::max(0.0, own - leaving.by_new * to_new);
    if (neighbours_[r] == kNobody) return leaving;
    const std::size_t n = neighbours_[r];
    const double neighbour_own = f.self_kernel(n);
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

  // The share product/onto of a projection. It cannot exceed √(own/onto), but for rounding and kernels that are not
  // positive definite.
  static double share(double product, double onto, double own) {
    if (!(onto > 0 && own > 0)) return 0;
    const double most = std::sqrt(own / onto);
    return std::clamp(product / onto, -most, most);
  }

  // The new vector gets to know the others as they were before it came, but for one that is about to leave. (In f that one
  // is gone already, and the new vector stands in its place.)
  void meet(const Expansion& f, const Term& term, std::uint32_t leaving) {
    const auto newest = static_cast<std::uint32_t>(count_++);
    if (newest == 1 && leaving == kNobody) {
      neighbours_[0] = newest;
      kernels_[0] = term.kernel_row[0];
    } else if (newest > 1) {
      simd::make_neighbour({term.kernel_row, term.self_kernel, neighbours_kernels(f, newest), newest, leaving}, newest,
                           neighbours_.data(), kernels_.data());
    }
    settle(f, newest, term.kernel_row, newest, leaving);
  }

  // The last takes the place of the one that has left.
  void part_from(Expansion& f, std::uint32_t leaving) {
    const auto last = static_cast<std::uint32_t>(--count_);
    neighbours_[leaving] = neighbours_[last];
    kernels_[leaving] = kernels_[last];
    const auto with_neighbour = [&](std::uint32_t slot) {
      return std::span(places_).first(simd::places_of(slot, neighbours_.data(), count_, places_.data()));
    };
    const std::size_t orphans = with_neighbour(leaving).size();
    for (std::size_t i = 0; i < orphans; ++i) neighbours_[places_[i]] = kNobody;
    for (const std::uint32_t slot : with_neighbour(last)) neighbours_[slot] = leaving;
    if (orphans == 0) return;
    for (const std::uint32_t slot : with_neighbour(kNobody)) {
      f.set().kernel_row_of(slot, row_.data());
      settle(f, slot, row_.data(), count_, slot);
    }
  }

  // The vector of a slot chooses the nearest of the first `count` vectors, by its kernel row.
  void settle(const Expansion& f, std::uint32_t slot, const float* kernel_row, std::size_t count,
              std::uint32_t skipped) {
    const std::size_t nearest = simd::nearest(kernel_row, f.self_kernels(), count, skipped);
    KINGLET_ASSERT(nearest < count || count - (skipped < count ? 1 : 0) == 0);
    neighbours_[slot] = nearest == count ? kNobody : static_cast<std::uint32_t>(nearest);
    if (nearest < count) kernels_[slot] = kernel_row[nearest];
  }

  std::size_t budget_;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> neighbours_;  // of each slot
  std::vector<float> kernels_;             // k(x_j, x_neighbour)
  AlignedFloats row_;                      // scratch
  std::vector<double> neighbours_kernels_;
  std::vector<std::uint32_t> places_;
};

}  // namespace

extern const BudgetRuleEntry bpa_nn;
const BudgetRuleEntry bpa_nn{
    .entry =
        {.name = "bpa-nn",
         .summary = "replace an old term by its projection on the new vector and its nearest neighbour",
         .formula = "V = {t, n(r)}, r = argmin ‖α_r‖² (k_rr − k_rᵀK_V⁻¹k_r): α_V ← α_V + α_r K_V⁻¹k_r",
         .paper = "Wang, Vucetic: Online Passive-Aggressive Algorithms on a Budget, AISTATS (2010)",
         .cost = "O(B C + B d)",
         .use = "The middle way with passive-aggressive updates: nearly as good as bpa-p at nearly the cost of bpa-s."},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<NearestNeighbour>(budget_of(options));
    },
    .refusal = needs_inner_product,
    .memory = NearestNeighbour::bytes};

}  // namespace kinglet::budgets
