// JSON output: one object per command, with keys in the order they were set.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "kinglet/options.hpp"

namespace kinglet::cli {

using Json = nlohmann::ordered_json;

Json options_json(const Options& options);  // numbers and flags are typed as in the registry
Json spec_json(const OptionSpec& spec);
Json number_json(double value);       // null for NaN and infinity
void print_json(const Json& object);  // to standard output, indented

}  // namespace kinglet::cli
