#include "expansion/support_values.hpp"

#include <algorithm>
#include <cmath>

#include "core/assert.hpp"
#include "expansion/output_rows.hpp"

namespace kinglet {
namespace {

// Changes before values are computed afresh. What a term adds when it enters it takes along when it leaves, up to the
// rounding of doubles.
constexpr std::uint64_t kMostDrift = 65536;

}  // namespace

SupportValues::SupportValues(Expansion& f) : f_(f) {
  f.log().add_observer(*this, {});
  SupportValues::after_reserve(0);
  measure_afresh();
}

std::size_t SupportValues::bytes(std::size_t outputs, std::size_t capacity) {
  const std::size_t stride = round_up(capacity, 16);
  const std::size_t per_vector = (outputs + 1) * sizeof(double) + (kRecent + 2) * sizeof(float);
  return stride * per_vector + simd::tops_for(stride) * sizeof(double);
}

void SupportValues::after_reserve(std::size_t old_stride) {
  stride_ = f_.stored_outputs().stride;
  widen_rows(values_, f_.outputs(), old_stride, stride_);
  for (Recent& vector : recent_) vector.row.resize(stride_);
  own_.resize(stride_);
  signs_.resize(stride_);
  tops_.resize(simd::tops_for(stride_));
}

void SupportValues::after_growth(std::size_t old_outputs) {
  add_rows(values_, old_outputs, f_.outputs(), stride_, f_.size());
  measure_own_of_all();
}

void SupportValues::after_fold(double scale) {
  for (std::size_t c = 0; c < f_.outputs(); ++c) {
    for (std::size_t j = 0; j < f_.size(); ++j) values_[c * stride_ + j] *= scale;
  }
  measure_own_of_all();
}

// --- values ----------------------------------------------------------------------------------------------------------

void SupportValues::measure_afresh() {
  for (Recent& vector : recent()) vector.slot = kNobody;  // vectors may have moved
  measure_own_of_all();
  measure_values();
}

void SupportValues::measure_values() {
  for (std::size_t j = 0; j < f_.size(); ++j) {
    const std::span<const float> scores = unscaled_scores(f_, j);
    for (std::size_t c = 0; c < f_.outputs(); ++c) values_[c * stride_ + j] = static_cast<double>(scores[c]);
  }
  drift_ = 0;
  knows_margin_ = false;
}

void SupportValues::measure_own(std::size_t slot) {
  own_[slot] = static_cast<double>(f_.stored(slot, 0)) * f_.self_kernels()[slot];
  signs_[slot] = f_.labels()[slot] == 1 ? 1.0F : -1.0F;
  largest_own_ = std::max(largest_own_, std::abs(own_[slot]));
}

void SupportValues::measure_own_of_all() {
  largest_own_ = 0;
  for (std::size_t j = 0; j < f_.size(); ++j) measure_own(j);
  knows_margin_ = false;
}

void SupportValues::before_change(const TermChange& change) {
  if (change.leaving) leaving_row_ = remembered_row(change.slot);
  if (change.entering == nullptr) return;
  const Term& term = *change.entering;
  if (change.leaving) {
    leaving_row_[change.slot] = term.kernel_row[change.slot];
    forget_row(change.slot, change.slot);
  }
  // The value of the new vector is at first that of f without its term.
  const std::span<const float> scores = unscaled_scores(f_, term);
  for (std::size_t c = 0; c < f_.outputs(); ++c) values_[c * stride_ + change.slot] = static_cast<double>(scores[c]);
  entering_row_ = remember_row(term, change.slot);
}

void SupportValues::after_change(const TermChange& change) {
  if (change.entering != nullptr) {
    measure_own(change.slot);
    const Gain entered{.kernel_row = entering_row_, .slot = change.slot};
    if (!change.leaving) return add({entered});
    return add({entered, {.kernel_row = leaving_row_, .sign = -1, .coefficients = change.left_coefficients}});
  }
  const std::size_t last = f_.size();
  for (std::size_t c = 0; c < f_.outputs(); ++c) {
    values_[c * stride_ + change.slot] = values_[c * stride_ + last];
  }
  own_[change.slot] = own_[last];
  signs_[change.slot] = signs_[last];
  leaving_row_[change.slot] = leaving_row_[last];
  forget_row(change.slot, last);
  add({{.kernel_row = leaving_row_, .sign = -1, .coefficients = change.left_coefficients}});
}

// Brings the values up to date, and the largest margin if it has been asked for.
void SupportValues::add(std::initializer_list<Gain> gains) {
  if (++drift_ > kMostDrift) return measure_values();
  knows_margin_ = asked_margin_ && f_.outputs() == 1 && f_.size() > 0;
  for (std::size_t c = 0; c < f_.outputs(); ++c) {
    std::array<simd::GainedTerm, 2> terms;
    std::size_t count = 0;
    for (const Gain& gain : gains) {
      const float weight = gain.sign * (gain.slot == kNobody ? gain.coefficients[c] : f_.stored(gain.slot, c));
      if (weight != 0) terms[count++] = {weight, gain.kernel_row};
    }
    const std::span<const simd::GainedTerm> gained(terms.data(), count);
    if (knows_margin_) {
      largest_margin_ = simd::add_to_margins(margins(), gained, f_.size(), tops_.data());
    } else {
      for (const auto& term : gained) {
        simd::add_scaled(static_cast<double>(term.weight), term.k, f_.size(), &values_[c * stride_]);
      }
    }
  }
}

// --- margins ---------------------------------------------------------------------------------------------------------

simd::Margins SupportValues::margins() {
  return {values_.data(), own_.data(), signs_.data(), f_.births(), kRounding, largest_own_};
}

double SupportValues::largest_margin() {
  KINGLET_ASSERT(f_.outputs() == 1 && f_.size() > 0);
  asked_margin_ = true;
  if (!knows_margin_) largest_margin_ = simd::add_to_margins(margins(), {}, f_.size(), tops_.data());
  knows_margin_ = true;
  return f_.scale() * largest_margin_;
}

simd::LargestMargin SupportValues::best_without_help() {
  largest_margin();
  const simd::LargestMargin best = simd::largest_margin(margins(), f_.size(), largest_margin_, tops_.data());
  return {best.slot, f_.scale() * best.margin};
}

bool SupportValues::would_be_best(const Term& term) {
  KINGLET_ASSERT(f_.outputs() == 1 && f_.size() > 0);
  const float weight = f_.stored(term)[0];
  const auto value = static_cast<double>(unscaled_scores(f_, term)[0]);
  const double margin = term.label == 1 ? value : -value;
  const double others = simd::largest_margin_with(margins(), {weight, term.kernel_row}, f_.size());
  return others < margin - simd::largest_rounding(margins(), margin);
}

// --- remembered kernel rows ------------------------------------------------------------------------------------------

// A vector takes a slot. Its row goes where the spare one is; then the row of an empty place, or else the oldest, is
// spare.
const float* SupportValues::remember_row(const Term& term, std::size_t slot) {
  for (Recent& other : recent()) {
    if (other.slot != kNobody) other.row[slot] = term.kernel_row[other.slot];
  }
  Recent& spare = recent_.back();
  std::copy_n(term.kernel_row, f_.size(), spare.row.data());
  spare.row[slot] = static_cast<float>(term.self_kernel);
  spare.slot = slot;
  auto place = std::ranges::find(recent(), kNobody, &Recent::slot);
  if (place == recent().end()) --place;
  std::swap(*place, spare);
  spare.slot = kNobody;
  std::rotate(recent().begin(), place, place + 1);
  return recent_[0].row.data();
}

// The kernel row of a vector: the one that it came with, if that is still there.
float* SupportValues::remembered_row(std::size_t slot) {
  for (Recent& known : recent()) {
    if (known.slot == slot) return known.row.data();
  }
  f_.set().kernel_row_of(slot, f_.scratch_row());
  return f_.scratch_row();
}

// A vector leaves, and the last takes its slot.
void SupportValues::forget_row(std::size_t slot, std::size_t last) {
  for (Recent& known : recent()) {
    if (known.slot == kNobody) continue;
    known.row[slot] = known.row[last];
    if (known.slot == slot) {
      known.slot = kNobody;
    } else if (known.slot == last) {
      known.slot = slot;
    }
  }
}

// --- state -----------------------------------------------------------------------------------------------------------

void SupportValues::save(StateWriter& out) const {
  const std::size_t size = f_.size();
  for (std::size_t c = 0; c < f_.outputs(); ++c) out.put_array(std::span<const double>(&values_[c * stride_], size));
  out.put(drift_);
  for (const Recent& vector : recent()) {
    const bool known = vector.slot != kNobody;
    out.put<std::uint64_t>(known ? vector.slot : size);
    out.put_array(std::span<const float>(vector.row.data(), known ? size : 0));
  }
}

void SupportValues::load(StateReader& in) {
  const std::size_t size = f_.size();
  for (std::size_t c = 0; c < f_.outputs(); ++c) {
    const auto row = in.get_array<double>();
    StateReader::require(row.size() == size, "values and vectors differ in number");
    StateReader::require(std::ranges::all_of(row, [](double v) { return std::isfinite(v); }), "a value is not finite");
    std::ranges::copy(row, &values_[c * stride_]);
  }
  drift_ = in.get<std::uint64_t>();
  for (Recent& vector : recent()) {
    const auto slot = in.get<std::uint64_t>();
    const auto row = in.get_array<float>();
    StateReader::require(slot <= size && row.size() == (slot < size ? size : 0), "a kernel row of an empty slot");
    StateReader::require(std::ranges::all_of(row, [](float k) { return std::isfinite(k); }), "a value is not finite");
    vector.slot = slot < size ? slot : kNobody;
    std::ranges::copy(row, vector.row.begin());
  }
  measure_own_of_all();
}

}  // namespace kinglet
