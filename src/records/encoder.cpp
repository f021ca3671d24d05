#include "records/encoder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/assert.hpp"
#include "core/compose.hpp"
#include "core/number.hpp"
#include "kinglet/error.hpp"
#include "records/time_fields.hpp"

namespace kinglet {
namespace {

constexpr double kSecondsPerDay = 86400;

double seconds_of(TimeForm form, double count) { return form == TimeForm::milliseconds ? count / 1000 : count; }

[[noreturn]] void refuse_time(TimeForm form) {
  throw Error(compose("is not {}", form == TimeForm::iso ? "a date or time like 2024-05-31 or 2024-05-31T08:15:30Z"
                                   : form == TimeForm::seconds ? "a number of seconds since 1970"
                                                               : "a number of milliseconds since 1970"));
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
  for (const ColumnPlan& plan : schema_->columns) categories_.emplace_back(plan);
  missing_counts_.resize(schema_->columns.size());
  begin();
}

void RecordEncoder::begin() {
  numbers_.assign(schema_->numbers, std::numeric_limits<float>::quiet_NaN());
  present_.assign(schema_->columns.size(), false);
  entries_.clear();
}

void RecordEncoder::clear_missing() { std::ranges::fill(missing_counts_, 0); }

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
    set_time_text(plan, field);
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
    set_time(plan, seconds, seconds);
  }
  present_[column] = true;
}

void RecordEncoder::set_time_text(const ColumnPlan& plan, std::string_view field) {
  if (plan.form == TimeForm::iso) {
    const auto time = parse_time(field);
    if (!time) refuse_time(plan.form);
    return set_time(plan, time->seconds, time->clock);
  }
  double count = 0;
  if (!read_number(field, count) || !is_in_calendar(seconds_of(plan.form, count))) refuse_time(plan.form);
  set_time(plan, seconds_of(plan.form, count), seconds_of(plan.form, count));
}

void RecordEncoder::set_time(const ColumnPlan& plan, double seconds, double clock) {
  numbers_[plan.scaled] = static_cast<float>((seconds - plan.origin) / kSecondsPerDay);
  const auto cycles = cycles_of(clock);
  for (std::uint32_t i = 0; i < kCycleFeatures; ++i) add_entry(plan.first + i, kUnit * static_cast<float>(cycles[i]));
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
    return categories_[i].values().size() > schema_->columns[i].values.size();
  };
  std::shared_ptr<Schema> grown;
  for (std::size_t i = 0; i < categories_.size(); ++i) {
    if (!has_grown(i)) continue;
    if (!grown) grown = std::make_shared<Schema>(*schema_);
    grown->columns[i].values = categories_[i].values();
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
