// Opens whatever the user names: a file, standard input or a generator.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/compose.hpp"
#include "data/bytes.hpp"
#include "data/generator.hpp"
#include "data/text_source.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

// The first option given that applies only to files.
Message option_of_files(const SourceOptions& options) {
  if (options.format != Format::detect) return option("format");
  if (options.index_base) return option("index_base");
  if (options.dimension != 0) return option("dimension");
  const Message of_csv = csv_option(options);
  return of_csv.empty() ? record_option(options) : of_csv;
}

// Throws Error for a missing file whose name shows that something else than a file was meant.
void explain_missing_file(const std::string& where) {
  const auto known = generators();
  const bool meant_generator = std::any_of(known.begin(), known.end(), [&](const auto& g) {
    return where.starts_with(g.name) && (where.size() == g.name.size() || where[g.name.size()] == '?');
  });
  if (meant_generator) {
    throw Error(fmt::format("{}: no such file; to use the generator of that name, write gen:{}", where, where));
  }
  if (where.starts_with("data:")) {
    throw Error(
        fmt::format("{}: no such file; only the kinglet command opens public data sets by name, so use a path", where));
  }
}

}  // namespace

std::unique_ptr<Source> open_source(const std::string& where, const SourceOptions& options) {
  constexpr std::string_view kGenerator = "gen:";
  if (where.starts_with(kGenerator)) {
    const Message useless = options.options_may_not_fit ? Message() : option_of_files(options);
    if (!useless.empty()) throw Error(compose("{} applies only to files; {} is generated", useless, where));
    return open_generator(where, options.numeric_labels);
  }
  if (where.empty())
    throw Error("no data given: use a file name, - for standard input, or gen:NAME for generated data");
  std::error_code unusable;  // a name that is too long, for example: opening it fails with the reason
  if (!std::filesystem::exists(where, unusable)) explain_missing_file(where);
  return read_text(where == "-" ? "<stdin>" : where, open_bytes(where), options);
}

}  // namespace kinglet
