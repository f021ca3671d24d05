#include "budget/choices.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "plain_model.hpp"
#include "random_vectors.hpp"

namespace kinglet {
namespace {

TEST(BudgetChoices, TiesGoToTheOldest) {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    Expansion f(gaussian(0.3), {.dimension = 1, .classes = 2}, 1, 8);
    AlignedFloats row(1024, 0.0F);
    const std::size_t n = 1 + random.below(60);
    for (std::size_t i = 0; i < n + 10; ++i) {
      const std::vector<float> x{static_cast<float>(i)};
      const std::vector<double> weight{random.coin(0.5) ? 2.0 : random.coin(0.5) ? -2.0 : 3.0};
      f.append({Features::dense(x), row.data(), 1, weight});
    }
    for (int i = 0; i < 10; ++i) f.remove(random.below(f.size()));  // slots out of order
    std::size_t best = 0;
    for (std::size_t j = 1; j < f.size(); ++j) {
      const double here = std::abs(f.coefficient(j, 0)), there = std::abs(f.coefficient(best, 0));
      if (here < there || (here == there && f.births()[j] < f.births()[best])) best = j;
    }
    EXPECT_EQ(smallest_of(f), best);
    std::size_t oldest = 0;
    for (std::size_t j = 1; j < f.size(); ++j) {
      if (f.births()[j] < f.births()[oldest]) oldest = j;
    }
    EXPECT_EQ(oldest_of(f), oldest);
  }
}

}  // namespace
}  // namespace kinglet
