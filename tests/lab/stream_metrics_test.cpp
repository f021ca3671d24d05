// Measures of predictions along a stream, against their definitions computed plainly.
#include "lab/stream_metrics.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace kinglet {
namespace {

struct Pair {
  ClassId truth;
  ClassId predicted;
};

std::vector<Pair> random_stream(std::size_t most) {
  const auto truths = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 4));
  std::vector<Pair> stream;
  for (std::size_t i = 0; i < std::min(truths.size(), most); ++i) {
    const int predicted = *rc::gen::inRange(-1, 4);
    stream.push_back({static_cast<ClassId>(truths[i]), predicted < 0 ? kNoClass : static_cast<ClassId>(predicted)});
  }
  return stream;
}

double share(const std::vector<bool>& hits, std::size_t first = 0) {
  return static_cast<double>(std::count(hits.begin() + static_cast<std::ptrdiff_t>(first), hits.end(), true)) /
         static_cast<double>(hits.size() - first);
}

// The most frequent of the first `count` labels; of several, the one that was it first.
ClassId most_frequent(const std::vector<Pair>& stream, std::size_t count) {
  std::map<ClassId, int> counts;
  ClassId best = kNoClass;
  for (std::size_t i = 0; i < count; ++i) {
    const int now = ++counts[stream[i].truth];
    if (best == kNoClass || now > counts[best]) best = stream[i].truth;
  }
  return best;
}

RC_GTEST_PROP(StreamMetrics, AreTheirDefinitions, ()) {
  const std::vector<Pair> stream = random_stream(200);
  const auto delay = static_cast<std::size_t>(*rc::gen::inRange(0, 8));
  StreamMetrics metrics(delay);
  for (const Pair& pair : stream) metrics.add(pair.truth, pair.predicted);
  RC_ASSERT(metrics.examples() == stream.size());
  RC_ASSERT(metrics.accuracy().has_value() == !stream.empty());
  if (stream.empty()) return;
  std::vector<bool> hits, majority, repetition;
  double by_chance = 0;
  double fading = 0, weights = 0;
  for (std::size_t i = 0; i < stream.size(); ++i) {
    const std::size_t known = i > delay ? i - delay : 0;
    hits.push_back(stream[i].truth == stream[i].predicted);
    majority.push_back(known > 0 && most_frequent(stream, known) == stream[i].truth);
    repetition.push_back(known > 0 && stream[known - 1].truth == stream[i].truth);
    const double weight = std::pow(StreamMetrics::kFading, static_cast<double>(stream.size() - 1 - i));
    fading += hits[i] ? weight : 0;
    weights += weight;
  }
  const auto n = static_cast<double>(stream.size());
  for (ClassId c = 0; c < 4; ++c) {
    const auto truths = std::ranges::count(stream, c, &Pair::truth);
    const auto predictions = std::ranges::count(stream, c, &Pair::predicted);
    by_chance += static_cast<double>(truths) * static_cast<double>(predictions) / (n * n);
  }
  const auto near = [](std::optional<double> got, double wanted) { return got && std::abs(*got - wanted) < 1e-9; };
  const auto is_kappa = [&](std::optional<double> got, double with) {
    return with >= 1 ? !got : near(got, (share(hits) - with) / (1 - with));
  };
  RC_ASSERT(near(metrics.accuracy(), share(hits)));
  RC_ASSERT(near(metrics.fading_accuracy(), fading / weights));
  RC_ASSERT(near(metrics.majority_accuracy(), share(majority)));
  RC_ASSERT(near(metrics.repetition_accuracy(), share(repetition)));
  RC_ASSERT(is_kappa(metrics.kappa(), by_chance));
  RC_ASSERT(is_kappa(metrics.kappa_m(), share(majority)));
  RC_ASSERT(is_kappa(metrics.kappa_t(), share(repetition)));
}

TEST(StreamMetrics, TheRecentOnesAreTheLastThousand) {
  StreamMetrics metrics;
  std::vector<bool> hits;
  for (int i = 0; i < 3500; ++i) {
    const bool hit = i % 7 < 3 || i > 3000;
    hits.push_back(hit);
    metrics.add(0, hit ? 0 : 1);
    const std::size_t first = hits.size() > StreamMetrics::kRecent ? hits.size() - StreamMetrics::kRecent : 0;
    ASSERT_DOUBLE_EQ(*metrics.recent_accuracy(), share(hits, first)) << i;
  }
}

TEST(StreamMetrics, ClassesHaveRecallAndPrecision) {
  StreamMetrics metrics;
  for (const Pair& pair : {Pair{0, 0}, Pair{0, 2}, Pair{2, 2}, Pair{2, 2}, Pair{0, kNoClass}}) {
    metrics.add(pair.truth, pair.predicted);
  }
  ASSERT_EQ(metrics.classes().size(), 3U);
  EXPECT_DOUBLE_EQ(*metrics.classes()[0].recall(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(*metrics.classes()[0].precision(), 1);
  EXPECT_DOUBLE_EQ(*metrics.classes()[2].recall(), 1);
  EXPECT_DOUBLE_EQ(*metrics.classes()[2].precision(), 2.0 / 3);
  EXPECT_FALSE(metrics.classes()[1].recall().has_value());
  EXPECT_FALSE(metrics.classes()[1].precision().has_value());
}

}  // namespace
}  // namespace kinglet
