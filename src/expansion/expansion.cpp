#include "expansion/expansion.hpp"

#include <algorithm>
#include <cmath>

#include "core/assert.hpp"
#include "core/compose.hpp"
#include "expansion/output_rows.hpp"

namespace kinglet {

void throw_diverged() {
  throw Error(compose(
      "learning diverged: a coefficient left the range of numbers; scale the data, take shorter steps ({}, {}) or "
      "forget them sooner ({}), whichever the rule has",
      option("eta"), option("C"), option("lambda")));
}

Expansion::Expansion(const Kernel& kernel, const Shape& shape, std::size_t outputs, std::size_t capacity)
    : set_(make_support_set(kernel, shape, capacity)),
      outputs_(outputs),
      scores_(outputs),
      incoming_(outputs),
      leaving_(outputs) {
  reserve(capacity);
}

// --- room ------------------------------------------------------------------------------------------------------------

void Expansion::reserve(std::size_t capacity) {
  const std::size_t stride = round_up(capacity, 16);
  if (stride <= stride_) return;
  widen_rows(coefficients_, outputs_, stride_, stride);
  labels_.resize(stride);
  self_kernels_.resize(stride);
  sizes_.resize(stride);
  births_.resize(stride);
  row_.resize(stride);
  log_.reserve(stride);
  const std::size_t old_stride = stride_;
  stride_ = stride;
  log_.tell([&](ExpansionObserver& observer) { observer.after_reserve(old_stride); });
}

std::size_t Expansion::bytes(std::size_t outputs, std::size_t capacity) {
  const std::size_t per_vector = (outputs + 2) * sizeof(float) +            // coefficients, sizes, scratch row
                                 sizeof(std::uint64_t) + sizeof(ClassId) +  // births, labels
                                 sizeof(std::uint32_t) + sizeof(double);    // log, self kernels
  return round_up(capacity, 16) * per_vector + 3 * outputs * sizeof(float);
}

void Expansion::grow(const Shape& shape, std::size_t outputs) {
  set_->grow(shape.dimension);
  if (outputs <= outputs_) return;
  const std::size_t old_outputs = outputs_;
  add_rows(coefficients_, old_outputs, outputs, stride_, size());
  outputs_ = outputs;
  scores_.resize(outputs);
  incoming_.resize(outputs);
  leaving_.resize(outputs);
  measure_all();
  log_.tell([&](ExpansionObserver& observer) { observer.after_growth(old_outputs); });
}

// --- sizes and scale -------------------------------------------------------------------------------------------------

void Expansion::measure(std::size_t slot) {
  sizes_[slot] = static_cast<float>(squared_weight(*this, slot) * self_kernels_[slot]);
}

void Expansion::measure_all() {
  simd::term_sizes(stored_outputs(), self_kernels_.data(), set_->padded_size(), sizes_.data());
}

void Expansion::tell_shrink(double factor) const {
  log_.tell([&](ExpansionObserver& observer) { observer.after_shrink(factor); });
}

void Expansion::fold_scale() {
  KINGLET_ASSERT(scale_ > 0);
  log_.tell([](ExpansionObserver& observer) { observer.before_fold(); });
  const double scale = scale_;
  for (std::size_t c = 0; c < outputs_; ++c) {
    float* a = &coefficients_[c * stride_];
    for (std::size_t j = 0; j < size(); ++j) a[j] *= static_cast<float>(scale);
  }
  scale_ = 1;
  measure_all();
  log_.tell([&](ExpansionObserver& observer) { observer.after_fold(scale); });
}

// Folds the scale where it alone would make a coefficient too large to be stored; throws where that does not help.
void Expansion::make_storable(std::span<const double> coefficients) {
  const auto fits = [&](double a) { return std::abs(a) <= kLargestStored * scale_; };
  if (scale_ < 1 && !std::ranges::all_of(coefficients, fits)) fold_scale();
  for (const double a : coefficients) storable(a / scale_);
}

std::span<const float> Expansion::stored(const Term& term) {
  make_storable(term.coefficients);
  for (std::size_t c = 0; c < outputs_; ++c) incoming_[c] = static_cast<float>(term.coefficients[c] / scale_);
  return incoming_;
}

// --- values ----------------------------------------------------------------------------------------------------------

std::span<const float> Expansion::unscaled_scores(const float* kernel_row) {
  evaluate_unscaled(*this, kernel_row, 0, 1, scores_.data());
  return scores_;
}

// --- changes ---------------------------------------------------------------------------------------------------------

std::size_t Expansion::append(const Term& term) {
  stored(term);
  const std::size_t slot = size();
  if (slot == stride_) reserve(2 * stride_ + 16);
  const TermChange change{.slot = slot, .entering = &term};
  log_.tell([&](ExpansionObserver& observer) { observer.before_change(change); });
  set_->append(term.x);
  put(term, slot);
  log_.tell([&](ExpansionObserver& observer) { observer.after_change(change); });
  return slot;
}

// Stores the coefficients (from incoming_), birth and label of a term whose vector is already in its slot of the set.
void Expansion::put(const Term& term, std::size_t slot) {
  log_.count_edit();
  self_kernels_[slot] = set_->self_kernel(slot);
  for (std::size_t c = 0; c < outputs_; ++c) coefficients_[c * stride_ + slot] = incoming_[c];
  births_[slot] = born_++;
  labels_[slot] = term.label;
  measure(slot);
  log_.mark(slot);
}

void Expansion::remove(std::size_t slot) {
  const TermChange change{.slot = slot, .leaving = true, .left_coefficients = leaving_};
  log_.tell([&](ExpansionObserver& observer) { observer.before_change(change); });
  log_.count_edit();
  const std::size_t last = size() - 1;
  set_->remove(slot);
  for (std::size_t c = 0; c < outputs_; ++c) {
    float* a = &coefficients_[c * stride_];
    leaving_[c] = a[slot];
    a[slot] = a[last];
    a[last] = 0;
  }
  sizes_[slot] = sizes_[last];
  births_[slot] = births_[last];
  labels_[slot] = labels_[last];
  self_kernels_[slot] = self_kernels_[last];
  log_.unmark(last);
  if (slot != last) log_.mark(slot);
  log_.tell([&](ExpansionObserver& observer) { observer.after_change(change); });
}

void Expansion::replace(std::size_t slot, const Term& term) {
  if (log_.wants_single_terms()) {
    append(term);
    remove(slot);
    return;
  }
  stored(term);
  for (std::size_t c = 0; c < outputs_; ++c) leaving_[c] = stored(slot, c);
  const TermChange change{.slot = slot, .entering = &term, .leaving = true, .left_coefficients = leaving_};
  log_.tell([&](ExpansionObserver& observer) { observer.before_change(change); });
  set_->replace(slot, term.x);
  put(term, slot);
  log_.tell([&](ExpansionObserver& observer) { observer.after_change(change); });
}

void Expansion::after_edit(std::size_t slot) {
  log_.count_edit();
  measure(slot);
  log_.tell([&](ExpansionObserver& observer) { observer.after_edit(slot); });
}

void Expansion::after_rewrite() {
  log_.count_edit();
  measure_all();
  if (log_.is_in_compound_change()) return;
  log_.tell([](ExpansionObserver& observer) { observer.after_rewrite(); });
}

void Expansion::blend(std::size_t slot, const Features& x, double h) {
  set_->blend(slot, x, h);
  after_move(slot);
}

void Expansion::blend(std::size_t slot, std::size_t other, double h) {
  births_[slot] = std::min(births_[slot], births_[other]);
  set_->blend(slot, other, h);
  after_move(slot);
}

void Expansion::after_move(std::size_t slot) {
  self_kernels_[slot] = set_->self_kernel(slot);
  log_.mark(slot);
  after_edit(slot);
}

void Expansion::rescale(std::span<const float> ratios) {
  set_->rescale(ratios);
  log_.count_edit();
  for (std::size_t j = 0; j < size(); ++j) self_kernels_[j] = set_->self_kernel(j);
  measure_all();
  log_.tell([](ExpansionObserver& observer) { observer.after_rescale(); });
}

void Expansion::pass(double squared_size, double squared_loss) {
  log_.count_edit();
  ++born_;
  log_.tell([&](ExpansionObserver& observer) { observer.after_passing(squared_size, squared_loss); });
}

// --- state -----------------------------------------------------------------------------------------------------------

void Expansion::save(StateWriter& out) const {
  set_->save(out);
  out.put<std::uint64_t>(outputs_);
  out.put(scale_);
  for (std::size_t c = 0; c < outputs_; ++c) out.put_array(std::span(&coefficients_[c * stride_], size()));
  out.put_array(std::span<const std::uint64_t>(births_.data(), size()));
  out.put(born_);
  out.put_array(std::span<const ClassId>(labels_.data(), size()));
}

void Expansion::load(StateReader& in) {
  set_->load(in);
  reserve(size());
  for (std::size_t j = 0; j < size(); ++j) self_kernels_[j] = set_->self_kernel(j);
  StateReader::require(in.get<std::uint64_t>() == outputs_, "another number of outputs");
  scale_ = in.get<double>();
  StateReader::require(std::isfinite(scale_) && scale_ > 0, "the scale is not positive");
  for (std::size_t c = 0; c < outputs_; ++c) {
    const auto row = in.get_array<float>();
    StateReader::require(row.size() == size(), "coefficients and vectors differ in number");
    StateReader::require(
        std::ranges::all_of(row, [](float a) { return std::abs(a) <= static_cast<float>(kLargestStored); }),
        "a coefficient is out of range");
    std::ranges::copy(row, &coefficients_[c * stride_]);
  }
  const auto births = in.get_array<std::uint64_t>();
  StateReader::require(births.size() == size(), "births and vectors differ in number");
  std::ranges::copy(births, births_.begin());
  born_ = in.get<std::uint64_t>();
  const auto labels = in.get_array<ClassId>();
  StateReader::require(labels.size() == size(), "labels and vectors differ in number");
  // Some rules use the label as the index of an output, so it must be in range.
  const std::size_t classes = std::max<std::size_t>(outputs_, 2);
  StateReader::require(std::ranges::all_of(labels, [&](ClassId label) { return label < classes; }),
                       "a label without a class");
  std::ranges::copy(labels, labels_.begin());
  measure_all();
}

}  // namespace kinglet
