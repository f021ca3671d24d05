// For tests that read data: the rows of a source as plain structs, error messages as text, and temporary folders.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/text_source.hpp"
#include "kinglet/error.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

struct PlainRow {
  std::string label;                        // "" if there is none
  std::map<std::uint32_t, float> features;  // by feature number, from 0; dense rows have all features
  float weight = 1;
  std::optional<float> target = std::nullopt;

  friend bool operator==(const PlainRow&, const PlainRow&) = default;
};

struct PlainData {
  std::vector<PlainRow> rows;
  std::vector<std::string> labels;  // by id
  std::vector<std::size_t> batch_sizes;
  std::uint32_t dimension = 0;
};

inline void append_batch(PlainData& data, const Batch& batch) {
  data.labels.insert(data.labels.end(), batch.new_labels.begin(), batch.new_labels.end());
  data.batch_sizes.push_back(batch.rows());
  data.dimension = batch.dimension;
  const Rows rows = batch.features();
  for (std::size_t i = 0; i < rows.count; ++i) {
    PlainRow row;
    const Features x = rows[i];
    for (std::uint32_t k = 0; k < x.count; ++k) row.features[x.is_sparse() ? x.indices[k] : k] = x.values[k];
    if (batch.labels[i] != kNoLabel) row.label = data.labels.at(batch.labels[i]);
    if (!batch.weights.empty()) row.weight = batch.weights[i];
    if (!batch.targets.empty()) row.target = batch.targets.at(i);
    data.rows.push_back(row);
  }
}

inline PlainData read_all(Source& source) {
  PlainData data;
  for (Batch batch; source.next(batch);) append_batch(data, batch);
  return data;
}

inline PlainData read_all(std::string_view text, const SourceOptions& options = {}) {
  return read_all(*read_memory(text, options, "data"));
}

inline Batch first_batch(std::string_view text, const SourceOptions& options = {}) {
  Batch batch;
  read_memory(text, options, "data")->next(batch);
  return batch;
}

// The kinds of the columns that are learned from, if any of them is more than a plain number.
inline std::vector<ColumnKind> kinds_of(const Batch& batch) {
  std::vector<ColumnKind> kinds;
  if (!batch.columns->schema) return kinds;
  for (const ColumnPlan& plan : batch.columns->schema->columns) kinds.push_back(plan.kind);
  return kinds;
}

// The message of the error that reading `text` throws, or "no error".
inline std::string error_of(std::string_view text, const SourceOptions& options = {}) {
  try {
    read_all(text, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

inline std::string error_of_opening(const std::string& where, const SourceOptions& options = {}) {
  try {
    read_all(*open_source(where, options));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// A temporary folder for one test, removed at its end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            (std::string("kinglet_") + test->test_suite_name() + "_" + test->name() + "_" + std::to_string(::getpid()));
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace kinglet
