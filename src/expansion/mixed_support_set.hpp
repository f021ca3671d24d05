// Support vectors in dense lanes (lane_vectors.hpp), for sparse rows: a kernel row costs one multiply-add per vector
// and nonzero feature of the query (simd/sparse_rows.hpp). Dense queries are accepted and lose their zeros first. The
// laplacian kernel has no such form; its queries are expanded and cost as much as dense ones.
#pragma once

#include <array>
#include <vector>

#include "core/zeroed.hpp"
#include "expansion/lane_support_set.hpp"
#include "simd/sparse_rows.hpp"

namespace kinglet {

class MixedSupportSet final : public LaneSupportSet {
 public:
  MixedSupportSet(const Kernel& kernel, std::uint32_t dimension, std::size_t capacity);

  void append(const Features& x) override;
  void remove(std::size_t slot) override;
  void replace(std::size_t slot, const Features& x) override;
  void rescale(std::span<const float> ratios) override;
  void grow(std::uint32_t dimension) override;

  void kernel_rows(const Rows& rows, float* out, std::size_t stride) const override;
  std::size_t block() const override { return kBlock; }
  std::size_t window() const override { return kWindow; }
  void look_ahead(const Rows& rows, float* out, std::size_t stride) override;
  void refresh_column(std::size_t slot, std::size_t first, float* out, std::size_t stride) override;
  void refresh_rows(std::size_t first, std::size_t count, float* out, std::size_t stride) override;
  void kernel_row_of(std::size_t slot, float* out) override;
  void kernel_row_part(std::size_t slot, std::size_t first, std::size_t last, float* out) override;
  void kernel_row(const Features& x, float* out) override;
  double self_kernel(std::size_t slot) const override;
  double add_gradient_squares(const Features& x, const float* shares, double weight, FadingMean& mean,
                              std::span<double> sums) override;

  std::size_t memory_bytes() const override { return bytes(dimension(), vectors_.capacity()); }

  void save(StateWriter& out) const override { vectors_.save(out, size_); }
  void load(StateReader& in) override { load_vectors(in); }

  static std::size_t bytes(std::uint32_t dimension, std::size_t capacity);
  static constexpr std::size_t kBlock = 64;
  static constexpr std::size_t kWindow = 32;

 private:
  // Vectors [first, last), first being the start of a block.
  struct Part {
    std::size_t first;
    std::size_t last;
  };
  simd::LaneView view(const Part& part) const {
    return {vectors_.block(part.first), norms_.data() + part.first, part.last - part.first, dimension(), 0};
  }
  // Whether queries are expanded: for the laplacian kernel, and where there are so few features that the direct form of
  // the Gaussian kernel, which is more accurate, costs nothing.
  bool expands() const { return kernel_.kind == KernelKind::laplacian || dimension() <= simd::kDirectDimensions; }
  void set_norm(std::size_t slot, double norm);
  void after_blend(std::size_t slot) override;
  // out[q · stride + j] for the vectors j of a part and the rest of its last block; norms[q] = ‖row q‖².
  void values(const Rows& rows, const double* norms, const Part& part, float* out, std::size_t stride) const;
  void values_of(const Features& x, double norm, const Part& part, float* out) const;
  void expanded_values(const Rows& rows, const Part& part, float* out, std::size_t stride) const;
  void row_of(std::size_t slot, const Part& part, float* out);

  ZeroedFloats norms_;
  ZeroedDoubles exact_norms_;
  Rows window_;  // of the last look_ahead()
  std::array<double, kWindow> window_norms_{};
  // The blocks of 16 vectors that have changed since. A row computes its values with all of them when its turn comes:
  // many blocks at once are faster than one after the other.
  static constexpr std::size_t kMostStale = 32;
  std::array<std::size_t, kMostStale> stale_{};
  std::size_t stale_count_ = 0;
  AlignedFloats scratch_;
  std::vector<std::uint32_t> indices_;
};

}  // namespace kinglet
