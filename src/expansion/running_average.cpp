#include "expansion/running_average.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/assert.hpp"
#include "expansion/output_rows.hpp"
#include "simd/vector_ops.hpp"

namespace kinglet {

RunningAverage::RunningAverage(Expansion& f) : f_(f) {
  KINGLET_ASSERT(f.size() == 0);
  f.log().add_observer(*this, {});
  RunningAverage::after_reserve(0);
}

void RunningAverage::after_reserve(std::size_t old_stride) {
  stride_ = f_.stored_outputs().stride;
  widen_rows(done_, f_.outputs(), old_stride, stride_);
}

void RunningAverage::after_growth(std::size_t old_outputs) {
  add_rows(done_, old_outputs, f_.outputs(), stride_, f_.size());
}

void RunningAverage::settle() {
  const float* coefficients = f_.stored_outputs().coefficients;
  for (std::size_t c = 0; c < f_.outputs(); ++c) {
    for (std::size_t i = c * stride_; i < c * stride_ + f_.size(); ++i) {
      done_[i] += static_cast<float>(elapsed_ * static_cast<double>(coefficients[i]));
    }
  }
  elapsed_ = 0;
  settled_scale_ = f_.scale();
}

void RunningAverage::before_change(const TermChange& change) { KINGLET_ASSERT(!change.leaving); }

void RunningAverage::after_change(const TermChange& change) {
  for (std::size_t c = 0; c < f_.outputs(); ++c) {
    done_[c * stride_ + change.slot] = static_cast<float>(-elapsed_ * static_cast<double>(f_.stored(change.slot, c)));
  }
}

void RunningAverage::before_approximation(const Approximation&) { KINGLET_ASSERT(!"an average keeps all vectors"); }
void RunningAverage::after_edit(std::size_t) { KINGLET_ASSERT(!"an average keeps all vectors"); }
void RunningAverage::after_rewrite() { KINGLET_ASSERT(!"an average keeps all vectors"); }

void RunningAverage::after_projection(const ProjectedTerm& change) {
  for (std::size_t c = 0; c < f_.outputs(); ++c) {
    const double weight = change.part * change.term.coefficients[c] / f_.scale();
    if (weight == 0) continue;
    for (std::size_t j = 0; j < f_.size(); ++j) {
      done_[c * stride_ + j] -= static_cast<float>(elapsed_ * weight * change.shares[j]);
    }
  }
}

void RunningAverage::finish(const float* kernel_rows, std::size_t stride, std::size_t rows, float* out) const {
  const std::size_t count = rows * f_.outputs();
  thread_local std::vector<float> done;
  done.resize(std::max(done.size(), count));
  simd::dot_outputs(kernel_rows, stride, rows, {done_.data(), stride_, f_.outputs()}, f_.set().padded_size(),
                    done.data());
  const double share = rounds_ == 0 ? 0 : 1 / static_cast<double>(rounds_);
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = static_cast<float>(share * (elapsed_ * static_cast<double>(out[i]) + static_cast<double>(done[i])));
  }
}

void RunningAverage::save(StateWriter& out) const {
  for (std::size_t c = 0; c < f_.outputs(); ++c) {
    out.put_array(std::span<const float>(&done_[c * stride_], f_.size()));
  }
  out.put(elapsed_);
  out.put(settled_scale_);
  out.put(rounds_);
}

void RunningAverage::load(StateReader& in) {
  for (std::size_t c = 0; c < f_.outputs(); ++c) {
    const auto row = in.get_array<float>();
    StateReader::require(row.size() == f_.size(), "values and vectors differ in number");
    StateReader::require(std::ranges::all_of(row, [](float v) { return std::isfinite(v); }), "a value is not finite");
    std::ranges::copy(row, &done_[c * stride_]);
  }
  elapsed_ = in.get<double>();
  StateReader::require(std::isfinite(elapsed_) && elapsed_ >= 0, "the sum of the scales is not a number");
  settled_scale_ = in.get<double>();
  StateReader::require(std::isfinite(settled_scale_) && settled_scale_ > 0, "the scale is not positive");
  rounds_ = in.get<std::uint64_t>();
}

}  // namespace kinglet
