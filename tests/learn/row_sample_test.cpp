// A sample of the rows of a stream: which rows it keeps, in both forms, and its saved state.
#include "learn/row_sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/state.hpp"
#include "kinglet/error.hpp"
#include "learn/rows_of.hpp"

namespace kinglet {
namespace {

Storage storage_of(bool sparse) { return sparse ? Storage::sparse : Storage::dense; }

// Row i of the stream is (i, 1), with target i % 3 and weight i.
struct NumberedRows {
  Table x;
  std::vector<ClassId> classes;
  std::vector<float> weights;

  explicit NumberedRows(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      x.push_back({static_cast<float>(i), 1});
      classes.push_back(static_cast<ClassId>(i % 3));
      weights.push_back(static_cast<float>(i));
    }
  }
};

RowSample sample_of(const NumberedRows& stream, std::size_t capacity, bool sparse, std::size_t step) {
  RowSample sample({.dimension = 2, .classes = 3, .storage = storage_of(sparse)}, TaskKind::classify, capacity);
  const TableRows rows(stream.x);
  for (std::size_t at = 0; at < stream.x.size(); at += step) {
    const std::size_t n = std::min(step, stream.x.size() - at);
    sample.add(rows.in_form(sparse).slice(at, n), {&stream.classes[at], n}, std::span(stream.weights).subspan(at, n));
  }
  return sample;
}

// The numbers of the rows that are kept. Targets and weights must be theirs.
std::vector<std::size_t> kept(const RowSample& sample) {
  std::vector<std::size_t> numbers;
  const Table rows = table_of(sample.rows());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    numbers.push_back(static_cast<std::size_t>(rows[i][0]));
    EXPECT_EQ(rows[i][1], 1);
    EXPECT_EQ(sample.targets().classes[i], numbers.back() % 3);
    EXPECT_EQ(sample.weights()[i], rows[i][0]);
  }
  return numbers;
}

TEST(RowSample, KeepsAllRowsUntilItIsFull) {
  for (const bool sparse : {false, true}) {
    const RowSample sample = sample_of(NumberedRows(10), 10, sparse, 3);
    EXPECT_TRUE(sample.is_complete());
    EXPECT_EQ(kept(sample), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    EXPECT_FALSE(sample_of(NumberedRows(11), 10, sparse, 3).is_complete());
  }
}

TEST(RowSample, ThenKeepsOneRowOfEachGroup) {
  for (const bool sparse : {false, true}) {
    for (const std::size_t count : {17, 64, 100, 1000, 5000}) {
      const RowSample sample = sample_of(NumberedRows(count), 16, sparse, 7);
      std::size_t group = 1;
      while (count > 16 * group) group *= 2;
      const std::vector<std::size_t> rows = kept(sample);
      ASSERT_LE(rows.size(), 16U) << count;
      ASSERT_GE(rows.size(), count / group) << count;
      for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i] / group, i) << count;
    }
  }
}

TEST(RowSample, DoesNotDependOnBatchesOrForm) {
  const NumberedRows stream(3000);
  const std::vector<std::size_t> rows = kept(sample_of(stream, 50, false, 3000));
  EXPECT_EQ(kept(sample_of(stream, 50, false, 1)), rows);
  EXPECT_EQ(kept(sample_of(stream, 50, true, 37)), rows);
}

