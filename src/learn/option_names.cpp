// The names of options: some have one name for users (`shown`) and another in Options and model files.
#include "core/compose.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"

namespace kinglet {
namespace {

// The options whose name for users differs from the name in files.
std::vector<const OptionSpec*> find_renamed_options() {
  std::vector<const OptionSpec*> list;
  for (const OptionSpec& spec : common_options()) {
    if (!spec.shown.empty()) list.push_back(&spec);
  }
  for (const auto entries : {update_rules(), budget_rules(), whole_learners(), kernels()}) {
    for (const Entry* entry : entries) {
      for (const OptionSpec& spec : entry->options) {
        if (!spec.shown.empty()) list.push_back(&spec);
      }
    }
  }
  return list;
}

std::span<const OptionSpec* const> renamed_options() {
  static const auto list = find_renamed_options();
  return list;
}

}  // namespace

std::string shown_name(std::string_view name) {
  for (const OptionSpec* spec : renamed_options()) {
    if (spec->name == name) return spec->shown;
  }
  return std::string(name);
}

std::string option_key(std::string_view shown) {
  for (const OptionSpec* spec : renamed_options()) {
    if (spec->shown == shown) return spec->name;
  }
  return std::string(shown);
}

Options with_keys(const Options& given) {
  Options keyed;
  for (const auto& [name, value] : given.all()) {
    const std::string key = option_key(name);
    if (keyed.has(key) || (key != name && given.has(key))) {
      throw Error(
          compose("{} and {} are two names of the same option: give only one of them", option(name), option(key)));
    }
    keyed.set(key, value);
  }
  return keyed;
}

}  // namespace kinglet
