#include "data/column_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/compose.hpp"
#include "core/fail_at.hpp"
#include "core/number.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

using Names = std::vector<std::string>;

constexpr std::size_t kMostNames = 30;  // in a message

template <class Text>
std::string listed(std::size_t count, const Text& text) {
  std::string list;
  for (std::size_t i = 0; i < std::min(count, kMostNames); ++i) list += (i == 0 ? "" : ", ") + text(i);
  return count > kMostNames ? list + ", ..." : list;
}

std::optional<std::size_t> place_of_name(const Names& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

// `column` is a name, a number counted from 1, "first" or "last".
std::optional<std::size_t> look_up(const Names& names, std::size_t count, const std::string& column) {
  if (column == "first") return 0;
  if (column == "last") return count - 1;
  if (const auto found = place_of_name(names, column)) return found;
  std::size_t number = 0;
  const char* const end = column.data() + column.size();
  const auto parsed = std::from_chars(column.data(), end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end && number >= 1 && number <= count) return number - 1;
  return std::nullopt;
}

// If the only column is called id^shop^age and `column` id, its columns are separated by ^.
Message hint_for_separator(const Names& names, const std::string& column) {
  if (names.size() != 1 || column.empty()) return {};
  const std::string& name = names[0];
  const auto is_part_of_name = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || byte <= ' ' || c == '_' || (c >= '0' && c <= '9') ||
           ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
  };
  for (std::size_t at = name.find(column); at != std::string::npos; at = name.find(column, at + 1)) {
    const std::size_t end = at + column.size();
    const bool begins = at == 0 || !is_part_of_name(name[at - 1]);
    const bool ends = end == name.size() || !is_part_of_name(name[end]);
    if (!begins || !ends || name.size() == column.size()) continue;
    const std::string separator(1, at > 0 ? name[at - 1] : name[end]);
    return compose("; if its columns are separated by '{}', use {}", separator, option("separator", separator));
  }
  return {};
}

// The same; throws Error if there is none. `what` is the kind of column that is looked for.
std::size_t find_one(const Names& names, std::size_t count, const std::string& column, std::string_view what) {
  if (const auto found = look_up(names, count, column)) return *found;
  const std::string there = names.empty()
                                ? fmt::format("columns 1 to {} and no header", count)
                                : "the columns " + listed(count, [&](std::size_t i) { return printable(names[i]); });
  throw Error(compose("there is no {}{}column {}; the file has {}{}", what, what.empty() ? "" : " ", quoted(column),
                      there, hint_for_separator(names, column)));
}

class Mapper {
 public:
  Mapper(const Names& names, std::size_t count, const SourceOptions& options, const std::vector<bool>& unread)
      : names_(names), count_(count), options_(options), model_(options.columns.get()), places_(count, kFree) {
    for (std::size_t i = 0; i < unread.size(); ++i) {
      if (unread[i]) places_[i] = ColumnMap::kUnread;
    }
    by_name_ = model_ != nullptr && !model_->features.empty() && !names_.empty();
  }

  ColumnMap operator()() {
    ignore_columns();
    if (!options_.id_column.empty()) assign(find(options_.id_column, "id"), ColumnMap::kId, "id");
    if (!options_.weight_column.empty()) {
      assign(find(options_.weight_column, "weight"), ColumnMap::kWeight, "weight");
      has_weight_ = true;
    }
    place_label();
    if (!options_.only.empty()) leave_only();
    if (by_name_) {
      match_names();
    } else {
      number_features();
    }
    if (options_.dimension != 0 && dimension_ != options_.dimension) {
      throw Error(fmt::format("found {} feature columns, expected {}", dimension_, options_.dimension));
    }
    const bool reads_label = label_ && !options_.labels_unused;
    if (label_ && !reads_label) places_[*label_] = ColumnMap::kUnread;
    auto columns = model_ != nullptr ? options_.columns : columns_of_file();
    return {.places = std::move(places_),
            .dimension = dimension_,
            .has_label = reads_label,
            .has_weight = has_weight_,
            .has_id = !options_.id_column.empty(),
            .columns = std::move(columns)};
  }

