#include "data/row_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/compose.hpp"
#include "core/fail_at.hpp"
#include "core/number.hpp"
#include "data/record_columns.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

// `what` is the text in a message.
float read_or_refuse(std::string_view text, std::string_view what, const Message& hint) {
  float number = 0;
  if (!read_number(text, number)) {
    throw Error(compose("{} {} {}{}", what, quoted(text), number_fault(text), hint));
  }
  return number;
}

float target_of(std::string_view text) {
  static const Message hint{"; regression needs a number. If the label is in another column, use ",
                            option("label_column"), " with its name or number"};
  return read_or_refuse(text, "label", hint);
}

float weight_of(std::string_view text) {
  static const Message no_hint;
  const float weight = read_or_refuse(text, "weight", no_hint);
  if (weight < 0) throw Error(fmt::format("weight {} is negative", quoted(text)));
  return weight;
}

std::string id_of(std::string_view text) {
  if (has_control_characters(text)) {
    throw Error(fmt::format("id {} contains a line end or another control character", quoted(text)));
  }
  return std::string(text);
}

}  // namespace

bool looks_like_number(std::string_view text) { return !text.empty() && number_fault(text) != "is not a number"; }

RowBuilder::RowBuilder(const SourceOptions& options, Order order)
    : options_(options),
      order_(order),
      null_words_(!options.columns || !options.columns->schema || options.columns->schema->null_words) {}

// --- columns ---------------------------------------------------------------------------------------------------------

void RowBuilder::map_columns(std::vector<std::string> names, std::size_t count) {
  names_ = std::move(names);
  map_ = kinglet::map_columns(names_, count, options_);
  if (options_.columns) require_same_kinds(map_, names_, options_);
  profiles_.assign(needs_first_rows() ? count : 0, {});
  has_looked_ = false;
}

void RowBuilder::look_at(std::size_t column, std::string_view text) {
  if (is_missing(text)) return look_at_missing(column, 1);
  has_looked_ = true;
  const std::uint32_t place = map_.places[column];
  if (ColumnMap::is_feature(place) || place == ColumnMap::kLabel) profiles_[column].add(text);
}

void RowBuilder::look_at_missing(std::size_t column, std::uint64_t count) {
  has_looked_ = true;
  if (ColumnMap::is_feature(map_.places[column])) profiles_[column].add_missing(count);
}

void RowBuilder::settle() {
  if (has_looked_) doubt_label();
  if (has_looked_) map_ = with_kinds(map_, names_, std::exchange(profiles_, {}), options_);
  if (!options_.columns && !notes_.empty()) {
    auto columns = std::make_shared<Columns>(*map_.columns);
    columns->notes.insert(columns->notes.end(), notes_.begin(), notes_.end());
    map_.columns = std::move(columns);
  }
  has_targets_ = map_.has_label && options_.numeric_labels;
  if (map_.columns->schema) {
    const bool stay = !options_.columns || options_.new_values;
    encoder_.emplace(map_.columns, stay ? RecordEncoder::NewValues::stay : RecordEncoder::NewValues::hash,
                     options_.missing);
  }
  is_ready_ = true;
}

void RowBuilder::note_row_numbers(std::size_t column) { add_note(row_numbers_note(names_, column)); }

// The first column is the label unless the user names another. If all its values differ, it identifies the rows.
void RowBuilder::doubt_label() const {
  constexpr std::uint64_t kEnough = 128;
  if (options_.label_column || options_.default_label_column || options_.numeric_labels) return;
  const auto label = std::ranges::find(map_.places, ColumnMap::kLabel);
  if (label == map_.places.end()) return;
  const auto column = static_cast<std::size_t>(label - map_.places.begin());
  const ColumnProfile& profile = profiles_[column];
  if (profile.count() < kEnough || profile.different() < profile.count()) return;
  throw Error(compose("all values of {} differ in the first {} rows, so it cannot be the label; name the label with {}",
                      column_name(column), profile.count(), option("label_column")));
}

std::string RowBuilder::column_name(std::size_t column) const {
  if (names_.empty()) return fmt::format("column {}", column + 1);
  if (order_ == Order::none) return "column " + kinglet::quoted(names_[column]);
  return fmt::format("column {} ({})", column + 1, kinglet::quoted(names_[column]));
}

// What to do about a value that does not fit the kind of its column, if that was detected.
Message RowBuilder::hint_for_kind(std::size_t column, std::string_view text) const {
  if (options_.columns) return {};
  const std::string argument = column_argument(names_, column);
  const char* const other = looks_like_number(text) ? "=number" : "=category";
  return compose("; if the column is of another kind, use {}", option("column", argument + other));
}

// --- rows ------------------------------------------------------------------------------------------------------------

// The values of dense rows are not cleared: rows take the place of those before.
void RowBuilder::begin_batch(Batch& batch) const {
  if (encoder_ || !is_ready_) batch.values.clear();
  batch.labels.clear();
  batch.targets.clear();
  batch.weights.clear();
  batch.ids.clear();
  batch.new_labels.clear();
  batch.indices.clear();
  batch.offsets.clear();
  batch.labels.reserve(kBatchRows);
}

