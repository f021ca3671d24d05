// Options of the ramp-loss learners.
#pragma once

#include <cmath>

#include "core/compose.hpp"
#include "solver/dual_options.hpp"
#include "solver/ramp_solver.hpp"

namespace kinglet {

inline const char* const kRampPaper =
    "Wang, Vucetic: Fast Online Training of Ramp Loss Support Vector Machines, ICDM (2009)";

inline OptionSpec least_gain_option() {
  return {.name = "least-gain",
          .default_value = "0",
          .help = "also stop optimising when the best step gains less than this; the paper uses 1e-5",
          .low = 0};
}

inline OptionSpec kept_option() {
  return {.name = "keep-non-sv",
          .default_value = "inf",
          .help = "how many examples besides the support vectors to keep (those nearest to the boundary); inf: all",
          .low = 0,
          .may_be_infinite = true};
}

inline Message ramp_incompatibility(const Options& options) {
  const double kept = options.real("keep-non-sv");
  if (std::isfinite(kept) && kept != std::floor(kept)) {
    return compose("{} must be a whole number or inf, not {}", option("keep-non-sv"), options.text("keep-non-sv"));
  }
  return dual_incompatibility(options);
}

inline std::size_t kept_of(const Options& options) {
  const double kept = options.real("keep-non-sv");
  return kept < 1e15 ? static_cast<std::size_t>(kept) : SIZE_MAX;
}

inline RampPlan ramp_plan(const Options& options) {
  return {.tolerance = options.real("tolerance"),
          .least_gain = options.real("least-gain"),
          .active_bytes = cache_bytes(options) / 4};
}

}  // namespace kinglet
