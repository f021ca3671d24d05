// Opens a model file of kinglet or LIBSVM.
#pragma once

#include <string>

#include "learn/flat_model.hpp"

namespace kinglet {

// Throws Error, with the path, if the file is neither, is damaged, or contains a model that has learned nothing.
FlatModel open_model(const std::string& path);

}  // namespace kinglet
