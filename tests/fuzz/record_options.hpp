// For the fuzz targets of CSV and JSON lines: options of records, chosen by a byte, and the columns of a model that has
// learned records.
#pragma once

#include <memory>
#include <utility>

#include "data/text_source.hpp"
#include "records/schema.hpp"

namespace kinglet {

inline void choose_record_options(unsigned choice, SourceOptions& options) {
  if ((choice & 4) != 0) options.kinds = {{"x", ColumnKind::category}, {"2", ColumnKind::text}};
  if ((choice & 8) != 0)
    options.kinds = {{"x", ColumnKind::time}, {"y", ColumnKind::number}, {"z", ColumnKind::ignore}};
  if ((choice & 16) != 0) options.id_column = "id";
  if ((choice & 32) != 0) options.skip_unlabelled = true;
  if ((choice & 64) != 0) {
    options.category_values = 2;
    options.text_features = 3;
  }
  if ((choice & 128) != 0) options.only = {"x", "y"};
}

// Columns x (a category), y (a number), z (a text), t (a time) and the label.
inline std::shared_ptr<const Columns> learned_records() {
  Schema schema;
  schema.columns = {{.kind = ColumnKind::category, .indicator = true, .slots = 3, .values = {"u", "v"}, .buckets = 2},
                    {.kind = ColumnKind::number, .indicator = true},
                    {.kind = ColumnKind::text, .buckets = 4},
                    {.kind = ColumnKind::time,
                     .form = TimeForm::iso,
                     .origin = 86400,
                     .learned = LearnedTimes{.first = 86400, .last = 8640000}}};
  lay_out(schema);
  Columns columns{.dimension = 4, .features = {"x", "y", "z", "t"}, .label = "label"};
  columns.schema = std::make_shared<const Schema>(std::move(schema));
  return std::make_shared<const Columns>(std::move(columns));
}

}  // namespace kinglet
