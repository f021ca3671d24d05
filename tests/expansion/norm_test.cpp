#include "expansion/norm.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "expansion/expansion_twins.hpp"

namespace kinglet {
namespace {

RC_GTEST_PROP(Norm, IsThatOfFAfterAnyChanges, ()) {
  const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>());
  for (const std::size_t outputs : {1, 3}) {
    Twins twins(outputs, seed, {.norm = true});
    for (int i = 0; i < 60; ++i) {
      twins.step();
      twins.expect_same();  // compares the norm, too
      RC_ASSERT(!testing::Test::HasFatalFailure());
    }
  }
}

TEST(Norm, IsMeasuredWhereThereAreTermsAlready) {
  Twins twins(2, 51);
  for (int i = 0; i < 30; ++i) twins.append();
  twins.shrink(0.3);
  const Norm norm(twins.f());
  double length = 0;
  const double want = twins.plain().squared_norm(length);
  EXPECT_NEAR(norm.squared(), want, 1e-5 * length);
}

// A large term that comes and goes leaves the rounding of its size behind, until the norm is computed afresh.
TEST(Norm, IsComputedAfreshFromTimeToTime) {
  Twins twins(1, 53, {.norm = true});
  for (int i = 0; i < 10; ++i) twins.append();
  Norm& norm = *twins.function().norm;
  double length = 0;
  const double want = twins.plain().squared_norm(length);
  norm.set(want + 1e6);  // as after a long stream
  std::size_t calls = 0;
  while (std::abs(norm.squared() - want) > 1e-5 * length) {
    ASSERT_LT(++calls, 10'000U);
    norm.look_after();
  }
  EXPECT_GT(calls, 1000U);
  EXPECT_EQ(norm.changes(), 0U);
}

TEST(Norm, IsNeverNegative) {
  Twins twins(1, 52, {.norm = true});
  for (int i = 0; i < 200; ++i) {
    twins.append();
    while (twins.f().size() > 0 && i % 10 == 9) twins.remove(0);
    ASSERT_GE(twins.function().norm->squared(), 0.0);
  }
  EXPECT_NEAR(twins.function().norm->squared(), 0, 1e-5);
}

}  // namespace
}  // namespace kinglet
