// sparse_block() and sparse_blocks() compared with the double-precision kernels, for every instruction set.
#include "simd/sparse_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/aligned.hpp"
#include "core/random.hpp"
#include "learn/rows_of.hpp"
#include "simd/every_isa.hpp"

namespace kinglet::simd {
namespace {

const Kernel kKernels[] = {{.kind = KernelKind::rbf, .gamma = 0.02},
                           {.kind = KernelKind::linear},
                           {.kind = KernelKind::poly, .gamma = 0.1, .coef0 = 1, .degree = 2},
                           {.kind = KernelKind::hpoly, .gamma = 0.1, .degree = 3},
                           {.kind = KernelKind::sigmoid, .gamma = 0.1, .coef0 = 0.2}};

// Rows with a share of zeros. Their values are positive, as counts and indicators are, and some are rare and large.
Table holey_table(Random& random, std::size_t rows, std::size_t dimension, double zeros, double scale = 1) {
  Table table(rows, std::vector<float>(dimension));
  for (auto& row : table) {
    for (std::size_t f = 0; f < dimension; ++f) {
      if (random.coin(zeros)) continue;
      row[f] = static_cast<float>(scale * (0.2 + random.uniform()) * (f % 10 == 0 ? 10 : 1));
    }
  }
  return table;
}

// Vectors in the lane layout with their norms; padding contains arbitrary numbers.
struct Lanes {
  explicit Lanes(const Table& table)
      : count(table.size()), dimension(table[0].size()), padded(round_up(count, kLanes)) {
    data.assign(padded * dimension, 3.0F);
    norms.assign(padded, 9.0F);
    exact.assign(padded, 9.0);
    for (std::size_t v = 0; v < count; ++v) {
      for (std::size_t f = 0; f < dimension; ++f) {
        data[(v / kLanes * dimension + f) * kLanes + v % kLanes] = table[v][f];
      }
      exact[v] = sparse_norm(Features::dense(table[v]));
      norms[v] = static_cast<float>(exact[v]);
    }
  }
  LaneView view() const { return {data.data(), norms.data(), count, dimension, 0}; }

  std::size_t count, dimension, padded;
  AlignedFloats data, norms;
  AlignedDoubles exact;
};

// The values of all pairs, as [row][vector].
struct Values {
  Values(const Kernel& kernel, const Lanes& lanes, const Table& table) : stride(lanes.padded) {
    const TableRows all(table);
    const Rows rows = all.sparse();
    std::vector<double> norms;
    for (std::size_t q = 0; q < rows.count; ++q) norms.push_back(sparse_norm(rows[q]));
    const SparseRowView view{rows.values, rows.indices, rows.offsets, norms.data(), rows.count};
    out.assign(rows.count * stride, -7.0F);
    sparse_block(kernel, lanes.view(), lanes.exact.data(), view, out.data(), stride);
    // Every other block, which must not change the blocks between them.
    std::vector<std::size_t> starts;
    for (std::size_t start = 0; start < lanes.padded; start += 2 * kLanes) starts.push_back(start);
    AlignedFloats some(out.size(), -7.0F);
    sparse_blocks(kernel, lanes.view(), lanes.exact.data(), starts, view, some.data(), stride);
    for (std::size_t q = 0; q < rows.count; ++q) {
      for (std::size_t v = 0; v < lanes.padded; ++v) {
        EXPECT_EQ(some[q * stride + v], v / kLanes % 2 == 0 ? out[q * stride + v] : -7.0F);
      }
    }
  }
  float at(std::size_t q, std::size_t v) const { return out[q * stride + v]; }

