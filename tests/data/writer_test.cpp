// The writers: reading a written file gives exactly the same examples.
#include "data/writer.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <sstream>

#include "data/reading.hpp"

namespace kinglet {
namespace {

float any_finite() {
  const float value = std::bit_cast<float>(*rc::gen::arbitrary<std::uint32_t>());
  return std::isfinite(value) ? value : 1.5f;
}

Batch random_dense(std::uint32_t dimension, std::size_t rows, std::uint32_t classes) {
  Batch batch;
  batch.dimension = dimension;
  for (std::size_t i = 0; i < rows; ++i) {
    batch.labels.push_back(*rc::gen::inRange<std::uint32_t>(0, classes));
    for (std::uint32_t k = 0; k < dimension; ++k)
      batch.values.push_back(*rc::gen::inRange(0, 4) == 0 ? 0.0f : any_finite());
  }
  return batch;
}

PlainData plain(const Batch& batch, const std::vector<std::string>& labels) {
  PlainData data;
  data.labels = labels;
  append_batch(data, batch);
  return data;
}

TEST(Writer, LibsvmTextReadsBackExactly) {
  EXPECT_TRUE(rc::check([] {
    const std::vector<std::string> labels = {"-1", "1", "word"};
    const Batch batch = random_dense(*rc::gen::inRange(1u, 8u), *rc::gen::inRange<std::size_t>(1, 20), 3);
    std::string text;
    write_libsvm(text, batch, labels);
    SourceOptions options;
    options.format = Format::libsvm;
    options.index_base = 1;
    options.dimension = batch.dimension;  // there may be zeros only
    auto expected = plain(batch, labels).rows;
    for (auto& row : expected) std::erase_if(row.features, [](const auto& entry) { return entry.second == 0; });
    RC_ASSERT(read_all(text, options).rows == expected);
  }));
}

TEST(Writer, CsvTextReadsBackExactlyWithWeightsMissingValuesAndOddLabels) {
  EXPECT_TRUE(rc::check([] {
    const std::vector<std::string> labels = {"a,b", "say \"no\"", " x ", "two words", "1"};
    Batch batch = random_dense(*rc::gen::inRange(1u, 8u), *rc::gen::inRange<std::size_t>(1, 20), 5);
    for (std::size_t i = 0; i < batch.rows(); ++i) batch.weights.push_back(std::abs(any_finite()));
    std::string text = csv_header(batch, labels);
    write_csv(text, batch, labels);
    SourceOptions options;
    options.label_column = "label";
    options.weight_column = "weight";
    RC_ASSERT(read_all(text, options).rows == plain(batch, labels).rows);
    for (auto& value : batch.values) value = std::numeric_limits<float>::quiet_NaN();
    text = csv_header(batch, labels);
    write_csv(text, batch, labels);
    options.missing = Missing::mean;
    for (const auto& row : read_all(text, options).rows) {
      for (const auto& [feature, value] : row.features) RC_ASSERT(std::isnan(value));
    }
  }));
}

TEST(Writer, SparseRowsAreWrittenSparseOrInFull) {
  Batch batch;
  read_memory("1 2:0.5 5:3\n-1\n1 1:-2\n", {})->next(batch);
  std::string libsvm, csv;
  write_libsvm(libsvm, batch, batch.new_labels);
  EXPECT_EQ(libsvm, "1 2:0.5 5:3\n-1\n1 1:-2\n");
  write_csv(csv, batch, batch.new_labels);
  EXPECT_EQ(csv, "1,0,0.5,0,0,3\n-1,0,0,0,0,0\n1,-2,0,0,0,0\n");
}

TEST(Writer, WritesToStreamsAndFilesAlike) {
  Batch batch;
  open_source("gen:waveform?n=100", {})->next(batch);
  std::string text;
  write_csv(text, batch, batch.new_labels);
  write_libsvm(text, batch, batch.new_labels);
  std::ostringstream stream;
  write_csv(stream, batch, batch.new_labels);
  write_libsvm(stream, batch, batch.new_labels);
  EXPECT_EQ(stream.str(), text);
  const TemporaryFolder folder;
  std::FILE* file = std::fopen(folder.path("out").c_str(), "wb");
  write_csv(file, batch, batch.new_labels);
  write_libsvm(file, batch, batch.new_labels);
  std::fclose(file);
  std::ifstream back(folder.path("out"), std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(back), {}), text);
}

TEST(Writer, WithoutLabelsThereIsNoLabelColumn) {
  Batch batch;
  batch.dimension = 2;
  batch.values = {1, 2};
  batch.labels = {kNoLabel};
  std::string text = csv_header(batch, {});
  write_csv(text, batch, {});
  EXPECT_EQ(text, "x1,x2\n1,2\n");
}

TEST(Writer, NumbersForLabelsReadBackExactly) {
  EXPECT_TRUE(rc::check([] {
    Batch batch = random_dense(*rc::gen::inRange(1u, 4u), *rc::gen::inRange<std::size_t>(1, 20), 1);
    for (auto& label : batch.labels) {
      label = kNoLabel;
      batch.targets.push_back(any_finite());
    }
    const auto expected = plain(batch, {}).rows;
    SourceOptions options;
    options.numeric_labels = true;
    std::string text = csv_header(batch, {});
    write_csv(text, batch, {});
    options.format = Format::csv;
    RC_ASSERT(read_all(text, options).rows == expected);
    text.clear();
    write_libsvm(text, batch, {});
    options.format = Format::libsvm;
    options.dimension = batch.dimension;
    const auto rows = read_all(text, options).rows;
    RC_ASSERT(rows.size() == expected.size());
    for (std::size_t i = 0; i < rows.size(); ++i) RC_ASSERT(rows[i].target == expected[i].target);
  }));
}

TEST(Writer, RefusesWhatLibsvmTextCannotSay) {
  Batch batch;
  batch.dimension = 1;
  batch.values = {1};
  batch.labels = {0};
  std::string text;
  const auto write = [&](const std::string& label) { write_libsvm(text, batch, std::vector<std::string>{label}); };
  EXPECT_NO_THROW(write("1"));
  EXPECT_THROW(write("a b"), Error);
  EXPECT_THROW(write("a:b"), Error);
  batch.labels = {kNoLabel};
  EXPECT_THROW(write("1"), Error);
  batch.labels = {0};
  batch.weights = {2};
  EXPECT_THROW(write("1"), Error);
  batch.weights.clear();
  batch.values = {std::numeric_limits<float>::quiet_NaN()};
  EXPECT_THROW(write("1"), Error);
}

}  // namespace
}  // namespace kinglet
