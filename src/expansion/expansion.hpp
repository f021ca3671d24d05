// A model function as an expansion over support vectors:
//
//   f_c(x) = s · Σ_j α_jc k(x_j, x)        c = 1 … C outputs (one for binary classification)
//
// with one lazy scale s: shrinking f costs O(1). Coefficients are stored divided by s, output after output, padded to
// whole blocks of 16 with zeros. Beside each vector stand its size ‖α_j‖² k(x_j, x_j) (in stored units), its label and
// its birth, a counter that orders vectors by age.
//
// What only some learners need is kept along with every change once asked for: the norm ‖f‖, the values f(x_j) at the
// support vectors, and the average of f over all rounds.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "core/state.hpp"
#include "expansion/support_set.hpp"
#include "kinglet/learner.hpp"
#include "simd/term_search.hpp"
#include "simd/vector_ops.hpp"

namespace kinglet {

// A term to be added: Σ_c coefficients[c] k(x, ·) on output c.
struct Term {
  Features x;
  const float* kernel_row = nullptr;     // k(x_j, x) for the vectors already there, padded
  double self_kernel = 1;                // k(x, x)
  std::span<const double> coefficients;  // true ones: not divided by the scale
  double step = 1;                       // coefficients = step · u, where u is the direction of the task
  double margin = 0;                     // of the example, before the step
  ClassId label = 0;                     // its class; 1 where the task has none
  // f(x) in stored units, if it is known of f as it was after so many edits and with that scale.
  const float* scores = nullptr;
  std::uint64_t edits = 0;
  double scale = 1;
};

class Expansion {
 public:
  Expansion(const Kernel& kernel, const Shape& shape, std::size_t outputs, std::size_t capacity);

  std::size_t size() const { return set_->size(); }
  std::size_t outputs() const { return outputs_; }
  SupportSet& set() { return *set_; }
  const SupportSet& set() const { return *set_; }
  double scale() const { return scale_; }

  // f_c / s = Σ_j α_jc k_j for every kernel row and output c, row after row. Times scale() it is the value of f.
  void evaluate_unscaled(const float* kernel_rows, std::size_t stride, std::size_t rows, float* out) const {
    simd::dot_outputs(kernel_rows, stride, rows, stored_outputs(), set_->padded_size(), out);
  }
  // f_c for every output, from one kernel row.
  void evaluate(const float* kernel_row, float* out) const {
    evaluate_unscaled(kernel_row, 0, 1, out);
    for (std::size_t c = 0; c < outputs_; ++c) out[c] *= static_cast<float>(scale_);
  }

  double coefficient(std::size_t slot, std::size_t output) const {
    return scale_ * static_cast<double>(stored(slot, output));
  }
  float stored(std::size_t slot, std::size_t output) const { return coefficients_[output * stride_ + slot]; }
  std::span<const float> stored(std::size_t output) const { return {&coefficients_[output * stride_], size()}; }
  simd::Outputs stored_outputs() const { return {coefficients_.data(), stride_, outputs_}; }  // padded
  const float* sizes() const { return sizes_.data(); }                                        // padded
  double squared_weight(std::size_t slot) const {  // ‖α_j‖² in stored units
    double sum = 0;
    for (std::size_t c = 0; c < outputs_; ++c) {
      sum += static_cast<double>(stored(slot, c)) * static_cast<double>(stored(slot, c));
    }
    return sum;
  }
  std::uint64_t birth(std::size_t slot) const { return births_[slot]; }
  const std::uint64_t* births() const { return births_.data(); }
  double self_kernel(std::size_t slot) const { return self_kernels_[slot]; }  // k(x_j, x_j)
  const double* self_kernels() const { return self_kernels_.data(); }
  const ClassId* labels() const { return labels_.data(); }
  ClassId label(std::size_t slot) const { return labels_[slot]; }

  std::size_t oldest() const;
  std::size_t smallest() const;  // of equals, the oldest
  float least_size() const { return simd::least(sizes_.data(), size()); }

  // factor > 0. Returns whether the scale was folded: unscaled values of before are then void.
  bool shrink(double factor) {
    scale_ *= factor;
    squared_norm_ *= factor * factor;
    if (scale_ >= kLeastScale && scale_ <= 1 / kLeastScale) return false;
    fold_scale();
    return true;
  }
  // What follows throws Error when a coefficient would leave the range of numbers, and then changes nothing.
  // α_j ← min(factors[j], limit / max_c |α_jc|) α_j, factors ≥ 0. They are padded and overwritten.
  void reweigh(float* factors, double limit);
  // The same for one factor > 0, and for all terms but the last.
  void reweigh_others(double factor, double limit);
  std::size_t append(const Term& term);  // returns the slot
  void remove(std::size_t slot);
  // As append(term) and remove(slot), in one go: the new vector takes the slot, and the values are gone through once.
  void exchange(std::size_t slot, const Term& term);

