// Opens data as users of the command name it: data:NAME for a file of the data folder, and everything that
// open_source() of the library knows (a path, - for standard input, gen:NAME).
#pragma once

#include <memory>
#include <string>

#include "kinglet/source.hpp"

namespace kinglet {

// `folder` is the one of data:NAME, as in data_folder(). Where the catalogue knows the set, it also knows in which
// column of a CSV file the labels are. Throws Error when there is no such file.
std::unique_ptr<Source> open_by_name(const std::string& where, SourceOptions options, const std::string& folder = {});

}  // namespace kinglet
