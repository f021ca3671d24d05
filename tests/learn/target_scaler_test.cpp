// TargetScaler: a comparison with a slow reference that keeps every target; units, constant targets, saving.
#include "learn/target_scaler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

std::vector<float> targets(std::size_t n, double mean, double deviation, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<float> numbers(n);
  for (float& y : numbers) y = static_cast<float>(mean + deviation * random.normal());
  return numbers;
}

// Keeps every target and computes mean and deviation in two passes.
class Reference {
 public:
  explicit Reference(std::vector<float> head) : seen_(std::move(head)) { refresh(); }

  void count(float target) {
    seen_.push_back(target);
    if (seen_.size() >= next_) refresh();
  }
  void refresh() {
    const auto n = static_cast<double>(seen_.size());
    mean = 0;
    for (const float y : seen_) mean += static_cast<double>(y) / n;
    double squares = 0;
    for (const float y : seen_) squares += (static_cast<double>(y) - mean) * (static_cast<double>(y) - mean);
    deviation = std::sqrt(squares / n);
    next_ = seen_.size() + std::max<std::size_t>(1, deviation == 0 ? 1 : seen_.size() / 100);
  }

  double mean = 0;
  double deviation = 0;

 private:
  std::vector<float> seen_;
  std::size_t next_ = 0;
};

TEST(TargetScaler, AgreesWithAReferenceThatKeepsEveryTarget) {
  for (const double unit : {1.0, 1e-6, 1e6}) {
    for (const std::size_t head : {1u, 2u, 700u}) {
      const auto numbers = targets(3000, 6 * unit, unit);
      TargetScaler scaler;
      scaler.begin(std::span(numbers).first(head));
      Reference reference({numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(head)});
      for (std::size_t i = head; i < numbers.size(); ++i) {
        const TargetTransform& transform = scaler.transform();
        ASSERT_NEAR(transform.mean, reference.mean, 1e-9 * unit);
        ASSERT_NEAR(transform.deviation, reference.deviation, 1e-9 * unit);
        const float scaled = transform.scaled(numbers[i]);
        if (reference.deviation > 0) {
          const double expected = (static_cast<double>(numbers[i]) - reference.mean) / reference.deviation;
          ASSERT_NEAR(static_cast<double>(scaled), expected, 1e-6 * (1 + std::abs(expected)));
          ASSERT_NEAR(transform.restored(scaled), numbers[i], 1e-5 * unit);
        }
        scaler.count(numbers[i]);
        reference.count(numbers[i]);
      }
      scaler.hold();
      reference.refresh();
      EXPECT_NEAR(scaler.transform().deviation, reference.deviation, 1e-9 * unit);
    }
  }
}

TEST(TargetScaler, IsUpToDateAfterTheFirstTargetThatDiffers) {
  TargetScaler scaler;
  scaler.begin(std::vector<float>(1000, 7.25F));
  EXPECT_EQ(scaler.transform().scaled(100), 0);
  EXPECT_EQ(scaler.transform().restored(3), 7.25F);
  scaler.count(8);
  EXPECT_GT(scaler.transform().deviation, 0);
}

TEST(TargetScaler, DoesNotChangeOnceItIsHeld) {
  TargetScaler scaler;
  scaler.begin(targets(100, 0, 1));
  scaler.hold();
  const TargetTransform held = scaler.transform();
  for (const float y : targets(500, 50, 9)) scaler.count(y);
  EXPECT_EQ(scaler.transform().mean, held.mean);
  EXPECT_EQ(scaler.transform().deviation, held.deviation);
}

TEST(TargetScaler, KeepsExtremeTargetsFinite) {
  TargetScaler scaler;
  scaler.begin(std::vector<float>{3e38F, -3e38F, 1e-45F});
  EXPECT_TRUE(std::isfinite(scaler.transform().scaled(3e38F)));
  EXPECT_TRUE(std::isfinite(scaler.transform().restored(1e30F)));
  TargetScaler tiny;
  tiny.begin(std::vector<float>{0, 1e-45F});
  EXPECT_TRUE(std::isfinite(tiny.transform().scaled(3e38F)));
}

std::string saved(const TargetScaler& scaler) {
  StateWriter out;
  scaler.save(out);
  return out.bytes();
}

TEST(TargetScaler, GoesOnFromItsSavedState) {
  TargetScaler scaler, loaded;
  scaler.begin(targets(1024, 5, 2));
  for (const float y : targets(505, 5, 2, 2)) scaler.count(y);
  const std::string bytes = saved(scaler);
  StateReader in(bytes);
  loaded.load(in);
  EXPECT_TRUE(in.at_end());
  for (const float y : targets(505, 5, 2, 3)) {
    scaler.count(y);
    loaded.count(y);
  }
  EXPECT_EQ(saved(loaded), saved(scaler));
}

TEST(TargetScaler, RefusesADamagedState) {
  TargetScaler scaler;
  scaler.begin(targets(10, 5, 2));
  const std::string bytes = saved(scaler);
  const auto with = [&](std::size_t at, auto value) {
    StateWriter number;
    number.put(value);
    std::string changed = bytes;
    changed.replace(at, number.bytes().size(), number.bytes());
    return changed;
  };
  const double kNan = std::nan("");
  constexpr std::size_t kCount = 1, kMean = 9, kSquares = 17, kNext = 25, kShift = 33, kDeviation = 41;
  for (const std::string& bad :
       {with(kCount, std::uint64_t{0}), with(kMean, kNan), with(kSquares, -1.0), with(kSquares, kNan),
        with(kNext, std::uint64_t{10}), with(kShift, kNan), with(kDeviation, -1.0), with(kDeviation, HUGE_VAL)}) {
    StateReader in(bad);
    TargetScaler loaded;
    EXPECT_THROW(loaded.load(in), Error);
  }
}

}  // namespace
}  // namespace kinglet
