// Data sets by name.
#include "catalogue/find_data.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "core/suggestion.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

// The value of an environment variable; empty if it is not set.
std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string known_names_like(std::string_view name) {
  std::vector<std::string> names;
  for (const KnownSet& set : catalogue()) {
    for (const KnownFile& file : set.files) names.emplace_back(file.name);
  }
  return suggestion(name, names, kDataByName);
}

[[noreturn]] void refuse(std::string_view name, const std::filesystem::path& folder) {
  const CatalogueMatch known = find_in_catalogue(name);
  if (known.set != nullptr) {
    throw Error(fmt::format("{}{}: not found in {}; download it with kinglet data get {}", kDataByName, name,
                            folder.string(), known.set->name));
  }
  const std::string hint = known_names_like(name);
  throw Error(fmt::format("{}{}: no such file in {}{}", kDataByName, name, folder.string(),
                          hint.empty() ? ", and no known data set of that name (see kinglet data list)" : hint));
}

}  // namespace

std::filesystem::path data_folder(const std::string& given) {
  if (!given.empty()) return given;
  if (const std::string named = environment("KINGLET_DATA"); !named.empty()) return named;
  if (const std::string shared = environment("XDG_DATA_HOME"); !shared.empty()) {
    return std::filesystem::path(shared) / "kinglet";
  }
  const std::string home = environment("HOME");
  if (home.empty()) {
    throw Error({"no data folder: give ", option("data", "DIR"), ", or set KINGLET_DATA"});
  }
  return std::filesystem::path(home) / ".local" / "share" / "kinglet";
}

std::optional<std::filesystem::path> find_in_folder(std::string_view name, const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const std::string_view ending : compression_endings()) {
    auto path = folder / (std::string(name) + std::string(ending));
    if (std::filesystem::is_regular_file(path, ignored)) return path;
  }
  return std::nullopt;
}

std::string find_data(const std::string& where, const std::string& folder) {
  if (!where.starts_with(kDataByName)) return where;
  const std::string name = where.substr(kDataByName.size());
  if (name.empty()) throw Error("data: needs a name, such as data:a9a (kinglet data list shows all names)");
  const auto place = data_folder(folder);
  if (const auto found = find_in_folder(name, place)) return found->string();
  refuse(name, place);
}

}  // namespace kinglet
