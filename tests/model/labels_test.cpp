// Labels: the order of the classes, and the mapping from the ids of a source to classes.
#include "model/labels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "kinglet/error.hpp"

namespace kinglet {
namespace {

using testing::ElementsAre;

Labels sorted(std::vector<std::string> texts) {
  Labels labels;
  labels.add_sorted(std::move(texts));
  return labels;
}

TEST(Labels, OfTheFirstBatchAreSortedAsNumbersWhenAllAreNumbers) {
  EXPECT_THAT(sorted({"1", "-1"}).texts(), ElementsAre("-1", "1"));
  EXPECT_THAT(sorted({"10", "9", "-2.5", "1e1"}).texts(), ElementsAre("-2.5", "9", "10", "1e1"));
}

TEST(Labels, OfTheFirstBatchAreSortedAsTextOtherwise) {
  EXPECT_THAT(sorted({"pear", "apple", "10", "9"}).texts(), ElementsAre("10", "9", "apple", "pear"));
  EXPECT_THAT(sorted({"nan", "1", "0"}).texts(), ElementsAre("0", "1", "nan"));
}

TEST(Labels, DoNotDependOnTheOrderOfTheFirstBatch) {
  EXPECT_TRUE(rc::check([] {
    auto texts = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>("a", "b", "1", "2", "-3"));
    const Labels labels = sorted(texts);
    std::reverse(texts.begin(), texts.end());
    const Labels reversed = sorted(texts);
    RC_ASSERT(std::ranges::equal(labels.texts(), reversed.texts()));
  }));
}

TEST(Labels, AppendLaterOnesAsTheyAppear) {
  Labels labels = sorted({"2", "3"});
  EXPECT_EQ(labels.add("1"), 2u);
  EXPECT_EQ(labels.add("2"), 0u);
  EXPECT_EQ(labels.find("1"), 2u);
  EXPECT_EQ(labels.find("4"), kNoClass);
  EXPECT_THAT(labels.texts(), ElementsAre("2", "3", "1"));
}

TEST(Labels, RefuseMoreClassesThanMakeSense) {
  Labels labels;
  for (std::size_t i = 0; i < Labels::kMaxClasses; ++i) labels.add(std::to_string(i));
  EXPECT_THROW(labels.add("one more"), Error);
  EXPECT_EQ(labels.size(), Labels::kMaxClasses);
  EXPECT_EQ(labels.find("one more"), kNoClass);
}

TEST(SourceLabels, FollowTheClassesAsTheyBecomeKnown) {
  Labels labels = sorted({"b", "a"});
  SourceLabels source;
  source.take_note(std::vector<std::string>{"b", "c"});
  EXPECT_EQ(source.class_of(0, labels), 1u);
  EXPECT_EQ(source.class_of(1, labels), kNoClass);
  labels.add("c");
  EXPECT_EQ(source.class_of(1, labels), 2u);
  source.take_note(std::vector<std::string>{"a"});
  EXPECT_EQ(source.class_of(2, labels), 0u);
  source.clear();
  source.take_note(std::vector<std::string>{"a"});
  EXPECT_EQ(source.class_of(0, labels), 0u);
}

}  // namespace
}  // namespace kinglet
