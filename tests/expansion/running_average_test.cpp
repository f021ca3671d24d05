#include "expansion/running_average.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "budget/project_terms.hpp"
#include "plain_model.hpp"
#include "random_vectors.hpp"

namespace kinglet {
namespace {

// Compares the average with the values of f at a few points, summed over all rounds in double precision.
TEST(RunningAverage, IsThatOfAllRoundsHoweverFShrinks) {
  for (const std::size_t outputs : {1, 3}) {
    for (const double shrink : {1.0, 0.9999, 0.99, 0.5}) {
      Random random(7);
      Expansion f(gaussian(0.3), {.dimension = 2, .classes = 2}, outputs, 400);
      RunningAverage mean(f);
      const auto points = random_vectors(random, 6, 2);
      const std::size_t stride = 512;
      AlignedFloats rows(points.size() * stride);
      std::vector<double> sums(points.size() * outputs);
      std::vector<float> now(sums.size()), average(sums.size());
      double largest = 0;
      constexpr int kRounds = 3000;
      for (int t = 1; t <= kRounds; ++t) {
        f.set().kernel_rows(RowBlock(points).rows(), rows.data(), stride);
        evaluate_unscaled(f, rows.data(), stride, points.size(), now.data());
        for (std::size_t i = 0; i < sums.size(); ++i) {
          sums[i] += f.scale() * static_cast<double>(now[i]);
          largest = std::max(largest, std::abs(sums[i]));
        }
        mean.begin_round();
        if (shrink != 1) f.shrink(shrink);
        if (random.coin(0.1)) {
          const auto x = random_vector(random, 2);
          AlignedFloats row(stride);
          f.set().kernel_rows(RowBlock({x}).rows(), row.data(), stride);
          std::vector<double> weights(outputs);
          for (double& weight : weights) weight = random.normal();
          f.append({Features::dense(x), row.data(), 1, weights});
        }
        if (t % 500 != 0) continue;
        f.set().kernel_rows(RowBlock(points).rows(), rows.data(), stride);
        evaluate_unscaled(f, rows.data(), stride, points.size(), average.data());
        mean.finish(rows.data(), stride, points.size(), average.data());
        for (std::size_t i = 0; i < sums.size(); ++i) {
          ASSERT_NEAR(static_cast<double>(average[i]), sums[i] / t, 1e-5 * largest / t + 1e-6)
              << outputs << ' ' << shrink << ' ' << t;
        }
      }
    }
  }
}

// Compares the coefficients of the average with sums over all rounds, while terms are added and projected, after new
// classes appear, and after loading.
TEST(RunningAverage, KnowsTheMeanOfEveryCoefficient) {
  Random random(17);
  const Shape shape{.dimension = 2, .classes = 2};
  Expansion f(gaussian(0.3), shape, 1, 4);  // less capacity than needed, so that it must grow
  RunningAverage mean(f);
  std::size_t outputs = 1;
  std::vector<std::vector<double>> sums;  // of each slot, by output
  constexpr int kRounds = 400;
  for (int t = 1; t <= kRounds; ++t) {
    for (std::size_t j = 0; j < f.size(); ++j) {
      for (std::size_t c = 0; c < outputs; ++c) sums[j][c] += f.coefficient(j, c);
    }
    mean.begin_round();
    f.shrink(0.99);
    if (t == 100) {
      outputs = 3;
      f.grow({.dimension = 2, .classes = 3}, outputs);
      for (auto& row : sums) row = {-row[0] / 2, row[0] / 2, 0};
    }
    const auto x = random_vector(random, 2);
    AlignedFloats row(f.set().padded_size() + 16);
    f.set().kernel_row(Features::dense(x), row.data());
    std::vector<double> weights(outputs);
    for (double& weight : weights) weight = random.normal();
    const Term term{Features::dense(x), row.data(), 1, weights};
    if (t % 7 == 0) {
      f.append(term);
      sums.emplace_back(outputs, 0.0);
    } else if (t % 3 == 0 && f.size() > 0) {
      std::vector<double> shares(f.size());
      for (double& share : shares) share = random.normal() / 4;
      absorb(f, term, shares, 0.5, 0.8);
    }
    for (std::size_t j = 0; j < f.size(); ++j) {
      for (std::size_t c = 0; c < outputs; ++c) ASSERT_NEAR(mean.coefficient(j, c), sums[j][c] / t, 1e-4) << t;
    }
  }
  StateWriter out;
  f.save(out);
  mean.save(out);
  Expansion copy(gaussian(0.3), {.dimension = 2, .classes = 3}, outputs, 4);
  RunningAverage same(copy);
  StateReader in(out.bytes());
  copy.load(in);
  same.load(in);
  EXPECT_TRUE(in.at_end());
  for (std::size_t j = 0; j < f.size(); ++j) {
    for (std::size_t c = 0; c < outputs; ++c) EXPECT_EQ(same.coefficient(j, c), mean.coefficient(j, c));
  }
}

TEST(RunningAverage, AllocatesWhatItSays) {
  for (const std::size_t capacity : {1, 16, 17, 100}) {
    Expansion f(gaussian(0.3), {.dimension = 3, .classes = 5}, 5, capacity);
    const RunningAverage mean(f);
    EXPECT_EQ(mean.memory_bytes(), RunningAverage::bytes(5, capacity));
  }
}

}  // namespace
}  // namespace kinglet
