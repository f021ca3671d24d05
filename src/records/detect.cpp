#include "records/detect.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/assert.hpp"
#include "core/number.hpp"
#include "records/category_values.hpp"
#include "records/time_fields.hpp"
#include "records/words.hpp"

namespace kinglet {
namespace {

constexpr std::uint64_t kEnoughToTell = 20;  // fewer different values do not make an identifier
constexpr double kMillisecondsFrom = 1e11;   // as seconds, that would be the year 5138

}  // namespace

void ColumnProfile::add(std::string_view value) {
  const auto [known, is_new] = place_.try_emplace(std::string(value), seen_.size());
  if (is_new) seen_.push_back({std::string(value)});
  ++seen_[known->second].count;
  words_ += count_words(value);
  if (float number = 0; read_number(value, number)) {
    const auto exact = static_cast<double>(number);
    first_number_ = numbers_ == 0 ? exact : std::min(first_number_, exact);
    largest_number_ = std::max(largest_number_, std::abs(exact));
    ++numbers_;
  } else if (number_fault(value) != "is not a number") {
    ++numbers_;  // too large or not finite: an error, but no word
  } else if (const auto time = parse_time(value)) {
    first_time_ = times_ == 0 ? time->seconds : std::min(first_time_, time->seconds);
    ++times_;
  }
  ++count_;
}

ColumnKind ColumnProfile::kind() const {
  if (count_ == 0) return ColumnKind::ignore;
  if (nearly_all(numbers_)) return ColumnKind::number;
  if (nearly_all(times_)) return ColumnKind::time;
  const auto different = static_cast<std::uint64_t>(seen_.size());
  if (2 * different > count_ && 2 * words_ >= 5 * count_) return ColumnKind::text;
  return different >= kEnoughToTell && nearly_all(different) ? ColumnKind::ignore : ColumnKind::category;
}

ColumnPlan ColumnProfile::plan(ColumnKind kind, const RecordLimits& limits, bool indicates) const {
  KINGLET_ASSERT(kind != ColumnKind::ignore);
  ColumnPlan plan{.kind = kind, .indicator = indicates && (has_missing() || kind == ColumnKind::category)};
  if (kind == ColumnKind::category) plan_values(limits, plan);
  if (kind == ColumnKind::text) plan.buckets = limits.text_features;
  if (kind == ColumnKind::time) {
    const bool counts = numbers_ > times_;
    plan.form = !counts                               ? TimeForm::iso
                : largest_number_ < kMillisecondsFrom ? TimeForm::seconds
                                                      : TimeForm::milliseconds;
    const double first = counts ? first_number_ / (plan.form == TimeForm::seconds ? 1 : 1000) : first_time_;
    plan.origin = is_in_calendar(first) ? std::floor(first / 86400) * 86400 : 0;
  }
  return plan;
}

// The values of the first rows get slots, and there is room for half as many more. If they are too many, the most frequent
// ones get slots, and the others share more buckets.
void ColumnProfile::plan_values(const RecordLimits& limits, ColumnPlan& plan) const {
  constexpr std::uint32_t kFewBuckets = 4;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    if (seen_[i].value.size() <= CategoryValues::kLongestValue) chosen.push_back(i);
  }
  const bool fits = chosen.size() <= limits.category_values;
  if (!fits) {
    std::ranges::stable_sort(chosen, std::greater(), [&](std::size_t i) { return seen_[i].count; });
    chosen.resize(limits.category_values);
    std::ranges::sort(chosen);
  }
  plan.values.reserve(chosen.size());
  for (const std::size_t i : chosen) plan.values.push_back(seen_[i].value);
  const auto used = static_cast<std::uint32_t>(chosen.size());
  plan.slots = std::min(limits.category_values, used + std::max(4u, used / 2));
  plan.buckets = fits ? kFewBuckets : std::max(kFewBuckets, limits.category_values / 4);
}

}  // namespace kinglet
