#include "records/encoder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/assert.hpp"
#include "core/compose.hpp"
#include "core/number.hpp"
#include "kinglet/error.hpp"
#include "records/learned_times.hpp"
#include "records/time_fields.hpp"

namespace kinglet {
namespace {

constexpr double kSecondsPerDay = 86400;

[[noreturn]] void refuse_time(TimeForm form) {
  throw Error(form == TimeForm::iso ? Message("is not a date or time like 2024-05-31 or 2024-05-31T08:15:30Z")
                                    : compose("is not a number of {} since 1970", name_of(form)));
}

}  // namespace

RecordEncoder::RecordEncoder(std::shared_ptr<const Columns> columns, NewValues new_values,
                             std::optional<Missing> missing)
    : columns_(std::move(columns)),
      schema_(columns_->schema.get()),
      new_values_stay_(new_values == NewValues::stay),
      missing_(missing) {
  KINGLET_ASSERT(schema_ != nullptr && schema_->dimension > 0);
  categories_.reserve(schema_->columns.size());
  times_.reserve(schema_->columns.size());
  for (const ColumnPlan& plan : schema_->columns) {
    categories_.emplace_back(plan);
    times_.push_back(plan.learned.value_or(LearnedTimes()));
  }
  missing_counts_.resize(schema_->columns.size());
  new_time_counts_.resize(schema_->columns.size());
  begin();
}

void RecordEncoder::begin() {
  numbers_.assign(schema_->numbers, std::numeric_limits<float>::quiet_NaN());
  present_.assign(schema_->columns.size(), false);
  entries_.clear();
  new_times_.clear();
}

void RecordEncoder::clear_counts() {
  std::ranges::fill(missing_counts_, 0);
  std::ranges::fill(new_time_counts_, 0);
}

void RecordEncoder::add_text(std::size_t column, std::string_view field) {
  const ColumnPlan& plan = schema_->columns[column];
  KINGLET_ASSERT(!present_[column]);
  if (plan.kind == ColumnKind::number) {
    float value = 0;
    if (!read_number(field, value)) throw Error(std::string(number_fault(field)));
    set_number(plan, value);
  } else if (plan.kind == ColumnKind::category) {
    set_category(column, field);
  } else if (plan.kind == ColumnKind::text) {
    for (const auto& [bucket, value] : words_(field, plan.buckets)) add_entry(plan.first + bucket, kUnit * value);
  } else {
    set_time_text(column, field);
  }
  present_[column] = true;
}

void RecordEncoder::add_number(std::size_t column, double value) {
  const ColumnPlan& plan = schema_->columns[column];
  if (std::isnan(value)) return;
  if (plan.kind != ColumnKind::number && plan.kind != ColumnKind::time) {
    return add_text(column, fmt::format("{}", value));
  }
  KINGLET_ASSERT(!present_[column]);
  if (plan.kind == ColumnKind::number) {
    const auto number = static_cast<float>(value);
    if (!std::isfinite(number)) {
      throw Error(std::isinf(value) ? "is not finite" : "is out of range of a 32-bit float");
    }
    set_number(plan, number);
  } else {
    const double seconds = seconds_of(plan.form, value);
    if (!is_in_calendar(seconds)) refuse_time(plan.form);
    set_time(column, {.seconds = seconds, .clock = seconds});
  }
  present_[column] = true;
}

void RecordEncoder::set_time_text(std::size_t column, std::string_view field) {
  const TimeForm form = schema_->columns[column].form;
  if (form == TimeForm::iso) {
    const auto time = parse_time(field);
    if (!time) refuse_time(form);
    return set_time(column, *time);
  }
  double count = 0;
  if (!read_number(field, count) || !is_in_calendar(seconds_of(form, count))) refuse_time(form);
  set_time(column, {.seconds = seconds_of(form, count), .clock = seconds_of(form, count)});
}

void RecordEncoder::set_time(std::size_t column, const TimePoint& time) {
  const ColumnPlan& plan = schema_->columns[column];
  TimePoint shown = time;
  auto cycles = cycles_of(time.clock);
  if (plan.learned && !times_[column].contains(time.seconds)) {
    if (is_in_calendar(time.seconds)) new_times_.emplace_back(column, time.seconds);  // in UTC it may just be outside
    if (!new_values_stay_) {
      shown = moved_into(times_[column], time);
      const auto moved = cycles_of(shown.clock);
      const bool keeps_season = cover_a_year(times_[column]);
      std::copy(moved.begin(), keeps_season ? moved.end() - kSeasonFeatures : moved.end(), cycles.begin());
    }
  }
  numbers_[plan.scaled] = static_cast<float>((shown.seconds - plan.origin) / kSecondsPerDay);
  for (std::uint32_t i = 0; i < kCycleFeatures; ++i) add_entry(plan.first + i, kUnit * static_cast<float>(cycles[i]));
}

// A time of an appended record that was not learned before.
void RecordEncoder::count_time(std::size_t column, double seconds) {
  if (new_values_stay_) {
    times_[column] = with_time(times_[column], seconds);
  } else {
    ++new_time_counts_[column];
  }
}

void RecordEncoder::set_category(std::size_t column, std::string_view value) {
  add_entry(schema_->columns[column].first + categories_[column].feature(value, new_values_stay_), kUnit);
}

void RecordEncoder::set_missing(std::size_t column) {
  const ColumnPlan& plan = schema_->columns[column];
  ++missing_counts_[column];
  const bool has_number = plan.kind == ColumnKind::number || plan.kind == ColumnKind::time;
  if (has_number && missing_ == Missing::zero) numbers_[plan.scaled] = 0;
  if (plan.indicator) add_entry(plan.first + encoded_features(plan) - 1, kUnit);
}

void RecordEncoder::append_to(Batch& batch) {
  for (std::size_t column = 0; column < present_.size(); ++column) {
    if (!present_[column]) set_missing(column);
  }
  for (const auto& [column, seconds] : new_times_) count_time(column, seconds);
  if (!std::ranges::is_sorted(entries_)) std::ranges::sort(entries_);
  if (batch.offsets.empty()) batch.offsets.push_back(0);
  for (std::uint32_t i = 0; i < numbers_.size(); ++i) {
    batch.indices.push_back(i);
    batch.values.push_back(numbers_[i]);
  }
  for (const auto& [feature, value] : entries_) {
    batch.indices.push_back(feature);
    batch.values.push_back(value);
  }
  batch.offsets.push_back(batch.values.size());
  begin();
}

const std::shared_ptr<const Columns>& RecordEncoder::snapshot() {
  const auto has_grown = [&](std::size_t i) {
    const ColumnPlan& plan = schema_->columns[i];
    return categories_[i].values().size() > plan.values.size() || (plan.learned && *plan.learned != times_[i]);
  };
  std::shared_ptr<Schema> grown;
  for (std::size_t i = 0; i < categories_.size(); ++i) {
    if (!has_grown(i)) continue;
    if (!grown) grown = std::make_shared<Schema>(*schema_);
    grown->columns[i].values = categories_[i].values();
    if (grown->columns[i].learned) grown->columns[i].learned = times_[i];
  }
  if (grown) {
    auto columns = std::make_shared<Columns>(*columns_);
    columns->schema = std::move(grown);
    columns_ = std::move(columns);
    schema_ = columns_->schema.get();
  }
  return columns_;
}

}  // namespace kinglet
