// Scaling to mean 0 and deviation 1 before training, dense and sparse.
#include "lab/standardise.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/text_source.hpp"

namespace kinglet {
namespace {

TEST(Standardise, DenseRowsGetMeanZeroAndDeviationOne) {
  const std::string text = "a,1,5,7\nb,2,5,-7\na,6,5,0\n";
  const auto by = std::make_shared<const Standardisation>(standardisation_of(*read_memory(text, {.header = false})));
  Batch batch;
  ASSERT_TRUE(standardised(read_memory(text, {.header = false}), by)->next(batch));
  for (const std::size_t feature : {0U, 2U}) {
    double sum = 0, squares = 0;
    for (std::size_t row = 0; row < 3; ++row) {
      const auto value = static_cast<double>(batch.values[row * 3 + feature]);
      sum += value;
      squares += value * value;
    }
    EXPECT_NEAR(sum, 0, 1e-5);
    EXPECT_NEAR(squares / 3, 1, 1e-5);
  }
  for (std::size_t row = 0; row < 3; ++row) EXPECT_EQ(batch.values[row * 3 + 1], 0) << "constant: only centred";
}

// Feature 1 has the values 3, 0, 0, 0: mean 0.75, variance 9/4 − 9/16.
TEST(Standardise, SparseRowsAreScaledWithTheirZerosAndNotCentred) {
  const std::string text = "1 1:3\n1 2:1\n1 2:1\n1 2:1\n";
  const auto by = std::make_shared<const Standardisation>(standardisation_of(*read_memory(text, {})));
  EXPECT_TRUE(by->means.empty());
  Batch batch;
  ASSERT_TRUE(standardised(read_memory("1 1:3 7:2\n", {}), by)->next(batch));
  EXPECT_NEAR(batch.values[0], 3 / std::sqrt(9.0 / 4 - 9.0 / 16), 1e-5);
  EXPECT_EQ(batch.values[1], 2) << "a feature that was never seen stays as it is";
}

// The dense features range from 1 to 6 and are constant; the sparse ones range from 0 to 3 and from −4 to 0, where
// zeros are not stored.
TEST(Standardise, RangesGetOneWidthAndAreNotCentred) {
  const auto dense = range_scaling_of(*read_memory("a,1,5\nb,6,5\n", {.header = false}), 2);
  EXPECT_EQ(dense.factors, (std::vector<float>{2.0F / 5, 1}));
  EXPECT_TRUE(dense.means.empty());
  const auto sparse = range_scaling_of(*read_memory("1 1:3\n1 2:-4\n", {}), 1);
  EXPECT_EQ(sparse.factors, (std::vector<float>{1.0F / 3, 1.0F / 4}));
}

TEST(Standardise, LooksAtSoManyRowsAtMost) {
  const auto source = open_source("gen:gauss?n=100000", {});
  standardisation_of(*source, 1500);
  Batch batch;
  std::size_t left = 0;
  while (source->next(batch)) left += batch.rows();
  EXPECT_EQ(left, 100000 - 2 * kBatchRows);
}

}  // namespace
}  // namespace kinglet
