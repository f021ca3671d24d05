#include "test_data.hpp"

#include <cstdlib>

namespace kinglet {

std::filesystem::path test_data_folder() {
  const char* named = std::getenv("KINGLET_TEST_DATA");
  return named != nullptr ? named : KINGLET_TEST_DATA;
}

std::optional<std::string> test_data(const std::string& name) {
  const auto path = test_data_folder() / name;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path.string();
}

std::string no_test_data(const std::string& name) {
  return "no file '" + name + "' in " + test_data_folder().string() +
         ": set KINGLET_TEST_DATA to the folder of the data sets";
}

std::string fixture(const std::string& name) { return std::string(KINGLET_FIXTURES "/") + name; }

}  // namespace kinglet
