// Finished trials are kept, and used again only while nothing about their cell has changed.
#include "papers/trial_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "kinglet/error.hpp"

namespace kinglet {
namespace {

class PaperThreadsStore : public testing::Test {
 protected:
  PaperThreadsStore() { std::filesystem::remove_all(folder_); }
  ~PaperThreadsStore() override { std::filesystem::remove_all(folder_); }

  // Tests run in several processes at once.
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("kinglet_trial_store-" + std::to_string(getpid()));
};

TrialNumbers some_numbers(double start) {
  TrialNumbers numbers;
  for (std::size_t i = 0; i < kMeasures; ++i) numbers.values[i] = start + static_cast<double>(i) / 4;
  numbers.value(Measure::gradient_error) = std::nan("");
  numbers.test_majority = 12.5;
  complete(numbers);
  return numbers;
}

TEST_F(PaperThreadsStore, FindsWhatItKept) {
  {
    TrialStore store(folder_, "name", "abc");
    EXPECT_TRUE(store.open("a", "probe").empty());
    store.keep("a", 0, some_numbers(1));
    store.keep("a", 3, some_numbers(2));
    store.keep("never opened", 0, some_numbers(2));
    store.save();
  }
  TrialStore store(folder_, "name", "def");
  const auto found = store.open("a", "probe");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.at(0).numbers.values[0], some_numbers(1).values[0]);
  EXPECT_EQ(found.at(0).numbers.value(Measure::test_error), some_numbers(1).value(Measure::test_error));
  EXPECT_TRUE(std::isnan(found.at(3).numbers.value(Measure::gradient_error)));
  EXPECT_EQ(found.at(3).numbers.test_majority, 12.5);
  EXPECT_TRUE(store.find("never opened").empty());
  store.keep("a", 1, some_numbers(3));
  store.save();
  const auto all = TrialStore(folder_, "name", "").find("a");
  ASSERT_EQ(all.size(), 3U) << "it adds to what is there";
  EXPECT_EQ(all.at(0).revision, "abc");
  EXPECT_EQ(all.at(1).revision, "def") << "each run names the code that made it";
  EXPECT_TRUE(TrialStore(folder_, "another", "").find("a").empty());
}

TEST_F(PaperThreadsStore, DoesNotUseWhatAnotherProgramComputed) {
  TrialStore store(folder_, "name", "");
  store.open("a", "probe");
  store.keep("a", 0, some_numbers(1));
  store.open("b", "probe");
  store.keep("b", 0, some_numbers(1));
  store.save();
  TrialStore other(folder_, "name", "");
  EXPECT_TRUE(other.open("a", "another probe").empty());
  EXPECT_TRUE(other.open("c", "probe").empty());
  other.keep("c", 0, some_numbers(1));
  other.save();
  EXPECT_EQ(TrialStore(folder_, "name", "").open("a", "probe").size(), 1U) << "older runs stay until they are repeated";
  other.keep("a", 5, some_numbers(2));
  other.keep_only({"a", "c"});
  other.save();
  TrialStore last(folder_, "name", "");
  EXPECT_TRUE(last.open("a", "probe").empty());
  EXPECT_EQ(last.open("a", "another probe").size(), 1U) << "never mixed with those of another program";
  EXPECT_TRUE(last.find("b").empty()) << "the experiment has no such cell any more";
}

TEST_F(PaperThreadsStore, TwoProcessesAddToOneFile) {
  TrialStore one(folder_, "name", ""), two(folder_, "name", "");
  for (TrialStore* store : {&one, &two}) store->open("a", "probe");
  one.keep("a", 0, some_numbers(1));
  one.save();
  two.keep("a", 1, some_numbers(2));
  two.save();
  EXPECT_EQ(TrialStore(folder_, "name", "").find("a").size(), 2U);
}

TEST_F(PaperThreadsStore, RefusesAFileThatItDidNotWrite) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ / "name.jsonl") << "{\"cell\": \"a\"";
  EXPECT_THROW(TrialStore(folder_, "name", ""), Error);
  EXPECT_NO_THROW(TrialStore(folder_, "another", ""));
}

PaperCell kept_board(const std::string& budget) {
  PaperCell cell{.row = budget, .column = "board", .variant = {}, .set = "ramp-checkerboard"};
  cell.options = {{"algo", "bpegasos"}, {"budget", budget}, {"gamma", "8"}};
  cell.rows = 3000;
  return cell;
}