  // Adds the projection of the term on the vectors already there, Σ_j shares[j] k(x_j, ·), of squared length `length`; or
  // `part` of it, 0 ≤ part ≤ 1.
  void absorb(const Term& term, std::span<const double> shares, double length, double part = 1);
  // Removes a term after adding its projection on the others, Σ_{j≠slot} shares[j] k(x_j, ·); `residual` is the squared
  // distance of k(x_slot, ·) from it. shares[slot] is not looked at.
  void project_out(std::size_t slot, std::span<const double> shares, double residual);
  // Removes a term after giving Σ_i parts[i].share k(x_i, ·) in its place to a few others, `squared_distance` away from it.
  // The others change, and no more than they: O(C), besides removing.
  struct Part {
    std::size_t slot = 0;
    double share = 0;
  };
  void hand_over(std::size_t slot, std::span<const Part> parts, double squared_distance);
  // Puts z = h x_m + (1−h) x_n in the place of both, with the coefficients α_z = u α_m + v α_n that lose least, where
  // u = k(x_m, z) and v = k(x_n, z). Gaussian kernel only; kappa = k(x_m, x_n).
  void merge(std::size_t m, std::size_t n, double kappa, double h);
  // The same for a term that is not in the set: as append(term) and merge(the last, n, kappa, h). `stored` is what
  // stored(term) gave.
  void merge_in(const Term& term, std::span<const float> stored, std::size_t n, double kappa, double h);

  // The coefficients of a term in stored units, until the next change.
  std::span<const float> stored(const Term& term);
  // ‖α‖² k(x, x) of a term, from its stored coefficients.
  static float size_of(std::span<const float> stored, double self_kernel);
  // out[j] = α · α_j in stored units, padded.
  void products(std::span<const float> stored, float* out) const {
    simd::combine_outputs(stored.data(), stored_outputs(), set_->padded_size(), out);
  }
  void products(std::size_t m, float* out);

  void keep_norm();
  double squared_norm() const { return squared_norm_; }

  // f_c(x_slot). Not kept by merge().
  void keep_values();
  double value(std::size_t slot, std::size_t output) const { return scale_ * values_[output * stride_ + slot]; }
  // The same in stored units: output after output, stride() apart.
  const double* stored_values() const { return values_.data(); }
  std::size_t stride() const { return stride_; }

  // One output, values kept, size() > 0: the largest margin that f has at a support vector without its help,
  //   max_j y_j (f(x_j) − a_j k(x_j, x_j)),
  // and the vector that has it. Margins that rounding alone may have put below the largest are equal to it (kRounding); of
  // equals, the oldest. Once the first has been asked for, it is found along with the values, on one way through memory.
  double largest_margin();
  simd::LargestMargin best_without_help();
  // Whether a term would have the largest margin as soon as it had entered, by more than rounding. If so it is as if it had
  // entered and left again, which is counted; f stays as it is.
  bool pass_through(const Term& term);
  static constexpr double kRounding = 1e-6;  // of a margin, relative to what it is the difference of

  // The average (f_1 + … + f_T)/T of the functions that the rounds began with. A term that enters in round t₀ weighs
  // α (T − t₀)/T, so two sums are enough: T f̄ = S Σ α_j k_j + Σ D_j k_j, where S is the sum of the scales so far (T for a
  // learner that never shrinks) and a new term begins with D_j = −S α_j. Whenever the scale has halved, S α_j moves into
  // D_j and S starts anew: the two sums never cancel by more than a few digits. No vector may be removed.
  void keep_average();
  bool keeps_average() const { return keeps_average_; }
  void begin_round() {
    if (scale_ < settled_scale_ / 2) settle();
    elapsed_ += scale_;
    ++rounds_;
  }
  double average_coefficient(std::size_t slot, std::size_t output) const {
    const double sum =
        elapsed_ * static_cast<double>(stored(slot, output)) + static_cast<double>(done_[output * stride_ + slot]);
    return rounds_ == 0 ? 0 : sum / static_cast<double>(rounds_);
  }
  void evaluate_average(const float* kernel_rows, std::size_t stride, std::size_t rows, float* out) const;

  // What f has lost since the last term came, to make room for it, as a share of that term's length: ‖Δ‖/(‖α‖ √k(x, x)),
  // summed up where several operations took something. What reweigh() and shrink() do is not counted. No finite number
  // where the term has no length.
  double loss() const { return loss_; }

