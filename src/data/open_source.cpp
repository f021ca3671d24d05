// Opens whatever the user names: a file, by its path or as one of the data folder, standard input or a generator.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "data/bytes.hpp"
#include "data/catalogue.hpp"
#include "data/find_data.hpp"
#include "data/generator.hpp"
#include "data/text_source.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

// The first option that was given and that means nothing where nothing is read.
std::string_view option_of_files(const SourceOptions& options) {
  if (options.format != Format::detect) return "--format";
  if (options.index_base) return "--index-base";
  if (options.dimension != 0) return "--dimension";
  return csv_option(options);
}

// A file of the data folder; where the set is known, so is the place of its labels.
std::unique_ptr<Source> open_by_name(const std::string& where, SourceOptions options) {
  const std::string path = find_data(where, options.data_folder);
  const CatalogueMatch known = find_in_catalogue(std::string_view(where).substr(kDataByName.size()));
  const bool has_label_column = known.set != nullptr && !known.set->label_column.empty();
  if (has_label_column && !options.default_label_column) options.default_label_column = known.set->label_column;
  return read_text(path, open_bytes(path), options);
}

// For a file that is not there under the name of something else.
void refuse_name_alone(const std::string& where) {
  const auto known = generators();
  const bool meant_generator = std::any_of(known.begin(), known.end(), [&](const auto& g) {
    return where.starts_with(g.name) && (where.size() == g.name.size() || where[g.name.size()] == '?');
  });
  if (meant_generator) {
    throw Error(fmt::format("{}: there is no such file; for the generator of that name write gen:{}", where, where));
  }
  if (find_in_catalogue(where).file != nullptr) {
    throw Error(
        fmt::format("{}: there is no such file; for the known set of that name write {}{}", where, kDataByName, where));
  }
}

}  // namespace

std::unique_ptr<Source> open_source(const std::string& where, const SourceOptions& options) {
  constexpr std::string_view kGenerator = "gen:";
  if (where.starts_with(kGenerator)) {
    const std::string_view useless = options.options_may_not_fit ? "" : option_of_files(options);
    if (!useless.empty()) throw Error(fmt::format("{} is for files; {} is generated", useless, where));
    return open_generator(where, options.numeric_labels);
  }
  if (where.empty()) {
    throw Error("no data given: name a file, - for standard input, data:NAME for a known set, or gen:NAME to generate");
  }
  if (where.starts_with(kDataByName)) return open_by_name(where, options);
  if (!std::filesystem::exists(where)) refuse_name_alone(where);
  return read_text(where == "-" ? "<stdin>" : where, open_bytes(where), options);
}

}  // namespace kinglet