 private:
  static constexpr std::uint32_t kFree = ColumnMap::kUnread - 1;  // not assigned yet

  bool is_free(std::size_t column) const { return places_[column] == kFree; }
  std::size_t free_columns() const {
    return static_cast<std::size_t>(std::count(places_.begin(), places_.end(), kFree));
  }

  void ignore_columns();
  bool is_ignored(std::size_t column) const;
  void leave_only();
  void place_label();
  void place_label_of_model();
  void place_label_by_number();
  void match_names();
  bool was_no_feature(const std::string& name) const;
  void number_features();
  std::size_t find(const std::string& column, std::string_view what) const;
  std::optional<std::size_t> named(const std::string& name) const;
  void assign(std::size_t column, std::uint32_t role, std::string_view what);
  void set_label(std::size_t column) {
    assign(column, ColumnMap::kLabel, "label");
    label_ = column;
  }
  std::shared_ptr<const Columns> columns_of_file() const;
  void note_repeated(std::vector<Message>& notes) const;
  [[noreturn]] void refuse_unknown(const std::vector<std::size_t>& unknown) const;
  [[noreturn]] void refuse_missing(const Names& missing, const std::vector<std::size_t>& unknown) const;
  [[noreturn]] void refuse_other_use(std::size_t column) const;
  [[noreturn]] void refuse_count() const;

  const Names& names_;
  std::size_t count_;
  const SourceOptions& options_;
  const Columns* model_;  // null: none
  bool by_name_;
  std::vector<std::uint32_t> places_;
  std::optional<std::size_t> label_;
  std::string label_place_;  // what the options called the label column
  bool has_weight_ = false;
  std::uint32_t dimension_ = 0;
};

// --- columns that are no features ------------------------------------------------------------------------------------

void Mapper::ignore_columns() {
  for (const std::string& column : options_.ignore) {
    if (const auto found = find_column(names_, count_, column, options_.options_may_not_fit)) {
      places_[*found] = ColumnMap::kUnread;
    }
  }
}

// By the options.
bool Mapper::is_ignored(std::size_t column) const {
  return std::ranges::any_of(options_.ignore,
                             [&](const std::string& name) { return look_up(names_, count_, name) == column; });
}

void Mapper::assign(std::size_t column, std::uint32_t role, std::string_view what) {
  if (!is_free(column)) {
    const char* other = places_[column] == ColumnMap::kUnread ? "ignored"
                        : places_[column] == ColumnMap::kId   ? "id"
                                                              : "weight";
    throw Error(compose("column {} is both {} and {}{}", column_argument(names_, column), what, other,
                        role == ColumnMap::kLabel && !options_.label_column
                            ? compose("; name the label column with {}", option("label_column"))
                            : Message()));
  }
  places_[column] = role;
}

void Mapper::leave_only() {
  std::vector<bool> wanted(count_);
  for (const std::string& column : options_.only) {
    const auto found = find_column(names_, count_, column, options_.options_may_not_fit);
    if (!found) continue;
    if (is_ignored(*found)) {
      throw Error(
          compose("column {} is in both {} and {}", column_argument(names_, *found), option("only"), option("ignore")));
    }
    wanted[*found] = true;
  }
  for (std::size_t i = 0; i < count_; ++i) {
    if (is_free(i) && !wanted[i]) places_[i] = ColumnMap::kUnread;
  }
}

void Mapper::place_label() {
  const auto& given = options_.label_column ? options_.label_column : options_.default_label_column;
  if (given || model_ == nullptr) {
    label_place_ = given.value_or("first");
    if (label_place_ != "none") set_label(find(label_place_, "label"));
  } else if (by_name_) {
    place_label_of_model();
  } else {
    place_label_by_number();
  }
}

void Mapper::place_label_of_model() {
  if (!model_->label) return;
  if (std::ranges::find(model_->features, *model_->label) != model_->features.end()) {
    throw Error(compose("the label and a feature of the model are both called {}; use {} with the number of the label",
                        quoted(*model_->label), option("label_column")));
  }
  if (const auto column = named(*model_->label)) {
    set_label(*column);
  } else if (!options_.labels_unused) {
    throw Error(compose("there is no column {}, the label of the model; if another column is the label, use {}",
                        quoted(*model_->label), option("label_column")));
  }
}

