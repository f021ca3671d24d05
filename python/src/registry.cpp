#include "registry.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <regex>

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

nb::dict spec_dict(const OptionSpec& spec) {
  nb::dict dict;
  dict["name"] = spec.name;
  dict["kind"] = kind_name(spec.kind);
  dict["default"] = spec.default_value;
  dict["help"] = spec.help;
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
    dict["use"] = entry->use;
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
    dict["dual"] = each.dual;
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
  dict["dual_learners"] = entries_list(dual_learners());
  dict["kernels"] = entries_list(kernels());
  dict["common_options"] = specs_list(common_options());
  nb::list options;
  for (const ListedOption& listed : all_options()) {
    nb::dict option = spec_dict(listed.spec);
    option["users"] = listed.users;
    options.append(option);
  }
  dict["options"] = options;
  return dict;
}

}  // namespace

std::string parameter_name(std::string option) {
  if (option == "lambda") return "lambda_";
  if (option == "seed") return "random_state";
  // scikit-learn takes an alpha for the strength of a penalty, and sets it in its checks.
  if (option == "alpha" || option == "beta") return "spa_" + option;
  std::ranges::replace(option, '-', '_');
  return option;
}

Options options_from(const OptionTexts& texts) {
  Options options;
  for (const auto& [name, text] : texts) options.set(name, text);
  return options;
}

OptionTexts texts_of(const Options& options) { return {options.all().begin(), options.all().end()}; }

std::string in_python_words(std::string message) {
  constexpr std::array<std::array<const char*, 2>, 3> kEstimators{{{"--task classify", "KernelClassifier"},
                                                                   {"--task regress", "KernelRegressor"},
                                                                   {"--task novelty", "NoveltyDetector"}}};
  for (const auto& [task, estimator] : kEstimators) {
    message = std::regex_replace(message, std::regex(task), estimator);
  }
  static const std::regex flag("--([A-Za-z][A-Za-z0-9-]*)");
  std::string text;
  std::sregex_iterator match(message.begin(), message.end(), flag);
  auto from = message.cbegin();
  for (; match != std::sregex_iterator(); ++match) {
    text.append(from, (*match)[0].first);
    text += parameter_name((*match)[1].str());
    from = (*match)[0].second;
  }
  return text.append(from, message.cend());
}

void bind_registry(nb::module_& module) {
  module.def("registry", &registry,
             "Every algorithm, rule, kernel and option, as the library declares them: lists of dictionaries.");
  module.def("parameter_name", &parameter_name, nb::arg("option"), "What an option is called in Python.");
  module.def(
      "complete_options", [](const OptionTexts& given) { return texts_of(complete_options(options_from(given))); },
      nb::arg("options"), "Checks options and fills in the defaults that go with them.");
  module.def(
      "keeps_examples", [](const OptionTexts& given) { return keeps_examples(complete_options(options_from(given))); },
      nb::arg("options"), "Whether a second pass over the same rows would count them twice.");
}

}  // namespace kinglet::python
