// Data sets for the tests that are too large for the repository. They are in the folder named by the environment
// variable KINGLET_TEST_DATA, or in the folder given when the build was configured.
//
//   const auto file = kinglet::test_data("a9a");
//   if (!file) GTEST_SKIP() << kinglet::no_test_data("a9a");
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace kinglet {

std::filesystem::path test_data_folder();
std::optional<std::string> test_data(const std::string& name);
std::string no_test_data(const std::string& name);

// Path of a file in tests/fixtures/.
std::string fixture(const std::string& name);

}  // namespace kinglet
