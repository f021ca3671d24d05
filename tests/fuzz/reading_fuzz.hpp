// For the fuzz targets of readers: reading must give valid batches or throw an Error with a message of one line.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include "data/text_source.hpp"
#include "kinglet/error.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

inline void require(bool condition) {
  if (!condition) std::abort();
}

inline void check_batch(const Batch& batch, std::size_t labels, bool may_miss) {
  const Rows rows = batch.features();
  require(rows.count > 0 && rows.count <= kBatchRows);
  require(batch.weights.empty() || batch.weights.size() == rows.count);
  require(batch.sparse ? batch.offsets.size() == rows.count + 1 && batch.indices.size() == batch.values.size()
                       : batch.values.size() == rows.count * batch.dimension);
  for (const auto label : batch.labels) require(label < labels || label == kNoLabel);
  require(batch.targets.empty() || batch.targets.size() == rows.count);
  for (const float target : batch.targets) require(std::isfinite(target));
  for (const float weight : batch.weights) require(std::isfinite(weight) && weight >= 0);
  for (const float value : batch.values) require(std::isfinite(value) || (may_miss && std::isnan(value)));
  for (std::size_t i = 0; batch.sparse && i < rows.count; ++i) {
    const Features x = rows[i];
    for (std::uint32_t k = 1; k < x.count; ++k) require(x.indices[k - 1] < x.indices[k]);
    require(x.extent() <= batch.dimension);
  }
}

// Reads the text on one thread and on three, which parse parts of a few bytes, and requires the same results. The text
// follows the rows `first`, which fill the first batch.
inline void check_threads(const std::string& first, std::string_view text, SourceOptions options) {
  const std::string rows = first + std::string(text) + std::string(text);
  options.max_row_bytes = 1u << 20;
  const auto one = read_memory(rows, options);
  options.threads = 3;
  const auto many = read_memory(rows, options, one->name(), 1 + text.size() / 8);
  const auto next = [](Source& source, Batch& batch) -> std::string {
    try {
      return source.next(batch) ? "rows" : "end";
    } catch (const Error& error) {
      return error.what();
    }
  };
  Batch expected, found;
  for (std::string result = "rows"; result == "rows";) {
    result = next(*one, expected);
    require(next(*many, found) == result);
    require(found.labels == expected.labels && found.new_labels == expected.new_labels);
    require(found.offsets == expected.offsets && found.indices == expected.indices);
    require(found.targets == expected.targets && found.weights == expected.weights);
    require(std::equal(found.values.begin(), found.values.end(), expected.values.begin(), expected.values.end(),
                       [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }));
    require(found.dimension == expected.dimension && found.highest == expected.highest);
  }
  require(one->skipped().count == many->skipped().count && one->skipped().first == many->skipped().first);
}

// Reads up to `batches` batches of the source, twice. Both passes must give the same number of rows.
inline void check_source(Source& source, bool may_miss, int batches = 1000) {
  try {
    std::size_t labels = 0, rows = 0;
    Batch batch;
    for (int pass = 0; pass < 2; ++pass) {
      std::size_t rows_now = 0;
      for (int i = 0; i < batches && source.next(batch); ++i) {
        labels += batch.new_labels.size();
        rows_now += batch.rows();
        check_batch(batch, labels, may_miss);
      }
      require(pass == 0 || rows == rows_now);
      rows = rows_now;
      source.rewind();
    }
  } catch (const Error& error) {
    require(std::string(error.what()).find('\n') == std::string::npos);
  }
}

}  // namespace kinglet
