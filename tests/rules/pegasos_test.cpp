#include <gtest/gtest.h>

#include "kinglet/error.hpp"
#include "rules/update_test.hpp"

namespace kinglet {
namespace {

const Options kOptions{{"lambda", "0.01"}};

TEST(Pegasos, TakesStepsOfOneOverLambdaT) {
  const auto rule = make_update("pegasos", kOptions);
  for (int t = 1; t <= 1000; ++t) {
    const Update update = ask(*rule, {.margin = t % 2 == 0 ? 1.0 : 0.999, .weight = 2});
    EXPECT_DOUBLE_EQ(update.shrink, t == 1 ? 1 : 1 - 1.0 / t);  // not 0 at t = 1: f is still empty
    EXPECT_DOUBLE_EQ(update.step, t % 2 == 0 ? 0 : 2 / (0.01 * t));
    EXPECT_TRUE(std::isinf(update.radius));
  }
  EXPECT_FALSE(rule->needs_norm());
}

TEST(Pegasos, CountsOnAfterSavingAndLoading) {
  const auto rule = make_update("pegasos", kOptions);
  for (int t = 1; t <= 10; ++t) ask(*rule, {});
  EXPECT_DOUBLE_EQ(ask(*resumed(*rule, "pegasos", kOptions), {}).step, 1 / (0.01 * 11));
}

TEST(Pegasos, RefusesADamagedCount) {
  StateWriter out;
  out.put<std::uint64_t>(~std::uint64_t{0});
  StateReader in(out.bytes());
  EXPECT_THROW(make_update("pegasos", kOptions)->load(in), Error);
}

TEST(Pegasos, NeedsAPositiveLambda) {
  for (const char* lambda : {"0", "-1", "nan", "inf", ""}) {
    EXPECT_THROW(make_update("pegasos", {{"lambda", lambda}}), Error) << lambda;
  }
}

}  // namespace
}  // namespace kinglet
