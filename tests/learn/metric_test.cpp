// The weights of features that follow sums of squared gradients.
#include "learn/metric.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kinglet/error.hpp"
#include "learn/scaler.hpp"

namespace kinglet {
namespace {

double square(float w) { return static_cast<double>(w) * static_cast<double>(w); }

constexpr double kMany = 1e12;  // gradients, against which the prior is nothing

TEST(FeatureMetric, WeighsFeaturesByTheRootOfTheirMeanSquareGradient) {
  FeatureMetric metric(3);
  const std::vector<double> squares{16, 4, 1};
  const auto ratios = metric.learn(squares, kMany);
  // √: 4, 2, 1, of mean 7/3
  EXPECT_NEAR(square(metric.weights()[0]), 12.0 / 7, 1e-6);
  EXPECT_NEAR(square(metric.weights()[1]), 6.0 / 7, 1e-6);
  EXPECT_NEAR(square(metric.weights()[2]), 3.0 / 7, 1e-6);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(ratios[k], metric.weights()[k]);
}

TEST(FeatureMetric, StaysNearOneWhileGradientsAreFew) {
  FeatureMetric metric(2);
  const std::vector<double> squares{9, 1};
  metric.learn(squares, 10);
  EXPECT_NEAR(square(metric.weights()[0]), (10 * 1.5 + 30) / 40, 1e-6);
  EXPECT_NEAR(square(metric.weights()[1]), (10 * 0.5 + 30) / 40, 1e-6);
}

// Gradients come with respect to the weighted features; those of the features themselves count.
TEST(FeatureMetric, StaysWhereTheGradientsAreThoseOfItsWeights) {
  FeatureMetric metric(2);
  metric.learn(std::vector<double>{9, 1}, kMany);
  const std::vector<float> before(metric.weights().begin(), metric.weights().end());
  // w_k² ∝ √(w_k² G_k) holds if G_k ∝ w_k².
  const auto ratios = metric.learn(std::vector<double>{square(before[0]), square(before[1])}, kMany);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_FLOAT_EQ(metric.weights()[k], before[k]);
    EXPECT_FLOAT_EQ(ratios[k], 1.0F);
  }
}

TEST(FeatureMetric, LeavesAFeatureThatNeverVariedAtOne) {
  FeatureMetric metric(3);
  metric.learn(std::vector<double>{4, 0, 1}, 50);
  EXPECT_EQ(metric.weights()[1], 1.0F);
  EXPECT_NEAR(square(metric.weights()[0]) + square(metric.weights()[2]), 2, 1e-6);
  const std::vector<float> before(metric.weights().begin(), metric.weights().end());
  for (const float ratio : metric.learn(std::vector<double>{0, 0, 0}, 0)) EXPECT_EQ(ratio, 1.0F);
  EXPECT_EQ(before, std::vector<float>(metric.weights().begin(), metric.weights().end()));
}

TEST(FeatureMetric, NeverLosesAFeature) {
  FeatureMetric metric(2);
  for (int i = 0; i < 20; ++i) {
    for (const float ratio : metric.learn(std::vector<double>{1e300, 1e-300}, 1e6)) {
      EXPECT_TRUE(std::isfinite(ratio) && ratio > 0);
    }
  }
  EXPECT_NEAR(square(metric.weights()[1]), 3e-5, 1e-6);
  for (int i = 0; i < 20; ++i) metric.learn(std::vector<double>{1, 1}, 1e6);
  EXPECT_NEAR(square(metric.weights()[1]), 1, 1e-3);  // it has come back
}

TEST(FeatureMetric, ChangesAtThreeHundredExamplesAndThenHalfAsManyMore) {
  FeatureMetric metric(1);
  std::vector<std::uint64_t> due;
  for (int i = 0; i < 5; ++i) {
    due.push_back(metric.due());
    EXPECT_EQ(metric.learn({}, 0)[0], 1.0F);  // without gradients nothing changes
  }
  EXPECT_EQ(due, (std::vector<std::uint64_t>{300, 450, 675, 1012, 1518}));
}

TEST(FeatureMetric, GoesOnAfterLoadingAndRefusesDamage) {
  FeatureMetric metric(2);
  metric.learn(std::vector<double>{9, 1}, 50);
  StateWriter out;
  metric.save(out);
  FeatureMetric loaded(0);
  StateReader in(out.bytes());
  loaded.load(in);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(loaded.due(), metric.due());
  EXPECT_TRUE(std::ranges::equal(loaded.weights(), metric.weights()));
  for (const float bad : {0.0F, -1.0F, std::numeric_limits<float>::quiet_NaN(), 1e30F}) {
    StateWriter damaged;
    damaged.put_array(std::vector<float>{1, bad});
    damaged.put<std::uint64_t>(450);
    StateReader from(damaged.bytes());
    EXPECT_THROW(loaded.load(from), Error) << bad;
  }
}

// --- as a part of the scaler -----------------------------------------------------------------------------------------

TEST(Scaler, MultipliesTheWeightsOfItsMetric) {
  for (const bool sparse : {false, true}) {
    for (const ScaleKind kind : {ScaleKind::standard, ScaleKind::minmax, ScaleKind::none}) {
      const std::vector<float> values{1, 5, 3, -2, 2, 7, -4, 1};
      const Rows dense{.count = 4, .dimension = 2, .values = values.data(), .stride = 2};
      Scaler plain(kind, sparse, 2);
      Scaler scaler(kind, sparse, 2, Scaler::Metric::learned);
      plain.begin(dense);
      scaler.begin(dense);
      const auto ratios = scaler.learn_metric(std::vector<double>{9, 1}, 50);
      RowBuffer one, other;
      const Rows want = plain.transform(dense, one), got = scaler.transform(dense, other);
      for (std::size_t i = 0; i < 4; ++i) {
        std::vector<float> back(2);
        for (std::uint32_t k = 0; k < 2; ++k) {
          EXPECT_FLOAT_EQ(got[i].values[k], want[i].values[k] * ratios[k]);
          back[k] = got[i].values[k];
        }
        scaler.restore(back);
        for (std::uint32_t k = 0; k < 2; ++k) EXPECT_NEAR(back[k], values[2 * i + k], 1e-5F);
      }
      scaler.hold();  // computes the transform afresh
      const Rows again = scaler.transform(dense, one);
      for (std::uint32_t k = 0; k < 2; ++k) EXPECT_NEAR(again[0].values[k], got[0].values[k], 1e-6F);
    }
  }
}

TEST(Scaler, GivesNewFeaturesTheWeightOne) {
  Scaler scaler(ScaleKind::none, false, 1, Scaler::Metric::learned);
  const std::vector<float> values{1, 2};
  scaler.begin({.count = 2, .dimension = 1, .values = values.data(), .stride = 1});
  scaler.grow(2);
  EXPECT_EQ(scaler.metric()->weights()[1], 1.0F);
  EXPECT_EQ(scaler.factor()[1], 1.0F);
  scaler.shrink(1);
  EXPECT_EQ(scaler.metric()->weights().size(), 1U);
}

}  // namespace
}  // namespace kinglet
