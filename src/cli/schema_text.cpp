#include "cli/schema_text.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <ctime>
#include <numeric>
#include <vector>

#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "core/fail_at.hpp"
#include "records/schema.hpp"
#include "records/time_fields.hpp"

namespace kinglet::cli {
namespace {

using Names = std::vector<std::string>;

constexpr std::size_t kMostColumns = 30;  // columns of a kind
constexpr std::size_t kSchemaWidth = 100;

// The pandas index, for one, has an empty name.
std::string shown_name_of_column(const Columns& columns, std::size_t column) {
  const std::string name = name_of_column(columns, column);
  if (!name.empty()) return printable(name);
  return columns.places.empty() ? "(no name)" : fmt::format("{} (no name)", columns.places[column]);
}

std::string shown_label(const Columns& columns) {
  return columns.features.empty() && columns.label_place > 0 ? std::to_string(columns.label_place)
                                                             : printable(*columns.label);
}

std::string date_text(double seconds) {
  return fmt::format("{:%F}", fmt::gmtime(static_cast<std::time_t>(std::floor(seconds))));
}

// age, or what else is worth knowing: job (12 values).
std::string column_text(const Columns& columns, std::size_t column, bool with_times) {
  const ColumnPlan& plan = columns.schema->columns[column];
  std::string text = shown_name_of_column(columns, column);
  if (plan.kind == ColumnKind::category) {
    const bool is_full = plan.values.size() == plan.slots;
    text += fmt::format(" ({}{})", count_text(plan.values.size()), is_full ? " and more" : "");
  }
  if (plan.kind == ColumnKind::time && plan.form != TimeForm::iso) text += fmt::format(" ({})", name_of(plan.form));
  if (with_times && plan.learned && plan.learned->any()) {
    text += fmt::format(" ({} to {})", date_text(plan.learned->first), date_text(plan.learned->last));
  }
  return text;
}

std::string kind_line(const std::string& kind, const Names& names) {
  if (names.empty()) return {};
  const std::size_t shown = std::min(names.size(), kMostColumns);
  const std::string list =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  const std::string more = shown < names.size() ? fmt::format(" and {} more", count_text(names.size() - shown)) : "";
  return "  " + wrap(pad_right(kind, 10) + list + more, kSchemaWidth, 12) + "\n";
}

Names printable_texts(const Names& texts) {
  Names shown;
  shown.reserve(texts.size());
  for (const std::string& text : texts) shown.push_back(text.empty() ? "(no name)" : printable(text));
  return shown;
}

using Counts = std::vector<std::uint64_t>;  // by column

// The columns that have any, by name.
std::vector<std::pair<std::string, std::uint64_t>> by_column(const Counts& counts, const Columns* columns) {
  std::vector<std::pair<std::string, std::uint64_t>> list;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::string name = columns != nullptr ? shown_name_of_column(*columns, i) : std::to_string(i + 1);
    if (counts[i] > 0) list.emplace_back(name, counts[i]);
  }
  return list;
}

// The sum and each column's share of it; empty if it is 0.
std::string counts_text(const Counts& counts, const Columns* columns) {
  const auto list = by_column(counts, columns);
  if (list.empty()) return {};
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), 8); ++i)
    parts.push_back(fmt::format("{} {}", list[i].first, count_text(list[i].second)));
  return fmt::format("{} ({}{})", count_text(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0})),
                     fmt::join(parts, ", "), parts.size() < list.size() ? ", …" : "");
}

void add_counts(Json& json, const char* key, const Counts& counts, const Columns* columns) {
  for (const auto& [name, count] : by_column(counts, columns)) json[key][name] = count;
}

}  // namespace

std::string schema_text(const Columns* columns, bool with_times) {
  if (columns == nullptr) return {};
  const std::string ignored = kind_line("ignore", printable_texts(columns->ignored));
  if (!columns->schema) return ignored.empty() ? "" : "columns that are not learned\n" + ignored;
  std::string lines = fmt::format("{} become {}\n", plural(columns->dimension, "column"),
                                  plural(columns->schema->dimension, "feature"));
  for (const ColumnKind kind : {ColumnKind::number, ColumnKind::category, ColumnKind::text, ColumnKind::time}) {
    Names names;
    for (std::size_t i = 0; i < columns->schema->columns.size(); ++i) {
      if (columns->schema->columns[i].kind == kind) names.push_back(column_text(*columns, i, with_times));
    }
    lines += kind_line(std::string(name_of(kind)), names);
  }
  return lines + ignored + kind_line("label", columns->label ? std::vector{shown_label(*columns)} : Names());
}

Json schema_json(const Columns* columns) {
  if (columns == nullptr || (!columns->schema && columns->features.empty())) return nullptr;
  Json list = Json::array();
  for (std::size_t i = 0; i < columns->dimension; ++i) {
    Json json;
    json["name"] = columns->features.empty() ? Json(nullptr) : Json(columns->features[i]);
    const ColumnPlan plan = columns->schema ? columns->schema->columns[i] : ColumnPlan{};
    const bool is_scaled = plan.kind == ColumnKind::number || plan.kind == ColumnKind::time;
    json["kind"] = name_of(plan.kind);
    json["features"] = encoded_features(plan) + (is_scaled ? 1 : 0);
    if (plan.kind == ColumnKind::category) {
      json["values"] = plan.values;
      json["slots"] = plan.slots;
    }
    if (plan.learned && plan.learned->any()) json["learned"] = {plan.learned->first, plan.learned->last};
    json["marks_missing"] = plan.indicator;
    list.push_back(std::move(json));
  }
  return list;
}

void add_gaps(Listing& listing, const DataGaps& gaps, const Columns* columns) {
  if (gaps.unlabelled > 0) {
    listing.emplace_back("without a label", fmt::format("{}, left out", plural(gaps.unlabelled, "row")));
  }
  const auto add = [&](const char* name, const Counts& counts, const char* more) {
    if (const std::string text = counts_text(counts, columns); !text.empty()) listing.emplace_back(name, text + more);
  };
  add("missing values", gaps.missing, "");
  add("new times", gaps.new_times, ", outside of those learned");
}

void note_gaps(const DataGaps& gaps, const Columns* columns) {
  Listing listing;
  add_gaps(listing, gaps, columns);
  for (const auto& [name, text] : listing) note(fmt::format("{}: {}", name, text));
}

void add_gaps(Json& json, const DataGaps& gaps, const Columns* columns) {
  if (gaps.unlabelled > 0) json["unlabelled_rows"] = gaps.unlabelled;
  add_counts(json, "missing_values", gaps.missing, columns);
  add_counts(json, "new_times", gaps.new_times, columns);
}

}  // namespace kinglet::cli
