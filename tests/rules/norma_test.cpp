#include <gtest/gtest.h>

#include <cmath>

#include "kinglet/error.hpp"
#include "rules/update_test.hpp"

namespace kinglet {
namespace {

const Options kOptions{{"lambda", "0.1"}, {"eta", "0.5"}};

TEST(Norma, TakesStepsOfEtaOverTheRootOfT) {
  const auto rule = make_update("norma", kOptions);
  for (int t = 1; t <= 1000; ++t) {
    const Update update = ask(*rule, {.margin = t % 2 == 0 ? 1.0 : -3.0, .weight = 3});
    const double step = 0.5 / std::sqrt(t);
    EXPECT_DOUBLE_EQ(update.shrink, 1 - 0.1 * step);
    EXPECT_DOUBLE_EQ(update.step, t % 2 == 0 ? 0 : 3 * step);
    EXPECT_TRUE(std::isinf(update.radius));
  }
}

TEST(Norma, CountsOnAfterSavingAndLoading) {
  const auto rule = make_update("norma", kOptions);
  for (int t = 1; t <= 24; ++t) ask(*rule, {});
  EXPECT_DOUBLE_EQ(ask(*resumed(*rule, "norma", kOptions), {}).step, 0.1);
}

TEST(Norma, RefusesADamagedCount) {
  StateWriter out;
  out.put<std::uint64_t>(~std::uint64_t{0});
  StateReader in(out.bytes());
  EXPECT_THROW(make_update("norma", kOptions)->load(in), Error);
}

TEST(Norma, RefusesAStepThatWouldWipeOutTheModel) {
  EXPECT_THROW(make_update("norma", {{"lambda", "1"}, {"eta", "1"}}), Error);
  EXPECT_THROW(make_update("norma", {{"lambda", "1e300"}, {"eta", "1e300"}}), Error);
  EXPECT_NO_THROW(make_update("norma", {{"lambda", "0.999"}, {"eta", "1"}}));
  EXPECT_EQ(ask(*make_update("norma", {{"lambda", "0"}, {"eta", "7"}}), {}).shrink, 1);
}

}  // namespace
}  // namespace kinglet
