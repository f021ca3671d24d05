// Random dense vectors for the tests.
#pragma once

#include <cstddef>
#include <vector>

#include "core/random.hpp"
#include "kinglet/example.hpp"

namespace kinglet {

using Vectors = std::vector<std::vector<float>>;

inline std::vector<float> random_vector(Random& random, std::size_t dimension, double deviation = 1) {
  std::vector<float> x(dimension);
  for (float& value : x) value = static_cast<float>(deviation * random.normal());
  return x;
}

// Vectors with independent, normally distributed features of mean 0 and the given standard deviation.
inline Vectors random_vectors(Random& random, std::size_t count, std::size_t dimension, double deviation = 1) {
  Vectors vectors;
  for (std::size_t i = 0; i < count; ++i) vectors.push_back(random_vector(random, dimension, deviation));
  return vectors;
}

// Vectors stored one after the other, in the layout of Rows; `gap` floats lie between two rows.
class RowBlock {
 public:
  explicit RowBlock(const Vectors& vectors, std::size_t gap = 0)
      : count_(vectors.size()), dimension_(vectors.empty() ? 0 : vectors[0].size()), stride_(dimension_ + gap) {
    values_.assign(count_ * stride_, -1e30F);  // the floats between rows must not be used
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t f = 0; f < dimension_; ++f) values_[i * stride_ + f] = vectors[i][f];
    }
  }
  Rows rows() const {
    return {.count = count_,
            .dimension = static_cast<std::uint32_t>(dimension_),
            .values = values_.data(),
            .stride = stride_};
  }

 private:
  std::size_t count_;
  std::size_t dimension_;
  std::size_t stride_;
  std::vector<float> values_;
};

}  // namespace kinglet
