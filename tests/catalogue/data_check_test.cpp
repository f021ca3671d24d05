// The digest of a file's content does not depend on the formatting of the examples, and changes with any change of
// them.
#include "catalogue/data_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

#include "catalogue/sha256.hpp"
#include "data/reading.hpp"

namespace kinglet {
namespace {

bool go_on() { return true; }

Content content_of_text(std::string_view text, const SourceOptions& options = {}) {
  return *content_of(*read_memory(text, options), go_on);
}

std::string digest(std::string_view text) { return content_of_text(text).digest; }

constexpr std::string_view kPlain = "1 1:0.5 3:2\n-1 2:100\n1\n";

TEST(DataCheck, CountsWhatIsThere) {
  const Content content = content_of_text(kPlain);
  EXPECT_EQ(content.rows, 3u);
  EXPECT_EQ(content.features, 3u);
  EXPECT_EQ(content.classes, 2u);
}

TEST(DataCheck, DigestIsThatOfTheDefinition) {
  using namespace std::string_view_literals;
  // 0.5f is 0x3F000000.
  constexpr auto kBytes = "1\0\0\0\0\0\0\0\0\x3F\xFF\xFF\xFF\xFF"sv;
  Sha256 sum;
  sum.add(std::as_bytes(std::span(kBytes)));
  EXPECT_EQ(digest("1 1:0.5\n"), sum.hex());
}

TEST(DataCheck, SpellingMakesNoDifference) {
  EXPECT_EQ(digest("+1  1:.50 2:0 3:2.000 \r\n-1.0 2:1e2\n1 3:0"), digest(kPlain));
  SourceOptions last;
  last.default_label_column = "last";
  EXPECT_EQ(content_of_text("0.5,0,2,1\n0,100,0,-1\n0,0,0,1\n", last).digest, digest(kPlain));
}

TEST(DataCheck, AnyChangeMakesADifference) {
  for (const std::string_view changed : {
           "-1 1:0.5 3:2\n-1 2:100\n1\n",      // a label
           "1 1:0.5 3:2.0001\n-1 2:100\n1\n",  // a value
           "1 1:0.5 3:-2\n-1 2:100\n1\n",      // a sign
           "1 1:0.5 2:2\n-1 2:100\n1\n",       // an index
           "-1 2:100\n1 1:0.5 3:2\n1\n",       // the order
           "1 1:0.5 3:2\n-1 2:100\n",          // a missing row
           "1 1:0.5\n-1 2:100\n1\n",           // a missing feature
           "a 1:0.5 3:2\nb 2:100\na\n",        // words instead of numbers
       }) {
    EXPECT_NE(digest(changed), digest(kPlain)) << changed;
  }
}

TEST(DataCheck, StopsWhenAsked) {
  EXPECT_FALSE(content_of(*read_memory(kPlain, {}), [] { return false; }).has_value());
}

TEST(DataCheck, TellsWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string path = folder.write("set", kPlain);
  const auto verdict = [&](std::uint32_t features, std::uint32_t classes, std::uint64_t rows, Check check,
                           std::string_view sum) {
    KnownSet set{"set", "", features, classes, {}, {{"set", "", rows, check, sum}}};
    return check_file(set, set.files[0], path, go_on);
  };
  const std::string sum = digest(kPlain);
  EXPECT_EQ(verdict(3, 2, 3, Check::content, sum).verdict, FileVerdict::good);
  EXPECT_EQ(verdict(3, 2, 3, Check::counts, "").verdict, FileVerdict::good);
  EXPECT_EQ(verdict(3, 2, 4, Check::counts, "").fault.text(), "has 3 examples, not 4");
  EXPECT_EQ(verdict(2, 2, 3, Check::counts, "").fault.text(), "has 3 features, not 2");
  EXPECT_EQ(verdict(3, 3, 3, Check::counts, "").fault.text(), "has 2 classes, not 3");
  EXPECT_NE(verdict(3, 2, 3, Check::content, std::string(64, '0')).fault.text().find("expected examples"),
            std::string::npos);
  EXPECT_NE(verdict(3, 2, 3, Check::sha256, std::string(64, '0')).fault.text().find("SHA-256"), std::string::npos);
}

TEST(DataCheck, APageAboutAnErrorIsNoData) {
  const TemporaryFolder folder;
  const std::string path = folder.write("set", "<html><body>Sorry, we moved.</body></html>\n");
  const KnownSet set{"set", "", 3, 2, {}, {{"set", "", 3, Check::counts, {}}}};
  const CheckResult result = check_file(set, set.files[0], path, go_on);
  EXPECT_EQ(result.verdict, FileVerdict::wrong);
}

TEST(DataCheck, AFaultMentionsOptionsAsOptions) {
  const TemporaryFolder folder;
  const std::string path = folder.write("set", "1,2\n,3\n");
  const KnownSet set{"set", "", 1, 2, {}, {{"set", "", 2, Check::counts, {}}}};
  const CheckResult result = check_file(set, set.files[0], path, go_on);
  EXPECT_EQ(result.verdict, FileVerdict::wrong);
  const auto is_option = [](const Message::Piece& piece) { return std::holds_alternative<OptionMention>(piece); };
  EXPECT_TRUE(std::ranges::any_of(result.fault.pieces(), is_option)) << result.fault.text();
}

TEST(DataCheck, Sha256OfAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("abc", "abc");
  EXPECT_EQ(sha256_of_file(path, go_on), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of_file(path, [] { return false; }), std::nullopt);
}

}  // namespace
}  // namespace kinglet
