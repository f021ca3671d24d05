// Where the tests find the data sets that are too large to be kept here: the folder named by the environment variable
// KINGLET_TEST_DATA, or the one the build was configured with.
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

// A file of tests/fixtures/.
std::string fixture(const std::string& name);

}  // namespace kinglet
