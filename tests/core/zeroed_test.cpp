#include "core/zeroed.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>

#include "resident_memory.hpp"

namespace kinglet {
namespace {

bool all_zero(const ZeroedFloats& values) {
  return std::ranges::all_of(values, [](float value) { return value == 0; });
}

TEST(Zeroed, IsZeroAndAligned) {
  for (const std::size_t size : {1UL, 15UL, 1000UL, 40'000UL, 1'000'000UL}) {
    const ZeroedFloats values(size);
    EXPECT_EQ(values.size(), size);
    EXPECT_TRUE(all_zero(values));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % 64, 0U);
  }
  EXPECT_EQ(ZeroedFloats(0).data(), nullptr);
}

TEST(Zeroed, KeepsItsContentWhenItIsResizedCopiedAndMoved) {
  for (const std::size_t size : {10UL, 30'000UL, 100'000UL}) {
    ZeroedFloats values(size);
    values[0] = 1;
    values[size - 1] = -0.0F;
    values.resize(3 * size);
    EXPECT_EQ(values[0], 1);
    EXPECT_TRUE(std::signbit(values[size - 1]));
    EXPECT_TRUE(std::all_of(values.begin() + size, values.end(), [](float value) { return value == 0; }));
    ZeroedFloats copy = values;
    values[0] = 2;
    EXPECT_EQ(copy[0], 1);
    copy.resize(2);
    EXPECT_EQ(copy.size(), 2U);
    EXPECT_EQ(copy[0], 1);
    const ZeroedFloats moved = std::move(values);
    EXPECT_EQ(moved[0], 2);
    EXPECT_EQ(moved.size(), 3 * size);
  }
}

TEST(Zeroed, TakesMemoryOnlyWhereItIsWritten) {
  constexpr std::size_t kBytes = std::size_t{256} << 20;
  const std::size_t before = resident_bytes();
  ZeroedFloats values(kBytes / sizeof(float));
  values[12345] = 1;
  ZeroedFloats copy = values;
  copy.resize(values.size() + 1000);
  EXPECT_EQ(copy[12345], 1);
  EXPECT_LT(resident_bytes(), before + (kBytes >> 4));
  std::ranges::fill(values, 1.0F);
  EXPECT_GT(resident_bytes(), before + kBytes / 2);
}

TEST(Zeroed, ThrowsWhereThereIsNoSuchMemory) {
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  EXPECT_THROW(ZeroedFloats{most}, std::bad_alloc);
  EXPECT_THROW(ZeroedFloats(std::size_t{1} << 60), std::bad_alloc);
}

}  // namespace
}  // namespace kinglet
