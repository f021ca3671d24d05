#include "cli/json.hpp"

#include <cmath>
#include <map>

#include "cli/flag_text.hpp"
#include "cli/output.hpp"
#include "kinglet/registry.hpp"

namespace kinglet::cli {
namespace {

// A value as its kind requires; words such as "auto" stay text.
Json value_json(OptionKind kind, const std::string& text) {
  if (kind == OptionKind::flag) return text == "true" || text == "1";
  if (kind != OptionKind::real && kind != OptionKind::integer) return text;
  const Json number = Json::parse(text, nullptr, false);
  return number.is_number() ? number : Json(text);
}

}  // namespace

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json options_json(const Options& options) {
  std::map<std::string, OptionKind> kinds;
  for (const ListedOption& option : all_options()) kinds[option.spec.name] = option.spec.kind;
  Json object = Json::object();
  for (const auto& [name, text] : options.all()) {
    const auto kind = kinds.find(name);
    object[name] = kind == kinds.end() ? Json(text) : value_json(kind->second, text);
  }
  return object;
}

Json spec_json(const OptionSpec& spec) {
  Json object;
  object["name"] = spec.name;
  object["flag"] = flag_name(spec.name);
  object["default"] = value_json(spec.kind, spec.default_value);
  object["range"] = spec.range();
  object["help"] = flag_text(spec.help);
  return object;
}

void print_json(const Json& object) { print(object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"); }

}  // namespace kinglet::cli
