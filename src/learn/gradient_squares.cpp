#include "learn/gradient_squares.hpp"

#include <algorithm>
#include <cmath>

#include "core/assert.hpp"
#include "simd/vector_ops.hpp"

namespace kinglet {

void GradientSquares::add(Expansion& f, const Features& x, const float* kernel_row, ClassId label, ClassId rival,
                          double weight) {
  const simd::Outputs all = f.stored_outputs();
  const std::size_t n = f.set().padded_size();
  if (shares_.size() < n) shares_.resize(all.stride);  // there is no budget
  const bool one = f.outputs() == 1;
  const float* mine = all.coefficients + (one ? 0 : label * all.stride);
  const float* other = all.coefficients + rival * all.stride;
  for (std::size_t j = 0; j < n; ++j) shares_[j] = one ? mine[j] : mine[j] - other[j];
  simd::multiply(kernel_row, n, shares_.data());
  const auto scale = static_cast<float>(f.scale());
  for (std::size_t j = 0; j < n; ++j) shares_[j] *= scale;
  if (f.set().add_gradient_squares(x, shares_.data(), weight, mean_length_, sums()) > 0) ++count_;
}

// ∂f/∂(r x) = (∂f/∂x) / r
void GradientSquares::rescale(std::span<const float> ratios) {
  KINGLET_ASSERT(ratios.size() == sums_.size());
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    const auto ratio = static_cast<double>(ratios[k]);
    sums_[k] /= 2 * ratio * ratio;
  }
  count_ /= 2;
}

void GradientSquares::save(StateWriter& out) const {
  out.put_array(std::span<const double>(sums_.data(), sums_.size()));
  out.put(count_);
  mean_length_.save(out);
}

void GradientSquares::load(StateReader& in) {
  const auto sums = in.get_array<double>();
  StateReader::require(sums.size() == sums_.size(), "gradients of another dimension");
  StateReader::require(std::ranges::all_of(sums, [](double g) { return std::isfinite(g) && g >= 0; }),
                       "a gradient that is not a number");
  std::ranges::copy(sums, sums_.begin());
  count_ = in.get<double>();
  StateReader::require(std::isfinite(count_) && count_ >= 0, "a count of gradients that is not a number");
  mean_length_.load(in);
}

}  // namespace kinglet
