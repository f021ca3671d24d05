// The squared norm ‖f‖² = Σ_c ‖f_c‖² of an expansion, kept along with its changes: ‖f + Δ‖² = ‖f‖² + 2⟨f, Δ⟩ + ‖Δ‖².
// A step costs one kernel row for each inner product, O(B d). Rounding adds up along the stream, so the norm is
// computed afresh from time to time, O(B² d).
#pragma once

#include "expansion/expansion.hpp"

namespace kinglet {

class Norm final : public ExpansionObserver {
 public:
  explicit Norm(Expansion& f);

  double squared() const { return squared_; }
  void set(double squared);  // at least 0

  // Call it after each example that was learned: when many have been, relative to the cost of B kernel rows, the norm
  // is computed afresh.
  void look_after() {
    if (++changes_ < kLeastChanges + kChangesPerVector * f_.size()) return;
    measure();
    changes_ = 0;
  }
  std::uint64_t changes() const { return changes_; }  // since it was last computed afresh
  void set_changes(std::uint64_t changes) { changes_ = changes; }

 private:
  void before_change(const TermChange& change) override;
  void before_approximation(const Approximation& change) override;
  void after_approximation(const Approximation& change) override;
  void before_projection(const ProjectedTerm& change) override;
  void after_projection(const ProjectedTerm& change) override;
  void after_rewrite() override { measure(); }
  void after_rescale() override { measure(); }
  void after_shrink(double factor) override { squared_ *= factor * factor; }
  // One output f becomes −f/2 and f/2.
  void after_growth(std::size_t old_outputs) override {
    if (old_outputs == 1) squared_ /= 2;
  }

  void measure();
  double inner_product(std::size_t slot, std::size_t at);

  static constexpr std::uint64_t kLeastChanges = 1024;
  static constexpr std::uint64_t kChangesPerVector = 64;

  Expansion& f_;
  double squared_ = 0;
  std::uint64_t changes_ = 0;
  double pending_ = 0;  // of a change that is under way: the inner product before it, or what it adds to ‖f‖²
};

}  // namespace kinglet
