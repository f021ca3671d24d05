// Examples for benchmarks of learners: stripes of classes in the plane of two features; the others are small. `noise`
// is the share of random labels, so it decides how many examples are learned.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/learner.hpp"
#include "core/random.hpp"

namespace kinglet::bench {

struct Stripes {
  std::uint32_t dimension;
  std::vector<float> values;
  std::vector<ClassId> labels;
  std::vector<float> numbers;

  Stripes(std::size_t count, std::uint32_t features, std::uint32_t classes, double noise) : dimension(features) {
    Random random(1);
    for (std::size_t i = 0; i < count; ++i) {
      double sum = 0;
      for (std::uint32_t f = 0; f < features; ++f) {
        values.push_back(static_cast<float>((f < 2 ? 1 : 0.1) * random.normal()));
        if (f < 2) sum += static_cast<double>(values.back());
      }
      const auto slice = static_cast<std::uint32_t>(std::floor(sum + 100));
      labels.push_back(random.coin(noise) ? static_cast<ClassId>(random.below(classes)) : slice % classes);
      numbers.push_back(static_cast<float>(std::sin(sum) + 0.1 * random.normal()));
    }
  }
  Rows rows() const { return {labels.size(), dimension, values.data(), dimension}; }
};

}  // namespace kinglet::bench
