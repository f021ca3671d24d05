#include "records/schema.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/assert.hpp"
#include "core/compose.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

constexpr std::string_view kKindNames[] = {"number", "category", "text", "time", "ignore"};
constexpr const char* kCycleNames[kCycleFeatures] = {"day.sin",  "day.cos",  "week.sin",
                                                     "week.cos", "year.sin", "year.cos"};

bool has_scaled(const ColumnPlan& plan) { return plan.kind == ColumnKind::number || plan.kind == ColumnKind::time; }

}  // namespace

std::string_view name_of(ColumnKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

std::optional<ColumnKind> column_kind(std::string_view name) {
  const auto* const found = std::ranges::find(kKindNames, name);
  if (found == std::end(kKindNames)) return std::nullopt;
  return static_cast<ColumnKind>(found - std::begin(kKindNames));
}

std::uint32_t encoded_features(const ColumnPlan& plan) {
  return plan.slots + plan.buckets + (plan.kind == ColumnKind::time ? kCycleFeatures : 0) + (plan.indicator ? 1 : 0);
}

void lay_out(Schema& schema) {
  schema.numbers = 0;
  for (ColumnPlan& plan : schema.columns) {
    KINGLET_ASSERT(plan.kind != ColumnKind::ignore);
    if (has_scaled(plan)) plan.scaled = schema.numbers++;
  }
  std::uint64_t features = schema.numbers;
  for (ColumnPlan& plan : schema.columns) {
    plan.first = static_cast<std::uint32_t>(features);
    features += encoded_features(plan);
    if (features > kMostRecordFeatures) {
      throw Error(compose("the columns become more than {} features; lower {} or {}", kMostRecordFeatures,
                          option("category_values"), option("text_features")));
    }
  }
  schema.dimension = static_cast<std::uint32_t>(features);
}

std::string name_of_column(const Columns& columns, std::size_t column) {
  if (!columns.features.empty()) return columns.features[column];
  return std::to_string(columns.places.empty() ? column + 1 : columns.places[column]);
}

std::vector<std::string> names_of_features(const Columns& columns) {
  const Schema& schema = *columns.schema;
  std::vector<std::string> names(schema.dimension);
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const ColumnPlan& plan = schema.columns[i];
    const std::string column = name_of_column(columns, i);
    if (has_scaled(plan)) names[plan.scaled] = column;
    std::uint32_t at = plan.first;
    for (std::uint32_t slot = 0; slot < plan.slots; ++slot) {
      const auto used = static_cast<std::uint32_t>(plan.values.size());
      names[at++] =
          slot < used ? column + "=" + plan.values[slot] : fmt::format("{}=(free {})", column, slot - used + 1);
    }
    for (std::uint32_t bucket = 0; bucket < plan.buckets; ++bucket)
      names[at++] = fmt::format("{}#{}", column, bucket + 1);
    if (plan.kind == ColumnKind::time) {
      for (const char* cycle : kCycleNames) names[at++] = fmt::format("{}.{}", column, cycle);
    }
    if (plan.indicator) names[at++] = column + "=?";
  }
  return names;
}

bool continues(const Schema& earlier, const Schema& later) {
  const auto keeps_times = [](const std::optional<LearnedTimes>& a, const std::optional<LearnedTimes>& b) {
    if (!a || !b) return a == b;
    return !a->any() || (b->contains(a->first) && b->contains(a->last));
  };
  const auto fits = [&](const ColumnPlan& a, const ColumnPlan& b) {
    const bool keeps_values =
        a.values.size() <= b.values.size() && std::equal(a.values.begin(), a.values.end(), b.values.begin());
    return keeps_values && a.kind == b.kind && a.indicator == b.indicator && a.slots == b.slots &&
           a.buckets == b.buckets && a.form == b.form && a.origin == b.origin && keeps_times(a.learned, b.learned);
  };
  return std::equal(earlier.columns.begin(), earlier.columns.end(), later.columns.begin(), later.columns.end(), fits);
}

}  // namespace kinglet
