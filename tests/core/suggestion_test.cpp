// Suggestions for misspelled names.
#include "core/suggestion.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kinglet {
namespace {

const std::vector<std::string> kNames = {"train", "predict", "budget", "lambda"};

TEST(Suggestion, FindsTypingMistakes) {
  EXPECT_EQ(suggestion("trian", kNames), " (did you mean train?)");
  EXPECT_EQ(suggestion("bugdet", kNames, "--"), " (did you mean --budget?)");
  EXPECT_EQ(suggestion("lamda", kNames), " (did you mean lambda?)");
  EXPECT_EQ(suggestion("pre", kNames), " (did you mean predict?)");
  EXPECT_EQ(suggestion("z", std::vector<std::string>{"C", "k"}), "");
}

TEST(Suggestion, IsSilentAboutWhatIsFarAway) {
  EXPECT_EQ(suggestion("frobnicate", kNames), "");
  EXPECT_EQ(suggestion("", kNames), "");
  EXPECT_EQ(suggestion("x", {}), "");
}

}  // namespace
}  // namespace kinglet
