// JSON for programs: one object per command, keys in the order they were set.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "kinglet/options.hpp"

namespace kinglet::cli {

using Json = nlohmann::ordered_json;

Json options_json(const Options& options);  // numbers and flags as such, by the registry's kinds
Json spec_json(const OptionSpec& spec);
Json number_json(double value);       // null for what JSON has no number for
void print_json(const Json& object);  // on standard output, indented

}  // namespace kinglet::cli
