// Labels that come late: rows keep their order, each is predicted by what was learned when it arrived, and errors come
// last.
#include "lab/delayed_labels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/text_source.hpp"
#include "error_of.hpp"
#include "kinglet/error.hpp"
#include "kinglet/model.hpp"
#include "lab/stream_metrics.hpp"
#include "lab/training.hpp"
#include "model/model_access.hpp"

namespace kinglet {
namespace {

using testing::HasSubstr;

std::string numbered_rows(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i % 3) + " 1:" + std::to_string(i) + " 2:1\n";
  return text;
}

// Every row has its number as its first feature. The "prediction" of a row is the number of rows that were learned by
// then.
struct Seen {
  std::vector<int> rows;
  std::vector<std::optional<float>> learned_before;
  std::vector<std::string> labels;
  std::string error;
};

Seen run(const std::string& text, std::uint64_t delay, std::optional<std::uint64_t> learned = 0) {
  const auto source = read_memory(text, {});
  Seen seen;
  DelayedLabels delayed(*source, delay, learned, [&](const Batch& row) {
    EXPECT_EQ(row.rows(), 1U);
    return Prediction{kNoClass, static_cast<float>(seen.rows.size())};
  });
  seen.error = error_of([&] {
    for (Batch batch; delayed.next(batch);) {
      EXPECT_EQ(batch.columns, nullptr);
      seen.labels.insert(seen.labels.end(), batch.new_labels.begin(), batch.new_labels.end());
      for (std::size_t i = 0; i < batch.rows(); ++i) {
        const Features x = batch.features()[i];
        seen.rows.push_back(static_cast<int>(x.values[x.count - 2]));
        if (x.count == 1) seen.rows.back() = 0;  // row 0 has no first feature
        EXPECT_LT(batch.labels[i], seen.labels.size());
        if (seen.rows.size() <= learned.value_or(0)) {
          seen.learned_before.emplace_back();
          continue;
        }
        const auto prediction = delayed.take();
        seen.learned_before.push_back(prediction ? std::optional(prediction->score) : std::nullopt);
      }
    }
  });
  return seen;
}

TEST(DelayedLabels, RowsKeepTheirOrderAndArePredictedOnArrival) {
  for (const int count : {1, 5, 1023, 1024, 1025, 1030, 3000}) {
    for (const std::uint64_t delay : {1U, 2U, 10U, 1000U, 5000U}) {
      SCOPED_TRACE(std::to_string(count) + " rows, delay " + std::to_string(delay));
      const Seen seen = run(numbered_rows(count), delay);
      ASSERT_EQ(seen.rows.size(), static_cast<std::size_t>(count));
      for (std::size_t i = 0; i < seen.rows.size(); ++i) {
        EXPECT_EQ(seen.rows[i], static_cast<int>(i));
        if (i < kBatchRows + delay) {
          EXPECT_FALSE(seen.learned_before[i].has_value()) << i;
        } else {
          ASSERT_TRUE(seen.learned_before[i].has_value()) << i;
          EXPECT_EQ(*seen.learned_before[i], static_cast<float>(i - delay)) << i;
        }
      }
    }
  }
}

TEST(DelayedLabels, RowsThatWereLearnedEarlierAreNotPredicted) {
  const Seen seen = run(numbered_rows(3000), 10, 2000);
  for (std::size_t i = 0; i < 3000; ++i) EXPECT_EQ(seen.learned_before[i].has_value(), i >= 2010) << i;
}

TEST(DelayedLabels, AModelThatHasBegunPredictsEveryRow) {
  for (const int count : {1, 5, 1030, 3000}) {
    for (const std::uint64_t delay : {1U, 10U, 1000U, 5000U}) {
      SCOPED_TRACE(std::to_string(count) + " rows, delay " + std::to_string(delay));
      const Seen seen = run(numbered_rows(count), delay, std::nullopt);
      ASSERT_EQ(seen.rows.size(), static_cast<std::size_t>(count));
      for (std::size_t i = 0; i < seen.rows.size(); ++i) {
        EXPECT_EQ(seen.rows[i], static_cast<int>(i));
        ASSERT_TRUE(seen.learned_before[i].has_value()) << i;
        EXPECT_EQ(*seen.learned_before[i], static_cast<float>(i < delay ? 0 : i - delay)) << i;
      }
    }
  }
}

TEST(DelayedLabels, AnErrorComesAfterTheRowsBeforeIt) {
  const Seen seen = run(numbered_rows(2000) + "1 2:x\n" + numbered_rows(5), 300);
  EXPECT_EQ(seen.rows.size(), 2000U);
  EXPECT_THAT(seen.error, HasSubstr(":2001:"));
}

TEST(DelayedLabels, AreKnownForOnePass) {
  const auto source = read_memory("1 1:1\n", {});
  DelayedLabels delayed(*source, 1, 0, [](const Batch&) { return Prediction{}; });
  EXPECT_FALSE(delayed.can_rewind());
  EXPECT_THAT(error_of([&] { delayed.rewind(); }), HasSubstr("one pass"));
}

// The model is the same. Late labels cost accuracy where the stream changes.
TEST(DelayedLabels, ChangeTheJudgementAndNotTheModel) {
  const auto accuracy = [](std::uint64_t delay, std::string& bytes) {
    const auto source = open_source("gen:moving-gaussians?n=12000&drift=3000", {});
    Model model(Options{{"algo", "bpa-nn"}, {"budget", "100"}});
    std::optional<DelayedLabels> delayed;
    std::vector<Prediction> predictions;
    const auto predict = [&](const Batch& row) {
      predict_into(model, row, predictions);
      return predictions[0];
    };
    if (delay > 0) delayed.emplace(*source, delay, 0, predict);
    StreamJudge judge(model, delay, delayed ? &*delayed : nullptr);
    TrainingEvents events;
    events.learned = [&](const LearnedPart& part) { judge.add(part); };
    train(model, delayed ? static_cast<Source&>(*delayed) : *source, {}, events);
    EXPECT_EQ(judge.metrics().examples(), delay == 0 ? 12000U : 12000U - kBatchRows - delay);
    bytes = model.serialize();
    return *judge.metrics().accuracy();
  };
  std::string at_once, later, much_later;
  const double prompt = accuracy(0, at_once);
  EXPECT_GT(prompt, accuracy(200, later) + 0.02);
  EXPECT_LT(accuracy(800, much_later), prompt - 0.1);
  EXPECT_EQ(at_once, later);
  EXPECT_EQ(at_once, much_later);
}

}  // namespace
}  // namespace kinglet
