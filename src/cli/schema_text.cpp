#include "cli/schema_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "core/fail_at.hpp"
#include "records/schema.hpp"

namespace kinglet::cli {
namespace {

using Names = std::vector<std::string>;

constexpr std::size_t kMostColumns = 30;  // columns of a kind
constexpr std::size_t kSchemaWidth = 100;

std::string name_of_column(const Columns& columns, std::size_t column) {
  return columns.features.empty() ? std::to_string(column + 1) : printable(columns.features[column]);
}

// age, or what else is worth knowing: job (12 values).
std::string column_text(const Columns& columns, std::size_t column) {
  const ColumnPlan& plan = columns.schema->columns[column];
  std::string text = name_of_column(columns, column);
  if (plan.kind == ColumnKind::category) text += fmt::format(" ({})", count_text(plan.values.size()));
  if (plan.kind == ColumnKind::time && plan.form != TimeForm::iso) {
    text += plan.form == TimeForm::seconds ? " (seconds)" : " (milliseconds)";
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
  for (const std::string& text : texts) shown.push_back(printable(text));
  return shown;
}

// The columns with missing values and their number, as far as they are known.
std::vector<std::pair<std::string, std::uint64_t>> missing_by_column(const DataGaps& gaps, const Columns* columns) {
  std::vector<std::pair<std::string, std::uint64_t>> list;
  for (std::size_t i = 0; i < gaps.missing.size(); ++i) {
    const std::string name = columns != nullptr ? name_of_column(*columns, i) : std::to_string(i + 1);
    if (gaps.missing[i] > 0) list.emplace_back(name, gaps.missing[i]);
  }
  return list;
}

// Empty if there are no missing values.
std::string missing_text(const DataGaps& gaps, const Columns* columns) {
  const auto list = missing_by_column(gaps, columns);
  if (list.empty()) return {};
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), 8); ++i)
    parts.push_back(fmt::format("{} {}", list[i].first, count_text(list[i].second)));
  return fmt::format("{} ({}{})", count_text(gaps.missing_values()), fmt::join(parts, ", "),
                     parts.size() < list.size() ? ", …" : "");
}

}  // namespace

std::string schema_text(const Columns* columns) {
  if (columns == nullptr) return {};
  const std::string ignored = kind_line("ignore", printable_texts(columns->ignored));
  if (!columns->schema) return ignored.empty() ? "" : "columns that are not learned\n" + ignored;
  std::string lines = fmt::format("{} become {}\n", plural(columns->dimension, "column"),
                                  plural(columns->schema->dimension, "feature"));
  for (const ColumnKind kind : {ColumnKind::number, ColumnKind::category, ColumnKind::text, ColumnKind::time}) {
    Names names;
    for (std::size_t i = 0; i < columns->schema->columns.size(); ++i) {
      if (columns->schema->columns[i].kind == kind) names.push_back(column_text(*columns, i));
    }
    lines += kind_line(std::string(name_of(kind)), names);
  }
  return lines + ignored + kind_line("label", columns->label ? std::vector{printable(*columns->label)} : Names());
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
    json["marks_missing"] = plan.indicator;
    list.push_back(std::move(json));
  }
  return list;
}

void add_gaps(Listing& listing, const DataGaps& gaps, const Columns* columns) {
  if (gaps.unlabelled > 0) {
    listing.emplace_back("without a label", fmt::format("{}, left out", plural(gaps.unlabelled, "row")));
  }
  if (const std::string text = missing_text(gaps, columns); !text.empty()) listing.emplace_back("missing values", text);
}

void note_gaps(const DataGaps& gaps, const Columns* columns) {
  Listing listing;
  add_gaps(listing, gaps, columns);
  for (const auto& [name, text] : listing) note(fmt::format("{}: {}", name, text));
}

void add_gaps(Json& json, const DataGaps& gaps, const Columns* columns) {
  if (gaps.unlabelled > 0) json["unlabelled_rows"] = gaps.unlabelled;
  if (gaps.missing_values() == 0) return;
  Json& missing = json["missing_values"] = Json::object();
  for (const auto& [name, count] : missing_by_column(gaps, columns)) missing[name] = count;
}

}  // namespace kinglet::cli
