// The members of a committee: what the user gives is fixed for all, and what cannot be does not run.
#include "committee/members.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "error_of.hpp"
#include "kinglet/registry.hpp"

namespace kinglet {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<MemberPlan> plans_for(Options given) {
  given.set("algo", "auto");
  Options full = complete_options(given);
  if (full.has("gamma") && full.is_auto("gamma")) full.set("gamma", "2");
  return plan_members(full);
}

TEST(Members, HeadsStaySmallWhateverTheBudget) {
  EXPECT_EQ(member_budget(MemberRole::scout, 1'000'000, 1), 1'000'000U);
  EXPECT_EQ(member_budget(MemberRole::tracker, 8000, 4), 2000U);
  EXPECT_EQ(member_budget(MemberRole::tracker, 1'000'000, 4), kMostTracked / 4);
  EXPECT_EQ(member_budget(MemberRole::head, 1'000'000, 1), kMostCentres);
  EXPECT_EQ(member_budget(MemberRole::head, 1'000'000, 4), kMostCentres / 4);
  EXPECT_EQ(member_budget(MemberRole::head, 500, 2), 250U);
  EXPECT_EQ(member_budget(MemberRole::head, 1, 4), 1U);
  const Shape shape{.dimension = 2, .classes = 2};
  EXPECT_EQ(Schedule(1'000'000, shape).kept, Schedule(kMostCentres, shape).kept);
}

TEST(Members, DoNotProjectWithAKernelThatIsNotBounded) {
  for (const MemberPlan& plan : plans_for({{"kernel", "linear"}})) EXPECT_NE(plan.options.text("maintain"), "bpa-nn");
}

TEST(Members, AreSeveralRulesAndGammas) {
  for (const char* task : {"classify", "regress"}) {
    std::set<std::string> gammas;
    std::set<std::string> rules;
    std::size_t scouts = 0;
    for (const MemberPlan& plan : plans_for({{"task", task}, {"budget", "100"}})) {
      gammas.insert(plan.options.text("gamma"));
      rules.insert(algorithm_name(plan.options));
      scouts += plan.role == MemberRole::scout;
      const bool is_window = task == std::string("regress") || plan.options.text("maintain") == "oldest";
      EXPECT_EQ(plan.options.integer("budget"), plan.role == MemberRole::tracker && is_window ? 25 : 100);
    }
    EXPECT_GE(gammas.size(), 4U);
    EXPECT_TRUE(gammas.contains("2"));
    EXPECT_GE(rules.size(), 2U);
    EXPECT_GE(scouts, 4U);
  }
}

TEST(Members, BeginWithTheDefaultOfEarlierVersions) {
  EXPECT_EQ(algorithm_name(plans_for({})[0].options), "bpegasos");
  EXPECT_EQ(algorithm_name(plans_for({{"task", "regress"}})[0].options), "bpa-m");
}

TEST(Members, AllHaveWhatIsGiven) {
  const auto all_have = [](const Options& given) {
    const auto plans = plans_for(given);
    for (const MemberPlan& plan : plans) {
      for (const auto& [name, value] : given.all()) EXPECT_EQ(plan.options.text(name), value) << name;
    }
    return plans;
  };
  EXPECT_GT(all_have({{"gamma", "3"}}).size(), 1U);
  EXPECT_GT(all_have({{"kernel", "laplacian"}}).size(), 1U);
  EXPECT_GT(all_have({{"kernel", "linear"}}).size(), 0U);
  EXPECT_GT(all_have({{"kernel", "poly"}, {"degree", "2"}}).size(), 0U);
  EXPECT_GT(all_have({{"update", "norma"}}).size(), 1U);
  EXPECT_GT(all_have({{"update", "mira"}, {"maintain", "smallest"}}).size(), 1U);
  EXPECT_GT(all_have({{"maintain", "oldest"}}).size(), 1U);
  EXPECT_GT(all_have({{"lambda", "0.01"}}).size(), 1U);
  EXPECT_GT(all_have({{"C", "0.5"}}).size(), 1U);
  EXPECT_GT(all_have({{"seed", "7"}, {"scale", "minmax"}, {"proba", "true"}}).size(), 1U);
  EXPECT_GT(all_have({{"query", "greedy"}}).size(), 1U);
  EXPECT_GT(all_have({{"maintain", "stop"}, {"output", "average"}}).size(), 1U);
  EXPECT_GT(all_have({{"loss", "squared"}, {"task", "regress"}, {"update", "pegasos"}}).size(), 1U);
}

TEST(Members, ThatTakeLambdaDoNotRunWithC) {
  for (const MemberPlan& plan : plans_for({{"C", "0.5"}})) EXPECT_FALSE(plan.options.has("lambda"));
  for (const MemberPlan& plan : plans_for({{"lambda", "0.5"}})) EXPECT_FALSE(plan.options.has("C"));
  EXPECT_EQ(plans_for({{"C", "0.5"}})[0].role, MemberRole::scout) << "someone begins with the stream";
}

TEST(Members, AreDifferent) {
  for (const Options& given : {Options{}, Options{{"gamma", "1"}}, Options{{"update", "norma"}}}) {
    std::set<Options::Map> seen;
    for (const MemberPlan& plan : plans_for(given)) EXPECT_TRUE(seen.insert(plan.options.all()).second);
  }
}

TEST(Members, ThatAreImpossibleAreRefusedInTheUsualWords) {
  const auto error = [](Options given) {
    given.set("algo", "auto");
    return error_of([&] { complete_options(given); });
  };
  EXPECT_EQ(error({{"gama", "1"}}), "unknown option gama (did you mean gamma?)");
  EXPECT_THAT(error({{"gamma", "-1"}}), HasSubstr("gamma must be"));
  EXPECT_THAT(error({{"lambda", "-1"}}), HasSubstr("lambda must be"));
  EXPECT_THAT(error({{"C", "0"}}), HasSubstr("C must be"));
  EXPECT_THAT(error({{"margin", "0.5"}}),
              StartsWith("no member of algo=auto takes these options together: margin is not"));
  EXPECT_THAT(error({{"lambda", "1"}, {"C", "1"}}),
              AllOf(HasSubstr("C is not an option of update=pegasos; "), EndsWith("; name another algo")));
  EXPECT_THAT(error({{"coef0", "1"}}), StartsWith("coef0 is not an option of the rbf kernel"));
  EXPECT_THAT(error({{"nu", "0.1"}}), HasSubstr("nu is not an option of"));
  EXPECT_THAT(error({{"task", "novelty"}}),
              HasSubstr("algo=auto does not support task=novelty: it has no errors to compare; use algo=bnorma"));
  EXPECT_THAT(error({{"kernel", "linear"}, {"maintain", "merge"}}), HasSubstr("merge"));
  EXPECT_THAT(error({{"budget", "5"}, {"memory", "1M"}}), StartsWith("give budget or memory, not both"));
}

}  // namespace
}  // namespace kinglet
