// Checks of a batch: its form, values, targets, weights and columns by themselves, and its labels against the model.
#include "model/batch_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/compose.hpp"
#include "kinglet/error.hpp"
#include "model/model_state.hpp"
#include "records/schema.hpp"

namespace kinglet {
namespace {

void check_indices(const Rows& rows) {
  std::uint32_t highest = 0;
  const std::uint64_t end = rows.offsets[rows.count];
  for (std::uint64_t k = rows.offsets[0]; k < end; ++k) highest = std::max(highest, rows.indices[k]);
  if (end > rows.offsets[0] && highest >= rows.dimension) {
    throw Error(fmt::format("a sparse batch has feature {}, beyond its dimension {}", highest, rows.dimension));
  }
}

// Checks that the parts of borrowed memory are consistent; the memory itself cannot be checked.
void check_borrowed(const Batch& batch) {
  const Rows& rows = batch.borrowed;
  if (rows.count != batch.rows()) {
    throw Error(fmt::format("the batch borrows {} rows but has {} labels", rows.count, batch.rows()));
  }
  if (!rows.is_sparse()) {
    if (rows.stride < rows.dimension) throw Error("the borrowed rows of the batch overlap");
    return;
  }
  if (!std::is_sorted(rows.offsets, rows.offsets + rows.count + 1)) {
    throw Error("the offsets of the sparse batch decrease");
  }
  check_indices(rows);
}

// Calls call(first row, rows, values) for each run of contiguous values.
template <class Call>
void for_each_run(const Rows& rows, const Call& call) {
  if (rows.is_sparse()) {
    call(0, rows.count, std::span(rows.values + rows.offsets[0], rows.offsets[rows.count] - rows.offsets[0]));
  } else if (rows.stride == rows.dimension) {
    call(0, rows.count, std::span(rows.values, rows.count * rows.dimension));
  } else {
    for (std::size_t i = 0; i < rows.count; ++i) {
      call(i, 1, std::span(rows.values + i * rows.stride, rows.dimension));
    }
  }
}

bool any_special(std::span<const float> values) {
  constexpr std::int32_t kExponent = 0x7F800000;
  std::int32_t special = 0;
  for (const float value : values) {
    special |= (std::bit_cast<std::int32_t>(value) & kExponent) == kExponent ? 1 : 0;
  }
  return special != 0;
}

void refuse_infinite(const Rows& rows, std::size_t begin, std::size_t n) {
  for (std::size_t i = begin; i < begin + n; ++i) {
    const Features x = rows[i];
    const float* const found = std::find_if(x.values, x.values + x.count, [](float v) { return std::isinf(v); });
    if (found == x.values + x.count) continue;
    const auto at = static_cast<std::uint32_t>(found - x.values);
    throw Error(fmt::format("row {} of the batch has an infinite value in feature {}", i + 1,
                            (x.is_sparse() ? x.indices[at] : at) + 1));
  }
}

[[noreturn]] void refuse_novelty_label(std::uint64_t example, std::string_view label) {
  throw Error(compose("example {} has the label '{}': {} knows 1 (normal) and -1 (novel)", example, label,
                      option("task", "novelty")));
}

}  // namespace

void check_form(const Batch& batch) {
  if (batch.borrows()) return check_borrowed(batch);
  if (!batch.sparse) {
    if (batch.values.size() != batch.rows() * batch.dimension) {
      throw Error(fmt::format("a batch of {} rows with {} features needs {} values, not {}", batch.rows(),
                              batch.dimension, batch.rows() * batch.dimension, batch.values.size()));
    }
    return;
  }
  const bool whole = batch.offsets.size() == batch.rows() + 1 && batch.offsets.front() == 0 &&
                     batch.offsets.back() == batch.values.size() && batch.indices.size() == batch.values.size() &&
                     std::is_sorted(batch.offsets.begin(), batch.offsets.end());
  if (!whole) throw Error("the offsets, indices and values of the sparse batch are inconsistent");
  check_indices(batch.features());
}

void check_values(const Rows& rows) {
  for_each_run(rows, [&](std::size_t begin, std::size_t n, std::span<const float> values) {
    if (any_special(values)) refuse_infinite(rows, begin, n);
  });
}

void check_targets(const Batch& batch, std::uint64_t rows_before) {
  if (batch.targets.empty()) {
    throw Error(compose("example {} has no number for a label: {} needs one for every example", rows_before + 1,
                        option("task", "regress")));
  }
  if (batch.targets.size() != batch.rows()) throw Error("a batch must have one target per row, or none at all");
  const auto bad = std::ranges::find_if_not(batch.targets, [](float y) { return std::isfinite(y); });
  if (bad == batch.targets.end()) return;
  throw Error(compose("example {} has the label {}: {} needs a finite number",
                      rows_before + static_cast<std::uint64_t>(bad - batch.targets.begin()) + 1, *bad,
                      option("task", "regress")));
}

void check_weights(const Batch& batch, std::uint64_t rows_before) {
  if (batch.weights.empty()) return;
  if (batch.weights.size() != batch.rows()) throw Error("a batch must have one weight per row, or none at all");
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    if (batch.weights[i] >= 0 && std::isfinite(batch.weights[i])) continue;
    throw Error(fmt::format("example {} has the weight {}: a weight must be a number ≥ 0", rows_before + i + 1,
                            batch.weights[i]));
  }
}

void check_columns(const Batch& batch, const Columns* columns) {
  if (columns == nullptr || !batch.columns || batch.columns.get() == columns) return;
  const bool are_records = columns->schema != nullptr;
  if (are_records != (batch.columns->schema != nullptr) ||
      (are_records && !continues(*columns->schema, *batch.columns->schema) &&
       !continues(*batch.columns->schema, *columns->schema))) {
    throw Error("the records have another schema than those of the model: read the data with the columns of the model");
  }
  const auto& mine = columns->features;
  const auto& theirs = batch.columns->features;
  if (mine.empty() || theirs.empty() || mine == theirs) return;
  throw Error("the columns of the data differ from those of the model: read the data with the columns of the model");
}

void Model::State::check_labels(const Batch& batch, bool asking) {
  if (task == TaskKind::regress) return check_targets(batch, progress.examples);
  if (task == TaskKind::classify && !batch.targets.empty()) {
    throw Error({"the labels are numbers, not classes: learn them with ", option("task", "regress")});
  }
  if (!batch.targets.empty()) refuse_novelty_label(progress.examples + 1, fmt::format("{}", batch.targets[0]));
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    const std::uint32_t label = batch.labels[i];
    const std::uint64_t example = progress.examples + i + 1;
    if (label < source.size()) {
      if (task == TaskKind::classify || source.class_of(label, labels) != kNoClass) continue;
      refuse_novelty_label(example, source.text(label));
    }
    if (label != kNoLabel) throw Error("a batch uses a label id whose text was never given");
    if (task == TaskKind::novelty || asking) continue;
    const bool has_no_column = batch.columns && !batch.columns->label;
    throw Error(compose("example {} has no label: learning needs one for every example{}", example,
                        has_no_column ? compose("; name their column with {}", option("label_column")) : Message()));
  }
}

}  // namespace kinglet
