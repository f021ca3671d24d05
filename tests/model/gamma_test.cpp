// gamma = auto: a comparison with the median over all pairs, and data without a useful median.
#include "model/gamma.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "learn/rows_of.hpp"

namespace kinglet {
namespace {

double gamma_of(KernelKind kind, const Table& table, bool sparse = false, std::uint64_t seed = 1) {
  const TableRows rows(table);
  Scaler scaler(ScaleKind::none, sparse, rows.dense().dimension);
  scaler.begin(rows.in_form(sparse));
  return auto_gamma(kind, rows.in_form(sparse), scaler, seed);
}

double median_over_all_pairs(const Table& table, bool squared) {
  std::vector<double> distances;
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double sum = 0;
      for (std::size_t f = 0; f < table[i].size(); ++f) {
        const double d = static_cast<double>(table[i][f]) - static_cast<double>(table[j][f]);
        sum += squared ? d * d : std::abs(d);
      }
      distances.push_back(sum);
    }
  }
  std::sort(distances.begin(), distances.end());
  return distances[distances.size() / 2];
}

TEST(Gamma, IsOneOverTheMedianDistance) {
  Random random(1);
  for (const bool sparse : {false, true}) {
    const Table small = random_table(random, 40, 5, 0.4);  // few rows, so auto_gamma uses all pairs
    EXPECT_DOUBLE_EQ(gamma_of(KernelKind::rbf, small, sparse), 1 / median_over_all_pairs(small, true));
    EXPECT_DOUBLE_EQ(gamma_of(KernelKind::laplacian, small, sparse), 1 / median_over_all_pairs(small, false));
    const Table large = random_table(random, 700, 5, 0.4);
    EXPECT_NEAR(gamma_of(KernelKind::rbf, large, sparse) * median_over_all_pairs(large, true), 1, 0.1);
    EXPECT_NEAR(gamma_of(KernelKind::laplacian, large, sparse) * median_over_all_pairs(large, false), 1, 0.1);
  }
}

TEST(Gamma, IsTheSameForTheSameSeedAndForm) {
  Random random(2);
  const Table table = random_table(random, 500, 3, 0.3);
  EXPECT_EQ(gamma_of(KernelKind::rbf, table, false, 7), gamma_of(KernelKind::rbf, table, false, 7));
  EXPECT_NEAR(gamma_of(KernelKind::rbf, table, true, 7), gamma_of(KernelKind::rbf, table, false, 7), 1e-12);
  EXPECT_NE(gamma_of(KernelKind::rbf, table, false, 7), gamma_of(KernelKind::rbf, table, false, 8));
}

TEST(Gamma, IsOneOverTheDimensionForKernelsOfTheInnerProduct) {
  const Table table(3, std::vector<float>(8, 1));
  EXPECT_EQ(gamma_of(KernelKind::poly, table), 1.0 / 8);
  EXPECT_EQ(gamma_of(KernelKind::hpoly, table), 1.0 / 8);
  EXPECT_EQ(gamma_of(KernelKind::sigmoid, table), 1.0 / 8);
}

TEST(Gamma, FallsBackToTheMeanAndThenToOne) {
  Table mostly_equal(10, {1, 1});
  mostly_equal[0] = {3, 1};  // 9 of 45 pairs have the squared distance 4: median 0, mean 0.8
  EXPECT_DOUBLE_EQ(gamma_of(KernelKind::rbf, mostly_equal), 1 / 0.8);
  EXPECT_EQ(gamma_of(KernelKind::rbf, Table(10, {1, 1})), 1);
  EXPECT_EQ(gamma_of(KernelKind::rbf, Table(1, {1, 1})), 1);
}

TEST(Gamma, IsFiniteForHugeAndTinyDistances) {
  EXPECT_GT(gamma_of(KernelKind::rbf, {{1e12F}, {-1e12F}}), 0);
  EXPECT_TRUE(std::isfinite(gamma_of(KernelKind::rbf, {{0}, {1e-38F}})));
}

}  // namespace
}  // namespace kinglet
