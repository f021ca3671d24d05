#include "data/csv_header.hpp"

#include "core/number.hpp"
#include "data/row_builder.hpp"

namespace kinglet {
namespace {

// The name that the label column must have, if there is one.
std::string label_name(const SourceOptions& options) {
  const auto& given = options.label_column ? options.label_column : options.default_label_column;
  const bool model_has_names = options.columns && !options.columns->features.empty();
  const std::string name = given ? *given : model_has_names ? options.columns->label.value_or("") : "";
  return looks_like_number(name) ? "" : name;
}

}  // namespace

FirstRow::FirstRow(const SourceOptions& options) : label_(label_name(options)) {
  if (options.columns) names_.insert(options.columns->features.begin(), options.columns->features.end());
  knows_names_ = !names_.empty();
}

void FirstRow::add(std::string_view field) {
  ++columns_;
  has_label_ |= !label_.empty() && field == label_;
  names_.erase(field);
  has_number_ |= looks_like_number(field);
  has_word_ |= !looks_like_number(field) && !is_missing(field);
}

}  // namespace kinglet
