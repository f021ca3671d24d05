// kernel_block() and exp_negative() compared with the double-precision kernels, for every instruction set.
#include "simd/kernel_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "core/aligned.hpp"
#include "random_vectors.hpp"
#include "simd/every_isa.hpp"

namespace kinglet::simd {
namespace {

// Vectors in the lane layout; lanes beyond the last vector hold arbitrary values.
class Lanes {
 public:
  explicit Lanes(const Vectors& vectors)
      : count_(vectors.size()), dimension_(vectors[0].size()), padded_(round_up(count_, kLanes)) {
    data_.assign(padded_ * dimension_, 3.0F);
    norms_.assign(padded_, 9.0F);
    for (std::size_t v = 0; v < count_; ++v) {
      for (std::size_t f = 0; f < dimension_; ++f) {
        data_[(v / kLanes * dimension_ + f) * kLanes + v % kLanes] = vectors[v][f];
      }
      norms_[v] = static_cast<float>(squared_norm(Features::dense(vectors[v])));
    }
  }
  LaneView view() const {
    return {data_.data(), norms_.data(), count_, dimension_, *std::max_element(norms_.begin(), norms_.end())};
  }
  std::size_t padded() const { return padded_; }

 private:
  std::size_t count_;
  std::size_t dimension_;
  std::size_t padded_;
  AlignedFloats data_;
  AlignedFloats norms_;
};

// The kernel values that kernel_block() computes, as [query][vector].
std::vector<std::vector<float>> block(const Kernel& kernel, const Vectors& vectors, const Vectors& queries,
                                      std::size_t gap = 0) {
  const Lanes lanes(vectors);
  const RowBlock rows(queries, gap);
  std::vector<float> norms;
  for (const auto& x : queries) norms.push_back(static_cast<float>(squared_norm(Features::dense(x))));
  AlignedFloats out(queries.size() * lanes.padded(), -1.0F);
  kernel_block(kernel, lanes.view(), {rows.rows().values, norms.data(), queries.size(), rows.rows().stride}, out.data(),
               lanes.padded());
  std::vector<std::vector<float>> values;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const float* from = out.data() + q * lanes.padded();
    values.emplace_back(from, from + vectors.size());
  }
  return values;
}

// The magnitude relative to which the rounding error of k(x, z) is measured.
double yardstick(const Kernel& kernel, const std::vector<float>& x, const std::vector<float>& z, double value) {
  const double product = std::sqrt(squared_norm(Features::dense(x)) * squared_norm(Features::dense(z)));
  switch (kernel.kind) {
    case KernelKind::rbf:
    case KernelKind::laplacian:
      return value;
    case KernelKind::linear:
      return product;
    case KernelKind::poly:
    case KernelKind::hpoly:
      return kernel.degree * std::pow(kernel.gamma * product + std::abs(kernel.coef0), kernel.degree);
    case KernelKind::sigmoid:
      return kernel.gamma * product + std::abs(kernel.coef0) + std::abs(value);
  }
  return 0;
}

double largest_error(const Kernel& kernel, const Vectors& vectors, const Vectors& queries, std::size_t gap = 0) {
  const auto values = block(kernel, vectors, queries, gap);
  double largest = 0;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    for (std::size_t v = 0; v < vectors.size(); ++v) {
      const double want = kernel(Features::dense(queries[q]), Features::dense(vectors[v]));
      const double got = static_cast<double>(values[q][v]);
      if (kernel.is_radial() && want < 1e-20) {
        EXPECT_LE(got, 1.01e-20);  // must be this small, but need not be accurate
        EXPECT_GE(got, 0);
        continue;
      }
      double error = std::abs(got - want) / yardstick(kernel, queries[q], vectors[v], want);
      // Values below 1e-15 are negligible beside 1. Their exponents, beyond −34, lose one bit more, so the relative
      // error may be twice as large.
      if (kernel.is_radial() && want < 1e-15) error /= 2;
      largest = std::max(largest, std::isnan(error) ? std::numeric_limits<double>::infinity() : error);
    }
  }
  return largest;
}

