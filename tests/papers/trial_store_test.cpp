// Finished trials are kept, and used again only while nothing about their cell has changed.
#include "papers/trial_store.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

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
  for (std::size_t i = 0; i < kMeasures; ++i) numbers.values[i] = start + static_cast<double>(i) / 3;
  numbers.value(Measure::gradient_error) = std::nan("");
  numbers.test_majority = 12.5;
  return numbers;
}

TEST_F(PaperThreadsStore, FindsWhatItKept) {
  {
    TrialStore store(folder_);
    EXPECT_TRUE(store.open("a", "probe").empty());
    store.keep("a", 0, some_numbers(1));
    store.keep("a", 3, some_numbers(2));
    store.keep("never opened", 0, some_numbers(2));
  }
  TrialStore store(folder_);
  const auto found = store.open("a", "probe");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.at(0).value(Measure::updates), some_numbers(1).value(Measure::updates)) << "to the last digit";
  EXPECT_TRUE(std::isnan(found.at(3).value(Measure::gradient_error)));
  EXPECT_EQ(found.at(3).test_majority, 12.5);
  EXPECT_TRUE(store.open("never opened", "probe").empty());
  store.keep("a", 1, some_numbers(3));
  EXPECT_EQ(TrialStore(folder_).open("a", "probe").size(), 3U) << "it adds to what is there";
}

TEST_F(PaperThreadsStore, ForgetsWhatAnotherProgramOrCellComputed) {
  TrialStore store(folder_);
  store.open("a", "probe");
  store.keep("a", 0, some_numbers(1));
  EXPECT_TRUE(TrialStore(folder_).open("a", "another probe").empty());
  EXPECT_TRUE(TrialStore(folder_).open("b", "probe").empty());
  for (const auto& file : std::filesystem::directory_iterator(folder_)) std::ofstream(file.path()) << "{\"key\": \"a\"";
  EXPECT_TRUE(TrialStore(folder_).open("a", "probe").empty()) << "a damaged file";
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
