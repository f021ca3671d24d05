// A model file of any kind that can be taken in: kinglet's own or LIBSVM's.
#pragma once

#include <string>

#include "learn/flat_model.hpp"

namespace kinglet {

// Throws Error with the path for a file that is neither, damaged, or a model that has learned nothing.
FlatModel open_model(const std::string& path);

}  // namespace kinglet
