// ADWIN against a plain version that keeps every value in its buckets, and the alarms of a committee.
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <vector>

#include "committee/adwin.hpp"
#include "committee/drift_watch.hpp"
#include "core/random.hpp"

namespace kinglet {
namespace {

// The window as a list of buckets with all their values, the oldest first.
class PlainAdwin {
 public:
  void add(double value) {
    buckets_.push_back({value});
    for (std::size_t size = 1; count(size) > 5; size *= 2) {
      const auto first = std::ranges::find_if(buckets_, [&](const auto& bucket) { return bucket.size() == size; });
      first->insert(first->end(), (first + 1)->begin(), (first + 1)->end());
      buckets_.erase(first + 1);
    }
  }
  bool shrink() {
    bool shrunk = false;
    while (has_change()) {
      buckets_.pop_front();
      shrunk = true;
    }
    return shrunk;
  }
  std::vector<double> values() const {
    std::vector<double> all;
    for (const auto& bucket : buckets_) all.insert(all.end(), bucket.begin(), bucket.end());
    return all;
  }
  std::size_t buckets() const { return buckets_.size(); }

  static double mean(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  }

 private:
  std::size_t count(std::size_t size) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(buckets_, [&](const auto& bucket) { return bucket.size() == size; }));
  }
  bool has_change() const {
    const std::vector<double> all = values();
    const auto n = static_cast<double>(all.size());
    const double middle = mean(all);
    double variance = 0;
    for (const double value : all) variance += std::pow(value - middle, 2) / n;
    std::size_t cut = 0;
    for (const auto& bucket : buckets_) {
      cut += bucket.size();
      if (cut < 32 || all.size() - cut < 32) continue;
      const double m = 1 / (1 / static_cast<double>(cut) + 1 / (n - static_cast<double>(cut)));
      const double confidence = std::log(2 / (0.002 / std::log(n)));
      const double bound = std::sqrt(2 / m * variance * confidence) + 2 / (3 * m) * confidence;
      const std::span<const double> whole(all);
      if (std::abs(mean(whole.first(cut)) - mean(whole.subspan(cut))) > bound) return true;
    }
    return false;
  }

  std::deque<std::vector<double>> buckets_;
};

double flip(Random& random, double chance) { return random.uniform() < chance ? 1 : 0; }

TEST(Adwin, IsTheWindowOfAPlainVersionThatKeepsAllValues) {
  Random random(3);
  Adwin window;
  PlainAdwin plain;
  std::size_t shrunk = 0;
  for (int i = 0; i < 3000; ++i) {
    const bool numbers = i >= 2000;
    const double value = numbers ? 0.5 * random.uniform() : flip(random, i / 400 % 2 == 0 ? 0.1 : 0.4);
    window.add(value);
    plain.add(value);
    if (i % 16 != 15) continue;
    const bool changed = plain.shrink();
    ASSERT_EQ(window.shrink(), changed) << i;
    ASSERT_EQ(window.width(), plain.values().size()) << i;
    ASSERT_NEAR(window.mean(), PlainAdwin::mean(plain.values()), 1e-9) << i;
    shrunk += changed ? 1 : 0;
  }
  EXPECT_GE(shrunk, 4u);
  EXPECT_LT(plain.buckets(), 60u);
}

TEST(Adwin, GoesOnFromItsSavedStateAsIfNothingHadHappened) {
  Random random(5);
  Adwin window;
  for (int i = 0; i < 5000; ++i) window.add(random.uniform());
  StateWriter state;
  window.save(state);
  StateReader reader(state.bytes());
  Adwin again;
  again.load(reader);
  EXPECT_TRUE(reader.at_end());
  for (int i = 0; i < 3000; ++i) {
    const double value = 0.3 * random.uniform();
    window.add(value);
    again.add(value);
    ASSERT_EQ(window.shrink(), again.shrink());
    ASSERT_EQ(window.width(), again.width());
    ASSERT_EQ(window.mean(), again.mean());
  }
  StateWriter end;
  StateWriter other;
  window.save(end);
  again.save(other);
  EXPECT_EQ(end.bytes(), other.bytes());
}

TEST(Adwin, RefusesADamagedState) {
  StateWriter state;
  state.put<std::uint64_t>(Adwin::kMostLevels + 1);
  for (std::size_t i = 0; i <= Adwin::kMostLevels; ++i) state.put<std::uint64_t>(0);
  StateReader reader(state.bytes());
  Adwin window;
  EXPECT_THROW(window.load(reader), Error);
}

// Steps after every 64 errors, as a committee does.
std::vector<DriftAlarm> alarms_of(const std::vector<double>& errors) {
  DriftWatch watch;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    watch.add(errors[i]);
    if (i % 64 == 63) watch.step(i + 1, 0.5, 0.25);
  }
  return {watch.alarms().begin(), watch.alarms().end()};
}

TEST(DriftWatch, RaisesOneAlarmSoonAfterErrorsBecomeMore) {
  Random random(7);
  std::vector<double> errors;
  for (int i = 0; i < 20000; ++i) errors.push_back(flip(random, i < 10000 ? 0.1 : 0.3));
  const auto alarms = alarms_of(errors);
  ASSERT_EQ(alarms.size(), 1u);
  EXPECT_GT(alarms[0].at, 10000u);
  EXPECT_LT(alarms[0].at, 10600u);
  EXPECT_LE(alarms[0].since, alarms[0].at);
  EXPECT_EQ(alarms[0].recent_error, 0.5);
  EXPECT_EQ(alarms[0].usual_error, 0.25);
}

TEST(DriftWatch, IsSilentWhereErrorsStayOrBecomeFewer) {
  for (const double later : {0.2, 0.02}) {
    Random random(11);
    std::vector<double> errors;
    for (int i = 0; i < 100000; ++i) errors.push_back(flip(random, i < 50000 ? 0.2 : later));
    EXPECT_TRUE(alarms_of(errors).empty()) << later;
  }
}

TEST(DriftWatch, IsSilentWhereTheRecentErrorIsNotAboveTheUsualOne) {
  for (const double recent : {0.1, 0.2, 0.3}) {
    Random random(17);
    DriftWatch watch;
    for (std::size_t i = 0; i < 20000; ++i) {
      watch.add(flip(random, i < 10000 ? 0.1 : 0.3));
      if (i % 64 == 63) watch.step(i + 1, recent, 0.2);
    }
    EXPECT_EQ(watch.count(), recent > 0.2 ? 1u : 0u) << recent;
  }
}

TEST(DriftWatch, KeepsTheLatestAlarmsAndCountsAll) {
  DriftWatch watch;
  Random random(13);
  std::uint64_t examples = 0;
  while (watch.count() < DriftWatch::kMostKept + 20) {
    const double chance = examples / 1024 % 2 == 0 ? 0.02 : 0.9;
    for (int i = 0; i < 64; ++i) watch.add(flip(random, chance));
    examples += 64;
    watch.step(examples, 1, 0);
    ASSERT_LT(examples, 1'000'000u);
  }
  EXPECT_EQ(watch.alarms().size(), DriftWatch::kMostKept);
  StateWriter state;
  watch.save(state);
  StateReader reader(state.bytes());
  DriftWatch again;
  again.load(reader, examples);
  EXPECT_EQ(again.count(), watch.count());
  EXPECT_EQ(again.alarms().back().at, watch.alarms().back().at);
}

}  // namespace
}  // namespace kinglet
