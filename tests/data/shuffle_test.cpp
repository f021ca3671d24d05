#include "data/shuffle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/random.hpp"
#include "data/reading.hpp"
#include "error_of.hpp"

namespace kinglet {
namespace {

std::unique_ptr<Source> shuffled(std::string_view text, const ShuffleOptions& options,
                                 const SourceOptions& reading = {}) {
  return shuffle(read_memory(text, reading, "data"), options);
}

// Row i has the feature values i and 1, and the label i modulo 3.
std::string numbered(std::size_t rows) {
  std::string text;
  for (std::size_t i = 1; i <= rows; ++i) {
    text += "l" + std::to_string(i % 3) + " 1:" + std::to_string(i) + " 2:1\n";
  }
  return text;
}

std::vector<std::size_t> numbers(const PlainData& data) {
  std::vector<std::size_t> result;
  for (const PlainRow& row : data.rows) result.push_back(static_cast<std::size_t>(row.features.at(0)));
  return result;
}

const std::string& numbered_and_bad() {
  static const std::string text = numbered(4000) + "a 1:x\n" + numbered(10);
  return text;
}

// The same in plain words.
std::vector<std::size_t> reference(std::size_t rows, std::size_t buffer_size, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::size_t> buffer, result;
  for (std::size_t i = 1; i <= rows; ++i) {
    if (buffer.size() < buffer_size) {
      buffer.push_back(i);
    } else {
      std::size_t& place = buffer[random.below(buffer_size)];
      result.push_back(place);
      place = i;
    }
  }
  while (!buffer.empty()) {
    std::swap(buffer[random.below(buffer.size())], buffer.back());
    result.push_back(buffer.back());
    buffer.pop_back();
  }
  return result;
}

TEST(Shuffle, IsTheSameAsItsReference) {
  const std::string text = numbered(5000);
  for (const std::size_t rows : {1u, 10u, 1500u, 5000u, 9000u}) {
    EXPECT_EQ(numbers(read_all(*shuffled(text, {.rows = rows, .seed = 7}))), reference(5000, rows, 7)) << rows;
  }
  EXPECT_EQ(numbers(read_all(*shuffled(text, {.seed = 3}))), reference(5000, 5000, 3)) << "all";
}

TEST(Shuffle, ReturnsEveryRowOnceWithItsLabel) {
  const std::string text = numbered(5000);
  const PlainData plain = read_all(text);
  for (const std::uint64_t rows : {0u, 700u}) {
    PlainData data = read_all(*shuffled(text, {.rows = rows}));
    EXPECT_NE(numbers(data), numbers(plain));
    std::ranges::sort(data.rows, {}, [](const PlainRow& row) { return row.features.at(0); });
    EXPECT_EQ(data.rows, plain.rows);
    EXPECT_EQ(data.labels, plain.labels);
    EXPECT_EQ(data.dimension, 2u);
    EXPECT_EQ(data.batch_sizes.front(), kBatchRows);
  }
}

TEST(Shuffle, KeepsTargetsAndWeightsOfDenseRows) {
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += std::to_string(i) + "," + std::to_string(i + 1) + "," + std::to_string(i % 5) + "\n";
  const SourceOptions reading{.weight_column = "3", .numeric_labels = true};
  const PlainData data = read_all(*shuffled(text, {}, reading));
  ASSERT_EQ(data.rows.size(), 3000u);
  for (const PlainRow& row : data.rows) {
    ASSERT_EQ(*row.target + 1, row.features.at(0));
    ASSERT_EQ(row.weight, std::fmod(*row.target, 5.0F));
  }
}

TEST(Shuffle, OfAllRowsMovesThemAnywhere) {
  // The mean distance between the place of a row before and after is a third of the length.
  const auto order = numbers(read_all(*shuffled(numbered(5000), {})));
  double distance = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    distance += std::abs(static_cast<double>(i + 1) - static_cast<double>(order[i])) / 5000;
  }
  EXPECT_NEAR(distance / 5000, 1.0 / 3, 0.02);
}

TEST(Shuffle, DependsOnTheSeedAndThePass) {
  const std::string text = numbered(3000);
  const auto source = shuffled(text, {.rows = 500, .seed = 1});
  const auto first = numbers(read_all(*source));
  const auto order_of = [&](std::uint64_t pass) {
    source->begin_pass(pass);
    PlainData data;
    data.labels = {"l1", "l2", "l0"};  // a source gives each text once
    for (Batch batch; source->next(batch);) append_batch(data, batch);
    return numbers(data);
  };
  const auto second = order_of(1);
  EXPECT_EQ(std::set(second.begin(), second.end()).size(), 3000u);
  EXPECT_NE(second, first);
  EXPECT_NE(order_of(2), second);
  EXPECT_EQ(order_of(1), second);
  EXPECT_EQ(order_of(0), first);
  EXPECT_NE(numbers(read_all(*shuffled(text, {.rows = 500, .seed = 2}))), first);
}

TEST(Shuffle, AnErrorComesAfterAllRowsBeforeIt) {
  const auto source = shuffled(numbered_and_bad(), {.rows = 600});
  std::multiset<std::size_t> seen;
  const auto read = [&] {
    for (Batch batch; source->next(batch);) {
      for (std::size_t i = 0; i < batch.rows(); ++i)
        seen.insert(static_cast<std::size_t>(batch.features()[i].values[0]));
    }
  };
  EXPECT_THROW(read(), Error);
  EXPECT_EQ(seen.size(), 4000u);
  EXPECT_EQ(std::set(seen.begin(), seen.end()).size(), 4000u);
}

TEST(Shuffle, AnErrorBeforeTheFirstRowIsReturnedEndsAtOnce) {
  const auto source = shuffled(numbered_and_bad(), {});
  Batch batch;
  EXPECT_THROW(source->next(batch), Error);
  EXPECT_EQ(batch.rows(), 0u);
}

TEST(Shuffle, WhatIsStoppedReturnsNoRowsOutOfPlace) {
  const std::string text = numbered(5000);
  const auto whole = numbers(read_all(*shuffled(text, {.rows = 600})));
  const auto source = shuffled(text, {.rows = 600});
  PlainData data;
  Batch batch;
  while (source->next(batch)) {
    append_batch(data, batch);
    if (data.rows.size() > 2000) source->stop();
  }
  const auto seen = numbers(data);
  ASSERT_LT(seen.size(), 5000u);
  EXPECT_TRUE(std::equal(seen.begin(), seen.end(), whole.begin()));
}

TEST(Shuffle, TheDimensionDoesNotDependOnRowsThatWereNotTakenYet) {
  std::string text = numbered(2000);
  text += "l0 9:1\n";
  const auto source = shuffled(text, {.rows = 500});
  Batch batch;
  ASSERT_TRUE(source->next(batch));
  EXPECT_EQ(batch.dimension, 2u);
  EXPECT_EQ(batch.highest, (HighestIndex{2, "data:1"}));
  while (batch.dimension == 2 && source->next(batch)) {
  }
  EXPECT_EQ(batch.dimension, 9u);
  EXPECT_EQ(batch.highest, (HighestIndex{9, "data:2001"}));
}

TEST(Shuffle, KeepsToItsMemory) {
  const std::string text = numbered(5000);
  const std::string message = kinglet::error_of([&] { read_all(*shuffled(text, {.memory_limit = 64 << 10})); });
  EXPECT_NE(message.find("shuffle: "), std::string::npos) << message;
  EXPECT_NE(message.find("data"), std::string::npos) << message;
  EXPECT_EQ(read_all(*shuffled(text, {.rows = 300, .memory_limit = 64 << 10})).rows.size(), 5000u);
}

}  // namespace
}  // namespace kinglet