// Without names: the columns are the model's features, with or without a label.
void Mapper::place_label_by_number() {
  const std::size_t free = free_columns();
  if (free == std::size_t{model_->dimension} + 1 && model_->label) {
    if (!model_->features.empty()) {
      throw Error(
          compose("there is no header, so it is not clear which of the {} columns is the label; use {} with "
                  "its number",
                  count_, option("label_column")));
    }
    set_label(find(*model_->label, "label"));
  } else if (free == model_->dimension && model_->label && !options_.labels_unused) {
    throw Error(
        compose("found {} columns, but the model was trained with {} features and a label; if the data have no labels, "
                "use {}",
                free, free, option("label_column", "none")));
  }
}

// --- features --------------------------------------------------------------------------------------------------------

// Whether the model knows the column as something else than a feature.
bool Mapper::was_no_feature(const std::string& name) const {
  return model_->label == name || (!name.empty() && model_->weight == name) ||
         std::ranges::find(model_->ignored, name) != model_->ignored.end();
}

// Where a name occurs several times, its columns keep their order.
void Mapper::match_names() {
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> wanted;
  for (std::size_t f = model_->features.size(); f-- > 0;) {
    wanted[model_->features[f]].push_back(static_cast<std::uint32_t>(f));
  }
  std::vector<std::size_t> unknown;
  for (std::size_t i = 0; i < count_; ++i) {
    if (!is_free(i)) continue;
    const auto features = wanted.find(names_[i]);
    if (features != wanted.end() && !features->second.empty()) {
      places_[i] = features->second.back();
      features->second.pop_back();
      ++dimension_;
    } else if (was_no_feature(names_[i])) {
      places_[i] = ColumnMap::kUnread;
    } else {
      unknown.push_back(i);
    }
  }
  if (dimension_ < model_->dimension) {
    Names missing;
    for (const std::string& name : model_->features) {
      if (!wanted[name].empty()) missing.push_back(name);
    }
    refuse_missing(missing, unknown);
  }
  if (!unknown.empty()) refuse_unknown(unknown);
}

void Mapper::number_features() {
  for (std::uint32_t& place : places_) {
    if (place == kFree) place = dimension_++;
  }
  if (model_ != nullptr && dimension_ != model_->dimension) refuse_count();
}

// The columns of this file, for a model that learns them.
std::shared_ptr<const Columns> Mapper::columns_of_file() const {
  auto columns = std::make_shared<Columns>();
  columns->dimension = dimension_;
  for (std::size_t i = 0; i < count_; ++i) {
    if (ColumnMap::is_feature(places_[i])) columns->places.push_back(static_cast<std::uint32_t>(i + 1));
  }
  if (label_) columns->label_place = static_cast<std::uint32_t>(*label_ + 1);
  if (names_.empty()) {
    if (label_) columns->label = label_place_;
    return columns;
  }
  note_repeated(columns->notes);
  for (std::size_t i = 0; i < count_; ++i) {
    if (label_ == i) {
      columns->label = names_[i];
    } else if (places_[i] == ColumnMap::kWeight) {
      columns->weight = names_[i];
    } else if (places_[i] == ColumnMap::kUnread || places_[i] == ColumnMap::kId) {
      columns->ignored.push_back(names_[i]);
    } else {
      columns->features.push_back(names_[i]);
    }
  }
  return columns;
}

void Mapper::note_repeated(std::vector<Message>& notes) const {
  std::unordered_map<std::string_view, std::size_t> first;
  for (std::size_t i = 0; i < count_; ++i) {
    const auto [known, is_new] = first.emplace(names_[i], i);
    if (is_new) continue;
    notes.push_back(compose("columns {} and {} are both called {}", known->second + 1, i + 1, quoted(names_[i])));
  }
}

// --- names -----------------------------------------------------------------------------------------------------------

