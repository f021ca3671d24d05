#include "lab/label_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/random.hpp"

namespace kinglet {
namespace {

std::vector<std::uint32_t> labels_of(const std::vector<std::size_t>& counts) {
  std::vector<std::uint32_t> labels;
  for (std::uint32_t c = 0; c < counts.size(); ++c) labels.insert(labels.end(), counts[c], c);
  return labels;
}

std::vector<std::uint32_t> mixed(std::vector<std::uint32_t> labels) {
  Random random(1);
  for (std::size_t i = labels.size(); i > 1; --i) std::swap(labels[i - 1], labels[random.below(i)]);
  return labels;
}

bool looks_sorted(const std::vector<std::uint32_t>& labels) {
  LabelOrder order;
  order.add(labels);
  return order.looks_sorted();
}

TEST(LabelOrder, SortedLabelsAreRecognisedAndRandomOnesAreNot) {
  for (const std::vector<std::size_t>& counts : std::vector<std::vector<std::size_t>>{
           {5000, 5000}, {9000, 200}, {1000, 1000, 1000, 1000}, std::vector<std::size_t>(10, 200)}) {
    EXPECT_TRUE(looks_sorted(labels_of(counts)));
    EXPECT_FALSE(looks_sorted(mixed(labels_of(counts))));
  }
}

TEST(LabelOrder, TheSecondClassIsEnoughToRecognise) {
  LabelOrder order;
  order.add(labels_of({50'000}));
  EXPECT_FALSE(order.looks_sorted()) << "there may be only one class";
  const std::vector<std::uint32_t> other(100, 1);
  order.add(other);
  EXPECT_TRUE(order.looks_sorted());
  EXPECT_EQ(order.rows(), 50'100u);
  EXPECT_EQ(order.runs(), 2u);
}

TEST(LabelOrder, ARareClassAndShortBurstsAreNotSorted) {
  std::vector<std::uint32_t> rare(100'000, 0);
  rare[60'000] = rare[60'001] = rare[90'000] = 1;
  EXPECT_FALSE(looks_sorted(rare));
  std::vector<std::uint32_t> bursts;
  for (std::uint32_t i = 0; i < 10'000; ++i) bursts.push_back(i / 50 % 2);
  EXPECT_FALSE(looks_sorted(bursts));
}

TEST(LabelOrder, DoesNotDependOnBatchesAndIgnoresRowsWithoutALabel) {
  const auto labels = mixed(labels_of({300, 500, 7}));
  LabelOrder whole, parts;
  whole.add(labels);
  for (const std::uint32_t label : labels) {
    parts.add(std::span(&label, 1));
    const std::uint32_t none = kNoLabel;
    parts.add(std::span(&none, 1));
  }
  EXPECT_EQ(whole.runs(), parts.runs());
  EXPECT_EQ(whole.rows(), parts.rows());
  EXPECT_TRUE(std::ranges::equal(whole.counts(), parts.counts()));
}

}  // namespace
}  // namespace kinglet
