// The table of public data sets is consistent, and agrees with copies of the sets if they are available.
#include "catalogue/catalogue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <string>

#include "catalogue/data_check.hpp"
#include "catalogue/find_data.hpp"
#include "data/reading.hpp"
#include "sampled.hpp"
#include "test_data.hpp"

namespace kinglet {
namespace {

TEST(Catalogue, NamesAreUniqueAndSorted) {
  std::set<std::string_view> files;
  for (const KnownSet& set : catalogue()) {
    EXPECT_FALSE(set.files.empty()) << set.name;
    for (const KnownFile& file : set.files) EXPECT_TRUE(files.insert(file.name).second) << file.name;
  }
  const auto by_name = [](const KnownSet& a, const KnownSet& b) { return a.name < b.name; };
  EXPECT_TRUE(std::is_sorted(catalogue().begin(), catalogue().end(), by_name));
  const auto same_name = [](const KnownSet& a, const KnownSet& b) { return a.name == b.name; };
  EXPECT_EQ(std::adjacent_find(catalogue().begin(), catalogue().end(), same_name), catalogue().end());
}

TEST(Catalogue, EveryFileHasAnAddressOfItsOwn) {
  std::set<std::string_view> addresses;
  std::set<std::string> at_mirrors;  // file names at mirrors: the last parts of the addresses
  for (const KnownSet& set : catalogue()) {
    for (const KnownFile& file : set.files) {
      EXPECT_TRUE(addresses.insert(file.address).second) << file.address;
      EXPECT_TRUE(at_mirrors.insert(file.address.substr(file.address.rfind('/'))).second) << file.address;
      EXPECT_TRUE(file.address.starts_with("https://")) << file.address;
      EXPECT_EQ(file.address.find_first_of(" ?#\"<>\\"), std::string::npos) << file.address;
      EXPECT_FALSE(file.address.ends_with('/')) << file.address;
    }
  }
}

TEST(Catalogue, FactsAreFilledIn) {
  for (const KnownSet& set : catalogue()) {
    EXPECT_GT(set.features, 0u) << set.name;
    EXPECT_GE(set.classes, 2u) << set.name;
    EXPECT_FALSE(set.summary.empty()) << set.name;
    EXPECT_EQ(set.files.front().name, set.name);
    for (const KnownFile& file : set.files) {
      EXPECT_GT(file.rows, 0u) << file.name;
      const bool hexadecimal = file.digest.find_first_not_of("0123456789abcdef") == std::string_view::npos;
      EXPECT_TRUE(hexadecimal && file.digest.size() == (file.check == Check::counts ? 0u : 64u)) << file.name;
    }
  }
}

TEST(Catalogue, FindsSetsAndFiles) {
  const CatalogueMatch train = find_in_catalogue("a9a");
  ASSERT_NE(train.file, nullptr);
  EXPECT_EQ(train.file->rows, 32561u);
  const CatalogueMatch test = find_in_catalogue("a9a.t");
  EXPECT_EQ(test.set, train.set);
  EXPECT_EQ(test.file->rows, 16281u);
  EXPECT_EQ(find_in_catalogue("a9").set, nullptr);
}

TEST(Catalogue, KeepsTheEndingOfTheCompression) {
  EXPECT_EQ(kept_name(*find_in_catalogue("a9a.t").file), "a9a.t");
  EXPECT_EQ(kept_name(*find_in_catalogue("ijcnn1.t").file), "ijcnn1.t.bz2");
  EXPECT_EQ(kept_name(*find_in_catalogue("banana").file), "banana.gz");
}

// The sets that have at least one file in the folder of test data.
std::vector<std::string> sets_at_hand() {
  std::vector<std::string> names;
  for (const KnownSet& set : catalogue()) {
    const auto at_hand = [](const KnownFile& file) {
      return find_in_folder(file.name, test_data_folder()).has_value();
    };
    if (std::any_of(set.files.begin(), set.files.end(), at_hand)) names.emplace_back(set.name);
  }
  return names;
}

// Without this test, a folder without any set of the catalogue would go unnoticed: AgreeWithTheTable would not run.
TEST(Catalogue, TheFolderOfTheTestsHasSetsOfTheCatalogue) {
  if (!std::filesystem::is_directory(test_data_folder())) GTEST_SKIP() << no_test_data("a9a.xz");
  EXPECT_FALSE(sets_at_hand().empty()) << "no file of the catalogue in " << test_data_folder();
}

class CatalogueCopies : public testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(CatalogueCopies);

// Only the counts are compared if the check is a SHA-256 of the published file, which the copy need not equal byte for
// byte, or if the published file is CSV, because then the copy has other labels.
TEST_P(CatalogueCopies, AgreeWithTheTable) {
  const KnownSet& set = *find_in_catalogue(GetParam()).set;
  for (KnownFile file : set.files) {
    const auto path = find_in_folder(file.name, test_data_folder());
    if (!path) continue;
    if (file.check == Check::sha256 || !set.label_column.empty()) file.check = Check::counts;
    EXPECT_EQ(check_file(set, file, *path, [] { return true; }).fault.text(), "") << file.name;
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& set) {
  std::string name = set.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

// The copies are large, and the test is about them more than about our code.
std::vector<std::string> sampled_sets() {
  const std::vector<std::string> all = sets_at_hand();
  std::vector<std::string> sampled;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_sampled(i)) sampled.push_back(all[i]);
  }
  return sampled;
}

INSTANTIATE_TEST_SUITE_P(AtHand, CatalogueCopies, testing::ValuesIn(sampled_sets()), test_name);

// The published file has letters as labels, the copy their numbers from 1 to 26. Written with letters again, the copy
// must have the expected content.
TEST(Catalogue, AgreesWithTheCopyOfLetterSpelledAsAtItsAddress) {
  const auto path = find_in_folder("letter", test_data_folder());
  if (!path) GTEST_SKIP() << no_test_data("letter.xz");
  const CatalogueMatch known = find_in_catalogue("letter");
  const PlainData copy = read_all(*open_source(path->string(), {}));
  std::string text;
  for (const PlainRow& row : copy.rows) {
    text += static_cast<char>('A' + std::stoi(row.label) - 1);
    for (std::uint32_t k = 0; k < known.set->features; ++k) {
      const auto value = row.features.find(k);
      text += "," + std::to_string(value == row.features.end() ? 0 : static_cast<int>(value->second));
    }
    text += '\n';
  }
  const TemporaryFolder folder;
  const std::string spelled = folder.write("letter", text);
  EXPECT_EQ(check_file(*known.set, *known.file, spelled, [] { return true; }).fault.text(), "");
}

}  // namespace
}  // namespace kinglet
