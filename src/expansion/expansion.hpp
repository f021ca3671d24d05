// A model function as an expansion over support vectors:
//
//   f_c(x) = s · Σ_j α_jc k(x_j, x)        c = 1 … C outputs (one for binary classification)
//
// with one lazy scale s, so that shrinking f costs O(1). Coefficients are stored divided by s ("in stored units"),
// output after output, padded with zeros to whole blocks of 16. Beside each vector stand its size ‖α_j‖² k(x_j, x_j)
// (in stored units), its label and its birth, a counter that orders vectors by age. Terms are in slots j = 0 … size()
// − 1. The slot of a term may change when another is removed; its birth does not.
//
// The expansion has primitive verbs only, and every change goes through its log (change_log.hpp). What only some
// learners need (norm, values at the support vectors, average, maintenance loss) observes that log. What only some
// budget rules do (merging, projecting, …) is made of these verbs in src/budget/.
//
// A verb that would bring a coefficient out of the range of numbers throws Error and changes nothing. The exceptions
// are edit() and rewrite(): their caller checks the new coefficients with storable() first.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "core/assert.hpp"
#include "core/shape.hpp"
#include "core/state.hpp"
#include "core/zeroed.hpp"
#include "expansion/change_log.hpp"
#include "expansion/support_set.hpp"
#include "expansion/term.hpp"
#include "simd/vector_ops.hpp"

namespace kinglet {

// A coefficient in stored units as it is stored. Throws Error where it is out of range.
constexpr double kLargestStored = 1e18;  // sizes are squares
[[noreturn]] void throw_diverged();
inline float storable(double coefficient) {
  if (!(std::abs(coefficient) <= kLargestStored)) throw_diverged();
  return static_cast<float>(coefficient);
}

class Expansion {
 public:
  Expansion(const Kernel& kernel, const Shape& shape, std::size_t outputs, std::size_t capacity);
  Expansion(const Expansion&) = delete;  // observers know it by its address
  Expansion& operator=(const Expansion&) = delete;

  // --- what it holds ---
  std::size_t size() const { return set_->size(); }
  std::size_t outputs() const { return outputs_; }
  double scale() const { return scale_; }
  SupportSet& set() { return *set_; }
  const SupportSet& set() const { return *set_; }
  float stored(std::size_t slot, std::size_t output) const { return coefficients_[output * stride_ + slot]; }
  double coefficient(std::size_t slot, std::size_t output) const {
    return scale_ * static_cast<double>(stored(slot, output));
  }
  // Arrays with one number per slot; stored_outputs() is one such array for each output. Arrays of floats are padded.
  simd::Outputs stored_outputs() const { return {coefficients_.data(), stride_, outputs_}; }
  const float* sizes() const { return sizes_.data(); }
  const double* self_kernels() const { return self_kernels_.data(); }  // k(x_j, x_j)
  const std::uint64_t* births() const { return births_.data(); }
  const ClassId* labels() const { return labels_.data(); }

  // --- its values ---
  // These answers are valid until the next call of the same function, or the next change.
  std::span<const float> unscaled_scores(const float* kernel_row);  // f_c(x) / s
  // The coefficients of a new term in stored units, by output. Throws Error if one is out of range. Like append() and
  // replace(), it may have to fold the scale first, so call it before reading other numbers in stored units.
  std::span<const float> stored(const Term& term);
  float* scratch_row() { return row_.data(); }  // room for one number per slot, padded; any change may overwrite it

