#include "solver/dual_entry.hpp"

#include "core/kernel.hpp"
#include "core/option_texts.hpp"

namespace kinglet {

OptionSpec box_option() {
  return {.name = "C",
          .default_value = "1",
          .help = "cost of an error C: the largest weight of a support vector",
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

std::string late_refusal(const Options& options) {
  if (options.has("query") && options.text("query") != "all") {
    return options.text("algo") + " learns at the end of a pass: --query " + options.text("query") +
           " has no scores to go by until then";
  }
  if (options.has("proba") && options.flag("proba")) {
    return options.text("algo") +
           " learns at the end of a pass: --proba needs scores of examples before they are learned, which it never has";
  }
  return dual_refusal(options);
}

std::string dual_refusal(const Options& options) {
  const std::string& name = options.text("algo");
  if (options.text("task") != "classify") return name + " learns classes: it has no --task " + options.text("task");
  const std::string kernel = indefinite_kernel(options);
  return kernel.empty() ? "" : name + " needs a positive definite kernel, which " + kernel + " is not";
}

}  // namespace kinglet
