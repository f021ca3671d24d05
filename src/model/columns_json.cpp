#include "model/columns_json.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "core/state.hpp"
#include "records/category_values.hpp"
#include "records/schema.hpp"
#include "records/time_fields.hpp"

namespace kinglet {
namespace {

constexpr TimeForm kTimeForms[] = {TimeForm::iso, TimeForm::seconds, TimeForm::milliseconds, TimeForm::microseconds,
                                   TimeForm::nanoseconds};

// Only what the kind of the column has.
Json plan_to_json(const ColumnPlan& plan) {
  Json json = {{"kind", name_of(plan.kind)}};
  if (plan.indicator) json["missing"] = true;
  if (plan.slots > 0) {
    json["slots"] = plan.slots;
    json["values"] = texts_to_json(plan.values);
  }
  if (plan.buckets > 0) json["buckets"] = plan.buckets;
  if (plan.kind == ColumnKind::time) {
    json["form"] = name_of(plan.form);
    json["origin"] = plan.origin;
    if (plan.learned) {
      json["learned"] = plan.learned->any() ? Json{plan.learned->first, plan.learned->last} : Json::array();
    }
  }
  return json;
}

std::uint32_t feature_count(const Json& json) {
  return static_cast<std::uint32_t>(count_from_json(json, kMostRecordFeatures));
}

void values_from_json(const Json& json, ColumnPlan& plan) {
  plan.slots = feature_count(json.at("slots"));
  plan.values = texts_from_json(json.at("values"));
  const auto is_long = [](const std::string& value) { return value.size() > CategoryValues::kLongestValue; };
  const std::unordered_set<std::string_view> different(plan.values.begin(), plan.values.end());
  StateReader::require(plan.values.size() <= plan.slots && different.size() == plan.values.size() &&
                           std::none_of(plan.values.begin(), plan.values.end(), is_long),
                       "the values of a category");
}

void time_from_json(const Json& json, ColumnPlan& plan) {
  const auto name = json.at("form").get<std::string>();
  const auto* const form = std::ranges::find_if(kTimeForms, [&](TimeForm known) { return name_of(known) == name; });
  StateReader::require(form != std::end(kTimeForms), "the form of a time");
  plan.form = *form;
  const Json& origin = json.at("origin");
  StateReader::require(origin.is_number_float() && is_in_calendar(origin.get<double>()), "the origin of a time");
  plan.origin = origin.get<double>();
  if (!json.contains("learned")) return;
  const Json& learned = json.at("learned");
  const auto is_time = [](const Json& time) { return time.is_number_float() && is_in_calendar(time.get<double>()); };
  StateReader::require(learned.is_array() && (learned.empty() || learned.size() == 2) &&
                           std::all_of(learned.begin(), learned.end(), is_time),
                       "the learned times of a column");
  plan.learned.emplace();
  if (learned.empty()) return;
  *plan.learned = {.first = learned[0].get<double>(), .last = learned[1].get<double>()};
  StateReader::require(plan.learned->any(), "the learned times of a column");
}

ColumnPlan plan_from_json(const Json& json) {
  const auto kind = column_kind(json.at("kind").get<std::string>());
  StateReader::require(kind && kind != ColumnKind::ignore, "the kind of a column");
  ColumnPlan plan{.kind = *kind};
  if (json.contains("missing")) plan.indicator = json.at("missing").get<bool>();
  const bool has_buckets = kind == ColumnKind::category || kind == ColumnKind::text;
  if (has_buckets) plan.buckets = feature_count(json.at("buckets"));
  StateReader::require(!has_buckets || plan.buckets > 0, "the number of buckets of a column");
  if (kind == ColumnKind::category) values_from_json(json, plan);
  if (kind == ColumnKind::time) time_from_json(json, plan);
  return plan;
}

void places_from_json(const Json& json, Columns& columns) {
  constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
  if (json.contains("label_place")) {
    columns.label_place = static_cast<std::uint32_t>(count_from_json(json.at("label_place"), kMost));
  }
  if (!json.contains("places")) return;
  for (const Json& place : json.at("places")) {
    columns.places.push_back(static_cast<std::uint32_t>(count_from_json(place, kMost)));
  }
  StateReader::require(columns.places.size() == columns.dimension, "the places of its columns");
}

}  // namespace

Json text_to_json(const std::string& text) {
  try {
    Json json = text;
    static_cast<void>(json.dump());
    return json;
  } catch (const Json::exception&) {
    return Json(std::vector<unsigned char>(text.begin(), text.end()));
  }
}

std::string text_from_json(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  const auto bytes = json.get<std::vector<unsigned char>>();
  return {bytes.begin(), bytes.end()};
}

std::uint64_t count_from_json(const Json& json, std::uint64_t most) {
  StateReader::require(json.is_number_unsigned() && json.get<std::uint64_t>() <= most, "a count in its header");
  return json.get<std::uint64_t>();
}

Json texts_to_json(std::span<const std::string> texts) {
  Json json = Json::array();
  for (const std::string& text : texts) json.push_back(text_to_json(text));
  return json;
}

std::vector<std::string> texts_from_json(const Json& json) {
  StateReader::require(json.is_array(), "a list in its header");
  std::vector<std::string> texts;
  for (const Json& text : json) texts.push_back(text_from_json(text));
  return texts;
}

// Only what is known: data without a header have no names.
Json columns_to_json(const Columns& columns) {
  Json json = Json::object();
  if (!columns.features.empty()) json["features"] = texts_to_json(columns.features);
  if (columns.label) json["label"] = text_to_json(*columns.label);
  if (!columns.weight.empty()) json["weight"] = text_to_json(columns.weight);
  if (!columns.ignored.empty()) json["ignored"] = texts_to_json(columns.ignored);
  if (columns.schema) {
    Json& schema = json["schema"] = Json::array();
    for (const ColumnPlan& plan : columns.schema->columns) schema.push_back(plan_to_json(plan));
    if (columns.schema->null_words) json["null_words"] = true;
    if (columns.features.empty() && !columns.places.empty()) json["places"] = columns.places;
    if (columns.features.empty() && columns.label_place > 0) json["label_place"] = columns.label_place;
  }
  return json;
}

std::shared_ptr<const Columns> columns_from_json(const Json& json, std::uint32_t dimension) {
  StateReader::require(json.is_object(), "the columns in its header");
  auto columns = std::make_shared<Columns>();
  columns->dimension = dimension;
  if (json.contains("schema")) {
    auto schema = std::make_shared<Schema>();
    StateReader::require(json.at("schema").is_array(), "its schema");
    for (const Json& plan : json.at("schema")) schema->columns.push_back(plan_from_json(plan));
    schema->null_words = json.contains("null_words") && json.at("null_words").get<bool>();
    lay_out(*schema);
    StateReader::require(schema->dimension == dimension, "the number of features of its schema");
    columns->dimension = static_cast<std::uint32_t>(schema->columns.size());
    columns->schema = std::move(schema);
    places_from_json(json, *columns);
  }
  if (json.contains("features")) {
    columns->features = texts_from_json(json.at("features"));
    StateReader::require(columns->features.size() == columns->dimension, "the number of its feature names");
  }
  if (json.contains("label")) columns->label = text_from_json(json.at("label"));
  if (json.contains("weight")) columns->weight = text_from_json(json.at("weight"));
  if (json.contains("ignored")) columns->ignored = texts_from_json(json.at("ignored"));
  return columns;
}

}  // namespace kinglet
