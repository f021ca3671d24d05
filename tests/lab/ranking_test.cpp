// Ranking: comparison with the definition, pair by pair.
#include "lab/ranking.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/random.hpp"

namespace kinglet {
namespace {

struct Rows {
  std::size_t width = 1;
  std::vector<float> scores;
  std::vector<ClassId> truth;

  std::span<const float> row(std::size_t i) const { return std::span(scores).subspan(i * width, width); }
};

// Scores on a coarse grid, so that many are equal.
Rows random_rows(std::size_t rows, std::size_t classes, std::uint64_t seed) {
  Random random(seed);
  Rows out{.width = classes == 2 ? 1 : classes};
  for (std::size_t i = 0; i < rows; ++i) {
    const auto truth = static_cast<ClassId>(random.below(classes));
    out.truth.push_back(truth);
    for (std::size_t c = 0; c < out.width; ++c) {
      const bool own = classes == 2 ? truth == 1 : truth == c;
      out.scores.push_back(static_cast<float>(std::round(3 * random.normal() + (own ? 2 : 0))) / 4);
    }
  }
  return out;
}

double pairwise_auc(const Rows& rows, ClassId positive, std::size_t output) {
  double wins = 0, pairs = 0;
  for (std::size_t i = 0; i < rows.truth.size(); ++i) {
    for (std::size_t j = 0; j < rows.truth.size(); ++j) {
      if (rows.truth[i] != positive || rows.truth[j] == positive) continue;
      const float a = rows.row(i)[output], b = rows.row(j)[output];
      wins += a > b ? 1 : a == b ? 0.5 : 0;
      ++pairs;
    }
  }
  return wins / pairs;
}

double auc_of(const Rows& rows, std::size_t classes, std::size_t most = Ranking::kMostScores) {
  Ranking ranking(classes, most);
  for (std::size_t i = 0; i < rows.truth.size(); ++i) ranking.add(rows.row(i), rows.truth[i]);
  return ranking.auc();
}

TEST(Ranking, OfTwoClassesIsTheShareOfPairsInOrder) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Rows rows = random_rows(150, 2, seed);
    EXPECT_NEAR(auc_of(rows, 2), pairwise_auc(rows, 1, 0), 1e-12);
  }
}

TEST(Ranking, OfMoreClassesIsTheMeanOfOneAgainstTheRest) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Rows rows = random_rows(200, 4, seed);
    double mean = 0;
    for (ClassId c = 0; c < 4; ++c) mean += pairwise_auc(rows, c, c) / 4;
    EXPECT_NEAR(auc_of(rows, 4), mean, 1e-12);
  }
}

TEST(Ranking, LeavesOutClassesThatDoNotOccur) {
  Rows rows = random_rows(200, 4, 1);
  for (ClassId& c : rows.truth) c = c == 3 ? 0 : c;
  double mean = 0;
  for (ClassId c = 0; c < 3; ++c) mean += pairwise_auc(rows, c, c) / 3;
  EXPECT_NEAR(auc_of(rows, 4), mean, 1e-12);
}

TEST(Ranking, IsUnknownWithOneClassOrNone) {
  EXPECT_TRUE(std::isnan(Ranking(2).auc()));
  EXPECT_TRUE(std::isnan(Ranking(3).auc()));
  EXPECT_TRUE(std::isnan(auc_of({.scores = {1, 2, 3}, .truth = {1, 1, 1}}, 2)));
  EXPECT_TRUE(std::isnan(auc_of({.width = 3, .scores = {1, 2, 3}, .truth = {1}}, 3)));
}

TEST(Ranking, IsUnknownIfAScoreIsNoNumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(auc_of({.scores = {1, nan, 3}, .truth = {1, 0, 1}}, 2)));
}

TEST(Ranking, IsExactOrNothing) {
  const Rows rows = random_rows(100, 2, 1);
  Ranking enough(2, 100), few(2, 99);
  for (std::size_t i = 0; i < 100; ++i) {
    enough.add(rows.row(i), rows.truth[i]);
    few.add(rows.row(i), rows.truth[i]);
  }
  EXPECT_FALSE(enough.is_dropped());
  EXPECT_NEAR(enough.auc(), pairwise_auc(rows, 1, 0), 1e-12);
  EXPECT_TRUE(few.is_dropped());
  EXPECT_TRUE(std::isnan(few.auc()));
}

}  // namespace
}  // namespace kinglet
