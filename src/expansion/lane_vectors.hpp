// Vectors in dense lanes: blocks of 16, feature-major inside a block (simd/kernel_rows.hpp). Used by the support sets
// that keep a value for every feature; what they know about a vector beside its values (norms), they keep themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/fading_mean.hpp"
#include "core/kernel.hpp"
#include "core/state.hpp"
#include "core/zeroed.hpp"
#include "kinglet/example.hpp"
#include "simd/kernel_rows.hpp"

namespace kinglet {

// out ← x with all its zeros.
void expand(const Features& x, std::span<float> out);

class LaneVectors {
 public:
  LaneVectors(std::uint32_t dimension, std::size_t capacity) : dimension_(dimension) { reserve(capacity); }

  std::uint32_t dimension() const { return dimension_; }
  std::size_t capacity() const { return capacity_; }
  void reserve(std::size_t capacity);
  static std::size_t bytes(std::uint32_t dimension, std::size_t capacity);
  // The lanes of the block that starts with this slot.
  const float* block(std::size_t start) const { return data_.data() + start * dimension_; }

  // All vectors outside have `dimension` floats.
  void set(std::size_t slot, const float* x);
  void copy_to(std::size_t slot, float* out) const;
  void move(std::size_t from, std::size_t to);
  // x_slot ← h x_slot + (1 − h) x; the result is also stored in x.
  void blend(std::size_t slot, double h, float* x);
  void rescale(std::span<const float> ratios, std::size_t count);
  void grow(std::uint32_t dimension, std::size_t count);

  // out[j] = k(x_j, query) in double precision for j in [first, last).
  void exact_values(const Kernel& kernel, const float* query, std::size_t first, std::size_t last, double* out) const;

  void save(StateWriter& out, std::size_t count) const;
  // Calls append(x) for every vector in the file.
  template <class Append>
  void load(StateReader& in, const Append& append) const;

 private:
  // The first feature of a vector; the others follow, kLanes apart.
  const float* lane(std::size_t slot) const { return block(slot / simd::kLanes * simd::kLanes) + slot % simd::kLanes; }
  float* lane(std::size_t slot) { return const_cast<float*>(std::as_const(*this).lane(slot)); }
  std::vector<float> load_vector(StateReader& in) const;

  std::uint32_t dimension_;
  std::size_t capacity_ = 0;
  ZeroedFloats data_;
};

template <class Append>
void LaneVectors::load(StateReader& in, const Append& append) const {
  const auto dimension = in.get<std::uint32_t>();
  StateReader::require(dimension == dimension_, "support vectors of another dimension");
  const std::size_t count = in.get_count(sizeof(std::uint64_t) + dimension * sizeof(float));
  for (std::size_t j = 0; j < count; ++j) append(load_vector(in));
}

// SupportSet::add_gradient_squares() for vectors in lanes. x has a value for every feature; `gradient` is scratch space
// of the same length. The slope of the kernel is relative to differences or their signs.
double add_gradient_squares(const Kernel& kernel, double slope, const simd::LaneView& vectors, const float* x,
                            const float* shares, double weight, FadingMean& mean, float* gradient,
                            std::span<double> sums);

}  // namespace kinglet
