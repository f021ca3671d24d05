// StreamRecord: what a training run records along its stream.
#include "lab/stream_record.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "kinglet/source.hpp"

namespace kinglet {
namespace {

struct Recorded {
  Model model;
  StreamRecord record;

  explicit Recorded(std::uint64_t rows,
                    const Options& options = {{"algo", "bpegasos"}, {"budget", "20"}, {"gamma", "8"}})
      : model(options), record(model) {
    const auto source = open_source("gen:checkerboard?n=" + std::to_string(rows) + "&seed=3", {});
    TrainingEvents events;
    events.learned = [&](const LearnedPart& part) { record.add(part); };
    events.times_rows = true;
    train(model, *source, {}, events);
  }
};

TEST(StreamRecord, AddsUpToTheProgressOfTheModel) {
  for (const std::uint64_t rows : {1U, 15U, 100U, 1024U, 30'000U}) {
    const Recorded run(rows);
    std::uint64_t examples = 0;
    double mistakes = 0;
    for (const StreamWindow& window : run.record.windows()) {
      examples += window.examples;
      mistakes += window.loss;
      EXPECT_EQ(window.end, examples);
    }
    EXPECT_EQ(examples, rows);
    EXPECT_EQ(mistakes, static_cast<double>(run.model.progress().mistakes));
    EXPECT_LE(run.record.windows().size(), StreamRecord::kMostWindows);
    const auto counts = run.record.confusion();
    const auto all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    EXPECT_LE(all, rows);  // there are no predictions before a class is known
    EXPECT_GE(all + 2, rows);
    EXPECT_EQ(run.record.windows().back().support_vectors, run.model.stats().support_vectors);
  }
}

TEST(StreamRecord, HasWindowsOfOneLengthButForTheLast) {
  const Recorded run(30'000);
  const auto windows = run.record.windows();
  for (std::size_t i = 0; i + 1 < windows.size(); ++i) EXPECT_EQ(windows[i].examples, windows[0].examples);
  EXPECT_GT(windows.size(), StreamRecord::kMostWindows / 2 - 1);
}

TEST(StreamRecord, DoesNotChangeWhatIsLearned) {
  const Recorded run(5000);
  Model plain({{"algo", "bpegasos"}, {"budget", "20"}, {"gamma", "8"}});
  const auto source = open_source("gen:checkerboard?n=5000&seed=3", {});
  train(plain, *source, {}, {});
  EXPECT_EQ(plain.serialize(), run.model.serialize());
}

TEST(StreamRecord, DrawsExamplesAndTimesSomeOfThem) {
  const Recorded run(5000);
  EXPECT_EQ(run.record.sample().rows.size(), StreamRecord::kMostSampled);
  EXPECT_EQ(run.record.sample().dimension, 2U);
  EXPECT_GE(run.record.learning_times().size(), 100U);
  for (const double seconds : run.record.learning_times()) EXPECT_GT(seconds, 0);
}

}  // namespace
}  // namespace kinglet
