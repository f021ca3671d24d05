// The inverse of the kernel matrix K of a support set, for projections on its vectors. It is maintained by one rank-one
// update for each vector that is added or removed, O(B²), in double precision from exact kernel values:
//   adding a vector with kernel values k:   K⁻¹ ← [K⁻¹ 0; 0 0] + [d; −1][d; −1]ᵀ / residual,   d = K⁻¹ k
//   removing vector p:                      K_p⁻¹ = (K⁻¹ without p) − b bᵀ / (K⁻¹)_pp,          b = (K⁻¹)_{·p}
// This also gives the projection of vector p on the others: K_p⁻¹ k_p = −b / (K⁻¹)_pp, at the squared distance
// 1/(K⁻¹)_pp. With labels, K has zeros where two labels differ, and so has K⁻¹: vectors are projected on those of their
// own label. If p is removed when another vector is added, one update of rank two is enough; if the added vector itself
// is removed, no update is needed. A row of K K⁻¹ is checked from time to time; if its error is too large, the inverse
// is recomputed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <Eigen/Core>
#include <limits>
#include <span>

#include "core/state.hpp"
#include "core/zeroed.hpp"
#include "expansion/support_set.hpp"
#include "expansion/symmetric_matrix.hpp"

namespace kinglet {

// The labels of the vectors of a set, and that of a new one. Null: vectors are projected whatever their label.
struct SlotLabels {
  const ClassId* of_slots = nullptr;
  ClassId own = 0;
};

class GramInverse {
 public:
  // A vector whose relative squared distance from the span of the others is below this counts as inside the span and
  // should not be included: an ill-conditioned K gives large coefficients that cancel, and coefficients are floats.
  static constexpr double kSpan = 1e-4;

  explicit GramInverse(std::size_t capacity);

  // The projection of k(x, ·) on the vectors of the set: Σ_j shares[j] k(x_j, ·).
  struct Projection {
    std::span<const double> shares;  // valid until the next call
    double length = 0;               // ‖Σ_j shares[j] k(x_j, ·)‖²
    double residual = 0;             // the squared distance of k(x, ·) from it
  };
  Projection project(SupportSet& set, const Features& x, double self_kernel, const SlotLabels& labels = {});
  // The projection of a vector of the set on the others; shares[slot] = −1 and the length have no meaning. `size` is
  // the size of the set.
  Projection project_out(std::size_t slot, std::size_t size);
  double own(std::size_t slot) const;  // (K⁻¹)_pp

  // The vector of the last project(), at that squared distance, was added as the last of `size` vectors.
  void include(double residual, std::size_t size);
  // The same for a vector after which another one, or itself, is removed at once: until exclude() is called,
  // project_out() and own() answer as if it had been included.
  void include_for_now(double residual, std::size_t size);
  // A vector of a set of `size` is removed, and the last moves into its slot.
  void exclude(std::size_t slot, std::size_t size);
  // Call regularly: every 64th call checks a row and recomputes the inverse if necessary.
  void look_after(SupportSet& set, const ClassId* labels = nullptr);

  // From now on there are at most so many vectors, and save() writes that many.
  void limit(std::size_t capacity) { capacity_ = capacity; }

  static std::size_t bytes(std::size_t capacity) {
    return SymmetricMatrix::bytes(capacity) + 4 * SymmetricMatrix::padded(capacity) * sizeof(double);
  }
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  using Matrix = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
  Matrix matrix(std::size_t size);  // to look at both halves
  // shares_ ← K⁻¹ row_
  void multiply(std::size_t size);
  // side_ ← the column of a vector, with the guest, if there is one.
  void make_side(std::size_t slot, std::size_t size);
  // The guest replaces a vector of the set.
  void replace(std::size_t slot);
  // row_ ← a row of K
  void read_row(SupportSet& set, std::size_t slot, const ClassId* labels);
  void separate(std::size_t size, const SlotLabels& labels);  // row_ ← 0 where the label is another
  void refresh(SupportSet& set, const ClassId* labels);
  // Inverts in place. Returns whether the matrix was positive definite; if not, its lower half is destroyed.
  bool invert_lower_half(Matrix matrix);

  std::size_t capacity_;
  SymmetricMatrix inverse_;  // in the order of the slots
  ZeroedDoubles row_;        // these are padded
  ZeroedDoubles shares_;
  ZeroedDoubles side_;
  static constexpr auto kNobody = std::numeric_limits<std::size_t>::max();
  std::size_t guest_ = kNobody;  // the slot of the vector that is included temporarily
  double residual_ = 0;          // its squared distance from the others
  ZeroedDoubles guest_shares_;   // and its projection on them; −1 for itself
  std::uint64_t steps_ = 0;
};

}  // namespace kinglet