PaperExperiment kept_experiment(std::vector<PaperCell> (*cells)(bool)) {
  return {.name = "kept", .runs = 2, .cells = cells};
}

TEST_F(PaperThreadsStore, AnExperimentRepeatsOnlyWhatChanged) {
  PaperPlan plan;
  plan.keep = folder_.string();
  const auto first = kept_experiment([](bool) { return std::vector{kept_board("20"), kept_board("40")}; });
  const PaperResult fresh = run_paper(first, plan);
  std::size_t calls = 0;
  const auto count = [&](std::size_t, std::size_t) { ++calls; };
  const PaperResult again = run_paper(first, plan, count);
  EXPECT_EQ(calls, 2U) << "one for each cell that was found";
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(again.cells[i].values, fresh.cells[i].values);
    EXPECT_EQ(again.cells[i].seconds.mean, fresh.cells[i].seconds.mean) << "it was not run again";
  }
  const auto changed = kept_experiment([](bool) { return std::vector{kept_board("20"), kept_board("50")}; });
  const PaperResult other = run_paper(changed, plan);
  EXPECT_EQ(other.cells[0].seconds.mean, fresh.cells[0].seconds.mean);
  EXPECT_EQ(other.cells[1].support_vectors.mean, 50);
  plan.runs = 3;
  EXPECT_EQ(run_paper(first, plan).cells[0].values.size(), 3U) << "more runs are added to those that are there";
}

TEST_F(PaperThreadsStore, ResultsCanBeShownWithoutRunningAnything) {
  PaperPlan plan;
  plan.keep = folder_.string();
  plan.revision = "abc";
  plan.rows = {"20"};
  const auto experiment = kept_experiment([](bool) { return std::vector{kept_board("20"), kept_board("40")}; });
  const PaperResult fresh = run_paper(experiment, plan);
  plan.rows.clear();
  plan.only_kept = true;
  const PaperResult kept = run_paper(experiment, plan);
  ASSERT_EQ(kept.cells.size(), 2U);
  EXPECT_EQ(kept.cells[0].values, fresh.cells[0].values);
  EXPECT_EQ(kept.cells[0].revisions.at("abc"), 2U);
  EXPECT_TRUE(kept.cells[1].values.empty()) << "it has not been measured";
  EXPECT_EQ(kept.cells[1].verdict, Verdict::none);
}

// The same cell, with a rule that acts only once the budget is full: the probe must see it.
TEST_F(PaperThreadsStore, AChangeOfALargeBudgetsRuleIsNoticed) {
  PaperPlan plan;
  plan.keep = folder_.string();
  plan.runs = 1;
  const auto experiment = kept_experiment([](bool) { return std::vector{kept_board("2000")}; });
  run_paper(experiment, plan);
  const std::filesystem::path file = folder_ / "kept.jsonl";
  std::string line;
  std::getline(std::ifstream(file), line);
  const std::size_t probe = line.find("\"probe\":\"") + 9;
  EXPECT_THAT(line.substr(probe, 60), testing::ContainsRegex(" 100 ")) << "the probe has a budget that its rows fill";
  line.replace(probe, 1, "1");  // as another rule would
  std::ofstream(file) << line << "\n";
  EXPECT_EQ(run_paper(experiment, plan).outdated, 1U);
  EXPECT_EQ(run_paper(experiment, plan).outdated, 0U) << "it was run again";
}

TEST_F(PaperThreadsStore, AStoppedExperimentGoesOn) {
  PaperPlan plan;
  plan.keep = folder_.string();
  plan.threads = 1;
  const auto experiment = kept_experiment([](bool) { return std::vector{kept_board("20"), kept_board("40")}; });
  std::size_t done = 0;
  const PaperResult stopped = run_paper(
      experiment, plan, [&](std::size_t, std::size_t) { ++done; }, [&] { return done >= 1; });
  EXPECT_TRUE(stopped.stopped);
  const PaperResult whole = run_paper(experiment, plan);
  EXPECT_EQ(whole.cells[0].values.size() + whole.cells[1].values.size(), 4U);
  PaperPlan without;
  EXPECT_EQ(run_paper(experiment, without).cells[1].values, whole.cells[1].values);
}

}  // namespace
}  // namespace kinglet
