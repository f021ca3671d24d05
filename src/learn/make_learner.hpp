// Makes the learner that the options name.
#pragma once

#include <cstddef>
#include <memory>

#include "core/learner.hpp"

namespace kinglet {

// `options` are complete (kinglet/registry.hpp: complete_options()).
std::unique_ptr<Learner> make_learner(const Options& options, const Shape& shape);

// The bytes that make_learner(options, shape) holds once its budget is full.
std::size_t learner_memory(const Options& options, const Shape& shape);

}  // namespace kinglet
