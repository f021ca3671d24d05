// Support vectors in dense lanes (lane_vectors.hpp), for dense rows.
#pragma once

#include <array>
#include <limits>

#include "core/zeroed.hpp"
#include "expansion/lane_support_set.hpp"

namespace kinglet {

class DenseSupportSet final : public LaneSupportSet {
 public:
  DenseSupportSet(const Kernel& kernel, std::uint32_t dimension, std::size_t capacity);

  void append(const Features& x) override;
  void remove(std::size_t slot) override;
  void replace(std::size_t slot, const Features& x) override;
  void rescale(std::span<const float> ratios) override;
  void grow(std::uint32_t dimension) override;

  void kernel_rows(const Rows& rows, float* out, std::size_t stride) const override;
  std::size_t block() const override { return kBlock; }
  // With few features, a small window, because changes of the set then cost more than a larger window saves.
  static std::size_t window_for(std::uint32_t dimension) { return dimension <= 16 ? 16 : kWindow; }
  std::size_t window() const override { return window_for(dimension()); }
  void look_ahead(const Rows& rows, float* out, std::size_t stride) override;
  void refresh_column(std::size_t slot, std::size_t first, float* out, std::size_t stride) override;
  void kernel_row_of(std::size_t slot, float* out) override;
  void kernel_row_part(std::size_t slot, std::size_t first, std::size_t last, float* out) override;
  void kernel_row(const Features& x, float* out) override;
  double self_kernel(std::size_t slot) const override;
  double add_gradient_squares(const Features& x, const float* shares, double weight, FadingMean& mean,
                              std::span<double> sums) override;

  std::size_t memory_bytes() const override { return bytes(dimension(), vectors_.capacity()); }

  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

  static std::size_t bytes(std::uint32_t dimension, std::size_t capacity);
  static constexpr std::size_t kBlock = 64;
  static constexpr std::size_t kWindow = 32;

 private:
  void set_norm(std::size_t slot, float norm);
  simd::LaneView part(std::size_t first, std::size_t last) const;  // whole blocks
  // out[q · stride + j] for the slots j in [first, last), and possibly for others in the same blocks.
  void values(const simd::RowView& rows, std::size_t first, std::size_t last, float* out, std::size_t stride) const;
  void values_of_query(float norm, std::size_t first, std::size_t last, float* out) const;
  void transpose_window();
  std::size_t window_row_at(const float* values) const;
  const float* window_row(std::size_t row);
  simd::LaneView window_lanes(std::size_t first) const;
  void after_blend(std::size_t slot) override;
  simd::LaneView view() const { return part(0, size_); }

  ZeroedFloats norms_;
  float largest_norm_ = 0;

  // The rows of the last look_ahead(), transposed into lanes when the first column is refreshed.
  Rows window_;
  bool window_transposed_ = false;
  float window_largest_norm_ = 0;
  AlignedFloats window_data_;
  AlignedFloats window_norms_;
  // Kernel values between rows of the window, computed for a few rows at a time when the first of them becomes a
  // support vector: if one row is learned, the following ones often are, too.
  static constexpr std::size_t kWindowGroup = 8;
  static constexpr auto kNoRow = std::numeric_limits<std::size_t>::max();
  AlignedFloats window_kernel_;
  std::array<bool, kWindow / kWindowGroup> window_known_{};
  std::size_t newest_slot_ = kNoRow;  // slot of the vector added last, if it is a row of the window:
  std::size_t newest_row_ = kNoRow;
  AlignedFloats column_;
};

}  // namespace kinglet
