// ExampleStore: kernel rows are right after any sequence of additions, removals and evictions from the cache.
#include "solver/example_store.hpp"

#include <gtest/gtest.h>

#include "plain_model.hpp"
#include "random_vectors.hpp"

namespace kinglet {
namespace {

class Stores : public testing::TestWithParam<std::size_t> {};  // bytes of cache
INSTANTIATE_TEST_SUITE_P(Caches, Stores, testing::Values(0, 2000, 1 << 20));

TEST_P(Stores, GiveRightRowsWhateverHappenedBefore) {
  const Kernel kernel = gaussian(0.4);
  for (const Storage storage : kStorages) {
    ExampleStore store(kernel, {.dimension = 3, .classes = 2, .storage = storage}, GetParam());
    Random random(7);
    Vectors vectors;
    for (int i = 0; i < 600; ++i) {
      const auto choice = random.below(10);
      if (choice < 5 || vectors.size() < 3) {
        vectors.push_back(random_vector(random, 3));
        EXPECT_EQ(store.append(Features::dense(vectors.back())), vectors.size() - 1);
        const std::size_t told = random.below(vectors.size());
        const float* row = store.row(vectors.size() - 1);
        store.extend_row(told, row[told]);
      } else if (choice < 7) {
        const std::size_t slot = random.below(vectors.size());
        store.remove(slot);
        vectors[slot] = vectors.back();
        vectors.pop_back();
      }
      ASSERT_EQ(store.size(), vectors.size());
      const std::size_t a = random.below(vectors.size());
      const std::size_t b = random.below(vectors.size());
      const float* row_a = store.row(a);
      const float* row_b = store.row(b);  // must not invalidate row_a
      const double* exact = store.exact_row(a);
      for (std::size_t j = 0; j < vectors.size(); ++j) {
        ASSERT_NEAR(static_cast<double>(row_a[j]), plain_kernel(kernel, vectors[a], vectors[j]), 1e-6);
        ASSERT_NEAR(static_cast<double>(row_b[j]), plain_kernel(kernel, vectors[b], vectors[j]), 1e-6);
        ASSERT_NEAR(exact[j], plain_kernel(kernel, vectors[a], vectors[j]), 1e-12);
      }
    }
  }
}

TEST(ExampleStore, ComputesARowOnceAndThenOnlyItsEnd) {
  Random random(1);
  ExampleStore store(gaussian(1), {.dimension = 2, .classes = 2}, 1 << 20);
  for (int i = 0; i < 100; ++i) store.append(Features::dense(random_vector(random, 2)));
  store.row(5);
  EXPECT_EQ(store.evaluations(), 100U);
  store.row(5);
  EXPECT_EQ(store.evaluations(), 100U);
  for (int i = 0; i < 10; ++i) store.append(Features::dense(random_vector(random, 2)));
  store.row(5);
  EXPECT_EQ(store.evaluations(), 110U);
  store.append(Features::dense(random_vector(random, 2)));
  store.extend_row(5, 0.5F);
  EXPECT_EQ(store.row(5)[110], 0.5F);
  EXPECT_EQ(store.evaluations(), 110U);
}

TEST(ExampleStore, KeepsItsRowsWithinTheLimit) {
  Random random(1);
  constexpr std::size_t kLimit = 40'000;
  ExampleStore store(gaussian(1), {.dimension = 2, .classes = 2}, kLimit);
  for (int i = 0; i < 500; ++i) store.append(Features::dense(random_vector(random, 2)));
  const std::size_t without = store.memory_bytes();
  for (std::size_t i = 0; i < 500; ++i) {
    store.row(i);
    ASSERT_LE(store.memory_bytes(), without + kLimit);
  }
}

}  // namespace
}  // namespace kinglet
