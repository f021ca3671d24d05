// Where the tests find the data sets that are too large to be kept here: the folder named by the environment variable
// KINGLET_TEST_DATA, or the one the build was configured with.
//
//   const auto file = kinglet::test_data("a9a");
//   if (!file) GTEST_SKIP() << kinglet::no_test_data("a9a");
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace kinglet {

inline std::filesystem::path test_data_folder() {
  const char* named = std::getenv("KINGLET_TEST_DATA");
  return named != nullptr ? named : KINGLET_TEST_DATA;
}

inline std::optional<std::string> test_data(const std::string& name) {
  const auto path = test_data_folder() / name;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path.string();
}

inline std::string no_test_data(const std::string& name) {
  return "no file '" + name + "' in " + test_data_folder().string() +
         ": set KINGLET_TEST_DATA to the folder of the data sets";
}

}  // namespace kinglet
