// Checks of a batch that a caller gives to a model. They throw Error. Whether the labels can be learned depends on the
// model: Model::State::check_labels() is in batch_checks.cpp, too.
#pragma once

#include <cstdint>

#include "kinglet/source.hpp"

namespace kinglet {

// The parts of the batch must be consistent. Borrowed memory itself cannot be checked.
void check_form(const Batch& batch);
// NaN is a missing value, but an infinite value would make all statistics useless.
void check_values(const Rows& rows);
// `rows_before`, the number of examples before the batch, is for the messages.
void check_targets(const Batch& batch, std::uint64_t rows_before);
void check_weights(const Batch& batch, std::uint64_t rows_before);
// `columns` are those of the model; null: not known. A source that was opened with the columns of the model gives
// exactly these; another one may have them in any order.
void check_columns(const Batch& batch, const Columns* columns);

}  // namespace kinglet
