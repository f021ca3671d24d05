// The registry: its own consistency, and complete_options().
#include "kinglet/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>

#include "core/option_texts.hpp"
#include "kinglet/error.hpp"
#include "learn/registry_entries.hpp"

namespace kinglet {
namespace {

using testing::HasSubstr;

std::string error_of(const Options& given) {
  try {
    complete_options(given);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Every pair of rules with every compatible kernel.
std::vector<Options> whole_grid() {
  std::vector<Options> grid;
  for (const Entry* update : update_rules()) {
    for (const Entry* maintain : budget_rules()) {
      for (const Entry* kernel : kernels()) {
        Options options{{"update", update->name}, {"maintain", maintain->name}, {"kernel", kernel->name}};
        if (error_of(options).empty()) grid.push_back(std::move(options));
      }
    }
  }
  return grid;
}

TEST(Registry, HasEveryRuleOnceWithASummary) {
  for (const auto entries : {update_rules(), budget_rules(), whole_learners(), kernels()}) {
    std::set<std::string> names;
    EXPECT_FALSE(entries.empty());
    for (const Entry* entry : entries) {
      EXPECT_TRUE(names.insert(entry->name).second) << entry->name;
      EXPECT_FALSE(entry->summary.empty()) << entry->name;
      EXPECT_FALSE(entry->summary.ends_with('.')) << entry->name;
      EXPECT_EQ(entry->summary.find('\n'), std::string::npos) << entry->name;
    }
  }
}

TEST(Registry, HasPresetsOfRulesThatExist) {
  EXPECT_EQ(algorithms()[0].name, "auto");
  for (const Algorithm& algorithm : algorithms()) {
    EXPECT_FALSE(algorithm.summary.empty());
    EXPECT_FALSE(algorithm.paper.empty());
    const Options full = complete_options({{"algo", algorithm.name}});
    if (!algorithm.learner.empty()) {
      EXPECT_EQ(learner_entry(full)->entry.name, algorithm.learner);
      EXPECT_FALSE(full.has("update") || full.has("maintain"));
      continue;
    }
    EXPECT_EQ(learner_entry(full), nullptr);
    EXPECT_EQ(update_rule_entry(algorithm.update).entry.name, algorithm.update);
    EXPECT_EQ(budget_rule_entry(algorithm.maintain).entry.name, algorithm.maintain);
    EXPECT_EQ(full.text("update"), algorithm.update);
    EXPECT_EQ(full.text("maintain"), algorithm.maintain);
  }
}

TEST(Registry, KnowsThatADualLearnerHasNoRules) {
  EXPECT_THAT(error_of({{"algo", "onlinesvmr"}, {"update", "pegasos"}}), testing::HasSubstr("update is not an option"));
  EXPECT_THAT(error_of({{"algo", "onlinesvmr"}, {"budget", "10"}}), testing::HasSubstr("budget is not an option"));
  EXPECT_THAT(error_of({{"algo", "onlinesvmr"}, {"output", "average"}}), testing::HasSubstr("output is not an"));
  EXPECT_THAT(error_of({{"algo", "onlinesvmr"}, {"lambda", "1"}}), testing::HasSubstr("lambda is not an option of"));
  EXPECT_THAT(error_of({{"algo", "bpegasos"}, {"keep-non-sv", "1"}}), testing::HasSubstr("onlinesvmr takes it"));
  EXPECT_THAT(error_of({{"algo", "onlinesvmr"}, {"kernel", "sigmoid"}}), testing::HasSubstr("positive definite"));
  EXPECT_THAT(error_of({{"algo", "onlinesvmr"}, {"task", "regress"}}),
              testing::HasSubstr("supports only classification"));
  EXPECT_EQ(error_of({{"algo", "onlinesvmr"}, {"update", "auto"}, {"maintain", "auto"}}), "");
}

TEST(Registry, HasOnlyFallbacksThatSatisfyTheirOwnSpec) {
  for (const OptionSpec& spec : common_options()) EXPECT_EQ(spec.problem(spec.default_value), "") << spec.name;
  for (const auto entries : {update_rules(), budget_rules(), whole_learners(), kernels()}) {
    for (const Entry* entry : entries) {
      for (const OptionSpec& spec : entry->options) {
        EXPECT_EQ(spec.problem(spec.default_value), "") << entry->name << " " << spec.name;
        EXPECT_FALSE(spec.help.empty()) << entry->name << " " << spec.name;
      }
    }
  }
}

TEST(Registry, ListsEveryOptionOnceWithItsUsers) {
  std::set<std::string> names;
  for (const ListedOption& option : all_options())
    EXPECT_TRUE(names.insert(option.spec.name).second) << option.spec.name;
  for (const char* name : {"algo", "update", "maintain", "budget", "memory", "kernel", "gamma", "lambda", "eta",
                           "scale", "storage", "class-weight", "seed"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  for (const ListedOption& option : all_options()) {
    if (option.spec.name == "lambda") {
      EXPECT_THAT(option.users, testing::IsSupersetOf({"pegasos", "norma"}));
    }
    if (option.spec.name == "seed") {
      EXPECT_TRUE(option.users.empty());
    }
    if (option.spec.name == "budget") {
      EXPECT_THAT(option.users, testing::Not(testing::Contains("none")));
    }
  }
}

TEST(Registry, NamesUsersAsTheyAreChosen) {
  std::set<std::string> names;
  for (const auto entries : {update_rules(), budget_rules(), kernels()}) {
    for (const Entry* entry : entries) names.insert(entry->name);
  }
  for (const Algorithm& algorithm : algorithms()) names.insert(algorithm.name);
  for (const ListedOption& option : all_options()) {
    for (const std::string& user : option.users) EXPECT_TRUE(names.contains(user)) << option.spec.name << " " << user;
  }
  for (const Entry* learner : whole_learners()) {
    EXPECT_EQ(algorithm_of(*learner)->learner, learner->name);
    if (learner->name != "committee") {
      EXPECT_EQ(algorithm_of(*learner)->name, learner->name);
    }
  }
  EXPECT_EQ(algorithm_of(*update_rules()[0]), nullptr);
}

// "1; nogd: 0.2": what a text of defaults says about a user, or else about all.
std::string told_of(const std::string& text, std::initializer_list<std::string> users) {
  for (const std::string& user : users) {
    const auto at = text.find("; " + user + ": ");
    if (at == text.npos || user.empty()) continue;
    const auto begin = at + user.size() + 4;
    return text.substr(begin, text.find(';', begin) - begin);
  }
  return text.substr(0, text.find(';'));
}

TEST(Registry, TellsTheDefaultsThatOptionsGet) {
  const std::set<std::string> chosen = {"algo", "update", "maintain", "task"};
  for (const Algorithm& algorithm : algorithms()) {
    for (const Entry* kernel : kernels()) {
      const Options given{{"algo", algorithm.name}, {"kernel", kernel->name}};
      if (!error_of(given).empty()) continue;
      const Options full = complete_options(given);
      for (const ListedOption& option : all_options()) {
        const std::string& name = option.spec.name;
        if (!full.has(name) || given.has(name) || chosen.contains(name)) continue;
        const std::string told = told_of(option.defaults.text(), {"algo=" + algorithm.name, algorithm.name,
                                                                  algorithm.update, algorithm.maintain, kernel->name});
        if (told == "auto") continue;  // it follows from other options
        Options learned = given;
        learned.set("metric", "learned");
        const std::string possible = error_of(learned).empty() ? "learned" : "none";
        EXPECT_EQ(told == "learned where possible" ? possible : told, full.text(name))
            << algorithm.name << " " << kernel->name << " " << name;
      }
    }
  }
}

TEST(Registry, TellsRangesAndMeaningsOfEveryPart) {
  for (const auto entries : {update_rules(), budget_rules(), whole_learners(), kernels()}) {
    for (const Entry* entry : entries) {
      for (const OptionSpec& spec : entry->options) {
        const ListedOption& option =
            *std::ranges::find_if(all_options(), [&](const ListedOption& each) { return each.spec.name == spec.name; });
        const Algorithm* algorithm = algorithm_of(*entry);
        const std::string& user = algorithm == nullptr ? entry->name : algorithm->name;
        EXPECT_EQ(told_of(option.ranges, {user}), spec.range()) << user << " " << spec.name;
        if (spec.own_meaning) {
          EXPECT_THAT(option.help.text(), HasSubstr("; " + user + ": " + spec.help.text()));
        }
      }
    }
  }
}

TEST(Registry, KnowsWhoseModelsAddUp) {
  for (const Algorithm& algorithm : algorithms()) {
    EXPECT_EQ(adds_up(complete_options({{"algo", algorithm.name}})), algorithm.name == "span") << algorithm.name;
  }
  EXPECT_EQ(default_start_algorithm("classify"), "span");
  EXPECT_EQ(default_start_algorithm("regress"), "span");
  EXPECT_EQ(default_start_algorithm("novelty"), "bnorma");
}

TEST(Complete, FillsInTheDefaults) {
  const Options full = complete_options({});
  EXPECT_EQ(full.text("algo"), "auto");
  EXPECT_FALSE(full.has("update") || full.has("maintain"));
  EXPECT_EQ(full.integer("budget"), 500);
  EXPECT_EQ(full.text("memory"), "none");
  EXPECT_EQ(full.text("kernel"), "rbf");
  EXPECT_TRUE(full.is_auto("gamma"));
  EXPECT_EQ(full.text("scale"), "standard");
  EXPECT_EQ(full.integer("seed"), 1);
  EXPECT_FALSE(full.has("eta"));
  const Options rules = complete_options({{"algo", "bpegasos"}});
  EXPECT_EQ(rules.text("update"), "pegasos");
  EXPECT_EQ(rules.text("maintain"), "merge");
  EXPECT_EQ(rules.real("lambda"), 1e-4);
  EXPECT_FALSE(rules.has("eta"));
}

TEST(Complete, IsIdempotentOnTheWholeGrid) {
  const auto grid = whole_grid();
  EXPECT_GE(grid.size(), 3u * 7u);
  for (const Options& given : grid) {
    const Options once = complete_options(given);
    EXPECT_EQ(complete_options(once).all(), once.all());
  }
  const Options limited = complete_options({{"memory", "64K"}});
  EXPECT_TRUE(limited.is_auto("budget"));
  EXPECT_EQ(complete_options(limited).all(), limited.all());
}

TEST(Complete, LetsUpdateAndMaintainOverrideTheAlgorithm) {
  const Options full = complete_options({{"algo", "bpegasos"}, {"update", "norma"}, {"maintain", "stop"}});
  EXPECT_EQ(full.text("update"), "norma");
  EXPECT_EQ(full.text("maintain"), "stop");
  EXPECT_EQ(complete_options({{"algo", "norma"}, {"update", "auto"}}).text("update"), "norma");
}

TEST(Complete, KeepsWhatWasGiven) {
  EXPECT_TRUE(rc::check([] {
    const auto budget = std::to_string(*rc::gen::inRange(1, 1000000));
    const auto seed = std::to_string(*rc::gen::inRange(0, 1000000));
    const Options full = complete_options({{"budget", budget}, {"seed", seed}});
    RC_ASSERT(full.text("budget") == budget);
    RC_ASSERT(full.text("seed") == seed);
  }));
}

TEST(Complete, RefusesAnOptionThatTheChosenPartsDoNotTakeAndSaysWhichDo) {
  EXPECT_EQ(error_of({{"eta", "1"}}),
            "no member of algo=auto takes these options together: eta is not an option of update=pegasos; ilk, mp, "
            "norma, ogd, "
            "oskl, spa, nogd take it; name another algo");
  EXPECT_EQ(error_of({{"algo", "svm"}, {"coef0", "1"}}), error_of({{"coef0", "1"}}));
  EXPECT_EQ(error_of({{"coef0", "1"}}), "coef0 is not an option of the rbf kernel; poly, sigmoid take it");
  EXPECT_THAT(error_of({{"algo", "pegasos"}, {"budget", "5"}}),
              HasSubstr("budget is not an option of budget-rule=none; every budget rule except none takes it"));
  EXPECT_EQ(error_of({{"algo", "svm"}, {"budget", "5"}}),
            "budget is not an option of svm; every budget rule except none takes it, and so do bnewton, auto, krls, "
            "nogd, span, tvm");
  EXPECT_THAT(error_of({{"algo", "bpegasos"}, {"C", "2"}}),
              AllOf(HasSubstr("C is not an option of update=pegasos; "), HasSubstr("pa1, "), HasSubstr("svm"),
                    HasSubstr(" take it"), Not(HasSubstr("kinglet"))));
  EXPECT_THAT(error_of({{"algo", "pegasos"}, {"memory", "1M"}}),
              HasSubstr("memory is not an option of budget-rule=none"));
}

TEST(Complete, TheDefaultAlgorithmGoesWithTheTaskAndTheQueries) {
  EXPECT_EQ(complete_options({}).text("algo"), "auto");
  EXPECT_EQ(complete_options({{"task", "regress"}}).text("algo"), "auto");
  EXPECT_EQ(complete_options({{"task", "novelty"}}).text("algo"), "bnorma");
  EXPECT_EQ(complete_options({{"query", "ramp"}}).text("algo"), "bmp");
  EXPECT_EQ(complete_options({{"query", "ramp"}, {"algo", "bpegasos"}}).text("algo"), "bpegasos");
  EXPECT_EQ(complete_options({{"query", "greedy"}}).text("algo"), "auto");
}

// Options without `algo` are fixed for the members of the committee, unless they leave no choice or no budget.
TEST(Complete, TheDefaultAlgorithmGoesWithTheRules) {
  const auto algorithm = [](const Options& given) { return algorithm_name(complete_options(given)); };
  EXPECT_EQ(algorithm({{"update", "pa1"}}), "auto");
  EXPECT_EQ(algorithm({{"maintain", "merge"}}), "auto");
  EXPECT_EQ(algorithm({{"update", "auto"}, {"maintain", "merge"}}), "auto");
  EXPECT_EQ(complete_options({{"update", "pa1"}}).text("update"), "pa1");
  EXPECT_EQ(algorithm({{"update", "perceptron"}, {"maintain", "random"}}), "rbp");
  EXPECT_EQ(algorithm({{"update", "mp"}, {"maintain", "random"}}), "mp + random");
  EXPECT_EQ(algorithm({{"update", "pa1"}, {"maintain", "merge"}, {"task", "regress"}}), "bpa-m");
  EXPECT_EQ(algorithm({{"maintain", "none"}}), "pegasos");
  EXPECT_EQ(algorithm({{"maintain", "none"}, {"task", "regress"}}), "pa1");
  EXPECT_EQ(algorithm({{"maintain", "none"}, {"task", "novelty"}}), "norma");
  EXPECT_EQ(algorithm({{"maintain", "none"}, {"update", "norma"}}), "norma");
}

TEST(Complete, RefusesWhatTheTaskDoesNotTake) {
  EXPECT_EQ(error_of({{"epsilon", "1"}}), "epsilon is not an option of task=classify; task=regress takes it");
  EXPECT_EQ(error_of({{"nu", "0.1"}}), "nu is not an option of task=classify; task=novelty takes it");
  EXPECT_EQ(error_of({{"task", "regress"}, {"class-weight", "1=2"}}),
            "class-weight is not an option of task=regress; task=classify takes it");
  EXPECT_EQ(error_of({{"task", "regress"}, {"algo", "ogd"}, {"loss", "squared"}, {"epsilon", "1"}}),
            "epsilon is not an option of loss=squared; task=regress takes it");
  EXPECT_EQ(error_of({{"task", "regress"}, {"algo", "ogd"}, {"epsilon", "1"}}), "");
  EXPECT_EQ(error_of({{"task", "regress"}, {"update", "ogd"}, {"epsilon", "1"}}), "");
  EXPECT_EQ(error_of({{"task", "regress"}, {"query", "ramp"}}),
            "query is not an option of task=regress; task=classify takes it");
  EXPECT_EQ(error_of({{"query", "ramp"}, {"query-window", "3"}}),
            "query-window is not an option of query=ramp; query=greedy takes it");
  EXPECT_FALSE(complete_options({{"task", "novelty"}}).has("class-weight"));
  EXPECT_FALSE(complete_options({{"task", "regress"}, {"algo", "ogd"}, {"loss", "squared"}}).has("epsilon"));
  for (const char* task : {"regress", "novelty"}) {
    const Options full = complete_options({{"task", task}});
    EXPECT_EQ(complete_options(full).all(), full.all());
  }
}

TEST(Complete, RefusesTwoWaysToSayHowManyVectorsSpaTakes) {
  const Options spa{{"update", "spa"}, {"maintain", "none"}};
  const auto with = [&](std::initializer_list<std::pair<const char*, const char*>> more) {
    Options options = spa;
    for (const auto& [name, value] : more) options.set(name, value);
    return error_of(options);
  };
  EXPECT_EQ(with({{"beta", "5"}}), "");
  EXPECT_EQ(with({{"expected-budget", "50"}, {"stream-length", "1000"}}), "");
  EXPECT_THAT(with({{"expected-budget", "50"}}), HasSubstr("give stream-length"));
  EXPECT_THAT(with({{"stream-length", "1000"}}), HasSubstr("needs expected-budget"));
  EXPECT_THAT(with({{"expected-budget", "50"}, {"stream-length", "1000"}, {"beta", "5"}}),
              HasSubstr("give beta or expected-budget, not both"));
  // Also with the value that beta has by default.
  EXPECT_THAT(with({{"expected-budget", "50"}, {"stream-length", "1000"}, {"beta", "20"}}),
              HasSubstr("give beta or expected-budget, not both"));
  EXPECT_EQ(with({{"expected-budget", "0"}, {"beta", "20"}}), "");
  EXPECT_THAT(with({{"maintain", "stop"}, {"expected-budget", "50"}, {"stream-length", "1000"}, {"budget", "49"}}),
              HasSubstr("raise budget"));
}

TEST(Complete, RefusesAMarginThatLeavesNothingToProjectronPlusPlus) {
  const auto with = [](const char* margin) { return error_of({{"algo", "projectron++"}, {"margin", margin}}); };
  EXPECT_EQ(with("0.99"), "");
  EXPECT_THAT(with("1"), HasSubstr("margin=1 leaves nothing to the second step of projectron++"));
  EXPECT_THAT(with("5"), HasSubstr("use budget-rule=projectron"));
}

// Models that were saved before these combinations were refused.
TEST(Complete, TakesSavedOptionsThatNoNewModelMayHave) {
  const Options spa =
      complete_options({{"update", "spa"}, {"maintain", "none"}, {"expected-budget", "50"}, {"stream-length", "1000"}});
  EXPECT_EQ(spa.text("beta"), "20");
  EXPECT_THAT(error_of(spa), HasSubstr("give beta or expected-budget, not both"));
  EXPECT_EQ(complete_saved_options(spa).all(), spa.all());
  EXPECT_EQ(complete_saved_options({{"algo", "projectron++"}, {"margin", "2"}}).text("margin"), "2");
}

TEST(Complete, SuggestsAnAlgorithmAndListsNone) {
  EXPECT_EQ(error_of({{"algo", "pegasso"}}), "unknown value 'pegasso' for algo (did you mean pegasos?)");
  EXPECT_EQ(error_of({{"algo", "xyzzy"}}), "unknown value 'xyzzy' for algo; algorithms() lists them");
}

TEST(Complete, TakesAnOptionUnderEitherOfItsNames) {
  EXPECT_EQ(shown_name("maintain"), "budget-rule");
  EXPECT_EQ(option_key("budget-rule"), "maintain");
  EXPECT_EQ(shown_name("gamma"), "gamma");
  const Options full = complete_options({{"budget-rule", "oldest"}});
  EXPECT_EQ(full.text("maintain"), "oldest");
  EXPECT_FALSE(full.has("budget-rule"));
  EXPECT_EQ(full.all(), complete_options({{"maintain", "oldest"}}).all());
  EXPECT_EQ(error_of({{"budget-rule", "oldest"}, {"maintain", "random"}}),
            "budget-rule and maintain are two names of the same option: give only one of them");
  EXPECT_EQ(error_of({{"maintain", "odlest"}}), "unknown value 'odlest' for budget-rule (did you mean oldest?)");
  EXPECT_THAT(error_of({{"maintain", "nonsense"}}), HasSubstr("'nonsense' for budget-rule"));
}

TEST(StreamLength, IsWantedWhereARuleMakesUseOfItAndItIsNotGiven) {
  const Options expecting{{"algo", "spa"}, {"expected-budget", "50"}};
  EXPECT_TRUE(wants_stream_length(expecting));
  EXPECT_FALSE(wants_stream_length({{"algo", "spa"}}));
  EXPECT_FALSE(wants_stream_length({{"algo", "bpegasos"}}));
  EXPECT_TRUE(wants_stream_length({{"update", "spa"}, {"expected-budget", "50"}}));
  EXPECT_FALSE(wants_stream_length({{"update", "spa"}, {"expected-budget", "50"}, {"stream-length", "9"}}));
  EXPECT_FALSE(wants_stream_length({{"update", "spa"}}));
  EXPECT_FALSE(wants_stream_length({{"algo", "idsvm"}}));
  const Options filled = with_stream_length(expecting, 1000);
  EXPECT_EQ(filled.text("stream-length"), "1000");
  EXPECT_FALSE(wants_stream_length(filled));
  EXPECT_EQ(with_stream_length(filled, 2000).all(), filled.all());
  EXPECT_EQ(with_stream_length({{"algo", "spa"}}, 1000).all(), (Options{{"algo", "spa"}}.all()));
  const auto length = stream_length(complete_options(filled));
  ASSERT_TRUE(length.has_value());
  EXPECT_EQ(length->examples, 1000U);
  EXPECT_EQ(length->option, option("stream-length"));
  EXPECT_FALSE(stream_length(complete_options({{"algo", "spa"}})).has_value());
}

TEST(DefaultPasses, LearnFromFiftyThousandExamplesInAtMostTwentyPasses) {
  const Options usual = complete_options({});
  for (const auto& [rows, passes] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 20},
                                                                                         {1, 20},
                                                                                         {2500, 20},
                                                                                         {2501, 20},
                                                                                         {2632, 19},
                                                                                         {15'000, 4},
                                                                                         {49'999, 2},
                                                                                         {50'000, 1},
                                                                                         {UINT64_MAX, 1}}) {
    EXPECT_EQ(default_passes(usual, rows), passes) << rows;
  }
  EXPECT_EQ(default_passes(complete_options({{"algo", "lasvm"}}), 100), 1u);
}

TEST(Complete, LeavesRoomForTheLuckOfTheDraw) {
  EXPECT_EQ(complete_options({{"algo", "spa"}, {"expected-budget", "100"}, {"stream-length", "1000"}}).text("budget"),
            "130");
}

TEST(Complete, TakesTheMarginOfDistillFromTheUpdateRule) {
  const auto margin = [](Options options) {
    options.set("maintain", "distill");
    return complete_options(options).text("distill-margin");
  };
  EXPECT_EQ(margin({{"update", "pegasos"}}), "1");
  EXPECT_EQ(margin({{"update", "perceptron"}}), "0.01");
  EXPECT_EQ(margin({{"update", "perceptron"}, {"margin", "0.20"}}), "0.20");
  EXPECT_EQ(margin({{"update", "mira"}, {"distill-margin", "3"}}), "3");
}

TEST(Advice, IsGivenWhereOptionsWorkBadlyTogether) {
  EXPECT_TRUE(advice(complete_options({{"query", "ramp"}})).empty());
  EXPECT_EQ(advice(complete_options({{"algo", "bpegasos"}, {"query", "ramp"}})).size(), 1U);
  EXPECT_TRUE(advice(complete_options({{"algo", "bpegasos"}})).empty());
  EXPECT_EQ(advice(complete_options({{"algo", "auto"}, {"query", "ramp"}})).size(), 1U);
  EXPECT_TRUE(advice(complete_options({})).empty());
  EXPECT_TRUE(advice(complete_options({{"algo", "lasvm"}})).empty());
}

TEST(Complete, SuggestsTheNearestNameForAMisspelledOne) {
  EXPECT_EQ(error_of({{"lamda", "1"}}), "unknown option lamda (did you mean lambda?)");
  EXPECT_EQ(error_of({{"class_weight", "none"}}), "unknown option class_weight (did you mean class-weight?)");
  EXPECT_EQ(error_of({{"xyzzy", "1"}}), "unknown option xyzzy");
  EXPECT_EQ(error_of({{"algo", "bpegasus"}}), "unknown value 'bpegasus' for algo (did you mean bpegasos?)");
  EXPECT_THAT(error_of({{"kernel", "gaussian"}}), HasSubstr("kernel must be one of rbf|"));
}

TEST(Complete, RefusesValuesOutOfRange) {
  EXPECT_EQ(error_of({{"budget", "0"}}), "budget must be a whole number from 1 to 100000000, or auto, not '0'");
  EXPECT_NE(error_of({{"lambda", "0"}}), "");
  EXPECT_NE(error_of({{"gamma", "0"}}), "");
  EXPECT_NE(error_of({{"gamma", "inf"}}), "");
  EXPECT_NE(error_of({{"seed", "-1"}}), "");
  EXPECT_NE(error_of({{"scale", "sphere"}}), "");
}

TEST(Complete, RefusesPartsThatDoNotGoTogether) {
  EXPECT_THAT(error_of({{"budget", "10"}, {"memory", "1M"}}), HasSubstr("give budget or memory, not both"));
  EXPECT_THAT(error_of({{"budget", "auto"}}), HasSubstr("budget=auto needs memory"));
  EXPECT_THAT(error_of({{"algo", "bpegasos"}, {"kernel", "linear"}}), HasSubstr("merge needs the Gaussian kernel"));
  EXPECT_THAT(error_of({{"algo", "bnorma"}, {"lambda", "1"}, {"eta", "1"}}), HasSubstr("lambda"));
}

TEST(Memory, IsReadWithItsUnits) {
  EXPECT_EQ(parse_memory("65536"), 65536u);
  EXPECT_EQ(parse_memory("64K"), 65536u);
  EXPECT_EQ(parse_memory("64k"), 65536u);
  EXPECT_EQ(parse_memory("64KiB"), 65536u);
  EXPECT_EQ(parse_memory("2M"), 2u << 20);
  EXPECT_EQ(parse_memory("1G"), 1u << 30);
  for (const char* text : {"", "K", "-1K", "1.5M", "64X", "64KK", "0", "0K", "99999999999999G", "1 K", "64iB"}) {
    EXPECT_THROW(parse_memory(text), Error) << text;
  }
  EXPECT_EQ(error_of({{"memory", "lots"}}), "memory must be an amount such as 64K, 256K, 2M or 1G, not 'lots'");
}

TEST(ClassWeights, AreReadAsAList) {
  EXPECT_TRUE(parse_class_weights("none").empty());
  EXPECT_TRUE(parse_class_weights("balanced").empty());
  const auto weights = parse_class_weights("1=10,-1=0.5,a=b=2");
  ASSERT_EQ(weights.size(), 3u);
  EXPECT_EQ(weights[0].label, "1");
  EXPECT_EQ(weights[0].weight, 10);
  EXPECT_EQ(weights[1].weight, 0.5F);
  EXPECT_EQ(weights[2].label, "a=b");
  for (const char* text : {"", "1", "1=", "=1", "1=x", "1=-1", "1=inf", "1=1,", "1=1,+1=2", "1=nan"}) {
    EXPECT_THROW(parse_class_weights(text), Error) << text;
  }
}

TEST(SameLabel, ComparesNumbersByValueAndTheRestAsText) {
  EXPECT_TRUE(same_label("+1", "1"));
  EXPECT_TRUE(same_label("1.0", "1"));
  EXPECT_TRUE(same_label("cat", "cat"));
  EXPECT_FALSE(same_label("cat", "Cat"));
  EXPECT_FALSE(same_label("1", "-1"));
  EXPECT_FALSE(same_label("nan", "NaN"));
  EXPECT_FALSE(same_label("9007199254740992", "9007199254740993"));
}

}  // namespace
}  // namespace kinglet
