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
#include "model/gram_inverse.hpp"

namespace kinglet::budgets {
namespace {

constexpr auto kNobody = std::numeric_limits<std::uint32_t>::max();

class NearestNeighbour final : public BudgetRule {
 public:
  explicit NearestNeighbour(std::size_t budget)
      : budget_(budget), neighbours_(budget + 1, kNobody), kernels_(budget + 1), row_(round_up(budget + 1, 16)) {}

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
    return (budget + 1) * (sizeof(std::uint32_t) + sizeof(float)) + round_up(budget + 1, 16) * sizeof(float);
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
  struct Leaving {
    std::size_t slot = 0;
    std::size_t neighbour = 0;
    double by_new = 0;  // shares of the projection
    double by_neighbour = 0;
    double squared_distance = 0;
  };

  Leaving choose(const Expansion& f, const Term& term) const {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    const double inverse = term.self_kernel > 0 ? 1 / term.self_kernel : 0;
    for (std::size_t r = 0; r < f.size(); ++r) {
      const double loss = f.squared_weight(r) * distance(f, term, r, inverse);
      if (loss > least || (loss == least && f.birth(r) > f.birth(best))) continue;
      least = loss;
      best = r;
    }
    return projected(f, term, best);
  }

  // The squared distance of r from the span of t and its neighbour, as projected() has it, but for rounding.
  double distance(const Expansion& f, const Term& term, std::size_t r, double inverse) const {
    const auto to_new = static_cast<double>(term.kernel_row[r]);
    const double from_new = std::max(0.0, f.self_kernel(r) - to_new * to_new * inverse);
    if (neighbours_[r] == kNobody) return from_new;
    const std::size_t n = neighbours_[r];
    const auto neighbour_to_new = static_cast<double>(term.kernel_row[n]);
    const double rest = f.self_kernel(n) - neighbour_to_new * neighbour_to_new * inverse;
    if (!(rest > GramInverse::kSpan * f.self_kernel(n))) return from_new;
    const double product = static_cast<double>(kernels_[r]) - to_new * neighbour_to_new * inverse;
    return std::max(0.0, from_new - product * product / rest);
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

  // The squared distance of a vector from j, up to its own k(x, x).
  static double farness(const Expansion& f, std::size_t j, double kernel) { return f.self_kernel(j) - 2 * kernel; }

  // The new vector gets to know the others as they were before it came, but for one that is about to leave. (In f that one
  // is gone already, and the new vector stands in its place.)
  void meet(const Expansion& f, const Term& term, std::uint32_t leaving) {
    const auto newest = static_cast<std::uint32_t>(count_++);
    neighbours_[newest] = kNobody;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::uint32_t j = 0; j < newest; ++j) {
      if (j == leaving) continue;
      const auto kernel = static_cast<double>(term.kernel_row[j]);
      const bool knows = neighbours_[j] != kNobody && neighbours_[j] != leaving;
      const double known = knows ? farness(f, neighbours_[j], static_cast<double>(kernels_[j])) : 0;
      if (neighbours_[j] == kNobody || (knows && term.self_kernel - 2 * kernel < known)) {
        neighbours_[j] = newest;
        kernels_[j] = term.kernel_row[j];
      }
      if (const double distance = farness(f, j, kernel); distance < nearest) {
        nearest = distance;
        neighbours_[newest] = j;
        kernels_[newest] = term.kernel_row[j];
      }
    }
  }

  // The last takes the place of the one that has left.
  void part_from(Expansion& f, std::uint32_t leaving) {
    const auto last = static_cast<std::uint32_t>(--count_);
    neighbours_[leaving] = neighbours_[last];
    kernels_[leaving] = kernels_[last];
    for (std::uint32_t j = 0; j < count_; ++j) {
      if (neighbours_[j] == leaving) {
        search(f, j);
      } else if (neighbours_[j] == last) {
        neighbours_[j] = leaving;
      }
    }
  }

  void search(Expansion& f, std::uint32_t slot) {
    f.set().kernel_row_of(slot, row_.data());
    neighbours_[slot] = kNobody;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::uint32_t j = 0; j < count_; ++j) {
      if (j == slot) continue;
      if (const double distance = farness(f, j, static_cast<double>(row_[j])); distance < nearest) {
        nearest = distance;
        neighbours_[slot] = j;
        kernels_[slot] = row_[j];
      }
    }
  }

  std::size_t budget_;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> neighbours_;  // of each slot
  std::vector<float> kernels_;             // k(x_j, x_neighbour)
  AlignedFloats row_;
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
