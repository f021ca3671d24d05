// A run that goes on from a checkpoint must read the same data in the same order. These throw Error if it does not.
#pragma once

#include <cstdint>
#include <optional>

#include "kinglet/model.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

// `first` is the first batch of the source.
void require_same_beginning(const Model& model, const Batch& first, const Source& source);
// `hash` is that of the checkpoint, if it has one; `found` that of as many rows of the source.
void require_same_rows(const Model& model, std::optional<std::uint64_t> hash, std::uint64_t found,
                       const Source& source);
// The source has only `rows` rows, fewer than the model has learned.
[[noreturn]] void refuse_shorter_data(const Model& model, std::uint64_t rows, const Source& source);

}  // namespace kinglet
