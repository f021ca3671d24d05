// Data in memory: the rows are those of the source, in any requested order.
#include "lab/dataset.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "data/text_source.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

std::string sparse_text(int rows) {
  std::string text;
  for (int i = 0; i < rows; ++i) {
    text += (i % 3 == 0 ? "wren" : "robin") + std::string(" 1:") + std::to_string(i);
    text += i % 2 == 0 ? " 4:0.5\n" : "\n";
  }
  return text;
}

std::shared_ptr<const Dataset> dataset(const std::string& text, const SourceOptions& options = {}) {
  return std::make_shared<const Dataset>(Dataset::read(*read_memory(text, options)));
}

// Identifies a row of sparse_text: its first value, its label, the number of its values.
struct ReadRow {
  float first;
  std::string label;
  std::size_t values;
  friend bool operator==(const ReadRow&, const ReadRow&) = default;
};

std::vector<ReadRow> seen_in(Source& source) {
  std::vector<ReadRow> seen;
  std::vector<std::string> texts;
  Batch batch;
  while (source.next(batch)) {
    texts.insert(texts.end(), batch.new_labels.begin(), batch.new_labels.end());
    for (std::size_t i = 0; i < batch.rows(); ++i) {
      const std::size_t begin = batch.sparse ? batch.offsets[i] : i * batch.dimension;
      const std::size_t end = batch.sparse ? batch.offsets[i + 1] : begin + batch.dimension;
      seen.push_back({batch.values[begin], texts[batch.labels[i]], end - begin});
    }
  }
  return seen;
}

TEST(Dataset, GivesTheRowsOfItsSourceInOrder) {
  const std::string text = sparse_text(2500);
  const auto data = dataset(text);
  EXPECT_EQ(data->rows(), 2500U);
  EXPECT_EQ(data->dimension(), 4U);
  const auto source = read_rows(data, all_rows(*data));
  EXPECT_EQ(seen_in(*source), seen_in(*read_memory(text, {})));
  source->rewind();
  Batch batch;
  ASSERT_TRUE(source->next(batch));
  EXPECT_EQ(batch.rows(), kBatchRows);
  EXPECT_TRUE(batch.new_labels.empty()) << "label ids stay as they are";
}

TEST(Dataset, KeepsDenseRowsNumbersAndWeights) {
  const auto data = dataset("y,w,a,b\n1.5,2,3,4\n-1,1,5,6\n", {.weight_column = "w", .numeric_labels = true});
  Batch batch;
  ASSERT_TRUE(read_rows(data, {1, 0, 1})->next(batch));
  EXPECT_FALSE(batch.sparse);
  EXPECT_EQ(batch.values, (std::vector<float>{5, 6, 3, 4, 5, 6}));
  EXPECT_EQ(batch.targets, (std::vector<float>{-1, 1.5, -1}));
  EXPECT_EQ(batch.weights, (std::vector<float>{1, 2, 1}));
}

TEST(Dataset, ReadsNoMoreThanAskedFor) {
  for (const std::size_t most : {1, 1024, 1500}) {
    const Dataset part = Dataset::read(*read_memory(sparse_text(2500), {}), {}, most);
    EXPECT_EQ(part.rows(), most);
    const auto shared = std::make_shared<const Dataset>(part);
    const auto whole = seen_in(*read_memory(sparse_text(2500), {}));
    EXPECT_EQ(seen_in(*read_rows(shared, all_rows(part))),
              std::vector(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(most)));
  }
}

TEST(Dataset, RefusesAnEmptySource) { EXPECT_THROW(dataset(""), Error); }

TEST(Dataset, ShufflesByTheSeedAlone) {
  const auto data = dataset(sparse_text(300));
  const RowList once = shuffled(all_rows(*data), 7);
  EXPECT_EQ(once, shuffled(all_rows(*data), 7));
  EXPECT_NE(once, shuffled(all_rows(*data), 8));
  EXPECT_NE(once, all_rows(*data));
  RowList sorted = once;
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, all_rows(*data));
}

TEST(Dataset, FoldsCoverEveryRowOnceAndSpreadTheClasses) {
  const auto data = dataset(sparse_text(301));
  std::multiset<std::uint32_t> tested;
  for (const Split& split : folds(*data, 5, 3)) {
    EXPECT_EQ(split.train.size() + split.test.size(), data->rows());
    tested.insert(split.test.begin(), split.test.end());
    const auto wrens = std::ranges::count_if(split.test, [](std::uint32_t row) { return row % 3 == 0; });
    EXPECT_NEAR(static_cast<double>(wrens), 101.0 / 5, 1);
    RowList both = split.train;
    both.insert(both.end(), split.test.begin(), split.test.end());
    std::ranges::sort(both);
    EXPECT_EQ(both, all_rows(*data));
  }
  EXPECT_EQ(std::vector(tested.begin(), tested.end()), all_rows(*data));
  EXPECT_THROW(folds(*data, 302, 1), Error);
}

TEST(Dataset, SetsSomeClassesAgainstTheRest) {
  const auto data = dataset("a 1:1\nb 1:2\nc 1:3\n");
  const std::vector<std::string> positive = {"a", "c"};
  const auto two = std::make_shared<const Dataset>(data->against_the_rest(positive));
  EXPECT_EQ(seen_in(*read_rows(two, all_rows(*two))), (std::vector<ReadRow>{{1, "1", 1}, {2, "-1", 1}, {3, "1", 1}}));
}

TEST(Dataset, FollowedByAnotherKeepsTheLabelsOfBoth) {
  const auto one = dataset("a 1:1\nb 1:2 2:5\n");
  const auto two = dataset("c 1:3\nb 3:4\n");
  const auto both = std::make_shared<const Dataset>(one->followed_by(*two));
  EXPECT_EQ(both->dimension(), 3U);
  EXPECT_EQ(seen_in(*read_rows(both, all_rows(*both))),
            (std::vector<ReadRow>{{1, "a", 1}, {2, "b", 2}, {3, "c", 1}, {4, "b", 1}}));
}

// A single pixel spreads with the weights 1 2 1 / 2 4 2 / 1 2 1, divided by 16. Pixels outside the picture are 0 here,
// and 8 in the last line.
TEST(Dataset, SmoothsPictures) {
  const auto data = dataset("a 5:16\nb 1:16\n");
  const Dataset smooth = data->smoothed(3, 0);
  EXPECT_FALSE(smooth.batch().sparse);
  const std::vector<float> middle = {1, 2, 1, 2, 4, 2, 1, 2, 1};
  const std::vector<float> corner = {4, 2, 0, 2, 1, 0, 0, 0, 0};
  std::vector<float> both = middle;
  both.insert(both.end(), corner.begin(), corner.end());
  EXPECT_EQ(smooth.batch().values, both);
  EXPECT_EQ(dataset("a 1:16\n")->smoothed(1, 8).batch().values, std::vector<float>{10});
}

}  // namespace
}  // namespace kinglet
