#include "registry.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <charconv>

#include "kinglet/registry.hpp"

namespace kinglet::python {
namespace {

namespace nb = nanobind;

const char* kind_name(OptionKind kind) {
  switch (kind) {
    case OptionKind::real:
      return "real";
    case OptionKind::integer:
      return "integer";
    case OptionKind::choice:
      return "choice";
    case OptionKind::flag:
      return "flag";
    default:
      return "text";
  }
}

bool is_number(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

// The estimator of a task; empty for what is not one.
std::string estimator_of(const OptionMention& mention) {
  if (mention.name != "task") return {};
  if (mention.value == "classify") return "KernelClassifier";
  if (mention.value == "regress") return "KernelRegressor";
  return mention.value == "novelty" ? "NoveltyDetector" : "";
}

// For docstrings: `memory`, `query='ramp'`.
std::string documented_option(const OptionMention& mention) {
  const std::string estimator = estimator_of(mention);
  if (!estimator.empty()) return "`" + estimator + "`";
  return "`" + (mention.value.empty() ? parameter_name(mention.name) : python_option(mention)) + "`";
}

nb::dict spec_dict(const OptionSpec& spec) {
  nb::dict dict;
  dict["name"] = spec.name;
  dict["parameter"] = parameter_name(spec.name);
  dict["kind"] = kind_name(spec.kind);
  dict["default"] = spec.default_value;
  dict["help"] = spec.help.text(documented_option);
  dict["range"] = spec.range();
  dict["choices"] = spec.choices;
  dict["may_be_auto"] = spec.may_be_auto;
  dict["may_be_infinite"] = spec.may_be_infinite;
  return dict;
}

nb::list specs_list(std::span<const OptionSpec> specs) {
  nb::list list;
  for (const OptionSpec& spec : specs) list.append(spec_dict(spec));
  return list;
}

nb::list entries_list(std::span<const Entry* const> entries) {
  nb::list list;
  for (const Entry* entry : entries) {
    nb::dict dict;
    dict["name"] = entry->name;
    dict["summary"] = entry->summary;
    dict["formula"] = entry->formula;
    dict["paper"] = entry->paper;
    dict["cost"] = entry->cost;
    dict["use"] = entry->use.text(documented_option);
    dict["options"] = specs_list(entry->options);
    list.append(dict);
  }
  return list;
}

nb::list algorithms_list() {
  nb::list list;
  for (const Algorithm& each : algorithms()) {
    nb::dict dict;
    dict["name"] = each.name;
    dict["update"] = each.update;
    dict["maintain"] = each.maintain;
    dict["dual"] = each.learner;
    dict["summary"] = each.summary;
    dict["paper"] = each.paper;
    dict["cost"] = each.cost;
    dict["settings"] = texts_of(each.settings);
    list.append(dict);
  }
  return list;
}

nb::dict registry() {
  nb::dict dict;
  dict["algorithms"] = algorithms_list();
  dict["update_rules"] = entries_list(update_rules());
  dict["budget_rules"] = entries_list(budget_rules());
  dict["dual_learners"] = entries_list(whole_learners());
  dict["kernels"] = entries_list(kernels());
  dict["common_options"] = specs_list(common_options());
  nb::list options;
  for (const ListedOption& listed : all_options()) {
    nb::dict option = spec_dict(listed.spec);
    option["help"] = listed.help.text(documented_option);
    option["ranges"] = listed.ranges;
    option["defaults"] = listed.defaults.text(documented_option);
    option["users"] = listed.users;
    option["task"] = listed.task;
    options.append(option);
  }
  dict["options"] = options;
  return dict;
}

}  // namespace

std::string parameter_name(std::string option) {
  option = shown_name(option);
  if (option == "lambda") return "reg_lambda";  // as in XGBoost: lambda is a keyword of Python
  if (option == "seed") return "random_state";
  // scikit-learn takes an alpha for the strength of a penalty, and sets it in its checks.
  if (option == "alpha" || option == "beta") return "spa_" + option;
  std::ranges::replace(option, '-', '_');
  return option;
}

std::string python_option(const OptionMention& mention) {
  const std::string estimator = estimator_of(mention);
  if (!estimator.empty()) return estimator;
  const std::string& value = mention.value;
  const bool quoted = !value.empty() && !is_number(value);
  return parameter_name(mention.name) + "=" + (quoted ? "'" + value + "'" : value);
}

std::string python_function(const FunctionMention& mention) { return "kinglet." + mention.name + "()"; }

std::string python_text(const Message& message) { return message.text(python_option, python_function); }

Options options_from(const OptionTexts& texts) {
  Options options;
  for (const auto& [name, text] : texts) options.set(name, text);
  return options;
}

OptionTexts texts_of(const Options& options) { return {options.all().begin(), options.all().end()}; }

void bind_registry(nb::module_& module) {
  module.def("registry", &registry,
             "Every algorithm, rule, kernel and option, as the library declares them: lists of dictionaries.");
  module.def(
      "complete_options", [](const OptionTexts& given) { return texts_of(complete_options(options_from(given))); },
      nb::arg("options"), "Checks options and fills in the defaults that go with them.");
  module.def(
      "keeps_examples", [](const OptionTexts& given) { return keeps_examples(complete_options(options_from(given))); },
      nb::arg("options"), "Whether a second pass over the same rows would count them twice.");
  module.def(
      "adds_up", [](const OptionTexts& given) { return adds_up(complete_options(options_from(given))); },
      nb::arg("options"), "Whether models with these options that learned from one start add up.");
  module.def("default_start_algorithm", &default_start_algorithm, nb::arg("task"),
             "The default algorithm of a start for a task.");
  module.def(
      "default_passes",
      [](const OptionTexts& given, std::uint64_t rows) {
        return default_passes(complete_options(options_from(given)), rows);
      },
      nb::arg("options"), nb::arg("rows"), "Number of passes over so many rows that `passes='auto'` makes.");
  module.def(
      "with_stream_length",
      [](const OptionTexts& given, std::uint64_t examples) {
        return texts_of(with_stream_length(options_from(given), examples));
      },
      nb::arg("options"), nb::arg("examples"),
      "Return the options with the number of examples to come, where a rule wants it and it is not given.");
}

}  // namespace kinglet::python
