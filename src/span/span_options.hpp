// Options and checks that learners in a span share.
#pragma once

#include "core/compose.hpp"
#include "core/kernel.hpp"
#include "core/learner_entry.hpp"
#include "rules/rule_options.hpp"

namespace kinglet {

inline OptionSpec scout_option() {
  return {.name = "scout",
          .kind = OptionKind::integer,
          .default_value = "5000",
          .help = "number of first examples used to find the centres; they are stored until the centres are chosen",
          .low = 1,
          .high = 1e9};
}

inline OptionSpec scout_lambda_option() {
  return not_searched({.name = "lambda",
                       .default_value = "1e-4",
                       .help = "regularisation λ; smaller values fit the data more closely",
                       .low = 0,
                       .low_open = true});
}

inline OptionSpec ridge_option() {
  return {.name = "ridge",
          .default_value = "1e-3",
          .help = "ridge ε, relative to the diagonal of the centres' kernel matrix; larger values smooth f",
          .low = 1e-6,
          .high = 1};
}

inline OptionSpec prior_option(const char* value) {
  return {.name = "prior",
          .default_value = value,
          .help = "precision of the prior on f (λ); larger values keep f smaller",
          .low = 0,
          .low_open = true};
}

inline OptionSpec noise_option(const char* value) {
  return {.name = "noise",
          .default_value = value,
          .help = "assumed noise of an example (r); larger values make smaller steps",
          .low = 0,
          .low_open = true,
          .search = {.low = 1, .high = 100}};
}

// They learn classes or numbers, and a covariance exists only for a positive definite kernel.
inline Message span_incompatibility(const Options& options) {
  const std::string& name = options.text("algo");
  if (options.text("task") == "novelty") {
    return compose("{} supports only classification and regression, not {}", name, option("task", "novelty"));
  }
  const Message kernel = indefinite_kernel(options);
  if (kernel.empty()) return {};
  return compose("{} needs a positive definite kernel, which {} is not", name, kernel);
}

}  // namespace kinglet
