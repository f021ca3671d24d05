// Support vectors in dense lanes: blocks of 16 vectors, feature-major inside a block (simd/kernel_rows.hpp).
#pragma once

#include <array>
#include <limits>
#include <utility>

#include "core/zeroed.hpp"
#include "expansion/support_set.hpp"
#include "simd/kernel_rows.hpp"

namespace kinglet {

class DenseSupportSet final : public SupportSet {
 public:
  DenseSupportSet(const Kernel& kernel, std::uint32_t dimension, std::size_t capacity);

  void append(const Features& x) override;
  void remove(std::size_t slot) override;
  void replace(std::size_t slot, const Features& x) override;
  void blend(std::size_t into, const Features& x, double h) override;
  void blend(std::size_t into, std::size_t other, double h) override;
  void rescale(std::span<const float> ratios) override;
  void grow(std::uint32_t dimension) override;

  void kernel_rows(const Rows& rows, float* out, std::size_t stride) const override;
  std::size_t block() const override { return kBlock; }
  // With few features, a small window, because changes of the set then cost more than a larger window saves.
  static std::size_t window_for(std::uint32_t dimension) { return dimension <= 16 ? 16 : kWindow; }
  std::size_t window() const override { return window_for(dimension_); }
  void look_ahead(const Rows& rows, float* out, std::size_t stride) override;
  void refresh_column(std::size_t slot, std::size_t first, float* out, std::size_t stride) override;
  void kernel_row_of(std::size_t slot, float* out) override;
  void kernel_row_part(std::size_t slot, std::size_t first, std::size_t last, float* out) override;
  void kernel_row(const Features& x, float* out) override;
  void exact_row(const Features& x, std::span<double> out) const override;
  void exact_row_of(std::size_t slot, std::span<double> out) override;
  void exact_row_part(std::size_t slot, std::size_t first, std::size_t last, double* out) override;
  double self_kernel(std::size_t slot) const override;
  double add_gradient_squares(const Features& x, const float* shares, double weight, FadingMean& mean,
                              std::span<double> sums) override;

  void copy_to(std::size_t slot, std::span<float> out) const override;
  std::uint32_t dimension() const override { return dimension_; }
  std::size_t memory_bytes() const override { return bytes(dimension_, capacity_); }

  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

  static std::size_t bytes(std::uint32_t dimension, std::size_t capacity);
  static constexpr std::size_t kBlock = 64;
  static constexpr std::size_t kWindow = 32;

 private:
  // The first feature of a vector; the others follow, kLanes apart.
  const float* lane(std::size_t slot) const {
    return data_.data() + slot / simd::kLanes * dimension_ * simd::kLanes + slot % simd::kLanes;
  }
  float* lane(std::size_t slot) { return const_cast<float*>(std::as_const(*this).lane(slot)); }
  void reserve(std::size_t capacity);
  template <class Visit>
  void for_each_value(const Features& x, Visit visit) const;
  void set_norm(std::size_t slot, float norm);
  simd::LaneView part(std::size_t first, std::size_t last) const;  // whole blocks
  void transpose_window();
  std::size_t window_row_at(const float* values) const;
  const float* window_row(std::size_t row);
  simd::LaneView window_lanes(std::size_t first) const;
  void exact_values(const float* query, std::size_t first, std::size_t last, double* out) const;
  simd::LaneView view() const { return {data_.data(), norms_.data(), size_, dimension_, largest_norm_}; }

  std::uint32_t dimension_ = 0;
  std::size_t capacity_ = 0;
  ZeroedFloats data_;
  ZeroedFloats norms_;
  float largest_norm_ = 0;

  // The rows of the last look_ahead(), transposed into lanes when the first column is refreshed.
  Rows window_;
  bool window_transposed_ = false;
  float window_largest_norm_ = 0;
  AlignedFloats window_data_;
  AlignedFloats window_norms_;
  // Kernel values between rows of the window, computed for a few rows at a time when the first of them becomes a support
  // vector: if one row is learned, the following ones often are, too.
  static constexpr std::size_t kWindowGroup = 8;
  static constexpr auto kNoRow = std::numeric_limits<std::size_t>::max();
  AlignedFloats window_kernel_;
  std::array<bool, kWindow / kWindowGroup> window_known_{};
  std::size_t newest_slot_ = kNoRow;  // slot of the vector added last, if it is a row of the window:
  std::size_t newest_row_ = kNoRow;
  AlignedFloats column_;
  AlignedFloats query_;
};

}  // namespace kinglet
