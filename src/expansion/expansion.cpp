#include "expansion/expansion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

#include "core/assert.hpp"
#include "expansion/merge_table.hpp"

namespace kinglet {
namespace {

constexpr double kLargestStored = 1e18;  // sizes are squares
// Changes, before values are computed afresh: what a term adds when it enters it takes along, but for the rounding of doubles.
constexpr std::uint64_t kMostDrift = 65536;

float checked(double stored) {
  if (!(std::abs(stored) <= kLargestStored)) {
    throw Error(
        "learning diverged: a coefficient left the range of numbers; scale the data, or let steps be shorter (--eta, "
        "--C) or be forgotten sooner (--lambda), whichever the rule has");
  }
  return static_cast<float>(stored);
}

// Of numbers beyond the range of floats, the largest float.
float as_float(double value) {
  return static_cast<float>(std::min(value, static_cast<double>(std::numeric_limits<float>::max())));
}

}  // namespace

Expansion::Expansion(const Kernel& kernel, const Shape& shape, std::size_t outputs, std::size_t capacity)
    : set_(make_support_set(kernel, shape, capacity)),
      outputs_(outputs),
      scores_(outputs),
      incoming_(outputs),
      leaving_(outputs) {
  reserve(capacity);
}

void Expansion::reserve(std::size_t capacity) {
  const std::size_t stride = round_up(capacity, 16);
  if (stride <= stride_) return;
  const auto widen = [&](auto& old) {
    std::remove_reference_t<decltype(old)> wider(outputs_ * stride);
    for (std::size_t c = 0; c < outputs_ && stride_ > 0; ++c)
      std::copy_n(&old[c * stride_], stride_, &wider[c * stride]);
    old = std::move(wider);
  };
  widen(coefficients_);
  if (keeps_values_) widen(values_);
  if (keeps_values_) {
    for (Recent& vector : recent_) vector.row.resize(stride);
    own_.resize(stride);
    signs_.resize(stride);
    tops_.resize(simd::tops_for(stride));
  }
  if (keeps_average_) widen(done_);
  labels_.resize(stride);
  self_kernels_.resize(stride);
  sizes_.resize(stride);
  births_.resize(stride);
  row_.resize(stride);
  changed_.reserve(stride);
  stride_ = stride;
}

std::size_t Expansion::bytes(std::size_t outputs, std::size_t capacity, const Kept& kept) {
  const std::size_t per_vector = (outputs + 2) * sizeof(float) + sizeof(std::uint64_t) + sizeof(ClassId) +
                                 sizeof(std::uint32_t) + sizeof(double) +  // births, labels, changes, self kernels
                                 (kept.average ? outputs * sizeof(float) : 0);
  const std::size_t stride = round_up(capacity, 16);
  // values, what is one's own, signs, recent rows
  const std::size_t per_value = (outputs + 1) * sizeof(double) + (kRecent + 2) * sizeof(float);
  const std::size_t values = kept.values ? stride * per_value + simd::tops_for(stride) * sizeof(double) : 0;
  return stride * per_vector + values + 3 * outputs * sizeof(float);
}

std::size_t Expansion::memory_bytes() const {
  return set_->memory_bytes() + bytes(outputs_, stride_, {keeps_values_, keeps_average_});
}

std::size_t Expansion::oldest() const {
  const auto end = births_.begin() + static_cast<std::ptrdiff_t>(size());
  return static_cast<std::size_t>(std::min_element(births_.begin(), end) - births_.begin());
}

std::size_t Expansion::smallest() const { return simd::smallest(sizes_.data(), births_.data(), size()); }

void Expansion::measure(std::size_t slot) {
  sizes_[slot] = static_cast<float>(squared_weight(slot) * self_kernels_[slot]);
  if (keeps_values_) measure_own(slot);
}

void Expansion::measure_own(std::size_t slot) {
  own_[slot] = static_cast<double>(stored(slot, 0)) * self_kernels_[slot];
  signs_[slot] = labels_[slot] == 1 ? 1.0F : -1.0F;
  largest_own_ = std::max(largest_own_, std::abs(own_[slot]));
}

void Expansion::measure_all() {
  simd::term_sizes(stored_outputs(), self_kernels_.data(), set_->padded_size(), sizes_.data());
  if (!keeps_values_) return;
  largest_own_ = 0;
  for (std::size_t j = 0; j < size(); ++j) measure_own(j);
  knows_margin_ = false;
}

float Expansion::size_of(std::span<const float> stored, double self_kernel) {
  double sum = 0;
  for (const float a : stored) sum += static_cast<double>(a) * static_cast<double>(a);
  return static_cast<float>(sum * self_kernel);
}

std::span<const float> Expansion::stored(const Term& term) {
  make_storable(term.coefficients);
  for (std::size_t c = 0; c < outputs_; ++c) incoming_[c] = static_cast<float>(term.coefficients[c] / scale_);
  return incoming_;
}

void Expansion::mark_changed(std::size_t slot) {
  const auto id = static_cast<std::uint32_t>(slot);
  if (std::ranges::find(changed_, id) == changed_.end()) changed_.push_back(id);
}

void Expansion::fold_scale() {
  KINGLET_ASSERT(scale_ > 0);
  const auto scale = static_cast<float>(scale_);
  if (keeps_average_) settle();
  for (float& a : coefficients_) a *= scale;
  for (double& value : values_) value *= scale_;
  scale_ = 1;
  settled_scale_ = 1;
  measure_all();
}

// Folds the scale where it alone would make a coefficient too large to be stored; throws where that does not help.
void Expansion::make_storable(std::span<const double> coefficients) {
  const auto fits = [&](double a) { return std::abs(a) <= kLargestStored * scale_; };
  if (scale_ < 1 && !std::ranges::all_of(coefficients, fits)) fold_scale();
  for (const double a : coefficients) checked(a / scale_);
}

std::size_t Expansion::append(const Term& term) {
  stored(term);
  const std::size_t slot = size();
  if (slot == stride_) reserve(2 * stride_ + 16);
  if (keeps_norm_) {
    // ‖f + Σ_c a_c φ‖² = ‖f‖² + 2 Σ_c a_c f_c(x) + Σ_c a_c² k(x, x)
    const std::span<const float> scores = score(term);
    double added = 0;
    for (std::size_t c = 0; c < outputs_; ++c) {
      added += term.coefficients[c] *
               (2 * scale_ * static_cast<double>(scores[c]) + term.coefficients[c] * term.self_kernel);
    }
    set_squared_norm(squared_norm_ + added);
  }
  const float* kernel_row = keeps_values_ ? begin_values(term, slot) : nullptr;
  set_->append(term.x);
  put(term, slot);
  enter(static_cast<double>(sizes_[slot]));
  if (keeps_values_) follow({{kernel_row, incoming_, 1}});
  return slot;
}

// The term of a vector that has taken its slot in the set.
void Expansion::put(const Term& term, std::size_t slot) {
  ++edits_;
  self_kernels_[slot] = set_->self_kernel(slot);
  for (std::size_t c = 0; c < outputs_; ++c) {
    coefficients_[c * stride_ + slot] = incoming_[c];
    if (keeps_average_) done_[c * stride_ + slot] = static_cast<float>(-elapsed_ * static_cast<double>(incoming_[c]));
  }
  births_[slot] = born_++;
  labels_[slot] = term.label;
  measure(slot);
  mark_changed(slot);
}

void Expansion::remove(std::size_t slot) {
  const auto own = static_cast<double>(sizes_[slot]);
  if (keeps_norm_) set_squared_norm(squared_norm_ - 2 * inner_product(slot, slot) + scale_ * scale_ * own);
  take_out(slot);
  lose(own);
}

// The norm and the loss are left to the caller.
void Expansion::take_out(std::size_t slot) {
  KINGLET_ASSERT(!keeps_average_);
  ++edits_;
  const std::size_t last = size() - 1;
  float* kernel_row = keeps_values_ ? remembered_row(slot) : nullptr;
  for (std::size_t c = 0; c < outputs_; ++c) leaving_[c] = stored(slot, c);
  set_->remove(slot);
  for (std::size_t c = 0; c < outputs_; ++c) {
    float* a = &coefficients_[c * stride_];
    a[slot] = a[last];
    a[last] = 0;
  }
  sizes_[slot] = sizes_[last];
  births_[slot] = births_[last];
  labels_[slot] = labels_[last];
  self_kernels_[slot] = self_kernels_[last];
  std::erase(changed_, static_cast<std::uint32_t>(last));
  if (slot != last) mark_changed(slot);
  if (!keeps_values_) return;
  for (std::size_t c = 0; c < outputs_; ++c) values_[c * stride_ + slot] = values_[c * stride_ + last];
  own_[slot] = own_[last];
  signs_[slot] = signs_[last];
  kernel_row[slot] = kernel_row[last];
  forget_row(slot, last);
  follow({{kernel_row, leaving_, -1}});
}

void Expansion::exchange(std::size_t slot, const Term& term) {
  if (keeps_norm_ || keeps_average_) {
    append(term);
    remove(slot);
    return;
  }
  stored(term);
  const auto lost = static_cast<double>(sizes_[slot]);
  const auto put_in = [&] {
    set_->replace(slot, term.x);
    put(term, slot);
    enter(static_cast<double>(sizes_[slot]));
    lose(lost);
  };
  if (!keeps_values_) return put_in();
  for (std::size_t c = 0; c < outputs_; ++c) leaving_[c] = stored(slot, c);
  float* old_row = remembered_row(slot);
  old_row[slot] = term.kernel_row[slot];
  forget_row(slot, slot);
  const float* new_row = begin_values(term, slot);
  put_in();
  follow({{new_row, incoming_, 1}, {old_row, leaving_, -1}});
}

// α_jc ← α_jc + factor(c) · shares[j] for all j but `skipped`, in stored units. The first round only looks, so that an
// Error leaves everything as it was.
template <class Factor>
void Expansion::add_shares(Factor factor, std::span<const double> shares, std::size_t skipped) {
  for (const bool storing : {false, true}) {
    for (std::size_t c = 0; c < outputs_; ++c) {
      const double weight = factor(c);
      if (weight == 0) continue;
      float* a = &coefficients_[c * stride_];
      for (std::size_t j = 0; j < size(); ++j) {
        if (j == skipped) continue;
        const float sum = checked(static_cast<double>(a[j]) + weight * shares[j]);
        if (!storing) continue;
        a[j] = sum;
        if (keeps_average_) done_[c * stride_ + j] -= static_cast<float>(elapsed_ * weight * shares[j]);
      }
    }
  }
}

void Expansion::absorb(const Term& term, std::span<const double> shares, double length, double part) {
  make_storable(term.coefficients);
  ++edits_;
  const auto amount = [&](std::size_t c) { return part * term.coefficients[c]; };
  double added = 0;
  if (keeps_norm_) {
    // f(x) = ⟨f, Pφ⟩, since f lies in the space that P projects on.
    evaluate(term.kernel_row, scores_.data());
    for (std::size_t c = 0; c < outputs_; ++c) {
      added += amount(c) * (2 * static_cast<double>(scores_[c]) + amount(c) * length);
    }
  }
  add_shares([&](std::size_t c) { return amount(c) / scale_; }, shares, size());
  // ‖φ − part Pφ‖² = k(x, x) − part (2 − part) ‖Pφ‖²
  enter(term.self_kernel);
  lose(term.self_kernel - part * (2 - part) * length);
  if (keeps_norm_) set_squared_norm(squared_norm_ + added);
  if (keeps_values_) {
    // At the support vectors the projection has the values of k(x, ·) itself.
    for (std::size_t c = 0; c < outputs_; ++c) incoming_[c] = static_cast<float>(amount(c) / scale_);
    follow({{term.kernel_row, incoming_, 1}});
  }
  measure_all();
}

void Expansion::project_out(std::size_t slot, std::span<const double> shares, double residual) {
  const double lost = squared_weight(slot) * residual;
  add_shares([&](std::size_t c) { return static_cast<double>(stored(slot, c)); }, shares, slot);
  for (std::size_t c = 0; c < outputs_; ++c) coefficients_[c * stride_ + slot] = 0;
  measure_all();
  take_out(slot);
  lose(lost);
  // The residual is orthogonal to what is left.
  if (keeps_norm_) set_squared_norm(squared_norm_ - scale_ * scale_ * lost);
}

void Expansion::hand_over(std::size_t slot, std::span<const Part> parts, double squared_distance) {
  KINGLET_ASSERT(!keeps_values_ && !keeps_average_);
  for (const Part& part : parts) {
    for (std::size_t c = 0; c < outputs_; ++c) {
      checked(static_cast<double>(stored(part.slot, c)) + part.share * static_cast<double>(stored(slot, c)));
    }
  }
  const double lost = squared_weight(slot) * squared_distance;
  if (keeps_norm_) {
    // ‖f − Σ_c α_c (φ − φ')‖² = ‖f‖² − 2 Σ_c α_c (f_c(x) − ⟨f_c, φ'⟩) + ‖α‖² ‖φ − φ'‖²
    double lost_product = inner_product(slot, slot);
    for (const Part& part : parts) lost_product -= part.share * inner_product(slot, part.slot);
    set_squared_norm(squared_norm_ - 2 * lost_product + scale_ * scale_ * lost);
  }
  for (const Part& part : parts) {
    for (std::size_t c = 0; c < outputs_; ++c) {
      float& a = coefficients_[c * stride_ + part.slot];
      a = static_cast<float>(static_cast<double>(a) + part.share * static_cast<double>(stored(slot, c)));
    }
    measure(part.slot);
  }
  take_out(slot);
  lose(lost);
}

namespace {

// 1 − e^y for y ≤ 0: y has the precision of floats, and near 0 the result keeps it.
double missing(double y) {
  if (y < -1) return 1 - std::exp(y);
  double sum = 0;  // (1 − e^y)/−y, the series
  for (const double factor : {1. / 362880, 1. / 40320, 1. / 5040, 1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2, 1.}) {
    sum = sum * y + factor;
  }
  return -y * sum;
}

// u = k(x_m, z) and v = k(x_n, z) for z = h x_m + (1−h) x_n. Coefficients are floats: so are these.
struct MergeShares {
  MergeShares(double kappa, double h) : part(static_cast<float>(h)) {
    log_kappa = std::log2(std::max(static_cast<float>(kappa), 1e-37F));
    u = static_cast<double>(std::exp2((1 - part) * (1 - part) * log_kappa));
    v = static_cast<double>(std::exp2(part * part * log_kappa));
  }
  double operator()(float m, float n) const { return u * static_cast<double>(m) + v * static_cast<double>(n); }
  // What merging loses, squared, by ‖α_m‖², ‖α_n‖² and α_m·α_n: as merge_loss() (expansion/merge_table.hpp), but quick.
  double loss(double m, double n, double product) const {
    const auto h = static_cast<double>(part);
    const double twice = 2 * std::numbers::ln2 * static_cast<double>(log_kappa);
    return m * missing((1 - h) * (1 - h) * twice) + n * missing(h * h * twice) -
           2 * product * u * v * missing(h * (1 - h) * twice);
  }

