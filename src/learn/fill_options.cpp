// Fills in the options: the common ones first, then those of the selected parts.
#include "learn/fill_options.hpp"

#include "core/compose.hpp"
#include "core/option_texts.hpp"
#include "kinglet/error.hpp"
#include "solver/dual_options.hpp"

namespace kinglet {
namespace {

void fill_common(const Options& given, const SelectedParts& parts, Options& full) {
  for (const OptionSpec& spec : common_options()) {
    if (full.has(spec.name) || !applies(parts, given, spec)) continue;
    const std::string& value = given_or_default(spec, given, parts.algorithm);
    check_value(spec, value);
    full.set(spec.name, value);
  }
  if (full.has("class-weight")) parse_class_weights(full.text("class-weight"));
  if (!parts.bounded()) return;
  const bool limited = full.text("memory") != "none";
  if (limited) {
    parse_memory(full.text("memory"));
    if (!given.has("budget")) full.set("budget", "auto");
  }
  const OptionMention budget = option("budget");
  const OptionMention memory = option("memory");
  if (limited && !full.is_auto("budget")) {
    throw Error(compose("give {} or {}, not both", budget, memory));
  }
  if (!limited && full.is_auto("budget")) {
    throw Error(compose("{} needs {}", option("budget", "auto"), memory));
  }
}

// Options of rules, whichever takes them. Whether they go together is decided where they are passed on to.
void pass_on(const Options& given, Options& full) {
  for (const ListedOption& listed : all_options()) {
    const OptionSpec& spec = listed.spec;
    if (!given.has(spec.name) || full.has(spec.name) || find_spec(common_options(), spec.name) != nullptr) continue;
    if (is_of_kernels(listed)) continue;
    check_value(spec, given.text(spec.name));
    full.set(spec.name, given.text(spec.name));
  }
}

void fill_parts(const Options& given, const SelectedParts& parts, Options& full) {
  for (const Entry* part : parts.entries()) {
    for (const OptionSpec& spec : part->options) {
      const std::string& value =
          full.has(spec.name) ? full.text(spec.name) : given_or_default(spec, given, parts.algorithm);
      check_value(spec, value);
      full.set(spec.name, value);
    }
  }
  if (parts.learner != nullptr && parts.learner->passes_on) pass_on(given, full);
  if (full.has("cache")) cache_bytes(full);  // throws if it is not an amount of memory
}

}  // namespace

SelectedParts fill_options(const Options& given, Options& full) {
  SelectedParts parts = select_parts(given, full);
  fill_common(given, parts, full);
  fill_parts(given, parts, full);
  return parts;
}

}  // namespace kinglet
