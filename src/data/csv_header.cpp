#include "data/csv_header.hpp"

#include <algorithm>
#include <utility>

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

FirstRow::FirstRow(const SourceOptions& options) : label_(label_name(options)), has_model_(options.columns != nullptr) {
  if (options.columns) names_.insert(options.columns->features.begin(), options.columns->features.end());
  knows_names_ = !names_.empty();
  if (!has_model_ || knows_names_ || !options.columns->schema) return;
  may_be_words_ = options.columns->schema->numbers > 0;
}

void FirstRow::add(std::string_view field) {
  ++columns_;
  has_label_ |= !label_.empty() && field == label_;
  names_.erase(field);
  has_number_ |= looks_like_number(field);
  has_word_ |= !looks_like_number(field) && !is_missing(field);
}

HeaderDoubt::HeaderDoubt(std::vector<std::string> first) : first_(std::move(first)), recurs_(first_.size()) {
  std::unordered_set<std::string_view> different;
  for (const std::string& field : first_) has_equal_ |= !is_missing(field) && !different.insert(field).second;
}

bool HeaderDoubt::removes(const std::vector<std::string>& row) {
  if (row.size() != first_.size() || row == first_) return false;  // a header may be repeated
  ++rows_;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (looks_like_number(row[i]) && !is_missing(first_[i])) return true;
    if (row[i] == first_[i] && !is_missing(row[i])) recurs_[i] = true;
  }
  return false;
}

std::size_t HeaderDoubt::recurring() const { return static_cast<std::size_t>(std::ranges::count(recurs_, true)); }

std::optional<std::size_t> HeaderDoubt::recurring_column() const {
  const auto found = std::ranges::find(recurs_, true);
  if (found == recurs_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - recurs_.begin());
}

}  // namespace kinglet
