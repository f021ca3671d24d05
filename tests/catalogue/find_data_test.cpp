// Finding data sets by name: with any compression, in the given folder, the folder of the environment variable, or the
// user's default folder.
#include "catalogue/find_data.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "catalogue/open_by_name.hpp"
#include "data/reading.hpp"
#include "error_of.hpp"
#include "kinglet/error.hpp"
#include "kinglet/source.hpp"

namespace kinglet {
namespace {

// Sets or removes an environment variable, and restores it at the end.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Environment() { set(before_ ? before_->c_str() : nullptr); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  void set(const char* value) { value == nullptr ? ::unsetenv(name_) : ::setenv(name_, value, 1); }
  const char* name_;
  std::optional<std::string> before_;
};

class FindData : public testing::Test {
 protected:
  std::string refusal(const std::string& where) {
    try {
      (void)find_data(where, sets());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  std::string sets() const { return folder_.path(""); }
  const TemporaryFolder folder_;
};

TEST_F(FindData, APathStaysAsItIs) {
  for (const std::string where : {"a9a", "./data:a9a", "-", "gen:gauss", ""}) EXPECT_EQ(find_data(where, ""), where);
}

TEST_F(FindData, AnyCompressionWillDo) {
  for (const std::string ending : {".zst", ".xz", ".bz2", ".gz", ""}) {
    folder_.write("mine" + ending, "1 1:2\n");
    EXPECT_EQ(find_data("data:mine", sets()), folder_.path("mine" + ending));
  }
}

TEST_F(FindData, APartOfADownloadIsNoData) {
  folder_.write("a9a.part", "1 1:2\n");
  std::filesystem::create_directory(folder_.path("a9a"));
  EXPECT_NE(refusal("data:a9a").find("kinglet data get a9a"), std::string::npos);
}

TEST_F(FindData, SaysHowToGetIt) {
  EXPECT_NE(refusal("data:a9a.t").find("download it with kinglet data get a9a"), std::string::npos);
  EXPECT_NE(refusal("data:usp").find("did you mean data:usps?"), std::string::npos);
  EXPECT_NE(refusal("data:nothing like it").find("kinglet data list"), std::string::npos);
  EXPECT_NE(refusal("data:").find("needs a name"), std::string::npos);
}

TEST_F(FindData, FolderByOptionThenEnvironmentThenHome) {
  const Environment named("KINGLET_DATA", "/named");
  const Environment shared("XDG_DATA_HOME", "/shared");
  const Environment home("HOME", "/home/wren");
  EXPECT_EQ(data_folder("/given"), "/given");
  EXPECT_EQ(data_folder(), "/named");
  const Environment not_named("KINGLET_DATA", nullptr);
  EXPECT_EQ(data_folder(), "/shared/kinglet");
  const Environment not_shared("XDG_DATA_HOME", "");
  EXPECT_EQ(data_folder(), "/home/wren/.local/share/kinglet");
  const Environment homeless("HOME", nullptr);
  EXPECT_THROW((void)data_folder(), Error);
}

TEST_F(FindData, OpensASetWithItsLabelsWhereTheyAre) {
  folder_.write("banana", "At1\tAt2\ttarget\n0.5\t2\t1\n1\t3\t-1\n");
  SourceOptions options;
  Batch batch;
  ASSERT_TRUE(open_by_name("data:banana", options, sets())->next(batch));
  EXPECT_EQ(batch.new_labels, (std::vector<std::string>{"1", "-1"}));
  EXPECT_EQ(batch.dimension, 2u);
  options.label_column = "first";
  ASSERT_TRUE(open_by_name("data:banana", options, sets())->next(batch));
  EXPECT_EQ(batch.new_labels, (std::vector<std::string>{"0.5", "1"}));
  folder_.write("banana", "1 1:0.5 2:2\n");  // the same set in LIBSVM format
  options.label_column.reset();
  ASSERT_TRUE(open_by_name("data:banana", options, sets())->next(batch));
  EXPECT_EQ(batch.new_labels, (std::vector<std::string>{"1"}));
}

TEST_F(FindData, TheNameAloneIsExplained) {
  EXPECT_NE(error_of([] { open_by_name("german.numer", {}); }).find("write data:german.numer"), std::string::npos);
}

}  // namespace
}  // namespace kinglet