  // --- changes ---
  // f ← factor · f, factor > 0. Returns whether the scale was folded, which invalidates earlier unscaled values.
  bool shrink(double factor) {
    scale_ *= factor;
    if (log_.tells_shrinks()) tell_shrink(factor);
    if (scale_ >= kLeastScale && scale_ <= 1 / kLeastScale) return false;
    fold_scale();
    return true;
  }
  std::size_t append(const Term& term);  // returns the slot
  // The last term takes the slot. Observers count the removed term as lost, unless its coefficients are 0: a rule that
  // has passed it on to other terms sets them to 0 first.
  void remove(std::size_t slot);
  // As append(term) and remove(slot), in one go: the new vector takes the slot.
  void replace(std::size_t slot, const Term& term);
  // α_jc ← value(c) in stored units, for one slot j. Call edit() and blend() inside log().approximate(), which says how
  // far f moves; elsewhere the norm (norm.hpp) does not follow them.
  template <class Value>
  void edit(std::size_t slot, Value value) {
    for (std::size_t c = 0; c < outputs_; ++c) coefficients_[c * stride_ + slot] = value(c);
    after_edit(slot);
  }
  // x_slot ← h x_slot + (1 − h) x, where x may be that of another slot: the older birth of the two then stays.
  // Coefficients do not change.
  void blend(std::size_t slot, const Features& x, double h);
  void blend(std::size_t slot, std::size_t other, double h);
  // act(coefficients) changes any coefficients in place; rows of outputs are stored_outputs().stride apart. Inside
  // log().approximate() or log().project(), observers learn of it from the compound change. Elsewhere the norm and the
  // values at the support vectors, if they are kept, are computed afresh, O(B² d).
  template <class Act>
  void rewrite(Act act) {
    act(coefficients_.data());
    after_rewrite();
  }
  // Feature k of every vector is multiplied by ratios[k] (SupportSet::rescale). The norm and the values at the support
  // vectors, if they are kept, are computed afresh, O(B² d).
  void rescale(std::span<const float> ratios);
  // Tells observers that a new term got no slot of its own, because it was merged into another or would have been
  // removed at once. Both numbers are in stored units (ExpansionObserver::after_passing). f does not change. A rule
  // that simply ignores a term (stop.cpp) does not call this.
  void pass(double squared_size, double squared_loss);

  ChangeLog& log() { return log_; }
  const ChangeLog& log() const { return log_; }

  void grow(const Shape& shape, std::size_t outputs);
  static std::size_t bytes(std::size_t outputs, std::size_t capacity);  // beside the vectors
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  // The scale is folded into the coefficients before either leaves the comfortable range of a float.
  static constexpr double kLeastScale = 1e-12;

  void reserve(std::size_t capacity);
  void measure(std::size_t slot);
  void measure_all();
  void after_edit(std::size_t slot);
  void after_rewrite();
  void after_move(std::size_t slot);
  void tell_shrink(double factor) const;
  void fold_scale();
  void make_storable(std::span<const double> coefficients);
  void put(const Term& term, std::size_t slot);

  std::unique_ptr<SupportSet> set_;
  std::size_t outputs_ = 1;
  std::size_t stride_ = 0;  // capacity, in whole blocks
  double scale_ = 1;
  ZeroedFloats coefficients_;
  ZeroedFloats sizes_;
  Zeroed<std::uint64_t> births_;
  std::uint64_t born_ = 0;
  Zeroed<ClassId> labels_;
  ZeroedDoubles self_kernels_;
  ChangeLog log_;

  ZeroedFloats row_;  // scratch
  std::vector<float> scores_;
  std::vector<float> incoming_;  // coefficients of a term, stored units
  std::vector<float> leaving_;
};

// ‖α_j‖² in stored units.
inline double squared_weight(const Expansion& f, std::size_t slot) {
  double sum = 0;
  for (std::size_t c = 0; c < f.outputs(); ++c) {
    sum += static_cast<double>(f.stored(slot, c)) * static_cast<double>(f.stored(slot, c));
  }
  return sum;
}

// f_c / s = Σ_j α_jc k_j for every kernel row and output c, row after row. Times f.scale() it is the value of f.
inline void evaluate_unscaled(const Expansion& f, const float* kernel_rows, std::size_t stride, std::size_t rows,
                              float* out) {
  simd::dot_outputs(kernel_rows, stride, rows, f.stored_outputs(), f.set().padded_size(), out);
}

// f_c(x) / s for the example of a new term, which often knows it already.
inline std::span<const float> unscaled_scores(Expansion& f, const Term& term) {
  if (term.scores != nullptr && term.edits == f.log().edits() && term.scale == f.scale())
    return {term.scores, f.outputs()};
  return f.unscaled_scores(term.kernel_row);
}

// f_c(x_slot) / s. Uses the scratch row.
inline std::span<const float> unscaled_scores(Expansion& f, std::size_t slot) {
  f.set().kernel_row_of(slot, f.scratch_row());
  return f.unscaled_scores(f.scratch_row());
}

// f_c for every output, from one kernel row.
inline void evaluate(const Expansion& f, const float* kernel_row, float* out) {
  evaluate_unscaled(f, kernel_row, 0, 1, out);
  for (std::size_t c = 0; c < f.outputs(); ++c) out[c] *= static_cast<float>(f.scale());
}

}  // namespace kinglet
