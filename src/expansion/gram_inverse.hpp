// The inverse of the kernel matrix K of a support set, for projecting on its vectors. It follows the set by one rank-one
// update for each vector that enters or leaves, O(B²), in double precision from exact kernel values:
//   a vector with kernel values k enters:   K⁻¹ ← [K⁻¹ 0; 0 0] + [d; −1][d; −1]ᵀ / residual,   d = K⁻¹ k
//   vector p leaves:                        K_p⁻¹ = (K⁻¹ without p) − b bᵀ / (K⁻¹)_pp,          b = (K⁻¹)_{·p}
// The projection of vector p on the others comes for free: K_p⁻¹ k_p = −b / (K⁻¹)_pp, at the squared distance 1/(K⁻¹)_pp.
// Where p leaves in the moment in which another vector enters, that is one update of rank two; and where the one that came
// leaves again, nothing at all.
// A row of K K⁻¹ is checked now and then; when rounding has crept in, the inverse is computed afresh.
#pragma once

#include <cstddef>
#include <cstdint>
#include <Eigen/Core>
#include <limits>
#include <span>

#include "core/aligned.hpp"
#include "core/state.hpp"
#include "expansion/support_set.hpp"
#include "expansion/symmetric_matrix.hpp"

namespace kinglet {

class GramInverse {
 public:
  // Relative squared distance from the span of the others below which a vector counts as inside, and is best not
  // included: coefficients are floats, and a worse conditioned K makes large ones that cancel.
  static constexpr double kSpan = 1e-4;

  explicit GramInverse(std::size_t capacity);

  // Of k(x, ·) on the vectors of the set: Σ_j shares[j] k(x_j, ·).
  struct Projection {
    std::span<const double> shares;  // until the next call of anything
    double length = 0;               // ‖Σ_j shares[j] k(x_j, ·)‖²
    double residual = 0;             // the squared distance of k(x, ·) from it
  };
  Projection project(SupportSet& set, const Features& x, double self_kernel);
  // Of a vector of the set on the others; shares[slot] = −1 and the length say nothing. `size` is that of the set.
  Projection project_out(std::size_t slot, std::size_t size);
  double own(std::size_t slot) const;  // (K⁻¹)_pp

  // The vector of the last project(), at that squared distance, has entered a set of `size` vectors as the last one.
  void include(double residual, std::size_t size);
  // The same, of a vector for which one of the set, perhaps itself, will make room at once: until exclude() is called,
  // project_out() and own() answer as if it had been included.
  void include_for_now(double residual, std::size_t size);
  // A vector leaves a set of `size`, and the last takes its place.
  void exclude(std::size_t slot, std::size_t size);
  // To be called again and again: every 64th time checks a row, and mends the inverse.
  void look_after(SupportSet& set);

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
  // The guest takes the place of a vector of the set.
  void replace(std::size_t slot);
  void refresh(SupportSet& set);
  // Needs no more memory than the matrix itself. Returns whether that was positive definite; if not, its lower half is
  // void.
  bool invert_lower_half(Matrix matrix);

  std::size_t capacity_;
  SymmetricMatrix inverse_;  // in the order of the slots
  AlignedDoubles row_;       // these are padded
  AlignedDoubles shares_;
  AlignedDoubles side_;
  static constexpr auto kNobody = std::numeric_limits<std::size_t>::max();
  std::size_t guest_ = kNobody;  // the slot of the vector that is there for now
  double residual_ = 0;          // its squared distance from the others
  AlignedDoubles guest_shares_;  // and its projection on them; −1 for itself
  std::uint64_t steps_ = 0;
};

}  // namespace kinglet