  float part = 0;
  float log_kappa = 0;
  double u = 0;
  double v = 0;
};

}  // namespace

void Expansion::merge(std::size_t m, std::size_t n, double kappa, double h) {
  KINGLET_ASSERT(!keeps_values_);
  // z goes where no other vector has to move: into the slot that is not the last.
  if (m > n) {
    std::swap(m, n);
    h = 1 - h;
  }
  const MergeShares shares(kappa, h);
  for (std::size_t c = 0; c < outputs_; ++c) incoming_[c] = checked(shares(stored(m, c), stored(n, c)));
  double lost_product = 0;  // ⟨f, α_m φ_m + α_n φ_n − α_z φ_z⟩; the difference is orthogonal to φ_z
  if (keeps_norm_) lost_product = inner_product(m, m) + inner_product(n, n);
  double product = 0;
  for (std::size_t c = 0; c < outputs_; ++c) {
    product += static_cast<double>(stored(m, c)) * static_cast<double>(stored(n, c));
    coefficients_[c * stride_ + m] = incoming_[c];
    coefficients_[c * stride_ + n] = 0;
  }
  const double lost = shares.loss(static_cast<double>(sizes_[m]), static_cast<double>(sizes_[n]), product);
  births_[m] = std::min(births_[m], births_[n]);
  set_->blend(m, n, h);
  self_kernels_[m] = set_->self_kernel(m);
  measure(m);
  mark_changed(m);
  take_out(n);
  lose(lost);
  if (keeps_norm_) {
    lost_product -= inner_product(m, m);
    set_squared_norm(squared_norm_ - 2 * lost_product + scale_ * scale_ * std::max(0.0, lost));
  }
}

void Expansion::merge_in(const Term& term, std::span<const float> stored, std::size_t n, double kappa, double h) {
  KINGLET_ASSERT(!keeps_values_ && !keeps_average_);
  ++edits_;
  if (keeps_norm_) {
    const std::size_t slot = append(term);
    try {
      merge(slot, n, kappa, h);
    } catch (const Error&) {
      remove(slot);
      throw;
    }
    return;
  }
  const MergeShares shares(kappa, 1 - h);  // x_n comes first
  double squared = 0;
  double product = 0;
  for (std::size_t c = 0; c < outputs_; ++c) {
    const float own = stored[c];
    const float other = this->stored(n, c);
    squared += static_cast<double>(own) * static_cast<double>(own);
    product += static_cast<double>(own) * static_cast<double>(other);
    incoming_[c] = checked(shares(other, own));
  }
  enter(squared);
  lose(shares.loss(static_cast<double>(sizes_[n]), squared, product));
  for (std::size_t c = 0; c < outputs_; ++c) coefficients_[c * stride_ + n] = incoming_[c];
  ++born_;
  set_->blend(n, term.x, 1 - h);
  self_kernels_[n] = set_->self_kernel(n);
  measure(n);
  mark_changed(n);
}

void Expansion::products(std::size_t m, float* out) {
  for (std::size_t c = 0; c < outputs_; ++c) incoming_[c] = stored(m, c);
  products(incoming_, out);
}

double Expansion::inner_product(std::size_t slot, std::size_t at) {
  set_->kernel_row_of(at, row_.data());
  evaluate(row_.data(), scores_.data());
  double sum = 0;
  for (std::size_t c = 0; c < outputs_; ++c) sum += coefficient(slot, c) * static_cast<double>(scores_[c]);
  return sum;
}

void Expansion::set_squared_norm(double value) { squared_norm_ = std::max(0.0, value); }

void Expansion::reweigh(float* factors, double limit) {
  KINGLET_ASSERT(!keeps_average_);
  const std::size_t padded = set_->padded_size();
  simd::largest_weights(stored_outputs(), padded, row_.data());
  checked(static_cast<double>(simd::cap_factors(row_.data(), as_float(limit / scale_), padded, factors)));
  for (std::size_t c = 0; c < outputs_; ++c) simd::multiply(factors, padded, &coefficients_[c * stride_]);
  reweighed();
}

void Expansion::reweigh_others(double factor, double limit) {
  KINGLET_ASSERT(!keeps_average_);
  const std::size_t last = size() - 1;
  const std::size_t padded = set_->padded_size();
  const auto swap_last = [&] {
    for (std::size_t c = 0; c < outputs_; ++c) std::swap(incoming_[c], coefficients_[c * stride_ + last]);
  };
  std::ranges::fill(incoming_, 0.0F);
  swap_last();
  const double before = limit / factor;
  const float largest = simd::largest_weights(stored_outputs(), padded, row_.data());
  swap_last();
  checked(factor * std::min(before, scale_ * static_cast<double>(largest)));
  for (std::size_t c = 0; c < outputs_; ++c) {
    incoming_[c] = static_cast<float>(static_cast<double>(stored(last, c)) / factor);
  }
  if (const float stored_limit = as_float(before / scale_); largest > stored_limit) {
    simd::shares_below(stored_limit, padded, row_.data());
    for (std::size_t c = 0; c < outputs_; ++c) simd::multiply(row_.data(), padded, &coefficients_[c * stride_]);
  }
  for (std::size_t c = 0; c < outputs_; ++c) coefficients_[c * stride_ + last] = incoming_[c];
  shrink(factor);  // which is lazy
  reweighed();
}

// What hangs on the coefficients, after a change of all of them.
void Expansion::reweighed() {
  ++edits_;
  measure_all();
  if (keeps_norm_) keep_norm();
  if (keeps_values_) measure_values();
}

void Expansion::keep_values() {
  keeps_values_ = true;
  values_.resize(outputs_ * stride_);
  for (Recent& vector : recent_) vector.row.resize(stride_);
  own_.resize(stride_);
  signs_.resize(stride_);
  tops_.resize(simd::tops_for(stride_));
  measure_all();
  measure_values();
}

void Expansion::measure_values() {
  for (std::size_t j = 0; j < size(); ++j) {
    set_->kernel_row_of(j, row_.data());
    evaluate_unscaled(row_.data(), 0, 1, scores_.data());
    for (std::size_t c = 0; c < outputs_; ++c) values_[c * stride_ + j] = static_cast<double>(scores_[c]);
  }
  drift_ = 0;
  knows_margin_ = false;
}

// f(x) in stored units.
std::span<const float> Expansion::score(const Term& term) {
  if (term.scores != nullptr && term.edits == edits_ && term.scale == scale_) return {term.scores, outputs_};
  evaluate_unscaled(term.kernel_row, 0, 1, scores_.data());
  return {scores_.data(), outputs_};
}

// A vector takes a slot: its value is at first that of f before. Returns its kernel row, its own place included.
const float* Expansion::begin_values(const Term& term, std::size_t slot) {
  const std::span<const float> scores = score(term);
  for (std::size_t c = 0; c < outputs_; ++c) values_[c * stride_ + slot] = static_cast<double>(scores[c]);
  return remember_row(term, slot);
}

// Brings the values up to date, and the largest margin if it is asked for: everything else has to be so already.
void Expansion::follow(std::initializer_list<Change> changes) {
  if (++drift_ > kMostDrift) return measure_values();
  knows_margin_ = asked_margin_ && outputs_ == 1 && size() > 0;
  for (std::size_t c = 0; c < outputs_; ++c) {
    std::array<simd::GainedTerm, 2> terms;
    std::size_t count = 0;
    for (const Change& change : changes) {
      const float weight = change.sign * change.stored[c];
      if (weight != 0) terms[count++] = {weight, change.kernel_row};
    }
    const std::span<const simd::GainedTerm> gained(terms.data(), count);
    if (knows_margin_) {
      largest_margin_ = simd::follow(margins(), gained, size(), tops_.data());
    } else {
      for (const auto& term : gained)
        simd::add_scaled(static_cast<double>(term.weight), term.k, size(), &values_[c * stride_]);
    }
  }
}

simd::Margins Expansion::margins() {
  return {values_.data(), own_.data(), signs_.data(), births_.data(), kRounding, largest_own_};
}

double Expansion::largest_margin() {
  KINGLET_ASSERT(keeps_values_ && outputs_ == 1 && size() > 0);
  asked_margin_ = true;
  if (!knows_margin_) largest_margin_ = simd::follow(margins(), {}, size(), tops_.data());
  knows_margin_ = true;
  return scale_ * largest_margin_;
}

simd::LargestMargin Expansion::best_without_help() {
  largest_margin();
  const simd::LargestMargin best = simd::largest_margin(margins(), size(), largest_margin_, tops_.data());
  return {best.slot, scale_ * best.margin};
}

bool Expansion::pass_through(const Term& term) {
  KINGLET_ASSERT(keeps_values_ && outputs_ == 1 && size() > 0);
  const float weight = stored(term)[0];
  const auto value = static_cast<double>(score(term)[0]);
  const double margin = term.label == 1 ? value : -value;
  const double others = simd::largest_margin_with(margins(), {weight, term.kernel_row}, size());
  if (!(others < margin - simd::largest_rounding(margins(), margin))) return false;
  ++edits_;
  ++born_;
  const double own = static_cast<double>(weight) * static_cast<double>(weight) * term.self_kernel;
  enter(own);
  lose(own);  // all of it
  return true;
}

// A vector takes a slot. Its row goes where the spare one stands; that of nobody, or else the oldest, is spare then.
const float* Expansion::remember_row(const Term& term, std::size_t slot) {
  for (Recent& other : recent()) {
    if (other.slot != kNobody) other.row[slot] = term.kernel_row[other.slot];
  }
  Recent& spare = recent_.back();
  std::copy_n(term.kernel_row, size(), spare.row.data());
  spare.row[slot] = static_cast<float>(term.self_kernel);
  spare.slot = slot;
  auto place = std::ranges::find(recent(), kNobody, &Recent::slot);
  if (place == recent().end()) --place;
  std::swap(*place, spare);
  spare.slot = kNobody;
  std::rotate(recent().begin(), place, place + 1);
  return recent_[0].row.data();
}

// The kernel row of a vector: the one it came with, if it is still there.
float* Expansion::remembered_row(std::size_t slot) {
  for (Recent& known : recent()) {
    if (known.slot == slot) return known.row.data();
  }
  set_->kernel_row_of(slot, row_.data());
  return row_.data();
}

// A vector leaves, and the last takes its place.
void Expansion::forget_row(std::size_t slot, std::size_t last) {
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

void Expansion::keep_average() {
  KINGLET_ASSERT(size() == 0);
  keeps_average_ = true;
  done_.resize(outputs_ * stride_);
}

void Expansion::settle() {
  for (std::size_t i = 0; i < coefficients_.size(); ++i) {
    done_[i] += static_cast<float>(elapsed_ * static_cast<double>(coefficients_[i]));
  }
  elapsed_ = 0;
  settled_scale_ = scale_;
}

void Expansion::evaluate_average(const float* kernel_rows, std::size_t stride, std::size_t rows, float* out) const {
  evaluate_unscaled(kernel_rows, stride, rows, out);
  thread_local std::vector<float> done;
  done.resize(std::max(done.size(), rows * outputs_));
  simd::dot_outputs(kernel_rows, stride, rows, {done_.data(), stride_, outputs_}, set_->padded_size(), done.data());
  const double share = rounds_ == 0 ? 0 : 1 / static_cast<double>(rounds_);
  for (std::size_t i = 0; i < rows * outputs_; ++i) {
    out[i] = static_cast<float>(share * (elapsed_ * static_cast<double>(out[i]) + static_cast<double>(done[i])));
  }
}

void Expansion::keep_norm() {
  keeps_norm_ = true;
  squared_norm_ = 0;
  for (std::size_t j = 0; j < size(); ++j) squared_norm_ += inner_product(j, j);
}

void Expansion::grow(const Shape& shape, std::size_t outputs) {
  set_->grow(shape.dimension);
  if (outputs <= outputs_) return;
  const auto share_out = [&](auto& old) {
    std::remove_reference_t<decltype(old)> more(outputs * stride_);
    if (outputs_ == 1) {
      // One output f becomes one per class, f_0 = −f/2 and f_1 = f/2: the margin f_y − f_r is what y f was.
      for (std::size_t j = 0; j < size(); ++j) {
        more[j] = -old[j] / 2;
        more[stride_ + j] = old[j] / 2;
      }
    } else {
      std::ranges::copy(old, more.begin());
    }
    old = std::move(more);
  };
  share_out(coefficients_);
  if (keeps_values_) share_out(values_);
  if (keeps_average_) share_out(done_);
  if (outputs_ == 1) squared_norm_ /= 2;
  outputs_ = outputs;
  scores_.resize(outputs);
  incoming_.resize(outputs);
  leaving_.resize(outputs);
  measure_all();
}

void Expansion::save(StateWriter& out) const {
  set_->save(out);
  out.put<std::uint64_t>(outputs_);
  out.put(scale_);
  for (std::size_t c = 0; c < outputs_; ++c) out.put_array(stored(c));
  out.put_array(std::span<const std::uint64_t>(births_.data(), size()));
  out.put(born_);
  out.put_array(std::span<const ClassId>(labels_.data(), size()));
  out.put(squared_norm_);
  if (keeps_values_) {
    for (std::size_t c = 0; c < outputs_; ++c) out.put_array(std::span<const double>(&values_[c * stride_], size()));
    out.put(drift_);
    for (const Recent& vector : recent()) {
      const bool known = vector.slot != kNobody;
      out.put<std::uint64_t>(known ? vector.slot : size());
      out.put_array(std::span<const float>(vector.row.data(), known ? size() : 0));
    }
  }
  if (keeps_average_) {
    for (std::size_t c = 0; c < outputs_; ++c) out.put_array(std::span<const float>(&done_[c * stride_], size()));
    out.put(elapsed_);
    out.put(settled_scale_);
    out.put(rounds_);
  }
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
  // Rules that go by labels look up the output of each.
  const std::size_t classes = std::max<std::size_t>(outputs_, 2);
  StateReader::require(std::ranges::all_of(labels, [&](ClassId label) { return label < classes; }),
                       "a label without a class");
  std::ranges::copy(labels, labels_.begin());
  squared_norm_ = in.get<double>();
  StateReader::require(std::isfinite(squared_norm_) && squared_norm_ >= 0, "the norm is not a number");
  const auto get_rows = [&]<class T>(T* to) {
    for (std::size_t c = 0; c < outputs_; ++c) {
      const auto row = in.get_array<T>();
      StateReader::require(row.size() == size(), "values and vectors differ in number");
      StateReader::require(std::ranges::all_of(row, [](T v) { return std::isfinite(v); }), "a value is not finite");
      std::ranges::copy(row, to + c * stride_);
    }
  };
  if (keeps_values_) {
    get_rows(values_.data());
    drift_ = in.get<std::uint64_t>();
    for (Recent& vector : recent()) {
      const auto slot = in.get<std::uint64_t>();
      const auto row = in.get_array<float>();
      StateReader::require(slot <= size() && row.size() == (slot < size() ? size() : 0), "a kernel row of nobody");
      StateReader::require(std::ranges::all_of(row, [](float k) { return std::isfinite(k); }), "a value is not finite");
      vector.slot = slot < size() ? slot : kNobody;
      std::ranges::copy(row, vector.row.begin());
    }
  }
  if (keeps_average_) {
    get_rows(done_.data());
    elapsed_ = in.get<double>();
    StateReader::require(std::isfinite(elapsed_) && elapsed_ >= 0, "the sum of the scales is not a number");
    settled_scale_ = in.get<double>();
    StateReader::require(std::isfinite(settled_scale_) && settled_scale_ > 0, "the scale is not positive");
    rounds_ = in.get<std::uint64_t>();
  }
  measure_all();
}

}  // namespace kinglet
