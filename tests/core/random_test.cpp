// Random: known sequences, moments of the distributions, saving and restoring.
#include "core/random.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <cmath>
#include <vector>

namespace kinglet {
namespace {

// The expected numbers in this and the next test come from the authors' C programs.
TEST(Random, SplitmixGivesTheKnownAnswers) {
  std::uint64_t x = 1234567;
  EXPECT_EQ(splitmix64(x), 6457827717110365317u);
  EXPECT_EQ(splitmix64(x), 3203168211198807973u);
  EXPECT_EQ(splitmix64(x), 9817491932198370423u);
  EXPECT_EQ(splitmix64(x), 4593380528125082431u);
  EXPECT_EQ(splitmix64(x), 16408922859458223821u);
}

TEST(Random, XoshiroGivesTheKnownAnswers) {
  Random random;
  random.set_state({.words = {1, 2, 3, 4}});
  for (const std::uint64_t expected : std::initializer_list<std::uint64_t>{
           11520u, 0u, 1509978240u, 1215971899390074240u, 1216172134540287360u, 607988272756665600u,
           16172922978634559625u, 8476171486693032832u, 10595114339597558777u, 2904607092377533576u}) {
    EXPECT_EQ(random.next(), expected);
  }
}

TEST(Random, TheSameSeedGivesTheSameNumbersAndAnotherSeedOthers) {
  Random a(7), b(7), c(8);
  int same = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto x = a.next();
    EXPECT_EQ(x, b.next());
    same += x == c.next();
  }
  EXPECT_EQ(same, 0);
}

TEST(Random, UniformIsInTheUnitIntervalWithTheRightMoments) {
  Random random(3);
  constexpr int kDraws = 400000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 5 * std::sqrt(1.0 / 12 / kDraws));
  EXPECT_NEAR(squares / kDraws, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / kDraws));
}

TEST(Random, NormalHasTheRightMomentsAndTails) {
  Random random(4);
  constexpr int kDraws = 400000;
  std::array<double, 5> moments{};
  int beyond_two = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double z = random.normal();
    double power = 1;
    for (auto& moment : moments) moment += (power *= z) / kDraws;
    beyond_two += std::abs(z) > 2;
  }
  EXPECT_NEAR(moments[0], 0, 5 * std::sqrt(1.0 / kDraws));
  EXPECT_NEAR(moments[1], 1, 5 * std::sqrt(2.0 / kDraws));
  EXPECT_NEAR(moments[2], 0, 5 * std::sqrt(15.0 / kDraws));
  EXPECT_NEAR(moments[3], 3, 5 * std::sqrt(96.0 / kDraws));
  const double tail = 0.0455003;
  EXPECT_NEAR(static_cast<double>(beyond_two) / kDraws, tail, 5 * std::sqrt(tail / kDraws));
}

TEST(Random, BelowGivesEveryValueEquallyOften) {
  Random random(5);
  constexpr int kDraws = 210000;
  std::array<int, 7> counts{};
  for (int i = 0; i < kDraws; ++i) ++counts[random.below(counts.size())];
  double chi_squared = 0;
  for (const int count : counts) chi_squared += (count - 30000.0) * (count - 30000.0) / 30000.0;
  EXPECT_LT(chi_squared, 29.0);  // 6 degrees of freedom: exceeded once in 16000 seeds
}

TEST(Random, BelowStaysBelowAlsoForHugeBounds) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed, std::uint64_t bound) {
    Random random(seed);
    const std::uint64_t n = bound | 1;
    for (int i = 0; i < 20; ++i) RC_ASSERT(random.below(n) < n);
    RC_ASSERT(random.below(1) == 0u);
  }));
}

// For n = 3 · 2^62, multiplying a random 64-bit number by n / 2^64 without rejection would give multiples of 3 twice
// the probability of other numbers.
TEST(Random, BelowIsUnbiasedWhereTheBoundIsLarge) {
  Random random(6);
  const std::uint64_t n = std::uint64_t{3} << 62;
  constexpr int kDraws = 120000;
  std::array<int, 3> counts{};
  for (int i = 0; i < kDraws; ++i) ++counts[random.below(n) % 3];
  for (const int count : counts) EXPECT_NEAR(count, kDraws / 3, 5 * std::sqrt(kDraws * 2.0 / 9));
}

TEST(Random, CoinFallsWithItsProbability) {
  Random random(8);
  int heads = 0;
  for (int i = 0; i < 100000; ++i) heads += random.coin(0.3);
  EXPECT_NEAR(heads, 30000, 5 * std::sqrt(100000 * 0.21));
  EXPECT_FALSE(random.coin(0));
  EXPECT_TRUE(random.coin(1));
}

TEST(Random, ARestoredStateGoesOnExactlyAlsoInTheMiddleOfAPairOfNormals) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed, std::uint8_t before) {
    Random random(seed);
    for (int i = 0; i < before; ++i) random.normal();
    Random other(seed + 1);
    other.set_state(random.state());
    for (int i = 0; i < 10; ++i) {
      RC_ASSERT(random.normal() == other.normal());
      RC_ASSERT(random.next() == other.next());
    }
    RC_ASSERT(random.state() == other.state());
  }));
}

}  // namespace
}  // namespace kinglet
