#include "solver/dual_options.hpp"

#include "core/compose.hpp"
#include "core/kernel.hpp"
#include "core/option_texts.hpp"

namespace kinglet {

OptionSpec box_option() {
  return {.name = "C",
          .default_value = "1",
          .help = "cost of an error (C in the papers): the largest weight of a support vector",
          .low = 0,
          .low_open = true,
          .search = {.low = 0.1, .high = 1000}};
}

OptionSpec tolerance_option() {
  return {.name = "tolerance",
          .default_value = "1e-3",
          .help = "tolerance of the optimality conditions",
          .low = 0,
          .low_open = true};
}

OptionSpec cache_option() {
  return {.name = "cache",
          .kind = OptionKind::text,
          .default_value = "256M",
          .help = "memory for cached rows of the kernel matrix; affects only speed"};
}

std::size_t cache_bytes(const Options& options) { return parse_memory(options.text("cache"), "cache"); }

Message late_incompatibility(const Options& options) {
  const std::string& name = options.text("algo");
  if (options.has("query") && options.text("query") != "all") {
    return compose("{} learns only at the end of a pass, so {} has no scores to choose labels by", name,
                   option("query", options.text("query")));
  }
  if (options.has("proba") && options.flag("proba")) {
    return compose("{} learns at the end of a pass: {} needs the scores of examples before they are learned", name,
                   option("proba"));
  }
  return dual_incompatibility(options);
}

Message dual_incompatibility(const Options& options) {
  const std::string& name = options.text("algo");
  if (options.text("task") != "classify") {
    return compose("{} supports only classification, not {}", name, option("task", options.text("task")));
  }
  const Message kernel = indefinite_kernel(options);
  if (kernel.empty()) return {};
  return compose("{} needs a positive definite kernel, which {} is not", name, kernel);
}

}  // namespace kinglet
