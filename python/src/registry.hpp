// The registry for Python: lists of plain dictionaries, and options as Python spells them.
#pragma once

#include <nanobind/nanobind.h>

#include <map>
#include <string>

#include "kinglet/options.hpp"

namespace kinglet::python {

using OptionTexts = std::map<std::string, std::string>;

Options options_from(const OptionTexts& texts);
OptionTexts texts_of(const Options& options);

// What an option is called in Python: "merge-pairs" is merge_pairs, "lambda" is reg_lambda.
std::string parameter_name(std::string option);
// How messages of the library spell options for Python (OptionStyle): gamma=, kernel='poly'. A task is its estimator.
std::string python_option(const OptionMention& mention);
// A message as Python shows it, with functions as kinglet.make_start().
std::string python_text(const Message& message);

void bind_registry(nanobind::module_& module);

}  // namespace kinglet::python
