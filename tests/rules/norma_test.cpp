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

TEST(Norma, AutoMinimisesTheBoundOfItsTheory) {
  const double lambda = 0.01, limit = 2 / lambda;
  const auto bound = [&](double eta) { return 2 * limit * limit / eta + eta * std::pow(lambda * limit + 2, 2); };
  const double eta = complete_options({{"algo", "norma"}, {"lambda", "0.01"}, {"eta", "auto"}}).real("eta");
  EXPECT_NEAR(eta, 100 / std::sqrt(2), 1e-9);
  for (const double factor : {0.9, 1.1}) EXPECT_LT(bound(eta), bound(factor * eta));
  EXPECT_THROW(complete_options({{"algo", "norma"}, {"lambda", "0"}, {"eta", "auto"}}), Error);
  EXPECT_EQ(complete_options({{"algo", "norma"}}).text("eta"), "1");
}

TEST(Ogd, AutoIsThePapersChoiceForTheLengthOfTheStream) {
  const Options asked{{"algo", "bogd"}, {"eta", "auto"}, {"lambda", "auto"}};
  EXPECT_THROW(complete_options(asked), Error);
  EXPECT_TRUE(wants_stream_length(asked));
  EXPECT_FALSE(wants_stream_length({{"algo", "bogd"}}));
  const Options full = complete_options(with_stream_length(asked, 10000));
  EXPECT_DOUBLE_EQ(full.real("eta"), 0.01);
  EXPECT_DOUBLE_EQ(full.real("lambda"), 0.01);  // λη T = 1
  const Options given =
      complete_options({{"algo", "ogd"}, {"eta", "0.5"}, {"lambda", "auto"}, {"stream-length", "100"}});
  EXPECT_DOUBLE_EQ(given.real("lambda"), 0.02);
  EXPECT_NO_THROW(complete_saved_options(full)) << "a saved model has the values instead of auto";
}

}  // namespace
}  // namespace kinglet
