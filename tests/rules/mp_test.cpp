#include <gtest/gtest.h>

#include "kinglet/error.hpp"
#include "rules/update_test.hpp"

namespace kinglet {
namespace {

TEST(Mp, TakesConstantStepsBelowAMarginOfOne) {
  const auto rule = make_update("mp", {{"eta", "0.25"}});
  for (const double margin : {-1e9, -1.0, 0.0, 0.999}) {
    const Update update = ask(*rule, {.margin = margin, .weight = 4});
    EXPECT_EQ(update.shrink, 1);
    EXPECT_EQ(update.step, 1);
    EXPECT_TRUE(std::isinf(update.radius));
  }
  for (const double margin : {1.0, 1.5, 1e9}) EXPECT_EQ(ask(*rule, {.margin = margin}).step, 0);
  EXPECT_FALSE(rule->needs_norm());
}

TEST(Mp, StaysInsideABallWhenItHasOne) {
  const Options options{{"eta", "1"}, {"radius", "3"}};
  const auto rule = make_update("mp", options);
  EXPECT_TRUE(rule->needs_norm());
  EXPECT_EQ(ask(*rule, {.margin = 0}).radius, 3);
  EXPECT_EQ(ask(*rule, {.margin = 2}).step, 0);
  EXPECT_EQ(ask(*resumed(*rule, "mp", options), {.margin = 0}).radius, 3);
}

TEST(Mp, NeedsAPositiveRadiusAndRate) {
  EXPECT_THROW(make_update("mp", {{"radius", "0"}}), Error);
  EXPECT_THROW(make_update("mp", {{"eta", "0"}}), Error);
  EXPECT_NO_THROW(make_update("mp", {{"radius", "inf"}}));
}

}  // namespace
}  // namespace kinglet
