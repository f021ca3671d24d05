// How much memory a model takes. This is arithmetic: it is done before anything is allocated for a dimension, a budget
// or a number of classes, so that a single wrong index in a file gives an error and not a program that the system
// kills.
//
// Sums cannot overflow: a budget is at most 1e8, there are at most 2^32 features, and a matrix of a budget rule has
// fewer than 2^54 numbers.
#pragma once

#include <cstdint>
#include <string>

#include "core/shape.hpp"
#include "kinglet/message.hpp"
#include "kinglet/options.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

// "1.5 MiB"
std::string bytes_text(std::uint64_t bytes);

// What the machine has, or less if the process is limited to it (control groups).
std::uint64_t machine_memory();

// What is left of it beside what the process has already.
std::uint64_t memory_left();

// Whether the system would give the process that much address space now (ulimit -v).
bool can_reserve(std::uint64_t bytes);

// The limit that the option `memory` sets; 0: none.
std::uint64_t memory_limit(const Options& options);

// All that a model of this shape takes once its budget is full: learner, scaler and buffers for rows.
std::uint64_t model_memory(const Options& options, const Shape& shape);

// The largest budget for which the learner stays within `limit` bytes; 0: not even one support vector fits.
std::int64_t largest_budget(Options options, const Shape& shape, std::uint64_t limit);

// Throws Error if a model would take more memory than the machine has, or its learner more than `limit`, if that is not
// 0. `highest` is the index that the dimension comes from, if it comes from one; the error mentions it.
void require_memory(const Options& options, const Shape& shape, const HighestIndex& highest, std::uint64_t limit = 0);

// Whether the learner can keep sparse vectors, whose memory is not known beforehand, within a limit: by taking terms
// out.
bool can_limit_sparse_vectors(const Options& options);

// The budget that the option `memory` allows at the start, for vectors with so many nonzero features if they are
// sparse. Throws Error if it allows none.
std::int64_t budget_for_memory(const Options& options, const Shape& shape, double nonzeros,
                               const HighestIndex& highest);

// "data.libsvm:7: index 1000000000 gives 1000000000 features; ", or nothing if the index did not make the dimension.
std::string dimension_cause(const Shape& shape, const HighestIndex& highest);

}  // namespace kinglet
