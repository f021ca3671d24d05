// All options of the selected parts, each with a value in its range. complete_options() (kinglet/registry.hpp) goes
// further: it also resolves `auto` and refuses combinations that make no sense.
#pragma once

#include "learn/selected_parts.hpp"

namespace kinglet {

// Sets every option in `full`, which is empty at first; `auto` stays. Throws Error for values that are not allowed.
SelectedParts fill_options(const Options& given, Options& full);

}  // namespace kinglet