  // Counts the changes that are more than a shrink.
  std::uint64_t edits() const { return edits_; }
  // Slots whose vector changed since the last call of forget_changes(): kernel values kept for them are out of date.
  std::span<const std::uint32_t> changed() const { return changed_; }
  void forget_changes() { changed_.clear(); }

  void grow(const Shape& shape, std::size_t outputs);
  std::size_t memory_bytes() const;
  struct Kept {
    bool values = false;
    bool average = false;
  };
  static std::size_t bytes(std::size_t outputs, std::size_t capacity, const Kept& kept);

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  // The scale is folded into the coefficients before either leaves the comfortable range of a float.
  static constexpr double kLeastScale = 1e-12;

  void reserve(std::size_t capacity);
  void measure(std::size_t slot);
  void measure_own(std::size_t slot);
  void measure_all();
  void reweighed();
  void mark_changed(std::size_t slot);
  void fold_scale();
  void make_storable(std::span<const double> coefficients);
  template <class Factor>
  void add_shares(Factor factor, std::span<const double> shares, std::size_t skipped);
  // Σ_c α_slot,c f_c(x_at), for the norm.
  double inner_product(std::size_t slot, std::size_t at);
  void set_squared_norm(double value);
  void take_out(std::size_t slot);
  void enter(double squared) {
    entered_ = squared;
    loss_ = 0;
  }
  // A difference of this squared length is taken from f.
  void lose(double squared) { loss_ += std::sqrt(std::max(0.0, squared) / entered_); }
  void measure_values();
  void settle();
  void put(const Term& term, std::size_t slot);
  std::span<const float> score(const Term& term);
  const float* begin_values(const Term& term, std::size_t slot);
  // f has gained or lost a term with these kernel values.
  struct Change {
    const float* kernel_row = nullptr;
    std::span<const float> stored;
    float sign = 1;
  };
  void follow(std::initializer_list<Change> changes);
  simd::Margins margins();
  const float* remember_row(const Term& term, std::size_t slot);
  float* remembered_row(std::size_t slot);
  void forget_row(std::size_t slot, std::size_t last);

  std::unique_ptr<SupportSet> set_;
  std::size_t outputs_ = 1;
  std::size_t stride_ = 0;  // capacity, in whole blocks
  double scale_ = 1;
  AlignedFloats coefficients_;
  AlignedFloats sizes_;
  std::vector<std::uint64_t> births_;
  std::uint64_t born_ = 0;
  std::vector<ClassId> labels_;
  AlignedDoubles self_kernels_;
  std::vector<std::uint32_t> changed_;
  std::uint64_t edits_ = 0;
  double entered_ = 1;  // ‖α‖² k(x, x) of the last term that came, in stored units
  double loss_ = 0;

  bool keeps_norm_ = false;
  double squared_norm_ = 0;

  bool keeps_values_ = false;
  AlignedDoubles values_;    // f_c(x_j) in stored units, as the coefficients
  std::uint64_t drift_ = 0;  // changes since they were computed afresh
  // The largest margin without help, and what it takes to find it (simd/term_search.hpp): for one output.
  AlignedFloats signs_;        // y_j
  AlignedDoubles own_;         // a_j k(x_j, x_j)
  double largest_own_ = 0;     // no |own_[j]| is larger
  bool asked_margin_ = false;  // whether it is to be found along with the values
  bool knows_margin_ = false;  // whether these are up to date:
  double largest_margin_ = 0;  // in stored units
  AlignedDoubles tops_;
  // The kernel rows that the last two vectors came with, the newest first: of the vectors that leave, most are among them.
  // The third place is free: its row may be that of the last one to leave.
  static constexpr auto kNobody = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t kRecent = 2;
  struct Recent {
    std::size_t slot = kNobody;
    AlignedFloats row;
  };
  std::array<Recent, kRecent + 1> recent_;
  std::span<Recent> recent() { return std::span(recent_).first(kRecent); }
  std::span<const Recent> recent() const { return std::span(recent_).first(kRecent); }

  bool keeps_average_ = false;
  double elapsed_ = 0;        // S
  double settled_scale_ = 1;  // the scale when S last started anew
  std::uint64_t rounds_ = 0;  // T
  AlignedFloats done_;        // D_jc, as the coefficients but true values

  AlignedFloats row_;  // scratch
  std::vector<float> scores_;
  std::vector<float> incoming_;  // coefficients of a term, stored units
  std::vector<float> leaving_;
};

}  // namespace kinglet
