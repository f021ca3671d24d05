#include "expansion/model_function.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "expansion/expansion_twins.hpp"

namespace kinglet {
namespace {

TEST(ModelFunction, IsTheSameAfterSavingAndLoading) {
  for (const bool norm : {false, true}) {
    for (const bool values : {false, true}) {
      for (const bool average : {false, true}) {
        const ModelFunction::Kept kept{.norm = norm, .values = values, .average = average, .loss = true};
        Twins twins(2, 71, kept);
        for (int i = 0; i < 100; ++i) {
          if (average) twins.function().average->begin_round();
          twins.append();
          if (!average && i % 5 == 4) twins.remove(static_cast<std::size_t>(i) % twins.f().size());
          twins.shrink(0.9);
        }
        StateWriter out;
        twins.function().save(out);
        ModelFunction copy(kGaussian, {.dimension = 3, .classes = 2}, 2, 8, kept);
        StateReader in(out.bytes());
        copy.load(in);
        EXPECT_TRUE(in.at_end());
        StateWriter again;
        copy.save(again);
        EXPECT_EQ(again.bytes(), out.bytes());
        if (norm) {
          EXPECT_EQ(copy.norm->squared(), twins.function().norm->squared());
        }
      }
    }
  }
}

TEST(ModelFunction, MemoryIsKnownBeforehand) {
  for (const std::size_t capacity : {1, 16, 17, 100}) {
    for (const bool values : {false, true}) {
      for (const bool average : {false, true}) {
        const ModelFunction::Kept kept{.values = values, .average = average};
        const ModelFunction function(kGaussian, {.dimension = 3, .classes = 5}, 5, capacity, kept);
        EXPECT_EQ(function.memory_bytes(), ModelFunction::bytes(5, capacity, kept) + function.f.set().memory_bytes());
      }
    }
  }
}

}  // namespace
}  // namespace kinglet
