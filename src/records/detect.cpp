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

// The form of times that are counted, by the largest count. Each number is the year 5138 in the form before.
TimeForm form_of(double largest) {
  return largest < 1e11   ? TimeForm::seconds
         : largest < 1e14 ? TimeForm::milliseconds
         : largest < 1e17 ? TimeForm::microseconds
                          : TimeForm::nanoseconds;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Digits with something that separates them or says what they count, such as 1,5, $20, 1'000, 7 % or 0x1F.
bool is_odd_number(std::string_view text) {
  if (text.starts_with("0x")) {
    return text.size() > 2 && text.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string_view::npos;
  }
  const bool is_signed = text.starts_with('-') || text.starts_with('+');
  if (is_signed) text.remove_prefix(1);
  const auto is_mark = [](char c) {
    return c == ',' || c == '\'' || c == ' ' || c == '$' || c == '%' || static_cast<unsigned char>(c) >= 0x80;
  };
  return std::ranges::any_of(text, is_digit) && std::ranges::any_of(text, is_mark) &&
         std::ranges::all_of(text, [&](char c) { return is_digit(c) || c == '.' || is_mark(c); });
}

}  // namespace

void ColumnProfile::add(std::string_view value) {
  const auto [known, is_new] = place_.try_emplace(std::string(value), seen_.size());
  if (is_new) seen_.push_back({std::string(value)});
  ++seen_[known->second].count;
  words_ += count_words(value);
  if (float number = 0; read_number(value, number)) {
    double exact = 0;
    read_number(value, exact);
    first_number_ = numbers_ == 0 ? exact : std::min(first_number_, exact);
    largest_number_ = std::max(largest_number_, std::abs(exact));
    if (numbers_ > 0 && exact == last_number_ + 1 && exact == std::floor(exact)) ++steps_of_one_;
    last_number_ = exact;
    ++numbers_;
  } else if (number_fault(value) != "is not a number") {
    ++numbers_;  // too large or not finite: an error, but no word
  } else if (const auto time = parse_time(value)) {
    first_time_ = times_ == 0 ? time->seconds : std::min(first_time_, time->seconds);
    ++times_;
  } else if (is_odd_number(value)) {
    ++odd_numbers_;
  }
  ++count_;
}

bool ColumnProfile::counts_rows() const {
  return count_ >= kEnoughToTell && missing_ == 0 && steps_of_one_ + 1 == count_;
}

std::optional<std::string> ColumnProfile::odd_number() const {
  if (odd_numbers_ == 0 || !nearly_all(odd_numbers_ + numbers_)) return std::nullopt;
  return std::ranges::find_if(seen_, [](const Seen& seen) { return is_odd_number(seen.value); })->value;
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
    plan.form = counts ? form_of(largest_number_) : TimeForm::iso;
    const double first = counts ? seconds_of(plan.form, first_number_) : first_time_;
    plan.origin = is_in_calendar(first) ? std::floor(first / 86400) * 86400 : 0;
    plan.learned.emplace();
  }
  return plan;
}

// The values of the first rows get slots, and there is room for half as many more. If they are too many, the most
// frequent ones get slots, and the others share more buckets.
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
