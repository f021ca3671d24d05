// The statistics of a span against the plain formulas in double precision: prior, observations, centres that come and
// leave, and numerical health where the kernel matrix is nearly singular.
#include "span/span_statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "span/span_test.hpp"

namespace kinglet {
namespace {

constexpr double kNoise = 10;

// Statistics with their reference, over the same centres.
struct Pair {
  Kernel kernel;
  std::unique_ptr<SupportSet> set;
  SpanStatistics fast;
  ReferenceSpan plain;

  Pair(const Kernel& of, std::size_t dimension, std::size_t capacity, std::size_t outputs)
      : kernel(of),
        set(make_support_set(of, {.dimension = static_cast<std::uint32_t>(dimension), .classes = 2}, capacity)),
        fast(capacity, outputs, SpanPrior{}),
        plain(of, SpanSettings{}, outputs) {}
  AlignedFloats row(const std::vector<float>& x) const {
    AlignedFloats k(round_up(std::max<std::size_t>(set->size(), 1), 16));
    set->kernel_rows(RowBlock({x}).rows(), k.data(), k.size());
    return k;
  }
  void add_prior_centre(const std::vector<float>& z) {
    fast.add_prior_centre(row(z).data(), kernel(Features::dense(z), Features::dense(z)));
    set->append(Features::dense(z));
    plain.add_centre(z);
  }
  void add_centre(const std::vector<float>& z) {
    const auto k = plain.kernel_row(z);
    const auto a = plain.solve(k);
    const AlignedFloats shares(a.begin(), a.end());
    double distance = kernel(Features::dense(z), Features::dense(z)) + plain.ridge(z);
    for (std::size_t i = 0; i < a.size(); ++i) distance -= k[i] * a[i];
    fast.add_centre(shares.data(), distance);
    set->append(Features::dense(z));
    plain.add_centre(z);
  }
  // Recursive least squares on both.
  void learn(const std::vector<float>& x, double y) {
    const AlignedFloats k = row(x);
    const std::size_t only = 0;
    fast.prepare({k.data(), 0, &only, 1});
    if (!fast.find_direction(0)) {
      fast.fold();
      fast.prepare({k.data(), 0, &only, 1});
      ASSERT_TRUE(fast.find_direction(0));
    }
    float score = 0;
    simd::dot_outputs(k.data(), 0, 1, fast.coefficients(), fast.padded_size(), &score);
    fast.step(0, (y - static_cast<double>(score)) / (fast.variance() + kNoise));
    fast.observe(kNoise);
    plain.learn_number(x, y, 1);
  }
  double variance(const std::vector<float>& x) const {
    const AlignedFloats k = row(x);
    const std::size_t only = 0;
    double v = 0;
    fast.variances({k.data(), 0, &only, 1}, {&v, 1});
    return v;
  }
  double value(const std::vector<float>& x) const {
    float score = 0;
    simd::dot_outputs(row(x).data(), 0, 1, fast.coefficients(), fast.padded_size(), &score);
    return static_cast<double>(score);
  }
  void expect_same(const Vectors& points, double tolerance) const {
    for (const auto& x : points) {
      ASSERT_NEAR(variance(x), plain.variance(x), tolerance * (plain.variance(x) + kNoise));
      ASSERT_NEAR(value(x), plain.scores(x)[0], tolerance * 5);
    }
  }
};

const Kernel kGaussian{.kind = KernelKind::rbf, .gamma = 0.2};

TEST(SpanStatistics, StartFromThePrior) {
  Random random(1);
  Pair pair(kGaussian, 3, 40, 1);
  for (const auto& z : random_vectors(random, 40, 3)) pair.add_prior_centre(z);
  const Vectors points = random_vectors(random, 50, 3);
  pair.expect_same(points, 1e-3);
  // The variance of the prior is at most k(x, x)/λ.
  for (const auto& x : points) EXPECT_LE(pair.variance(x), 1000 * 1.001);
}

TEST(SpanStatistics, FollowThePlainFormulas) {
  Random random(2);
  struct Size {
    std::size_t centres, capacity;  // the capacity decides how many observations may be pending
  };
  for (const auto& [centres, capacity] : {Size{1, 1}, Size{5, 5}, Size{33, 33}, Size{33, 1000}, Size{33, 3000}}) {
    Pair pair(kGaussian, 4, capacity, 1);
    for (const auto& z : random_vectors(random, centres, 4)) pair.add_prior_centre(z);
    const Vectors points = random_vectors(random, 20, 4);
    for (std::size_t t = 0; t < 300; ++t) {
      const auto x = random_vector(random, 4);
      pair.learn(x, std::sin(static_cast<double>(x[0])));
      if (t % 37 == 0) pair.expect_same(points, 2e-3);
    }
    pair.expect_same(points, 2e-3);
    EXPECT_EQ(pair.fast.repairs(), 0u);
  }
}

TEST(SpanStatistics, TakeNewCentresAtAnyTime) {
  Random random(3);
  Pair pair(kGaussian, 3, 20, 1);
  const Vectors points = random_vectors(random, 20, 3);
  for (std::size_t t = 0; t < 400; ++t) {
    const auto x = random_vector(random, 3);
    if (t % 20 == 0) {
      const double before = t == 0 ? 0 : pair.value(points[0]);
      pair.add_centre(x);
      if (t > 0) {
        EXPECT_EQ(pair.value(points[0]), before);  // its coefficient is 0
      }
    }
    pair.learn(x, static_cast<double>(x[0] * x[1]));
    if (t % 50 == 49) pair.expect_same(points, 3e-3);
  }
}

TEST(SpanStatistics, ProjectCentresThatLeaveOnTheRest) {
  Random random(4);
  Pair pair(kGaussian, 3, 25, 1);
  for (const auto& z : random_vectors(random, 25, 3)) pair.add_prior_centre(z);
  for (std::size_t t = 0; t < 200; ++t) {
    const auto x = random_vector(random, 3);
    pair.learn(x, std::cos(static_cast<double>(x[0])));
  }
  std::vector<double> kernel;
  for (const auto& z : pair.plain.centres) {
    const auto row = pair.plain.kernel_row(z);
    kernel.insert(kernel.end(), row.begin(), row.end());
  }
  const auto kept = pair.fast.keep_most(10, kernel);
  ASSERT_EQ(kept.size(), 10u);
  ASSERT_EQ(pair.fast.size(), 10u);
  for (std::size_t z = 25; z-- > 0;) {  // the order in which they leave does not matter
    if (std::ranges::find(kept, z) == kept.end()) pair.plain.remove_centre(z);
  }
  const std::vector<double> s = pair.fast.covariance();
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_NEAR(pair.fast.coefficient(i, 0), pair.plain.w[0][i], 2e-2 * (1 + std::abs(pair.plain.w[0][i])));
    for (std::size_t j = 0; j < 10; ++j) {
      EXPECT_NEAR(s[i * 10 + j], pair.plain.s[i][j], 1e-2 * std::sqrt(pair.plain.s[i][i] * pair.plain.s[j][j]));
    }
  }
}

class Saved : public testing::TestWithParam<std::size_t> {};

TEST_P(Saved, CarryOnBitForBitAfterLoading) {
  const std::size_t capacity = GetParam();
  Random random(5);
  Pair pair(kGaussian, 3, capacity, 1);
  for (const auto& z : random_vectors(random, 30, 3)) pair.add_prior_centre(z);
  for (std::size_t t = 0; t < 87; ++t) pair.learn(random_vector(random, 3), 1);
  StateWriter saved;
  pair.fast.save(saved);
  SpanStatistics other(capacity, 1, SpanPrior{});
  StateReader in(saved.bytes());
  other.load(in);
  EXPECT_TRUE(in.at_end());
  std::swap(other, pair.fast);
  Random again = random;
  for (std::size_t t = 0; t < 30; ++t) pair.learn(random_vector(random, 3), -1);
  StateWriter resumed;
  pair.fast.save(resumed);
  std::swap(other, pair.fast);
  for (std::size_t t = 0; t < 30; ++t) pair.learn(random_vector(again, 3), -1);
  StateWriter whole;
  pair.fast.save(whole);
  EXPECT_TRUE(resumed.bytes() == whole.bytes());
}
INSTANTIATE_TEST_SUITE_P(SpanStatistics, Saved, testing::Values(30, 1000, 3000));

// A row may be prepared alone, beside others, or as the extra one.
TEST(SpanStatistics, DoNotDependOnWhatIsPreparedTogether) {
  Random random(8);
  const std::size_t n = 40, rows = 20, stride = 48;
  Pair pair(kGaussian, 3, n, 1);
  for (const auto& z : random_vectors(random, n, 3)) pair.add_prior_centre(z);
  for (std::size_t t = 0; t < 7; ++t) pair.learn(random_vector(random, 3), 1);
  AlignedFloats k(rows * stride);
  std::vector<std::size_t> order;
  for (std::size_t q = 0; q < pair.fast.room(); ++q) {
    const AlignedFloats row = pair.row(random_vector(random, 3));
    std::copy(row.begin(), row.end(), &k[q * stride]);
    order.push_back(q);
  }
  SpanStatistics alone = pair.fast, extra = pair.fast;
  pair.fast.prepare({k.data(), stride, order.data(), order.size()});
  extra.prepare({k.data(), stride, order.data(), order.size()});
  for (const std::size_t q : order) {
    ASSERT_TRUE(pair.fast.find_direction(q));
    alone.prepare({k.data(), stride, &q, 1});
    ASSERT_TRUE(alone.find_direction(0));
    ASSERT_TRUE(extra.find_direction(extra.prepare_extra(&k[q * stride])));
    ASSERT_EQ(pair.fast.variance(), alone.variance());
    ASSERT_EQ(pair.fast.variance(), extra.variance());
    for (std::size_t j = 0; j < n; ++j) {
      ASSERT_EQ(pair.fast.direction()[j], alone.direction()[j]);
      ASSERT_EQ(pair.fast.direction()[j], extra.direction()[j]);
    }
    if (q % 3 == 0) continue;  // such a row is not learned
    for (SpanStatistics* each : {&pair.fast, &alone, &extra}) each->observe(kNoise);
  }
}

TEST(SpanStatistics, RefuseDamagedStates) {
  SpanStatistics statistics(4, 1, SpanPrior{});
  const AlignedFloats k(16);
  statistics.add_prior_centre(k.data(), 1);
  StateWriter saved;
  statistics.save(saved);
  std::string bytes = saved.bytes();
  const float negative = -1;
  std::memcpy(&bytes[16], &negative, sizeof negative);  // U_00
  StateReader in(bytes);
  EXPECT_THROW(statistics.load(in), Error);
}

// Where rounding hurts most: the covariance spans many orders of magnitude.
class Singular : public testing::TestWithParam<const char*> {};

TEST_P(Singular, SpansStayHealthy) {
  const std::string name = GetParam();
  Random random(6);
  const bool linear = name == "linear";
  const Kernel kernel = linear ? Kernel{.kind = KernelKind::linear} : kGaussian;
  Pair pair(kernel, 3, 24, 1);
  Vectors centres = random_vectors(random, 24, 3);
  if (name == "twins") {
    for (std::size_t i = 1; i < 24; i += 2) {
      centres[i] = centres[i - 1];
      centres[i][0] += 1e-5F;
    }
  }
  for (const auto& z : centres) pair.add_prior_centre(z);
  std::vector<double> prior(24);
  for (std::size_t i = 0; i < 24; ++i) prior[i] = pair.plain.s[i][i];
  const Vectors points = random_vectors(random, 10, 3);
  for (std::size_t t = 0; t < 20'000; ++t) {
    const auto x = random_vector(random, 3);
    pair.learn(x, std::sin(static_cast<double>(x[0])));
  }
  for (const auto& x : points) {
    EXPECT_GT(pair.variance(x), 0) << name;
    EXPECT_NEAR(pair.variance(x), pair.plain.variance(x), 0.05 * pair.plain.variance(x) + 1e-3) << name;
    EXPECT_NEAR(pair.value(x), pair.plain.scores(x)[0], 0.02) << name;
  }
  const std::vector<double> s = pair.fast.covariance();
  for (std::size_t i = 0; i < 24; ++i) {
    EXPECT_GT(s[i * 24 + i], 0) << name;
    EXPECT_LE(s[i * 24 + i], 1.02 * prior[i]) << name;
  }
}
INSTANTIATE_TEST_SUITE_P(SpanStatistics, Singular, testing::Values("random", "twins", "linear"));

// A million updates in single precision: the variances are then 10⁷ times smaller than at first.
TEST(SpanStatistics, StayCloseForAMillionUpdates) {
#if KINGLET_SMALL_TILES
  GTEST_SKIP() << "takes long under sanitizers";
#endif
  Random random(7);
  Pair pair(kGaussian, 2, 8, 1);
  for (const auto& z : random_vectors(random, 8, 2)) pair.add_prior_centre(z);
  for (std::size_t t = 0; t < 1'000'000; ++t) {
    const auto x = random_vector(random, 2);
    pair.learn(x, static_cast<double>(x[0]));
  }
  for (const auto& x : random_vectors(random, 10, 2)) {
    EXPECT_NEAR(pair.variance(x), pair.plain.variance(x), 0.1 * pair.plain.variance(x));
    EXPECT_NEAR(pair.value(x), pair.plain.scores(x)[0], 0.01);
  }
}

}  // namespace
}  // namespace kinglet
