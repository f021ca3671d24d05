#include "data/record_columns.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/compose.hpp"
#include "core/fail_at.hpp"
#include "kinglet/error.hpp"
#include "records/schema.hpp"

namespace kinglet {
namespace {

using Kinds = std::vector<std::optional<ColumnKind>>;  // by column

// The kinds that the options give.
Kinds chosen_kinds(const ColumnMap& map, const std::vector<std::string>& names, const SourceOptions& options) {
  Kinds kinds(map.places.size());
  for (const ColumnChoice& choice : options.kinds) {
    const auto column = find_column(names, kinds.size(), choice.column, options.options_may_not_fit);
    if (!column) continue;
    if (!ColumnMap::is_feature(map.places[*column]) && choice.kind != ColumnKind::ignore) {
      throw Error(compose("{}: this column is not learned from",
                          option("column", choice.column + "=" + std::string(name_of(choice.kind)))));
    }
    kinds[*column] = choice.kind;
  }
  return kinds;
}

bool is_plain(const Schema& schema) {
  for (const ColumnPlan& plan : schema.columns) {
    if (plan.kind != ColumnKind::number || plan.indicator) return false;
  }
  return true;
}

// Numbers that count the rows say nothing about other rows. Where records are learned, they are left out.
void leave_out_row_numbers(const Kinds& chosen, std::span<const ColumnProfile> profiles, const ColumnMap& map,
                           Kinds& kinds) {
  const auto is_number = [&](std::size_t i) {
    return !ColumnMap::is_feature(map.places[i]) || kinds[i] == ColumnKind::number || kinds[i] == ColumnKind::ignore;
  };
  bool are_records = false;
  for (std::size_t i = 0; i < kinds.size(); ++i) are_records |= !is_number(i);
  if (!are_records) return;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (ColumnMap::is_feature(map.places[i]) && !chosen[i] && profiles[i].counts_rows()) kinds[i] = ColumnKind::ignore;
  }
}

// What is odd about a column.
void add_notes(const std::vector<std::string>& names, std::size_t column, const ColumnProfile& profile, ColumnKind kind,
               const SourceOptions& options, std::vector<Message>& notes) {
  const std::string name = column_argument(names, column);
  if (kind == ColumnKind::number && profile.counts_rows()) notes.push_back(row_numbers_note(names, column));
  if (kind == ColumnKind::number || kind == ColumnKind::time) return;
  if (const auto odd = profile.odd_number()) {
    notes.push_back(compose("column {} has numbers in a notation that is not read, such as {}: it is learned as {}",
                            name, kinglet::quoted(*odd), kind == ColumnKind::ignore ? "nothing" : name_of(kind)));
  } else if (kind == ColumnKind::category && profile.different() > options.category_values) {
    notes.push_back(
        compose("column {} has {} values in the first rows, of which {} have features of their own; for more, use {}",
                name, profile.different(), options.category_values,
                option("category_values", std::to_string(2 * profile.different()))));
  }
}

}  // namespace

Message row_numbers_note(const std::vector<std::string>& names, std::size_t column) {
  const std::string name = column_argument(names, column);
  return compose("column {} counts the rows; to leave it out, use {}", name, option("ignore", name));
}

ColumnMap with_kinds(const ColumnMap& map, const std::vector<std::string>& names,
                     std::span<const ColumnProfile> profiles, const SourceOptions& options) {
  const Kinds chosen = chosen_kinds(map, names, options);
  Kinds kinds = chosen;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (!kinds[i] && profiles[i].is_empty() && options.missing) kinds[i] = ColumnKind::number;
    if (!kinds[i]) kinds[i] = profiles[i].kind();
  }
  leave_out_row_numbers(chosen, profiles, map, kinds);
  std::vector<bool> unread(kinds.size());
  std::vector<Message> notes;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (!ColumnMap::is_feature(map.places[i])) continue;
    unread[i] = *kinds[i] == ColumnKind::ignore;
    if (!chosen[i]) add_notes(names, i, profiles[i], *kinds[i], options, notes);
  }
  ColumnMap fitting = map_columns(names, kinds.size(), options, unread);
  const RecordLimits limits{.category_values = options.category_values, .text_features = options.text_features};
  Schema schema;
  schema.columns.resize(fitting.dimension);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (!ColumnMap::is_feature(fitting.places[i])) continue;
    schema.columns[fitting.places[i]] = profiles[i].plan(*kinds[i], limits, !options.missing);
  }
  auto columns = std::make_shared<Columns>(*fitting.columns);
  columns->notes.insert(columns->notes.end(), notes.begin(), notes.end());
  if (!is_plain(schema)) {
    lay_out(schema);
    columns->schema = std::make_shared<const Schema>(std::move(schema));
  }
  fitting.columns = std::move(columns);
  return fitting;
}

void require_same_kinds(const ColumnMap& map, const std::vector<std::string>& names, const SourceOptions& options) {
  const Kinds kinds = chosen_kinds(map, names, options);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (!kinds[i] || !ColumnMap::is_feature(map.places[i])) continue;
    const Schema* const schema = map.columns->schema.get();
    const ColumnKind learned = schema == nullptr ? ColumnKind::number : schema->columns[map.places[i]].kind;
    if (*kinds[i] == learned) continue;
    throw Error(compose("{}: the model has learned it as {}",
                        option("column", column_argument(names, i) + "=" + std::string(name_of(*kinds[i]))),
                        name_of(learned)));
  }
}

}  // namespace kinglet
