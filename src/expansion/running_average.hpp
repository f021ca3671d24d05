// The average (f_1 + … + f_T)/T of the functions that the rounds began with, kept along with the changes of an
// expansion.
//
// A term that enters in round t₀ weighs α (T − t₀)/T, so two sums are enough: T f̄ = S Σ α_j k_j + Σ D_j k_j, where S
// is the sum of the scales so far (T for a learner that never shrinks) and a new term begins with D_j = −S α_j.
// Whenever the scale has halved, S α_j moves into D_j and S starts anew, so the two sums never cancel by more than a
// few digits. A prediction before round t uses the average of the t − 1 functions so far: what the model saved at that
// moment predicts. (SPA's paper also counts f_t itself. Over five shuffles of a9a, codrna and w7a both have the same
// online accuracy to two decimals.) No vector may leave or move: only budget rules with `keeps_vectors` go with an
// average.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/state.hpp"
#include "core/zeroed.hpp"
#include "expansion/expansion.hpp"

namespace kinglet {

class RunningAverage final : public ExpansionObserver {
 public:
  explicit RunningAverage(Expansion& f);  // f has no vectors yet

  void begin_round() {
    if (f_.scale() < settled_scale_ / 2) settle();
    elapsed_ += f_.scale();
    ++rounds_;
  }
  double coefficient(std::size_t slot, std::size_t output) const {
    const double sum =
        elapsed_ * static_cast<double>(f_.stored(slot, output)) + static_cast<double>(done_[output * stride_ + slot]);
    return rounds_ == 0 ? 0 : sum / static_cast<double>(rounds_);
  }
  // Turns what evaluate_unscaled() made of these kernel rows into values of the average.
  void finish(const float* kernel_rows, std::size_t stride, std::size_t rows, float* out) const;

  std::size_t memory_bytes() const { return bytes(f_.outputs(), stride_); }
  static std::size_t bytes(std::size_t outputs, std::size_t capacity) {
    return round_up(capacity, 16) * outputs * sizeof(float);
  }
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  void before_change(const TermChange& change) override;
  void after_change(const TermChange& change) override;
  void before_approximation(const Approximation&) override;
  void after_projection(const ProjectedTerm& change) override;
  void after_edit(std::size_t slot) override;
  void after_rewrite() override;
  void before_fold() override { settle(); }
  void after_fold(double) override { settled_scale_ = 1; }
  void after_reserve(std::size_t old_stride) override;
  void after_growth(std::size_t old_outputs) override;
  void settle();

  Expansion& f_;
  std::size_t stride_ = 0;
  double elapsed_ = 0;        // S
  double settled_scale_ = 1;  // the scale when S last started anew
  std::uint64_t rounds_ = 0;  // T
  ZeroedFloats done_;         // D_jc, true values, rows of outputs as the coefficients
};

}  // namespace kinglet
