// Texts that say that a value is missing.
#include "records/missing.hpp"

#include <gtest/gtest.h>

namespace kinglet {
namespace {

TEST(Missing, HasManyNames) {
  for (const char* text : {"", "?", "NA", "na", "NaN"}) {
    EXPECT_TRUE(is_missing(text)) << text;
    EXPECT_TRUE(is_missing(text, false)) << text;
  }
  for (const char* text : {"N/A", "n/a", "#N/A", "<NA>", "NULL", "null", "None", "none", "\\N"}) {
    EXPECT_TRUE(is_missing(text)) << text;
    EXPECT_FALSE(is_missing(text, false)) << text;  // for models of earlier versions
  }
  for (const char* text : {"-", "no", "nil", "nana", "nones", "n", "0", "#", "\\", "??", " "}) {
    EXPECT_FALSE(is_missing(text)) << text;
  }
}

}  // namespace
}  // namespace kinglet
