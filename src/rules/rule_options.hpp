// Options that several update rules share.
#pragma once

#include "kinglet/options.hpp"

namespace kinglet {

inline OptionSpec lambda_option() {
  return {.name = "lambda",
          .default_value = "1e-4",
          .help = "regularisation λ; smaller values fit the data more closely",
          .low = 0,
          .search = {.low = 1e-6, .high = 1e-2, .target_power = -1}};
}

inline OptionSpec eta_option() {
  return {.name = "eta",
          .default_value = "1",
          .help = "learning rate",
          .low = 0,
          .low_open = true,
          .search = {.low = 0.01, .high = 10, .target_power = 1}};
}

inline OptionSpec aggressiveness_option(const char* help) {
  return {.name = "C",
          .default_value = "1",
          .help = help,
          .low = 0,
          .low_open = true,
          .search = {.low = 0.01, .high = 100, .target_power = 1}};
}

// For a rule whose theory gives a value: `auto` stands for it.
inline OptionSpec with_theory(OptionSpec option, const char* value) {
  option.may_be_auto = true;
  option.help = {option.help.text(), "; auto: ", value};
  return option;
}

// For a rule in which another option already has the same effect.
inline OptionSpec not_searched(OptionSpec option) {
  option.search = {};
  return option;
}

// For a rule whose steps are proportional to the error.
inline OptionSpec without_unit(OptionSpec option) {
  option.search.target_power = 0;
  return option;
}

}  // namespace kinglet
