// Options that several update rules share.
#pragma once

#include "kinglet/options.hpp"

namespace kinglet {

inline OptionSpec lambda_option() {
  return {.name = "lambda", .fallback = "1e-4", .help = "regularisation; smaller fits the data more closely", .low = 0};
}

inline OptionSpec eta_option() {
  return {.name = "eta", .fallback = "1", .help = "learning rate", .low = 0, .low_open = true};
}

inline OptionSpec aggressiveness_option(const char* help) {
  return {.name = "C", .fallback = "1", .help = help, .low = 0, .low_open = true};
}

}  // namespace kinglet