std::vector<Kernel> every_kernel(std::size_t dimension) {
  const double gamma = 1.0 / static_cast<double>(dimension);
  return {{.kind = KernelKind::rbf, .gamma = gamma},
          {.kind = KernelKind::laplacian, .gamma = gamma},
          {.kind = KernelKind::linear},
          {.kind = KernelKind::poly, .gamma = gamma, .coef0 = 1, .degree = 3},
          {.kind = KernelKind::poly, .gamma = gamma, .coef0 = 0.5, .degree = 4},
          {.kind = KernelKind::hpoly, .gamma = gamma, .degree = 1},
          {.kind = KernelKind::hpoly, .gamma = gamma, .degree = 2},
          {.kind = KernelKind::sigmoid, .gamma = gamma, .coef0 = 0},
          {.kind = KernelKind::sigmoid, .gamma = 10 * gamma, .coef0 = -0.5}};
}

constexpr std::size_t kDimensions[] = {1, 2, 3, 8, 9, 54, 300, 784};

bool same_bits(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

TEST(KernelBlock, AgreesWithTheDoublePrecisionKernelForEveryShape) {
  for_every_isa([] {
    Random random(1);
    for (const std::size_t dimension : kDimensions) {
      for (const std::size_t count : {1, 15, 16, 17, 33, 100}) {
        const Vectors vectors = random_vectors(random, count, dimension);
        for (const std::size_t rows : {1, 3, 4, 8, 13}) {
          const Vectors queries = random_vectors(random, rows, dimension);
          for (const Kernel& kernel : every_kernel(dimension)) {
            EXPECT_LE(largest_error(kernel, vectors, queries, rows % 3), 1e-5)
                << "kernel " << static_cast<int>(kernel.kind) << ", dimension " << dimension << ", " << count
                << " vectors, " << rows << " rows";
          }
        }
      }
    }
  });
}

TEST(KernelBlock, GaussianValuesAreRightForEveryWidth) {
  for_every_isa([] {
    Random random(2);
    for (const std::size_t dimension : kDimensions) {
      const Vectors vectors = random_vectors(random, 50, dimension);
      const Vectors queries = random_vectors(random, 21, dimension);
      // Common values of gamma, then some around the limit of the expanded form ‖x‖² + ‖z‖² − 2 x·z.
      const double limit = kSafeExponent / (2 * static_cast<double>(dimension));
      for (const double gamma : {1e-3, 1e-2, 0.1, 1.0, 10.0, 0.8 * limit, limit, 1.2 * limit}) {
        const Kernel kernel{.kind = KernelKind::rbf, .gamma = gamma};
        EXPECT_LE(largest_error(kernel, vectors, queries), 1e-5) << "dimension " << dimension << ", gamma " << gamma;
      }
    }
  });
}

TEST(KernelBlock, GaussianValuesOfNearlyEqualVectorsAreRight) {
  for_every_isa([] {
    Random random(3);
    for (const std::size_t dimension : kDimensions) {
      const Vectors vectors = random_vectors(random, 20, dimension);
      for (const double distance : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
        Vectors queries = vectors;
        for (auto& x : queries) {
          for (float& value : x) value += static_cast<float>(distance * random.normal());
        }
        for (const double gamma : {1e-3, 1e-1, 10.0, 0.9 * kSafeExponent / (2 * static_cast<double>(dimension))}) {
          const Kernel kernel{.kind = KernelKind::rbf, .gamma = gamma};
          EXPECT_LE(largest_error(kernel, vectors, queries), 1e-5)
              << "dimension " << dimension << ", gamma " << gamma << ", distance " << distance;
        }
      }
    }
  });
}

TEST(KernelBlock, DuplicatesAreWorthOneAndNeverMore) {
  for_every_isa([] {
    Random random(4);
    for (const std::size_t dimension : kDimensions) {
      const Vectors vectors = random_vectors(random, 40, dimension);
      for (const double gamma : {1e-3, 1e-1, 10.0, 1e4}) {
        for (const KernelKind kind : {KernelKind::rbf, KernelKind::laplacian}) {
          const auto values = block({.kind = kind, .gamma = gamma}, vectors, vectors);
          for (std::size_t i = 0; i < vectors.size(); ++i) {
            const bool from_differences = kind == KernelKind::laplacian || dimension <= kDirectDimensions;
            if (from_differences) {
              EXPECT_EQ(values[i][i], 1.0F);
            } else {
              EXPECT_NEAR(values[i][i], 1.0F, 1e-5);
            }
            for (const float value : values[i]) EXPECT_LE(value, 1.0F);
          }
        }
      }
    }
  });
}

TEST(KernelBlock, PairIsWorthTheSameWhicheverOfTheTwoIsTheQuery) {
  for_every_isa([] {
    Random random(5);
    for (const std::size_t dimension : kDimensions) {
      Vectors a = random_vectors(random, 23, dimension);
      Vectors b = random_vectors(random, 37, dimension);
      for (std::size_t i = 0; i < 5; ++i) {  // long vectors: recomputed from differences
        for (float& value : a[i]) value *= 3;
        for (float& value : b[i]) value *= 3;
      }
      std::vector<Kernel> kernels = every_kernel(dimension);
      const double limit = kSafeExponent / (2 * static_cast<double>(dimension));
      for (const double factor : {0.5, 1.0, 2.0}) kernels.push_back({.kind = KernelKind::rbf, .gamma = factor * limit});
      for (const Kernel& kernel : kernels) {
        const auto ab = block(kernel, a, b);
        const auto ba = block(kernel, b, a);
        for (std::size_t i = 0; i < a.size(); ++i) {
          for (std::size_t j = 0; j < b.size(); ++j) {
            ASSERT_TRUE(same_bits(ab[j][i], ba[i][j]))
                << "kernel " << static_cast<int>(kernel.kind) << ", dimension " << dimension << ", pair " << i << ' '
                << j << ": " << ab[j][i] << ' ' << ba[i][j];
          }
        }
      }
    }
  });
}

// A kernel value is computed in the expanded form or from the differences. The order of the pair must not decide which.
// The norms passed in are not those of the vectors, so the two forms give different values; their sum is within a few
// roundings of the limit, on either side.
TEST(KernelBlock, PairAtTheLimitOfTheExpandedFormIsWorthTheSameBothWays) {
  for_every_isa([] {
    Random random(8);
    constexpr std::size_t kDimension = 9;
    const Kernel kernel{.kind = KernelKind::rbf, .gamma = 0.37};
    const auto limit = static_cast<float>(kSafeExponent / kernel.gamma);
    const auto value = [&](const std::vector<float>& z, float z_norm, const std::vector<float>& x, float x_norm) {
      AlignedFloats lanes(kLanes * kDimension), norms(kLanes), out(kLanes);
      for (std::size_t f = 0; f < kDimension; ++f) lanes[f * kLanes] = z[f];
      norms[0] = z_norm;
      kernel_block(kernel, {lanes.data(), norms.data(), 1, kDimension, z_norm}, {x.data(), &x_norm, 1, kDimension},
                   out.data(), kLanes);
      return out[0];
    };
    for (int round = 0; round < 2000; ++round) {
      const auto a = static_cast<float>((0.05 + 0.9 * random.uniform()) * static_cast<double>(limit));
      float b = limit - a;
      const auto steps = static_cast<int>(random.below(9)) - 4;
      for (int i = 0; i < std::abs(steps); ++i) b = std::nextafter(b, steps > 0 ? limit : 0.0F);
      const std::vector<float> x = random_vector(random, kDimension, 0.2);
      const std::vector<float> z = random_vector(random, kDimension, 0.2);
      ASSERT_TRUE(same_bits(value(z, b, x, a), value(x, a, z, b))) << a << ' ' << b;
    }
  });
}

TEST(KernelBlock, DuplicatesOfLongVectorsAreWorthOneToo) {
  for_every_isa([] {
    Random random(9);
    for (const std::size_t dimension : {9, 54}) {
      for (const double deviation : {10.0, 1e3, 1e5, 1e8, 1e15}) {
        const Vectors vectors = random_vectors(random, 20, dimension, deviation);
        const auto values = block({.kind = KernelKind::rbf, .gamma = 1}, vectors, vectors);
        for (std::size_t i = 0; i < vectors.size(); ++i) {
          for (std::size_t j = 0; j < vectors.size(); ++j) EXPECT_NEAR(values[i][j], i == j ? 1.0F : 0.0F, 1e-20F);
        }
      }
    }
  });
}

TEST(KernelBlock, PairIsWorthTheSameInEveryTile) {
  for_every_isa([] {
    Random random(6);
    for (const std::size_t dimension : {2, 9, 54, 130}) {
      const Vectors vectors = random_vectors(random, 75, dimension);
      const Vectors queries = random_vectors(random, 29, dimension);
      std::vector<Kernel> kernels = every_kernel(dimension);
      kernels.push_back({.kind = KernelKind::rbf, .gamma = kSafeExponent / (2 * static_cast<double>(dimension))});
      for (const Kernel& kernel : kernels) {
        const auto together = block(kernel, vectors, queries);
        for (std::size_t q = 0; q < queries.size(); ++q) {
          ASSERT_EQ(block(kernel, vectors, {queries[q]})[0], together[q]);  // one row at a time
        }
        for (const std::size_t first : {1, 15, 16, 50, 74}) {  // moves every vector to another lane or column
          const Vectors rest(vectors.begin() + static_cast<std::ptrdiff_t>(first), vectors.end());
          const auto shifted = block(kernel, rest, queries);
          for (std::size_t q = 0; q < queries.size(); ++q) {
            for (std::size_t v = 0; v < rest.size(); ++v) ASSERT_TRUE(same_bits(shifted[q][v], together[q][first + v]));
          }
        }
      }
    }
  });
}

TEST(KernelBlock, GaussianOfHugeVectorsStaysFinite) {
  for_every_isa([] {
    for (const std::size_t dimension : {1, 2, 9, 20}) {
      Vectors vectors(17, std::vector<float>(dimension, 1e30F));
      vectors[3].assign(dimension, -3e38F);
      vectors[5].assign(dimension, 0.0F);
      for (const KernelKind kind : {KernelKind::rbf, KernelKind::laplacian}) {
        const auto values = block({.kind = kind, .gamma = 0.5}, vectors, vectors);
        for (std::size_t i = 0; i < vectors.size(); ++i) {
          EXPECT_EQ(values[i][i], 1.0F);
          for (const float value : values[i]) EXPECT_TRUE(value >= 0 && value <= 1) << value;
        }
        EXPECT_LT(values[3][5], 1e-30F);
        EXPECT_EQ(values[0][1], 1.0F);
      }
    }
  });
}

TEST(ExpNegative, AgreesWithTheExponentialOfTheLibrary) {
  for_every_isa([] {
    Random random(7);
    for (const double gamma : {1e-3, 0.3, 1.0, 25.0}) {
      AlignedFloats values(1024);
      for (float& value : values) value = static_cast<float>(random.uniform() * 46 / gamma);
      values[0] = 0;
      values[1] = 1e-20F;
      const AlignedFloats before = values;
      exp_negative(gamma, values.data(), values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double want = std::exp(-gamma * static_cast<double>(before[i]));
        EXPECT_NEAR(static_cast<double>(values[i]) / want, 1, 1e-5) << before[i];
      }
      EXPECT_EQ(values[0], 1.0F);
      EXPECT_EQ(values[1], 1.0F);
    }
  });
}

TEST(ExpNegative, IsAccurateToSixInTenMillionNearZero) {
  for_every_isa([] {
    AlignedFloats values(4096);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) / 4096;
    const AlignedFloats before = values;
    exp_negative(1, values.data(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(values[i]) * std::exp(static_cast<double>(before[i])), 1, 6e-7);
    }
  });
}

TEST(ExpNegative, StaysTinyAndFiniteFarOut) {
  for_every_isa([] {
    AlignedFloats values(16, 0);
    const float far[] = {100, 200, 1e3, 1e10, 1e30, 3e38F, std::numeric_limits<float>::infinity()};
    std::copy(std::begin(far), std::end(far), values.begin());
    exp_negative(1, values.data(), values.size());
    for (std::size_t i = 0; i < std::size(far); ++i) {
      EXPECT_GE(values[i], 0.0F);
      EXPECT_LT(values[i], 3e-38F);
    }
  });
}

}  // namespace
}  // namespace kinglet::simd
