#include "catalogue/open_by_name.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "catalogue/catalogue.hpp"
#include "catalogue/find_data.hpp"
#include "kinglet/error.hpp"

namespace kinglet {

std::unique_ptr<Source> open_by_name(const std::string& where, SourceOptions options, const std::string& folder) {
  if (where.empty()) {
    throw Error(
        "no data given: use a file name, - for standard input, data:NAME for a public data set, or gen:NAME for "
        "generated data");
  }
  if (where.starts_with(kDataByName)) {
    const CatalogueMatch known = find_in_catalogue(std::string_view(where).substr(kDataByName.size()));
    const bool has_label_column = known.set != nullptr && !known.set->label_column.empty();
    if (has_label_column && !options.default_label_column) options.default_label_column = known.set->label_column;
  } else if (find_in_catalogue(where).file != nullptr && !std::filesystem::exists(where)) {
    throw Error(fmt::format("{}: no such file; to use the public data set of that name, write {}{}", where, kDataByName,
                            where));
  }
  return open_source(find_data(where, folder), options);
}

}  // namespace kinglet
