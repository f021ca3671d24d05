#include "kinglet/error.hpp"

#include <gtest/gtest.h>

namespace kinglet {
namespace {

TEST(Error, IsOneLineWhateverItQuotes) {
  EXPECT_STREQ(Error("no file 'a\nb\x1b[31m\x7f'").what(), "no file 'a\\x0ab\\x1b[31m\\x7f'");
  EXPECT_STREQ(Error("π ± 1 – as it is").what(), "π ± 1 – as it is");
}

}  // namespace
}  // namespace kinglet
