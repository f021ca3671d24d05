// What the tests of learners in a span share: options, learners with random centres, and their references.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/state.hpp"
#include "kinglet/registry.hpp"
#include "random_vectors.hpp"
#include "span/reference_span.hpp"
#include "span/span_learner.hpp"

namespace kinglet {

inline Options span_options(std::size_t budget, const Options& more = {}) {
  Options given{{"algo", "bnewton"}, {"budget", std::to_string(budget)}};
  for (const auto& [name, value] : more.all()) given.set(name, value);
  if (!given.has("kernel")) given.set("gamma", given.has("gamma") ? given.text("gamma") : "0.2");
  return complete_options(given);
}

// A stream of overlapping classes, with a smooth function of the features as the number for regression.
struct SpanStream {
  Vectors x;
  std::vector<ClassId> labels;
  std::vector<float> numbers;
  std::vector<float> weights;

  SpanStream(std::size_t count, std::size_t dimension, std::uint32_t classes, std::uint64_t seed) {
    Random random(seed);
    for (std::size_t i = 0; i < count; ++i) {
      labels.push_back(static_cast<ClassId>(random.below(std::max(classes, 1U))));
      x.push_back(random_vector(random, dimension));
      x.back()[labels.back() % dimension] += 1.5F;
      numbers.push_back(static_cast<float>(std::sin(static_cast<double>(x.back()[0])) + 0.1 * random.normal()));
      weights.push_back(static_cast<float>(0.25 * static_cast<double>(random.below(8))));
    }
  }
  Targets targets(bool regress) const { return regress ? Targets(numbers.data(), numbers.size()) : Targets(labels); }
};

inline std::string span_state(const Learner& learner) {
  StateWriter out;
  learner.save(out);
  return out.bytes();
}

}  // namespace kinglet