  std::size_t stride;
  AlignedFloats out;
};

TEST(SparseRows, AgreeWithTheKernelsInDoublePrecision) {
  for_every_isa([] {
    Random random(1);
    for (const Kernel& kernel : kKernels) {
      for (const std::size_t dimension : {3, 40, 1000}) {
        for (const std::size_t count : {1, 16, 17, 150, 333}) {
          const Table vectors = holey_table(random, count, dimension, 0.5);
          const Table rows = holey_table(random, 1 + random.below(9), dimension, 0.9);
          const Values values(kernel, Lanes(vectors), rows);
          for (std::size_t q = 0; q < rows.size(); ++q) {
            for (std::size_t v = 0; v < count; ++v) {
              const Features x = Features::dense(rows[q]), z = Features::dense(vectors[v]);
              const double want = kernel(x, z);
              double scale = want;
              if (kernel.kind != KernelKind::rbf) {
                const double largest = kernel.from_dot(std::sqrt(squared_norm(x) * squared_norm(z)), 0);
                scale = 1 + std::max(std::abs(want), std::abs(largest));
              }
              const double tolerance = kernel.kind == KernelKind::rbf && want < 1e-15 ? 2e-5 : 1e-5;
              if (kernel.kind == KernelKind::rbf && want < 1e-20) {
                ASSERT_LT(values.at(q, v), 1.1e-20F);
              } else {
                ASSERT_NEAR(static_cast<double>(values.at(q, v)), want, tolerance * scale)
                    << static_cast<int>(kernel.kind) << ' ' << dimension << ' ' << q << ' ' << v;
              }
            }
          }
        }
      }
    }
  });
}

// Near-duplicates of great length: the expanded form loses all digits in single precision.
TEST(SparseRows, StayAccurateWhereNormsAreLarge) {
  for_every_isa([] {
    Random random(2);
    for (const double length : {3.0, 30.0, 300.0, 3000.0}) {
      const Kernel kernel{.kind = KernelKind::rbf, .gamma = 0.5};
      const Table rows = holey_table(random, 20, 50, 0.8, length);
      Table vectors = rows;
      for (auto& vector : vectors) {
        for (float& value : vector) value += value == 0 ? 0.0F : static_cast<float>(0.3 * random.normal());
      }
      const Values values(kernel, Lanes(vectors), rows);
      for (std::size_t q = 0; q < rows.size(); ++q) {
        const double want = kernel(Features::dense(rows[q]), Features::dense(vectors[q]));
        ASSERT_NEAR(static_cast<double>(values.at(q, q)), want, 1e-5 * want) << length;
      }
    }
  });
}

TEST(SparseRows, GiveOneValueForAPairWhicheverIsTheRow) {
  for_every_isa([] {
    Random random(3);
    for (const Kernel& kernel : kKernels) {
      for (const double scale : {1.0, 20.0}) {
        const Table table = holey_table(random, 40, 60, 0.7, scale);
        const Lanes lanes(table);
        const Values values(kernel, lanes, table);
        for (std::size_t i = 0; i < table.size(); ++i) {
          for (std::size_t j = 0; j < table.size(); ++j) ASSERT_EQ(values.at(i, j), values.at(j, i)) << i << ' ' << j;
          if (kernel.kind == KernelKind::rbf) {
            ASSERT_NEAR(values.at(i, i), 1.0F, 1e-5F);
          }
        }
      }
    }
  });
}

TEST(SparseRows, HaveNormsThatDoNotDependOnZeros) {
  Random random(4);
  const Table table = holey_table(random, 20, 33, 0.6);
  const TableRows rows(table);
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(sparse_norm(rows.sparse()[i]), sparse_norm(rows.dense()[i]));
    EXPECT_NEAR(sparse_norm(rows.sparse()[i]), squared_norm(rows.dense()[i]), 1e-12 * sparse_norm(rows.dense()[i]));
  }
}

TEST(SparseRows, MayBeEmpty) {
  const Table vectors = {{1, 0, 2}};
  const Values values(kKernels[0], Lanes(vectors), {{0, 0, 0}});
  EXPECT_NEAR(values.at(0, 0), std::exp(-0.02F * 5), 1e-6F);
}

}  // namespace
}  // namespace kinglet::simd
