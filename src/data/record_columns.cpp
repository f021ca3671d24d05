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

}  // namespace

ColumnMap with_kinds(const ColumnMap& map, const std::vector<std::string>& names,
                     std::span<const ColumnProfile> profiles, const SourceOptions& options) {
  Kinds kinds = chosen_kinds(map, names, options);
  std::vector<bool> unread(kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (!kinds[i] && profiles[i].is_empty() && options.missing) kinds[i] = ColumnKind::number;
    if (!kinds[i]) kinds[i] = profiles[i].kind();
    unread[i] = ColumnMap::is_feature(map.places[i]) && *kinds[i] == ColumnKind::ignore;
  }
  ColumnMap fitting = map_columns(names, kinds.size(), options, unread);
  const RecordLimits limits{.category_values = options.category_values, .text_features = options.text_features};
  Schema schema;
  schema.columns.resize(fitting.dimension);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (!ColumnMap::is_feature(fitting.places[i])) continue;
    schema.columns[fitting.places[i]] = profiles[i].plan(*kinds[i], limits, !options.missing);
  }
  if (is_plain(schema)) return fitting;
  lay_out(schema);
  auto columns = std::make_shared<Columns>(*fitting.columns);
  columns->schema = std::make_shared<const Schema>(std::move(schema));
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