std::optional<std::size_t> Mapper::named(const std::string& name) const { return place_of_name(names_, name); }

std::size_t Mapper::find(const std::string& column, std::string_view what) const {
  return find_one(names_, count_, column, what);
}

// --- what does not fit the model -------------------------------------------------------------------------------------

void Mapper::refuse_unknown(const std::vector<std::size_t>& unknown) const {
  const std::string names = listed(unknown.size(), [&](std::size_t i) { return quoted(names_[unknown[i]]); });
  std::string arguments;
  for (const std::size_t column : unknown)
    arguments += (arguments.empty() ? "" : ",") + column_argument(names_, column);
  const bool may_be_label = !label_ && !options_.label_column && !model_->label && unknown.size() == 1;
  throw Error(
      compose("the model was not trained with {} {}; to leave {} out, use {}{}",
              unknown.size() == 1 ? "the column" : "the columns", names, unknown.size() == 1 ? "it" : "them",
              option("ignore", arguments),
              may_be_label ? compose("; if it is the label, use {}", option("label_column", arguments)) : Message()));
}

void Mapper::refuse_missing(const Names& missing, const std::vector<std::size_t>& unknown) const {
  for (const std::string& name : missing) {
    const auto column = named(name);
    if (column && !ColumnMap::is_feature(places_[*column])) refuse_other_use(*column);
  }
  const std::string lacking = listed(missing.size(), [&](std::size_t i) { return quoted(missing[i]); });
  const std::string others = listed(unknown.size(), [&](std::size_t i) { return quoted(names_[unknown[i]]); });
  const bool has_none = missing.size() == model_->features.size() && !options_.header;
  const Message no_header = has_none ? compose("; if the file has no header, use {}", option("no_header")) : Message();
  throw Error(compose("the model was trained with the {} {}, which the file does not have{}",
                      missing.size() == 1 ? "column" : "columns", lacking,
                      unknown.empty() ? Message()
                                      : compose("; it has {} instead (to leave columns out, use {}){}", others,
                                                option("ignore"), no_header)));
}

// A column that the model has learned from is here something else.
void Mapper::refuse_other_use(std::size_t column) const {
  const std::uint32_t place = places_[column];
  const char* const use = place == ColumnMap::kId       ? "also be the id"
                          : place == ColumnMap::kLabel  ? "also be the label"
                          : place == ColumnMap::kWeight ? "also be the weight"
                                                        : "be left out";
  throw Error(fmt::format("the model learned from the column {}, so it cannot {}", quoted(names_[column]), use));
}

void Mapper::refuse_count() const {
  const bool may_ignore = dimension_ > model_->dimension;
  throw Error(compose("found {} feature column{}{}{}, but the model was trained with {}{}", dimension_,
                      dimension_ == 1 ? "" : "s", label_ ? " and a label" : "",
                      names_.empty() && !model_->features.empty() ? " and no header" : "", model_->dimension,
                      may_ignore ? compose("; to leave columns out, use {}; to name the label, use {}",
                                           option("ignore"), option("label_column"))
                                 : Message()));
}

}  // namespace

ColumnMap map_columns(const std::vector<std::string>& names, std::size_t count, const SourceOptions& options,
                      const std::vector<bool>& unread) {
  return Mapper(names, count, options, unread)();
}

std::optional<std::size_t> find_column(const std::vector<std::string>& names, std::size_t count,
                                       const std::string& column, bool may_be_none) {
  return may_be_none ? look_up(names, count, column) : find_one(names, count, column, "");
}

std::string column_argument(const std::vector<std::string>& names, std::size_t column) {
  std::string number = std::to_string(column + 1);
  if (column >= names.size()) return number;
  const std::string& name = names[column];
  const bool is_word = name == "first" || name == "last" || name == "none" || name.starts_with('-');
  const bool is_plain = !name.empty() && printable(name) == name && name.find_first_of(" ,'\"") == std::string::npos;
  return is_plain && !is_word && std::ranges::count(names, name) == 1 ? name : number;
}

}  // namespace kinglet
