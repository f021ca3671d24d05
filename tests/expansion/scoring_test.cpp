#include "expansion/scoring.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "expansion/expansion_twins.hpp"

namespace kinglet {
namespace {

TEST(Scoring, GivesTheSumOfEveryRowAndOutput) {
  for (const Storage storage : kStorages) {
    for (const std::size_t outputs : {1, 3}) {
      for (const std::size_t rows : {1, 63, 64, 65, 200}) {
        Random random(rows);
        Expansion f(kGaussian, {.dimension = 3, .classes = 2, .storage = storage}, outputs, 8);
        PlainExpansion plain;
        for (int i = 0; i < 37; ++i) {
          const auto x = random_vector(random, 3);
          std::vector<double> weights(outputs);
          for (double& weight : weights) weight = random.normal();
          const AlignedFloats row(64);  // not used: the expansion has no observers
          f.append({Features::dense(x), row.data(), 1, weights});
          plain.terms.push_back({{x.begin(), x.end()}, weights});
        }
        const Vectors points = random_vectors(random, rows, 3);
        const RowBlock block(points);
        std::vector<float> out(rows * outputs);
        std::size_t finished = 0;
        score_rows(f.set(), f.stored_outputs(), 0, block.rows(), out,
                   [&](std::size_t first, std::size_t count, const float* kernel_rows, std::size_t stride) {
                     ASSERT_EQ(first, finished);
                     finished += count;
                     for (std::size_t q = 0; q < count; ++q) {
                       const std::vector<double> x(points[first + q].begin(), points[first + q].end());
                       ASSERT_NEAR(static_cast<double>(kernel_rows[q * stride + 5]), plain.kernel(plain.terms[5].x, x),
                                   1e-5);
                     }
                   });
        ASSERT_EQ(finished, rows);
        for (std::size_t i = 0; i < rows; ++i) {
          for (std::size_t c = 0; c < outputs; ++c) {
            double length = 0;
            const double want = plain.evaluate({points[i].begin(), points[i].end()}, c, length);
            ASSERT_NEAR(static_cast<double>(out[i * outputs + c]), want, 1e-5 * (1 + length));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace kinglet
