// The expansion with its lazy scale compared with a reference in double precision (expansion_twins.hpp).
#include "expansion/expansion.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "budget/choices.hpp"
#include "expansion/expansion_twins.hpp"
#include "random_vectors.hpp"

namespace kinglet {
namespace {

RC_GTEST_PROP(Expansion, AgreesWithOneWrittenOutAfterAnyChanges, ()) {
  const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>());
  for (const std::size_t outputs : {1, 3}) {
    Twins twins(outputs, seed);
    for (int i = 0; i < 60; ++i) {
      twins.step();
      twins.expect_same();
      RC_ASSERT(!testing::Test::HasFatalFailure());
    }
  }
}

TEST(Expansion, KeepsItsNumbersInRangeHoweverFarItIsShrunk) {
  Twins twins(1, 1, {.norm = true});
  for (int i = 0; i < 10; ++i) twins.append();
  for (int i = 0; i < 500; ++i) {
    twins.shrink(0.7);  // 500 times: by 3e-78 in total
    if (i % 3 == 0) twins.append();
    if (twins.f().size() > 20) twins.remove(oldest_of(twins.f()));
    EXPECT_GE(twins.f().scale(), 1e-13);
    twins.expect_same();
    if (HasFatalFailure()) return;
    if (i % 60 == 59) {
      while (twins.f().size() > 1) twins.remove(0);  // start again with an empty expansion
      twins.remove(0);
    }
  }
}

TEST(Expansion, TermsOfOrdinarySizeFitHoweverSmallTheScale) {
  // The coefficient 1e8, divided by the scale 2e-12, exceeds the largest number that is stored (1e18). So append() must
  // fold the scale first.
  Expansion f(kGaussian, {.dimension = 1, .classes = 2}, 1, 8);
  const std::vector<float> x{0.5F};
  const std::vector<double> small{1.0};
  const std::vector<double> large{1e8};
  AlignedFloats row(16, 1.0F);
  f.append({Features::dense(x), row.data(), 1, small});
  f.shrink(2e-12);
  f.append({Features::dense(x), row.data(), 1, large});
  EXPECT_NEAR(f.coefficient(0, 0), 2e-12, 1e-17);
  EXPECT_NEAR(f.coefficient(1, 0), 1e8, 10);
}

TEST(Expansion, ACoefficientOutOfRangeIsAnErrorThatLeavesEverythingAsItWas) {
  Twins twins(2, 3, {.norm = true, .loss = true});
  for (int i = 0; i < 8; ++i) twins.append();
  const std::vector<float> x(3, 0.1F);
  const AlignedFloats row = twins.kernel_row(x);
  for (const double huge : {1e40, 1e300, HUGE_VAL, std::nan("")}) {
    const std::vector<double> weights{1.0, huge};
    const std::vector<double> shares(8, 0.1);
    EXPECT_THROW(twins.f().append({Features::dense(x), row.data(), 1, weights}), Error);
    EXPECT_THROW(absorb(twins.f(), {Features::dense(x), row.data(), 1, weights}, shares, 0.5), Error);
    const std::vector<double> wild(8, huge);
    EXPECT_THROW(project_out(twins.f(), 2, wild, 0.5), Error);
    const std::array<Heir, 1> heirs{{{1, huge}}};
    EXPECT_THROW(hand_over(twins.f(), 2, heirs, 0.5), Error);
    EXPECT_THROW(twins.f().replace(2, {Features::dense(x), row.data(), 1, weights}), Error);
    twins.expect_same();
    ASSERT_FALSE(HasFatalFailure());
  }
}

TEST(Expansion, SizesAreMeasuredWithTheKernel) {
  Expansion f({.kind = KernelKind::linear}, {.dimension = 2, .classes = 2}, 1, 8);
  AlignedFloats row(16, 0.0F);
  const std::vector<float> long_one{10, 0}, short_one{0.1F, 0};
  const std::vector<double> small{1.0}, large{-5.0};
  f.append({Features::dense(long_one), row.data(), 100, small});    // 1 · 100
  f.append({Features::dense(short_one), row.data(), 0.01, large});  // 25 · 0.01
  EXPECT_EQ(f.sizes()[0], 100.0F);
  EXPECT_NEAR(f.sizes()[1], 0.25F, 1e-6F);
  EXPECT_EQ(smallest_of(f), 1U);
}

// Merging needs the inner products of the weights of one term with those of every term.
TEST(Expansion, ProductsAreThoseOfTheWeights) {
  for (const std::size_t outputs : {1, 4}) {
    Twins twins(outputs, 5);
    for (int i = 0; i < 21; ++i) twins.append();
    twins.shrink(0.25);
    AlignedFloats products(32, -7.0F);
    for (std::size_t m = 0; m < 21; ++m) {
      const simd::Outputs all = twins.f().stored_outputs();
      simd::combine_outputs({all.coefficients + m, all.stride, outputs}, all, twins.f().set().padded_size(),
                            products.data());
      for (std::size_t n = 0; n < 21; ++n) {
        double want = 0;
        for (std::size_t c = 0; c < outputs; ++c) {
          want += static_cast<double>(twins.f().stored(m, c)) * static_cast<double>(twins.f().stored(n, c));
        }
        EXPECT_NEAR(static_cast<double>(products[n]), want, 1e-5);
      }
    }
  }
}

TEST(Expansion, NamesTheSlotsWhoseVectorsChanged) {
  Random random(6);
  for (int round = 0; round < 50; ++round) {
    Twins twins(1, 100 + static_cast<std::uint64_t>(round));
    for (int i = 0; i < 12; ++i) twins.append();
    Expansion& f = twins.f();
    f.log().clear();
    std::vector<std::vector<float>> before(f.size(), std::vector<float>(3));
    for (std::size_t j = 0; j < f.size(); ++j) f.set().copy_to(j, before[j]);
    // Like a budget rule: adds a term, then removes, merges or projects one.
    twins.append();
    if (round % 3 == 0) {
      twins.remove(random.below(f.size()));
    } else if (round % 3 == 1) {
      const std::size_t m = random.below(f.size());
      twins.merge(m, (m + 1 + random.below(f.size() - 1)) % f.size(), random.uniform());
    } else {
      twins.project_out(random.below(f.size()));
    }
    for (std::size_t j = 0; j < f.size(); ++j) {
      std::vector<float> now(3);
      f.set().copy_to(j, now);
      const bool changed = now != before[j];
      const bool named = std::ranges::find(f.log().changed(), j) != f.log().changed().end();
      EXPECT_TRUE(!changed || named) << j;
    }
    for (const std::uint32_t slot : f.log().changed()) EXPECT_LT(slot, f.size());
  }
}

TEST(Expansion, BecomesOneOutputPerClassWithoutChangingTheMargins) {
  Twins twins(1, 7, {.norm = true});
  for (int i = 0; i < 20; ++i) twins.append();
  twins.shrink(0.3);
  const std::vector<float> x{0.2F, -0.3F, 0.4F};
  const AlignedFloats row = twins.kernel_row(x);
  float binary = 0;
  evaluate(twins.f(), row.data(), &binary);
  twins.grow(3, 3);
  float scores[5] = {};
  evaluate(twins.f(), row.data(), scores);
  EXPECT_NEAR(scores[1] - scores[0], binary, 1e-6F);
  EXPECT_EQ(scores[2], 0.0F);
  twins.expect_same();
  twins.grow(4, 5);
  twins.expect_same();
  for (int i = 0; i < 40; ++i) twins.step();
  twins.expect_same();
}

TEST(Expansion, IsTheSameAfterSavingAndLoading) {
  for (const std::size_t outputs : {1, 3}) {
    // More vectors than the initial capacity.
    Twins twins(outputs, 8);
    for (int i = 0; i < 200; ++i) twins.append();
    for (int i = 0; i < 30; ++i) twins.step();
    StateWriter out;
    twins.f().save(out);
    Expansion copy(kGaussian, {.dimension = twins.f().set().dimension(), .classes = 2}, outputs, 8);
    StateReader in(out.bytes());
    copy.load(in);
    EXPECT_TRUE(in.at_end());
    StateWriter again;
    copy.save(again);
    EXPECT_EQ(again.bytes(), out.bytes());
    EXPECT_EQ(smallest_of(copy), smallest_of(twins.f()));
    EXPECT_EQ(oldest_of(copy), oldest_of(twins.f()));
    for (std::size_t j = 0; j < copy.size(); ++j) EXPECT_EQ(copy.sizes()[j], twins.f().sizes()[j]);
    const AlignedFloats row = twins.kernel_row(random_vector(twins.random(), copy.set().dimension()));
    std::vector<float> a(outputs), b(outputs);
    evaluate(twins.f(), row.data(), a.data());
    evaluate(copy, row.data(), b.data());
    EXPECT_EQ(a, b);
  }
}

// replace() has the same result as append() and then remove(): the same terms in the same slots.
TEST(Expansion, ReplacesOneTermByAnother) {
  Twins one(2, 21), other(2, 21);
  for (int i = 0; i < 30; ++i) {
    one.append();
    other.append();
  }
  for (std::size_t i = 0; i < 100; ++i) {
    const std::size_t slot = i * 7 % 30;
    one.append();
    one.remove(slot);
    other.replace(slot);
    ASSERT_EQ(one.f().size(), other.f().size());
    for (std::size_t j = 0; j < 30; ++j) {
      ASSERT_EQ(one.f().births()[j], other.f().births()[j]);
      ASSERT_EQ(one.f().sizes()[j], other.f().sizes()[j]);
      for (std::size_t c = 0; c < 2; ++c) ASSERT_EQ(one.f().stored(j, c), other.f().stored(j, c));
    }
    ASSERT_EQ(one.f().log().changed().back(), other.f().log().changed().back());
  }
}

TEST(Expansion, CountsEveryChangeButShrinks) {
  Twins twins(2, 22);
  std::uint64_t edits = twins.f().log().edits();
  const auto expect_more = [&](const char* verb) {
    EXPECT_GT(twins.f().log().edits(), edits) << verb;
    edits = twins.f().log().edits();
  };
  for (int i = 0; i < 12; ++i) {
    twins.append();
    expect_more("append");
  }
  twins.remove(3);
  expect_more("remove");
  twins.replace(2);
  expect_more("replace");
  twins.rewrite();
  expect_more("rewrite");
  twins.absorb();
  expect_more("absorb");
  twins.merge_in(1, 0.3);
  expect_more("merge_in");
  twins.f().edit(1, [](std::size_t) { return 0.5F; });
  expect_more("edit");
  twins.f().blend(1, 2, 0.5);
  expect_more("blend");
  twins.f().pass(1, 1);
  expect_more("pass");
  twins.shrink(0.5);
  EXPECT_EQ(twins.f().log().edits(), edits);
}

TEST(ExpansionDeathTest, SharesAreAddedOnlyInsideACompoundChange) {
  Expansion f(kGaussian, {.dimension = 3, .classes = 2}, 1, 16);
  EXPECT_DEATH(add_shares(
                   f, [](std::size_t) { return 1.0; }, {}, 0),
               "is_in_compound_change");
}

}  // namespace
}  // namespace kinglet
