// All support sets compared with a simple reference: a vector of vectors of doubles.
#include "expansion/support_set.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "expansion/dense_support_set.hpp"
#include "expansion/mixed_support_set.hpp"
#include "expansion/sparse_support_set.hpp"
#include "learn/rows_of.hpp"
#include "plain_model.hpp"
#include "random_vectors.hpp"
#include "simd/every_isa.hpp"

namespace kinglet {
namespace {

using Plain = std::vector<std::vector<double>>;

const Kernel kKernels[] = {{.kind = KernelKind::rbf, .gamma = 0.2},
                           {.kind = KernelKind::laplacian, .gamma = 0.2},
                           {.kind = KernelKind::linear},
                           {.kind = KernelKind::poly, .gamma = 0.1, .coef0 = 1, .degree = 2},
                           {.kind = KernelKind::hpoly, .gamma = 0.1, .degree = 3},
                           {.kind = KernelKind::sigmoid, .gamma = 0.1, .coef0 = 0.2}};

std::vector<double> wide(const std::vector<float>& x, std::size_t dimension) {
  std::vector<double> z(dimension);
  std::copy(x.begin(), x.end(), z.begin());
  return z;
}

// A random vector in which about 40 % of the values are 0.
std::vector<float> holey_vector(Random& random, std::size_t dimension) {
  std::vector<float> x = random_vector(random, dimension);
  for (float& value : x) {
    if (random.coin(0.4)) value = 0;
  }
  return x;
}

void append(SupportSet& set, const std::vector<float>& x, bool sparse) {
  if (!sparse) return set.append(Features::dense(x));
  std::vector<std::uint32_t> indices;
  std::vector<float> values;
  for (std::uint32_t f = 0; f < x.size(); ++f) {
    if (x[f] == 0) continue;
    indices.push_back(f);
    values.push_back(x[f]);
  }
  set.append(Features::sparse(indices, values));
}

void expect_same(const SupportSet& set, const Plain& plain) {
  ASSERT_EQ(set.size(), plain.size());
  std::vector<float> vector(set.dimension());
  for (std::size_t j = 0; j < plain.size(); ++j) {
    set.copy_to(j, vector);
    for (std::size_t f = 0; f < vector.size(); ++f) {
      ASSERT_NEAR(static_cast<double>(vector[f]), f < plain[j].size() ? plain[j][f] : 0, 1e-5) << j << ' ' << f;
    }
    std::vector<double> self = plain[j];
    const double want = plain_kernel(set.kernel(), self, self);
    ASSERT_NEAR(set.self_kernel(j), want, 1e-5 * (1 + std::abs(want)));
  }
}

// Checks all functions that compute kernel values against the plain model.
void expect_same_kernels(SupportSet& set, const Plain& plain, Random& random) {
  const std::size_t dimension = set.dimension();
  const Vectors queries = random_vectors(random, 1 + random.below(40), dimension);
  const RowBlock block(queries, 3);
  const std::size_t stride = set.padded_size() + 16;
  AlignedFloats rows(queries.size() * stride, 5.0F);
  set.kernel_rows(block.rows(), rows.data(), stride);
  std::vector<double> exact(set.size());
  for (std::size_t q = 0; q < queries.size(); ++q) {
    set.exact_row(Features::dense(queries[q]), exact);
    for (std::size_t j = 0; j < set.size(); ++j) {
      const double want = plain_kernel(set.kernel(), wide(queries[q], dimension), plain[j]);
      ASSERT_NEAR(static_cast<double>(rows[q * stride + j]), want, 2e-5 * (1 + std::abs(want)));
      ASSERT_NEAR(exact[j], want, 1e-5 * (1 + std::abs(want)));
    }
    for (std::size_t j = set.size(); j < set.padded_size(); ++j) ASSERT_TRUE(std::isfinite(rows[q * stride + j]));
    ASSERT_EQ(rows[q * stride + set.padded_size()], 5.0F);  // not written beyond the padding
  }
  if (set.size() == 0) return;
  const std::size_t slot = random.below(set.size());
  AlignedFloats own(set.padded_size());
  set.kernel_row_of(slot, own.data());
  for (std::size_t j = 0; j < set.size(); ++j) {
    const double want = plain_kernel(set.kernel(), plain[slot], plain[j]);
    ASSERT_NEAR(static_cast<double>(own[j]), want, 2e-5 * (1 + std::abs(want)));
  }
}

// Near 1, so that many of them after each other leave the vectors in their range.
std::vector<float> random_ratios(Random& random, std::size_t dimension) {
  std::vector<float> ratios(dimension);
  for (float& ratio : ratios) ratio = static_cast<float>(0.8 + 0.4 * random.uniform());
  return ratios;
}

// Applies random changes to a set and to its plain model.
void random_changes(SupportSet& set, Plain& plain, Random& random, int steps) {
  for (int step = 0; step < steps; ++step) {
    const auto action = random.below(11);
    if (action < 5 || set.size() < 2) {
      const auto x = holey_vector(random, set.dimension());
      append(set, x, random.coin(0.5));
      plain.push_back(wide(x, set.dimension()));
    } else if (action < 7) {
      const std::size_t slot = random.below(set.size());
      set.remove(slot);
      plain[slot] = plain.back();
      plain.pop_back();
    } else if (action < 9) {
      const std::size_t into = random.below(set.size());
      const std::size_t other = (into + 1 + random.below(set.size() - 1)) % set.size();
      const double h = random.coin(0.2) ? 0 : random.uniform();
      set.blend(into, other, h);
      for (std::size_t f = 0; f < plain[into].size(); ++f) {
        plain[into][f] = h * plain[into][f] + (1 - h) * plain[other][f];
      }
    } else if (action == 10) {
      const auto ratios = random_ratios(random, set.dimension());
      set.rescale(ratios);
      for (auto& vector : plain) {
        for (std::size_t f = 0; f < vector.size(); ++f) vector[f] *= static_cast<double>(ratios[f]);
      }
    } else if (set.dimension() < 40) {
      const auto dimension = static_cast<std::uint32_t>(set.dimension() + random.below(4));
      set.grow(dimension);
      for (auto& vector : plain) vector.resize(dimension);
    }
  }
}

class SupportSets : public testing::TestWithParam<Storage> {
 protected:
  std::unique_ptr<SupportSet> make(const Kernel& kernel, std::uint32_t dimension, std::size_t capacity = 8) const {
    return make_support_set(kernel, {.dimension = dimension, .classes = 2, .storage = GetParam()}, capacity);
  }
};
INSTANTIATE_TEST_SUITE_P(AllForms, SupportSets, testing::ValuesIn(kStorages),
                         [](const auto& form) { return name_of(form.param); });

TEST_P(SupportSets, AgreeWithThePlainModelAfterAnyChanges) {
  simd::for_every_isa([this] {
    rc::detail::checkGTest([this](std::uint64_t seed) {
      Random random(seed);
      const Kernel& kernel = kKernels[random.below(std::size(kKernels))];
      const auto set = make(kernel, static_cast<std::uint32_t>(1 + random.below(20)));
      Plain plain;
      for (int part = 0; part < 3; ++part) {
        random_changes(*set, plain, random, 25);
        expect_same(*set, plain);
        expect_same_kernels(*set, plain, random);
      }
      RC_ASSERT(!testing::Test::HasFatalFailure());
    });
  });
}

// Dual learners assemble kernel rows from parts that were computed at different times, so every function must give the
// same bits for a pair.
TEST_P(SupportSets, GiveOneValueForAPairHoweverItIsAskedFor) {
  Random random(5);
  for (const KernelKind kind : {KernelKind::rbf, KernelKind::laplacian, KernelKind::linear, KernelKind::poly}) {
    for (const std::uint32_t dimension : {2U, 9U, 70U}) {
      const Kernel kernel{.kind = kind, .gamma = 0.3, .coef0 = 1, .degree = 2};
      const auto set = make_support_set(kernel, {.dimension = dimension, .classes = 2, .storage = GetParam()}, 0);
      const Vectors vectors = random_vectors(random, 50, dimension);
      for (const auto& x : vectors) set->append(Features::dense(x));
      AlignedFloats whole(64), part(64), outside(64), transposed(64);
      for (std::size_t i = 0; i < set->size(); i += 7) {
        set->kernel_row_of(i, whole.data());
        set->kernel_row_part(i, 0, 20, part.data());
        set->kernel_row_part(i, 20, 50, part.data());
        set->kernel_row(Features::dense(vectors[i]), outside.data());
        for (std::size_t j = 0; j < set->size(); ++j) {
          EXPECT_EQ(part[j], whole[j]);
          EXPECT_EQ(outside[j], whole[j]);
          set->kernel_row_of(j, transposed.data());
          EXPECT_EQ(transposed[i], whole[j]);
        }
      }
      std::vector<double> exact(50), exact_part(50);
      set->exact_row_of(3, exact);
      set->exact_row_part(3, 0, 20, exact_part.data());
      set->exact_row_part(3, 20, 50, exact_part.data());
      EXPECT_EQ(exact, exact_part);
    }
  }
}

TEST_P(SupportSets, AreTheSameAfterSavingAndLoading) {
  Random random(3);
  for (const Kernel& kernel : kKernels) {
    const auto set = make(kernel, 11);
    Plain plain;
    random_changes(*set, plain, random, 120);
    StateWriter out;
    set->save(out);
    const auto copy = make(kernel, set->dimension());
    StateReader in(out.bytes());
    copy->load(in);
    EXPECT_TRUE(in.at_end());
    expect_same(*copy, plain);
    StateWriter again;
    copy->save(again);
    EXPECT_EQ(again.bytes(), out.bytes());
    // Kernel values are the same as before saving, bit for bit.
    const Vectors queries = random_vectors(random, 5, set->dimension());
    const RowBlock block(queries);
    const std::size_t stride = set->padded_size();
    AlignedFloats before(5 * stride), after(5 * stride);
    set->kernel_rows(block.rows(), before.data(), stride);
    copy->kernel_rows(block.rows(), after.data(), stride);
    for (std::size_t q = 0; q < 5; ++q) {
      for (std::size_t j = 0; j < set->size(); ++j) EXPECT_EQ(before[q * stride + j], after[q * stride + j]);
    }
  }
}

TEST_P(SupportSets, EndTheLookAheadWhenTheyAreRescaled) {
  Random random(9);
  for (const std::uint32_t dimension : {4U, 12U}) {
    const auto set = make(kKernels[0], dimension);
    RowBlock block(random_vectors(random, 8, dimension));
    AlignedFloats window(16 * 32);
    set->append(block.rows()[0]);
    set->look_ahead(block.rows().slice(0, set->window() == 1 ? 1 : 8), window.data(), 32);
    set->append(block.rows()[1]);
    set->rescale(std::vector<float>(dimension, 0.0F));
    AlignedFloats row(16);
    set->kernel_row_of(1, row.data());
    EXPECT_EQ(row[0], 1.0F);                       // both are at the origin now
    set->refresh_column(1, 0, window.data(), 32);  // of no row
    set->append(block.rows()[2]);                  // its norm is not taken from the window
    set->kernel_row_of(2, row.data());
    const std::vector<double> origin(dimension),
        x = wide({block.rows()[2].values, block.rows()[2].values + dimension}, dimension);
    EXPECT_NEAR(static_cast<double>(row[0]), plain_kernel(kKernels[0], origin, x), 1e-5);
  }
}

TEST_P(SupportSets, RefuseADamagedState) {
  Random random(4);
  const auto set = make(kKernels[0], 4);
  Plain plain;
  random_changes(*set, plain, random, 30);
  StateWriter out;
  set->save(out);
  for (std::size_t length = 0; length < out.bytes().size(); length += 7) {
    const auto copy = make(kKernels[0], set->dimension());
    StateReader in(std::string_view(out.bytes()).substr(0, length));
    EXPECT_THROW(copy->load(in), Error) << length;
  }
  const auto other = make(kKernels[0], set->dimension() + 1);
  StateReader in(out.bytes());
  EXPECT_THROW(other->load(in), Error);
}

// Rows from one table, for sets that take dense and for those that take sparse rows.
TEST_P(SupportSets, LookAheadAsIfEveryRowWereScoredWhenItsTurnComes) {
  if (GetParam() == Storage::sparse) GTEST_SKIP() << "a window of one row";
  simd::for_every_isa([this] {
    Random random(5);
    for (const Kernel& kernel : kKernels) {
      for (const std::size_t dimension : {1, 8, 9, 30}) {
        const auto set = make(kernel, static_cast<std::uint32_t>(dimension), 64);
        for (int i = 0; i < 20; ++i) {
          set->append(Features::dense(random_vector(random, dimension, i < 3 ? 8 : 1)));  // three have a large norm
        }
        const std::size_t count = 1 + random.below(DenseSupportSet::kWindow);
        Vectors x;
        for (std::size_t q = 0; q < count; ++q) {
          x.push_back(GetParam() == Storage::dense ? random_vector(random, dimension)
                                                   : holey_vector(random, dimension));
        }
        const RowBlock block(x, 2);
        const TableRows table(x);
        const Rows rows = GetParam() == Storage::dense ? block.rows() : table.sparse();
        const std::size_t stride = 80;
        AlignedFloats window(count * stride), row(stride);
        set->look_ahead(rows, window.data(), stride);
        for (std::size_t q = 0; q < count; ++q) {
          set->refresh_rows(q, random.coin(0.5) ? 1 : count - q, window.data(), stride);
          set->kernel_rows(rows.slice(q, 1), row.data(), stride);
          for (std::size_t j = 0; j < set->size(); ++j) {
            ASSERT_EQ(window[q * stride + j], row[j]) << "kernel " << static_cast<int>(kernel.kind) << ", dimension "
                                                      << dimension << ", row " << q << ", slot " << j;
          }
          // The example becomes a support vector, and another one changes.
          set->append(rows[q]);
          set->refresh_column(set->size() - 1, q + 1, window.data(), stride);
          const std::size_t slot = random.below(set->size() - 1);
          set->blend(slot, set->size() - 1, 0.3);
          set->refresh_column(slot, q + 1, window.data(), stride);
        }
      }
    }
  });
}

// More blocks change than are remembered.
TEST(MixedSupportSet, LooksAheadHoweverManyVectorsChange) {
  Random random(15);
  MixedSupportSet set(kKernels[0], 40, 1024);
  for (int i = 0; i < 1024; ++i) set.append(Features::dense(holey_vector(random, 40)));
  Vectors x;
  for (int i = 0; i < 8; ++i) x.push_back(holey_vector(random, 40));
  const TableRows table(x);
  AlignedFloats window(8 * 1024), row(1024);
  set.look_ahead(table.sparse(), window.data(), 1024);
  for (std::size_t slot = 0; slot < 1024; slot += 7) {
    set.replace(slot, table.sparse()[slot % 8]);
    set.refresh_column(slot, 3, window.data(), 1024);
  }
  for (std::size_t q = 3; q < 8; ++q) {
    set.refresh_rows(q, 1, window.data(), 1024);
    set.kernel_rows(table.sparse().slice(q, 1), row.data(), 1024);
    for (std::size_t j = 0; j < 1024; ++j) ASSERT_EQ(window[q * 1024 + j], row[j]) << q << ' ' << j;
  }
}

TEST_P(SupportSets, KnowTheirMemoryBeforehand) {
  if (GetParam() == Storage::sparse) GTEST_SKIP() << "sparse vectors take what they need";
  for (const std::size_t capacity : {1, 15, 16, 17, 100}) {
    for (const std::uint32_t dimension : {1U, 9U, 100U}) {
      const auto set = make(kKernels[0], dimension, capacity);
      const std::size_t before = set->memory_bytes();
      EXPECT_EQ(before, support_set_bytes({.dimension = dimension, .classes = 2, .storage = GetParam()}, capacity));
      Random random(6);
      for (std::size_t i = 0; i < capacity; ++i) set->append(Features::dense(random_vector(random, dimension)));
      EXPECT_EQ(set->memory_bytes(), before);
    }
  }
}

// A row, a list with zeros in it and a vector of the set have the same kernel values, bit for bit.
TEST(MixedSupportSet, DoesNotCareInWhichFormAQueryComes) {
  simd::for_every_isa([] {
    Random random(12);
    for (const Kernel& kernel : kKernels) {
      MixedSupportSet set(kernel, 70, 40);
      Vectors x;
      for (int i = 0; i < 40; ++i) {
        x.push_back(holey_vector(random, 70));
        for (float& value : x.back()) value *= i % 5 == 0 ? 12.0F : 1.0F;
        set.append(Features::dense(x.back()));
      }
      const RowBlock block(x);
      const TableRows table(x);
      std::vector<std::uint32_t> all(70);
      for (std::uint32_t f = 0; f < 70; ++f) all[f] = f;
      AlignedFloats dense(40 * 48), sparse(40 * 48), single(48), own(48);
      set.kernel_rows(block.rows(), dense.data(), 48);
      set.kernel_rows(table.sparse(), sparse.data(), 48);
      for (std::size_t q = 0; q < 40; ++q) {
        set.kernel_row(Features::sparse(all, x[q]), single.data());
        set.kernel_row_of(q, own.data());
        for (std::size_t j = 0; j < 40; ++j) {
          ASSERT_EQ(dense[q * 48 + j], sparse[q * 48 + j]);
          ASSERT_EQ(single[j], sparse[q * 48 + j]);
          ASSERT_EQ(own[j], sparse[q * 48 + j]);
          ASSERT_EQ(sparse[j * 48 + q], sparse[q * 48 + j]);
        }
      }
    }
  });
}

TEST(SparseSupportSet, HoldsMemoryInProportionToTheNonZeros) {
  const std::uint32_t dimension = 1'000'000;
  SparseSupportSet set(kKernels[0], dimension, 100);
  Random random(7);
  std::size_t non_zeros = 0;
  for (int i = 0; i < 100; ++i) {
    std::vector<std::uint32_t> indices;
    for (std::uint32_t f = 0; f < 50; ++f)
      indices.push_back(f * 20'000 + static_cast<std::uint32_t>(random.below(20'000)));
    const std::vector<float> values(indices.size(), 1.0F);
    non_zeros += indices.size();
    set.append(Features::sparse(indices, values));
  }
  EXPECT_GE(set.memory_bytes(), non_zeros * 8);
  EXPECT_LE(set.memory_bytes(), non_zeros * 16 + 100 * 200);
  for (int i = 0; i < 40; ++i) set.blend(0, 1 + random.below(set.size() - 1), 0.5);
  while (set.size() > 1) set.remove(set.size() - 1);
  EXPECT_LE(set.memory_bytes(), 41 * 50 * 16 + 100 * 200U);
}

TEST(SparseSupportSet, GivesTheKernelValuesOfTheDenseOne) {
  Random random(8);
  for (const Kernel& kernel : kKernels) {
    DenseSupportSet dense(kernel, 25, 50);
    SparseSupportSet sparse(kernel, 25, 50);
    for (int i = 0; i < 50; ++i) {
      const auto x = holey_vector(random, 25);
      append(dense, x, i % 2 == 0);
      append(sparse, x, i % 3 == 0);
    }
    dense.blend(3, 7, 0.25);
    sparse.blend(3, 7, 0.25);
    dense.remove(11);
    sparse.remove(11);
    const RowBlock block(random_vectors(random, 9, 25));
    AlignedFloats a(9 * 64), b(9 * 64);
    dense.kernel_rows(block.rows(), a.data(), 64);
    sparse.kernel_rows(block.rows(), b.data(), 64);
    for (std::size_t q = 0; q < 9; ++q) {
      for (std::size_t j = 0; j < dense.size(); ++j) {
        EXPECT_NEAR(a[q * 64 + j], b[q * 64 + j], 2e-5F * (1 + std::abs(a[q * 64 + j])));
      }
    }
  }
}

}  // namespace
}  // namespace kinglet