void RowBuilder::end_batch(Batch& batch) {
  batch.sparse = encoder_.has_value();
  if (encoder_) {
    batch.columns = encoder_->snapshot();
    batch.dimension = batch.columns->encoded_dimension();
    if (batch.offsets.empty()) batch.offsets.push_back(0);
    gaps_.missing.assign(encoder_->missing().begin(), encoder_->missing().end());
    gaps_.new_times.assign(encoder_->new_times().begin(), encoder_->new_times().end());
    return;
  }
  batch.columns = map_.columns;
  batch.dimension = map_.dimension;
  batch.values.resize(batch.rows() * map_.dimension);
}

void RowBuilder::make_room(std::size_t rows, Batch& batch) const {
  const std::size_t least = std::max({std::size_t{1}, std::size_t{4096} / map_.dimension, 2 * rows});
  batch.values.resize(std::min(most_rows_, least) * map_.dimension);
}

void RowBuilder::add(std::size_t column, std::string_view text, Batch& batch) {
  const std::uint32_t place = map_.places[column];
  if (place == ColumnMap::kLabel) {
    add_label(text, batch);
  } else if (place == ColumnMap::kWeight) {
    specials_.weight = weight_of(text);
  } else if (place == ColumnMap::kId) {
    specials_.id = id_of(text);
  } else if (ColumnMap::is_feature(place)) {
    if (encoder_) return add_feature(column, text);
    numbers(batch)[place] = number_of(column, text);
  }
}

void RowBuilder::add_feature(std::size_t column, std::string_view text) {
  if (is_gap(text)) return require_value(column);
  try {
    encoder_->add_text(map_.places[column], text);
  } catch (const Error& error) {
    throw Error(compose("value {} of {} {}{}", quoted(text), column_name(column), error.message(),
                        hint_for_kind(column, text)));
  }
}

float RowBuilder::number_of(std::size_t column, std::string_view text) {
  if (is_gap(text)) {
    require_value(column);
    gaps_.missing.resize(map_.dimension);
    ++gaps_.missing[map_.places[column]];
    return options_.missing == Missing::zero ? 0 : std::numeric_limits<float>::quiet_NaN();
  }
  float value = 0;
  if (!read_number(text, value)) {
    throw Error(compose("value {} of {} {}{}", quoted(text), column_name(column), number_fault(text),
                        looks_like_number(text) ? Message() : hint_for_kind(column, text)));
  }
  return value;
}

void RowBuilder::require_value(std::size_t column) const {
  if (options_.missing != Missing::error) return;
  throw Error(compose("the value of {} is missing; fill it in, or use {}, {} or {}", column_name(column),
                      option("missing", "mark"), option("missing", "zero"), option("missing", "mean")));
}

void RowBuilder::add_label(std::string_view text, Batch& batch) {
  specials_.is_unlabelled = options_.skip_unlabelled && has_no_label(text);
  if (specials_.is_unlabelled) return;
  if (has_targets_) {
    require_label(text);
    specials_.target = target_of(text);
  } else {
    specials_.label = label_of(text, batch);
  }
}

// A class may be called none.
bool RowBuilder::has_no_label(std::string_view text) const {
  return is_missing(text) && (has_targets_ || !is_none(text));
}

void RowBuilder::require_label(std::string_view text) const {
  if (!has_no_label(text)) return;
  throw Error(compose("the label is missing; if the data have no labels, use {}", option("label_column", "none")));
}

std::uint32_t RowBuilder::label_of(std::string_view text, Batch& batch) {
  if (options_.labels_may_be_absent && has_no_label(text)) return kNoLabel;
  require_label(text);
  const std::uint32_t id = labels_.id(text, batch.new_labels);
  if (id == kNoLabel) refuse_label(text);
  return id;
}

void RowBuilder::refuse_label(std::string_view text) {
  if (has_control_characters(text)) {
    throw Error(fmt::format("label {} contains a line end or another control character", quoted(text)));
  }
  throw Error(
      compose("label {} exceeds the limit of {} different labels; if the label is in another column, "
              "use {} with its name or number",
              quoted(text), LabelIds::kMaxLabels, option("label_column")));
}

// --- passes and parts -----------------------------------------------------------------------------------------------

void RowBuilder::rewind() {
  gaps_ = {};
  if (encoder_) encoder_->clear_counts();
}

void RowBuilder::begin_part() {
  labels_ = {};
  gaps_ = {};
  most_rows_ = std::numeric_limits<std::size_t>::max();
}

bool RowBuilder::append(PartRows& part, Batch& batch) {
  const Batch& from = part.batch;
  const std::size_t count = std::min(kBatchRows - batch.rows(), from.rows() - part.taken);
  const std::size_t used = batch.rows() * map_.dimension;
  const std::size_t values = count * map_.dimension;
  if (batch.values.size() < used + values) batch.values.resize(used + values);
  std::copy_n(from.values.data() + part.taken * map_.dimension, values, batch.values.data() + used);
  append_labels(part, count, labels_, batch);
  part.taken += count;
  if (part.taken < from.rows()) return false;
  add_gaps(part.gaps, gaps_);
  return true;
}

}  // namespace kinglet
