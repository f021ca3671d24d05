// Search spaces: which options are axes, and which settings are neighbours.
#include "lab/search_space.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"

namespace kinglet {
namespace {

std::vector<std::string> names(const SearchSpace& space) {
  std::vector<std::string> list;
  for (const SearchAxis& axis : space.axes()) list.push_back(axis.name());
  return list;
}

TEST(SearchSpace, HasTheOptionsOfTheChosenParts) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(SearchSpace({{"algo", "bpegasos"}}, {})), (Names{"lambda", "gamma"}));
  EXPECT_EQ(names(SearchSpace({{"algo", "bnorma"}}, {})), (Names{"lambda", "eta", "gamma"}));
  EXPECT_EQ(names(SearchSpace({{"algo", "bpa-s"}, {"kernel", "linear"}}, {})), (Names{"C"}));
  EXPECT_EQ(names(SearchSpace({{"algo", "svm"}}, {})), (Names{"C", "gamma"}));
  EXPECT_EQ(names(SearchSpace({{"algo", "bpa-m"}, {"task", "regress"}}, {})), (Names{"epsilon", "C", "gamma"}));
}

TEST(SearchSpace, LeavesOutWhatIsGiven) {
  EXPECT_EQ(names(SearchSpace({{"algo", "bpegasos"}, {"gamma", "0.5"}}, {})), std::vector<std::string>{"lambda"});
  EXPECT_TRUE(SearchSpace({{"algo", "bpegasos"}, {"gamma", "auto"}, {"lambda", "1e-3"}}, {}).axes().empty());
  EXPECT_THROW(SearchSpace({{"algo", "bpegasos"}, {"gamma", "-1"}}, {}), Error);
}

TEST(SearchSpace, EveryAlgorithmHasSomethingToSearch) {
  EXPECT_THROW(SearchSpace({{"algo", "auto"}}, {}), Error);
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.name == "auto") continue;
    const SearchSpace space({{"algo", algorithm.name}}, {});
    EXPECT_GE(space.axes().size(), 2U) << algorithm.name;
    EXPECT_GT(space.spread(40).size(), 10U) << algorithm.name;
    for (const Setting& setting : space.spread(40)) EXPECT_TRUE(space.options(setting)) << algorithm.name;
  }
}

TEST(SearchSpace, WithoutANameItIsThatOfTheFirstMember) {
  EXPECT_EQ(algorithm_to_search({}), "bpegasos");
  EXPECT_EQ(algorithm_to_search({{"task", "regress"}}), "bpa-m");
  EXPECT_EQ(algorithm_to_search({{"task", "novelty"}}), "bnorma");
  EXPECT_EQ(algorithm_to_search({{"maintain", "none"}}), "pegasos");
  EXPECT_EQ(algorithm_to_search({{"update", "spa"}, {"expected-budget", "20"}}), "bpegasos");
  EXPECT_EQ(algorithm_to_search({{"algo", "auto"}}), "auto")
      << "who names it gets the reason why it has nothing to search";
}

TEST(SearchSpace, GammaIsRelativeToTheData) {
  const SearchSpace space({{"algo", "bpegasos"}, {"lambda", "1e-4"}}, {.gamma = 0.02});
  EXPECT_EQ(space.searched({0}).text("gamma"), "0.00125");
  EXPECT_EQ(space.searched({8}).text("gamma"), "0.02");
  EXPECT_EQ(space.searched({10}).text("gamma"), "0.04");
  EXPECT_EQ(space.searched({-4}).text("gamma"), "0.000313");
}

TEST(SearchSpace, TheUnitOfNumbersMakesNoDifference) {
  const SearchSpace space({{"task", "regress"}, {"algo", "bnorma"}}, {.targets = 100});
  ASSERT_EQ(names(space), (std::vector<std::string>{"epsilon", "lambda", "eta", "gamma"}));
  const Options options = space.searched({4, 8, 8, 8});
  EXPECT_EQ(options.text("epsilon"), "10");
  EXPECT_EQ(options.text("lambda"), "1e-06");
  EXPECT_EQ(options.text("eta"), "100");
  const SearchSpace squared({{"task", "regress"}, {"algo", "bpegasos"}, {"loss", "squared"}}, {.targets = 100});
  EXPECT_EQ(squared.searched({0, 8}).text("lambda"), "1e-06") << "steps follow the error by themselves";
}

TEST(SearchSpace, SpreadsOverAGridOrEvenly) {
  const SearchSpace two({{"algo", "bpegasos"}}, {});
  const auto grid = two.spread(40);
  EXPECT_EQ(grid.size(), 30U);
  EXPECT_NE(std::ranges::find(grid, Setting{8, 8}), grid.end()) << "the defaults are among them";
  const SearchSpace three({{"algo", "bnorma"}}, {});
  const auto sample = three.spread(40);
  EXPECT_GE(sample.size(), 36U);
  EXPECT_LE(sample.size(), 40U);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::set<int> places;
    for (const Setting& setting : sample) places.insert(setting[axis]);
    EXPECT_GE(places.size(), 9U) << "many values of each";
  }
}

TEST(SearchSpace, LeavesOutSettingsThatCannotBe) {
  const SearchSpace space({{"algo", "bnorma"}, {"eta", "100"}, {"gamma", "1"}}, {});
  for (const Setting& setting : space.spread(40)) EXPECT_LT(space.searched(setting).real("lambda"), 0.01);
  EXPECT_FALSE(space.options({16})) << "lambda × eta < 1";
}

TEST(SearchSpace, NeighboursDifferOnOneAxisOrTwo) {
  const SearchSpace space({{"algo", "bpegasos"}}, {});
  const auto around = space.neighbours({8, 8}, 2);
  EXPECT_EQ(std::set(around.begin(), around.end()),
            (std::set<Setting>{{6, 6}, {6, 8}, {6, 10}, {8, 6}, {8, 10}, {10, 6}, {10, 8}, {10, 10}}));
  EXPECT_EQ(around.size(), 8U);
  EXPECT_EQ(SearchSpace({{"algo", "bnorma"}}, {}).neighbours({8, 8, 8}, 1).size(), 18U);
  EXPECT_TRUE(SearchSpace({{"algo", "bpegasos"}, {"gamma", "1"}, {"lambda", "1"}}, {}).neighbours({}, 1).empty());
}

}  // namespace
}  // namespace kinglet
