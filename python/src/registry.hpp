// The registry for Python: lists of plain dictionaries, and errors in Python's words.
#pragma once

#include <nanobind/nanobind.h>

#include <map>
#include <string>

#include "kinglet/options.hpp"

namespace kinglet::python {

using OptionTexts = std::map<std::string, std::string>;

Options options_from(const OptionTexts& texts);
OptionTexts texts_of(const Options& options);

// What an option is called in Python: "merge-pairs" is merge_pairs, "lambda" is lambda_.
std::string parameter_name(std::string option);
// A message of the library with the names that options have in Python: "--merge-pairs" becomes "merge_pairs".
std::string in_python_words(std::string message);

void bind_registry(nanobind::module_& module);

}  // namespace kinglet::python
