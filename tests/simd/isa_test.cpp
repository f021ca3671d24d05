#include "simd/isa.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kinglet/error.hpp"
#include "simd/every_isa.hpp"

namespace kinglet::simd {
namespace {

TEST(Isa, EveryAvailableOneCanBeChosen) {
  const auto names = available_isas();
  ASSERT_FALSE(names.empty());
  for_every_isa([] {});
  const RestoreIsa restore;
  for (const auto& name : names) {
    use_isa(name);
    EXPECT_EQ(current_isa(), name);
  }
}

TEST(Isa, NamesAreDifferentAndTheScalarOneIsAmongThem) {
  const auto names = available_isas();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(std::ranges::count(names, "scalar"), 1);
}

TEST(Isa, AnUnknownNameIsTheUsersErrorAndChangesNothing) {
  const std::string before = current_isa();
  EXPECT_THROW(use_isa("mmx"), Error);
  EXPECT_EQ(current_isa(), before);
}

}  // namespace
}  // namespace kinglet::simd