// Among many groups of 8, each place in a group is chosen about equally often.
TEST(RowSample, GivesEachRowOfAGroupTheSameChance) {
  const RowSample sample = sample_of(NumberedRows(32'000), 4000, false, 1000);
  std::vector<int> chosen(8);
  for (const std::size_t row : kept(sample)) ++chosen[row % 8];
  for (const int count : chosen) EXPECT_NEAR(count, 500, 110);  // five deviations
}

TEST(RowSample, HasTheSameRowsWhenItIsLimitedLater) {
  const NumberedRows stream(1000);
  for (const bool sparse : {false, true}) {
    RowSample sample = sample_of(stream, 1000, sparse, 100);
    sample.limit(40);
    EXPECT_EQ(kept(sample), kept(sample_of(stream, 40, sparse, 100)));
    EXPECT_EQ(sample.capacity(), 40U);
  }
}

TEST(RowSample, BeginsAgain) {
  for (const bool sparse : {false, true}) {
    RowSample sample = sample_of(NumberedRows(100), 16, sparse, 10);
    sample.restart();
    EXPECT_EQ(sample.size(), 0U);
    const NumberedRows stream(5);
    sample.add(TableRows(stream.x).in_form(sparse), stream.classes, stream.weights);
    EXPECT_EQ(kept(sample), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  }
}

TEST(RowSample, GoesOnAfterSavingAndLoading) {
  const NumberedRows stream(700);
  for (const bool sparse : {false, true}) {
    const TableRows rows(stream.x);
    RowSample sample({.dimension = 2, .classes = 3, .storage = storage_of(sparse)}, TaskKind::classify, 20);
    sample.add(rows.in_form(sparse).slice(0, 333), {stream.classes.data(), 333}, std::span(stream.weights).first(333));
    StateWriter out;
    sample.save(out);
    RowSample other({.dimension = 2, .classes = 3, .storage = storage_of(sparse)}, TaskKind::classify, 20);
    StateReader in(out.bytes());
    other.load(in);
    EXPECT_TRUE(in.at_end());
    other.add(rows.in_form(sparse).slice(333, 367), {&stream.classes[333], 367},
              std::span(stream.weights).subspan(333));
    EXPECT_EQ(kept(other), kept(sample_of(stream, 20, sparse, 700)));

    for (std::size_t byte : {0, 8, 12}) {  // the rows so far, their groups, the number of values
      std::string damaged = out.bytes();
      damaged[byte] = static_cast<char>(damaged[byte] + 77);
      RowSample broken({.dimension = 2, .classes = 3, .storage = storage_of(sparse)}, TaskKind::classify, 20);
      StateReader bad(damaged);
      EXPECT_THROW(broken.load(bad), Error) << byte;
    }
  }
}

TEST(RowSample, GrowsAndRescalesItsRows) {
  for (const bool sparse : {false, true}) {
    const Table table{{1, 2}, {0, 3}};
    const std::vector<float> numbers{1, 2};
    RowSample sample({.dimension = 2, .classes = 0, .storage = storage_of(sparse)}, TaskKind::regress, 4);
    sample.add(TableRows(table).in_form(sparse), {numbers.data(), 2}, {});
    sample.grow(3);
    sample.rescale_features(std::vector<float>{2, 10, 100});
    EXPECT_EQ(table_of(sample.rows()), (Table{{2, 20, 0}, {0, 30, 0}}));
    EXPECT_EQ(sample.targets().numbers[1], 2);
    EXPECT_EQ(sample.weights()[1], 1);
  }
}

// Rows of eight features, of which the one in four that the row's number chooses is not zero; every `dense`th row has
// all of them.
Table rows_with_zeros(std::size_t count, std::size_t dense) {
  Table x(count, std::vector<float>(8));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < 8; ++k) {
      if (k % 4 == i % 4 || i % dense == 0) x[i][k] = static_cast<float>(i + 1);
    }
  }
  return x;
}

const Shape kMixed{.dimension = 8, .classes = 2, .storage = Storage::mixed};

TEST(RowSample, KeepsListsInLessMemoryThanDenseRowsWhereVectorsAreDense) {
  for (const std::size_t dense : {1, 3, 1000}) {
    const Table x = rows_with_zeros(200, dense);
    const TableRows rows(x);
    const std::vector<ClassId> classes(200, 1);
    RowSample sample(kMixed, TaskKind::classify, 100);
    for (std::size_t i = 0; i < 200; ++i) {
      sample.add(rows.in_form(true).slice(i, 1), {&classes[i], 1}, {});
      ASSERT_LE(sample.memory_bytes(), RowSample::bytes(kMixed, 100)) << i;
      if (i == 99) {
        EXPECT_EQ(sample.is_complete(), dense == 1000) << "all rows, if their zeros make room for the offsets";
      }
    }
    EXPECT_GE(sample.size(), 25U);
    const Table kept = table_of(sample.rows());
    for (const auto& row : kept) EXPECT_EQ(std::ranges::count(x, row), 1);

    StateWriter state;
    sample.save(state);
    RowSample again(kMixed, TaskKind::classify, 100);
    StateReader in(state.bytes());
    again.load(in);
    EXPECT_TRUE(in.at_end());
    EXPECT_EQ(table_of(again.rows()), kept);
    sample.limit(20);
    EXPECT_LE(sample.size(), 20U);
    EXPECT_LE(sample.memory_bytes(), RowSample::bytes(kMixed, 100));
  }
}

// Dense rows, as they were saved before.
TEST(RowSample, LoadsDenseRowsAsLists) {
  const Table x = rows_with_zeros(30, 1000);
  const std::vector<ClassId> classes(30, 1);
  RowSample dense({.dimension = 8, .classes = 2}, TaskKind::classify, 40);
  dense.add(TableRows(x).dense(), classes, {});
  StateWriter state;
  dense.save(state);
  RowSample lists(kMixed, TaskKind::classify, 40);
  StateReader in(state.bytes());
  lists.load(in);
  EXPECT_TRUE(in.at_end());
  EXPECT_TRUE(lists.rows().is_sparse());
  EXPECT_EQ(table_of(lists.rows()), x);
}

// 40 rows of 8 nonzero values take more room as lists than they may.
TEST(RowSample, LoadsFewerDenseRowsWhereListsDoNotFit) {
  const Table x(40, std::vector<float>(8, 1.5F));
  const std::vector<ClassId> classes(40, 1);
  RowSample dense({.dimension = 8, .classes = 2}, TaskKind::classify, 40);
  dense.add(TableRows(x).dense(), classes, {});
  StateWriter state;
  dense.save(state);
  RowSample lists(kMixed, TaskKind::classify, 40);
  StateReader in(state.bytes());
  lists.load(in);
  EXPECT_EQ(lists.size(), 10U);
  EXPECT_EQ(lists.offered(), 40U);
  EXPECT_EQ(table_of(lists.rows()), Table(10, x[0]));
  EXPECT_LE(lists.memory_bytes(), RowSample::bytes(kMixed, 40));
}

}  // namespace
}  // namespace kinglet
