// Files being downloaded: what remains after an interruption, and the file after completion.
#include "catalogue/part_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string_view>

#include "data/reading.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

class PartFileTest : public testing::Test {
 protected:
  bool has(const std::string& name) const { return std::filesystem::exists(folder_.path(name)); }
  const TemporaryFolder folder_;
  const std::string goal_ = folder_.path("set");
};

TEST_F(PartFileTest, StaysWithWhatItIsTheBeginningOf) {
  {
    PartFile part(goal_);
    EXPECT_EQ(part.version_from("https://a/set"), "");
    part.begin("https://a/set", "\"v1\"");
    part.append(std::string_view("abc"));
  }
  EXPECT_FALSE(has("set"));
  PartFile part(goal_);
  EXPECT_EQ(part.size(), 3u);
  EXPECT_EQ(part.version_from("https://a/set"), "\"v1\"");
  EXPECT_EQ(part.version_from("https://b/set"), "");
  part.append(std::string_view("def"));
  part.finish();
  EXPECT_EQ(std::filesystem::file_size(goal_), 6u);
  EXPECT_FALSE(has("set.part") || has("set.part.from"));
}

TEST_F(PartFileTest, BeginningForgetsWhatThereWas) {
  PartFile part(goal_);
  part.begin("https://a/set", "\"v1\"");
  part.append(std::string_view("abc"));
  part.begin("https://a/set", "\"v2\"");
  EXPECT_EQ(part.version_from("https://a/set"), "");  // nothing has been downloaded yet
  part.append(std::string_view("d"));
  EXPECT_EQ(part.version_from("https://a/set"), "\"v2\"");
  EXPECT_EQ(std::filesystem::file_size(part.path()), 1u);
}

TEST_F(PartFileTest, NothingStaysOfNothing) {
  { const PartFile part(goal_); }
  {
    PartFile part(goal_);
    part.begin("https://a/set", "\"v1\"");
    part.append(std::string_view("abc"));
    part.discard();
  }
  EXPECT_FALSE(has("set") || has("set.part") || has("set.part.from"));
}

TEST_F(PartFileTest, OneAtATime) {
  const PartFile first(goal_);
  EXPECT_THROW(PartFile second(goal_), Error);
}

TEST_F(PartFileTest, AFolderThatIsNotThere) { EXPECT_THROW(PartFile part(folder_.path("none/set")), Error); }

}  // namespace
}  // namespace kinglet
