// A report as JSON, as web/src/main.js reads it. Empty and unknown values are left out.
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/assert.hpp"
#include "report/report.hpp"

namespace kinglet::report {
namespace {

using Json = nlohmann::ordered_json;

// Rounds to the digits that a chart can show, which makes the page much smaller.
Json brief(double value, int digits = 6) {
  if (!std::isfinite(value)) return nullptr;
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  const double rounded = std::strtod(text, nullptr);
  if (rounded == std::floor(rounded) && std::abs(rounded) < 1e15) return static_cast<std::int64_t>(rounded);
  return rounded;
}

void put(Json& object, const char* name, const std::string& text) {
  if (!text.empty()) object[name] = text;
}

void put(Json& object, const char* name, double value) {
  if (std::isfinite(value)) object[name] = brief(value);
}

void put(Json& object, const char* name, bool value) {
  if (value) object[name] = true;
}

template <class T>
void put(Json& object, const char* name, const std::optional<T>& value) {
  if (value) object[name] = *value;
}

template <class T, class Convert>
Json list(const std::vector<T>& items, const Convert& convert) {
  Json array = Json::array();
  for (const T& item : items) array.push_back(convert(item));
  return array;
}

const char* name_of(Unit unit) {
  switch (unit) {
    case Unit::count:
      return "count";
    case Unit::share:
      return "share";
    case Unit::seconds:
      return "seconds";
    case Unit::bytes:
      return "bytes";
    case Unit::number:
      break;
  }
  return "number";
}

const char* name_of(Drawn drawn) {
  switch (drawn) {
    case Drawn::step:
      return "step";
    case Drawn::dots:
      return "dots";
    case Drawn::line_and_dots:
      return "line-and-dots";
    case Drawn::line:
      break;
  }
  return "line";
}

std::string name_of(Mark mark) {
  switch (mark) {
    case Mark::best:
      return "best";
    case Mark::good:
      return "good";
    case Mark::better:
      return "better";
    case Mark::bad:
      return "bad";
    case Mark::muted:
      return "muted";
    case Mark::none:
      break;
  }
  return "";
}

// The members that all blocks have.
template <class T>
Json begin(const char* kind, const T& block) {
  Json json = {{"kind", kind}};
  put(json, "title", block.title);
  if constexpr (requires { block.caption; }) put(json, "caption", block.caption);
  put(json, "wide", block.wide);
  return json;
}

Json json_of(const Fact& fact) {
  Json json = {{"name", fact.name}, {"value", fact.value}};
  put(json, "note", fact.note);
  return json;
}

Json json_of(const Axis& axis) {
  Json json = {{"label", axis.label}, {"unit", name_of(axis.unit)}};
  json["scale"] = axis.scale == Scale::log ? "log" : "linear";
  put(json, "least", axis.least);
  put(json, "most", axis.most);
  if (!axis.ticks.empty()) json["ticks"] = list(axis.ticks, [](double tick) { return brief(tick); });
  return json;
}

Json json_of(const Cell& cell) {
  Json json = Json::object();
  put(json, "text", cell.text);
  put(json, "value", cell.value);
  put(json, "spread", cell.spread);
  put(json, "detail", cell.detail);
  put(json, "mark", name_of(cell.mark));
  put(json, "hint", cell.hint);
  return json;
}

Json json_of(const Column& column) {
  Json json = {{"title", column.title}};
  put(json, "number", column.number);
  put(json, "hint", column.hint);
  return json;
}

Json json_of(const Row& row) {
  if (!row.heading.empty()) return {{"heading", row.heading}};
  return {{"cells", list(row.cells, [](const Cell& cell) { return json_of(cell); })}};
}

Json json_of(const Point& point) {
  Json json = {{"x", brief(point.x)}, {"y", brief(point.y)}};
  put(json, "low", point.low);
  put(json, "high", point.high);
  put(json, "left", point.left);
  put(json, "right", point.right);
  put(json, "label", point.label);
  return json;
}

Json json_of(const Series& series) {
  Json json = {{"name", series.name}, {"drawn", name_of(series.drawn)}};
  put(json, "faint", series.faint);
  if (series.dash != 0) json["dash"] = series.dash;
  put(json, "labelled", series.labelled);
  put(json, "colour", series.colour);
  put(json, "of", series.of);
  put(json, "variant", series.variant);
  json["points"] = list(series.points, [](const Point& point) { return json_of(point); });
  return json;
}

Json json_of(const Bar& bar) {
  Json json = {{"name", bar.name}, {"value", brief(bar.value)}, {"colour", bar.colour}};
  put(json, "low", bar.low);
  put(json, "high", bar.high);
  return json;
}

Json json_of(const Place& place) {
  return {{"x", brief(place.x, 4)}, {"y", brief(place.y, 4)}, {"class", place.of_class}};
}

Json json_of_support(const Place& place) {
  Json json = json_of(place);
  json["coefficient"] = brief(place.coefficient);
  return json;
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < n ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += k <= n ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

Json json_of(const Picture& picture) {
  Json json = {{"name", picture.name}, {"pixels", base64(picture.pixels)}};
  put(json, "detail", picture.detail);
  return json;
}

// --- blocks ----------------------------------------------------------------------------------------------------------

Json json_of(const FactList& block) {
  Json json = begin("facts", block);
  json["facts"] = list(block.facts, [](const Fact& fact) { return json_of(fact); });
  return json;
}

Json json_of(const Note& block) {
  Json json = begin("note", block);
  json["lines"] = block.lines;
  return json;
}

Json json_of(const Command& block) {
  Json json = begin("command", block);
  json["text"] = block.text;
  return json;
}

Json json_of(const Table& block) {
  Json json = begin("table", block);
  json["columns"] = list(block.columns, [](const Column& column) { return json_of(column); });
  json["rows"] = list(block.rows, [](const Row& row) { return json_of(row); });
  return json;
}

Json json_of(const Chart& block) {
  Json json = begin("chart", block);
  json["x"] = json_of(block.x);
  json["y"] = json_of(block.y);
  json["series"] = list(block.series, [](const Series& series) { return json_of(series); });
  json["references"] = list(block.references, [](const Reference& line) {
    return Json{{"name", line.name}, {"y", brief(line.y)}};
  });
  json["alarms"] = block.alarms;
  put(json, "square", block.square);
  return json;
}

Json json_of(const Span& span) {
  Json json = {{"from", brief(span.from, 12)}, {"to", brief(span.to, 12)}};
  put(json, "label", span.label);
  return json;
}

Json json_of(const Lane& lane) {
  return {{"name", lane.name},
          {"colour", lane.colour},
          {"spans", list(lane.spans, [](const Span& span) { return json_of(span); })}};
}

Json json_of(const Lanes& block) {
  Json json = begin("lanes", block);
  json["x"] = json_of(block.x);
  json["lanes"] = list(block.lanes, [](const Lane& lane) { return json_of(lane); });
  json["alarms"] = block.alarms;
  return json;
}

Json json_of(const Landscape::Site& site) {
  Json json = {{"x", brief(site.x)}, {"y", brief(site.y)}, {"value", brief(site.value)}};
  put(json, "label", site.label);
  put(json, "best", site.best);
  return json;
}

Json json_of(const Landscape& block) {
  Json json = begin("landscape", block);
  json["x"] = json_of(block.x);
  json["y"] = json_of(block.y);
  json["value"] = json_of(block.value);
  json["more_is_better"] = block.more_is_better;
  json["sites"] = list(block.sites, [](const Landscape::Site& site) { return json_of(site); });
  return json;
}

Json json_of(const Bars& block) {
  Json json = begin("bars", block);
  json["axis"] = json_of(block.axis);
  json["bars"] = list(block.bars, [](const Bar& bar) { return json_of(bar); });
  return json;
}

Json json_of(const Confusion& block) {
  KINGLET_ASSERT(block.counts.size() == block.labels.size() * block.labels.size());
  Json json = begin("confusion", block);
  json["labels"] = block.labels;
  json["counts"] = block.counts;
  if (!block.recalls.empty()) json["recalls"] = list(block.recalls, [](double recall) { return brief(recall); });
  return json;
}

Json json_of(const DecisionMap& block) {
  KINGLET_ASSERT(block.scores.size() + block.classes.size() == block.width * block.height);
  Json json = begin("map", block);
  json["x"] = block.x;
  json["y"] = block.y;
  json["left"] = block.left;
  json["right"] = block.right;
  json["bottom"] = block.bottom;
  json["top"] = block.top;
  json["width"] = block.width;
  json["height"] = block.height;
  if (block.classes.empty())
    json["scores"] = list(block.scores, [](float score) { return brief(static_cast<double>(score), 4); });
  if (!block.classes.empty()) json["classes"] = block.classes;
  json["labels"] = block.labels;
  json["levels"] = block.levels;
  json["examples"] = list(block.examples, [](const Place& place) { return json_of(place); });
  json["support"] = list(block.support, [](const Place& place) { return json_of_support(place); });
  return json;
}

Json json_of(const Gallery& block) {
  Json json = begin("gallery", block);
  json["width"] = block.width;
  json["height"] = block.height;
  for (const Picture& picture : block.pictures) KINGLET_ASSERT(picture.pixels.size() == block.width * block.height);
  json["pictures"] = list(block.pictures, [](const Picture& picture) { return json_of(picture); });
  return json;
}

Json json_of(const Section& section) {
  Json json = {{"title", section.title}};
  put(json, "text", section.text);
  json["blocks"] = list(section.blocks, [](const Block& block) {
    return std::visit([](const auto& kind) { return json_of(kind); }, block);
  });
  return json;
}

// Escapes "<", because "</script>" and "<!--" have a meaning inside a script element, even in quotes.
std::string without_markup(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string to_json(const Report& report) {
  Json json = {{"title", report.title}};
  put(json, "summary", report.summary);
  put(json, "subtitle", report.subtitle);
  put(json, "command", report.command);
  json["program"] = "kinglet " KINGLET_VERSION;
  json["facts"] = list(report.facts, [](const Fact& fact) { return json_of(fact); });
  json["sections"] = list(report.sections, [](const Section& section) { return json_of(section); });
  return without_markup(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace kinglet::report
