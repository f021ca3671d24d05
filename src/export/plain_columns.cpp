#include "export/plain_columns.hpp"

#include <algorithm>

#include "core/compose.hpp"
#include "core/fail_at.hpp"
#include "kinglet/error.hpp"

namespace kinglet {

void require_plain_columns(const FlatModel& plain, std::string_view format) {
  if (!plain.columns || !plain.columns->schema) return;
  const auto& columns = plain.columns->schema->columns;
  const auto is_odd = [](const ColumnPlan& plan) { return plan.kind != ColumnKind::number || plan.indicator; };
  const auto odd = std::find_if(columns.begin(), columns.end(), is_odd);
  if (odd == columns.end()) return;
  const auto place = static_cast<std::size_t>(odd - columns.begin());
  const auto& names = plain.columns->features;
  throw Error(
      compose("the model was trained on records, and {} cannot hold their encoding: column {} {}; only models of "
              "numbers can be exported",
              format, names.empty() ? std::to_string(place + 1) : kinglet::quoted(names[place]),
              odd->kind == ColumnKind::number ? "may be missing" : "is of kind " + std::string(name_of(odd->kind))));
}

}  // namespace kinglet
