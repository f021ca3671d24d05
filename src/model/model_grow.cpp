// New features and new classes in the stream: makes room for them, with a lower budget where the memory limit demands
// it.
#include <fmt/format.h>

#include <algorithm>

#include "core/assert.hpp"
#include "core/compose.hpp"
#include "core/state.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"
#include "model/memory.hpp"
#include "model/model_state.hpp"

namespace kinglet {

void Model::State::add_class(const std::string& text) {
  grow(scaler->dimension(), static_cast<std::uint32_t>(labels.size() + 1));
  labels.add(text);
  class_weights.grow(labels.texts());
  notice_new_labels();
}

void Model::State::grow(std::uint32_t dimension, std::uint32_t class_count, const HighestIndex& highest) {
  if (dimension <= scaler->dimension() && class_count <= learner->classes()) return;
  if (numbers() && dimension > scaler->dimension()) {
    throw Error(
        fmt::format("a row has {} features, but the schema of the model has {}", dimension, scaler->dimension()));
  }
  const Shape shape{.dimension = std::max(dimension, scaler->dimension()),
                    .classes = std::max(class_count, learner->classes()),
                    .storage = storage()};
  const std::optional<Options> lower = options_with_lower_budget(shape, highest);
  require_memory(lower ? *lower : options, shape, highest);
  if (lower) lower_budget(*lower, shape);
  const std::uint32_t old_dimension = scaler->dimension();
  scaler->grow(shape.dimension);
  try {
    learner->grow(shape);
  } catch (...) {
    scaler->shrink(old_dimension);
    throw;
  }
  if (shape.dimension > old_dimension) columns.reset();  // they do not cover all features any more
  if (learner->sampled_rows() == 0) sample.reset();
  if (sample) sample->grow(shape.dimension);
  if (calibration) calibration->grow(shape.classes);
}

std::optional<Options> Model::State::options_with_lower_budget(const Shape& shape, const HighestIndex& highest) const {
  const std::uint64_t limit = memory_limit(options);
  if (limit == 0 || learner_memory(options, shape) <= limit) return std::nullopt;
  const std::string what = shape.dimension > scaler->dimension()
                               ? fmt::format("{}with {} features", dimension_cause(shape, highest), shape.dimension)
                               : fmt::format("with {} classes", shape.classes);
  const OptionMention memory = option("memory", options.text("memory"));
  if (!learner->can_lower_budget()) {
    throw Error(compose("{} the learner would take more than {}, and {} cannot lower its budget: raise {}", what,
                        memory, algorithm_name(options), option("memory")));
  }
  const std::int64_t budget = largest_budget(options, shape, limit);
  if (budget == 0) {
    throw Error(compose("{} even one support vector takes more than {}: raise {}", what, memory, option("memory")));
  }
  Options lower = options;
  lower.set("budget", std::to_string(budget));
  return lower;
}

// The learner is made anew with the state of the present one. What takes most memory comes before the first change.
void Model::State::lower_budget(const Options& lower, const Shape& shape) {
  auto smaller =
      make_learner(lower, {.dimension = scaler->dimension(), .classes = learner->classes(), .storage = storage()});
  learner->lower_budget(static_cast<std::size_t>(lower.integer("budget")));
  StateWriter state;
  learner->save(state);
  StateReader in(state.bytes());
  smaller->load(in);
  KINGLET_ASSERT(in.at_end());
  notices.add(
      Notices::lower_budget,
      compose("after {} examples the budget went down from {} to {}: the stream has more {} now, and {} allows no "
              "more support vectors with them (it may go down again; this is said once)",
              progress.examples, options.text("budget"), lower.text("budget"),
              shape.dimension > scaler->dimension() ? "features" : "classes",
              option("memory", options.text("memory"))));
  learner = std::move(smaller);
  options = lower;
}

}  // namespace kinglet
