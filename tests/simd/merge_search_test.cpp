// best_partner() compared with a plain loop over the same tables, for every instruction set.
// tests/expansion/merge_table_test.cpp tests whether its choice is the best partner.
#include "simd/merge_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/aligned.hpp"
#include "core/random.hpp"
#include "expansion/merge_table.hpp"
#include "simd/every_isa.hpp"

namespace kinglet::simd {
namespace {

// Partners with one output (parallel weights) of random sizes; the share `opposite` is negative.
struct Partners {
  AlignedFloats kappa, sizes, products;
  mutable AlignedFloats screen;
  std::size_t count = 0;
  std::size_t self = 0;

  Partners(Random& random, std::size_t n, double opposite) : count(n) {
    const std::size_t padded = round_up(n, 16);
    kappa.assign(padded, 1.0F);  // padding: a perfect partner if it is used
    sizes.assign(padded, 0.0F);
    products.assign(padded, 0.0F);
    screen.assign(padded, 0.0F);
    self = random.below(n);
    std::vector<double> weights(n);
    for (double& weight : weights) weight = (0.1 + random.uniform()) * (random.coin(opposite) ? -1 : 1);
    weights[self] = 0.1;
    for (std::size_t j = 0; j < n; ++j) {
      kappa[j] = j == self ? 1.0F : static_cast<float>(random.uniform());
      sizes[j] = static_cast<float>(weights[j] * weights[j]);
      products[j] = static_cast<float>(weights[j] * weights[self]);
    }
  }
  MergeQuery query() const {
    return {kappa.data(), sizes.data(), products.data(), screen.data(), count, self, sizes[self]};
  }
};

double plain_loss(const Partners& p, std::size_t n) {
  const auto own = static_cast<double>(p.sizes[p.self]);
  const auto kappa = static_cast<double>(p.kappa[n]);
  const double projected = own * (1 - kappa * kappa);
  if (p.products[n] < 0) return projected;
  const double root = MergeTable::instance().root_loss(std::sqrt(own / static_cast<double>(p.sizes[n])), kappa);
  return std::min(own * root * root, projected);
}

TEST(BestPartner, AgreesWithAPlainLoopOverTheTable) {
  for_every_isa([] {
    Random random(1);
    for (int round = 0; round < 200; ++round) {
      const std::size_t n = 2 + random.below(70);
      const Partners partners(random, n, round % 2 == 0 ? 0 : 0.5);
      const std::size_t chosen = best_partner(MergeTable::instance().grid(), partners.query());
      ASSERT_LT(chosen, n);
      ASSERT_NE(chosen, partners.self);
      double least = 1e30;
      for (std::size_t j = 0; j < n; ++j) {
        if (j != partners.self) least = std::min(least, plain_loss(partners, j));
      }
      EXPECT_LE(plain_loss(partners, chosen), least * (1 + 1e-5) + 1e-9);
    }
  });
}

TEST(BestPartner, FindsOneEvenWhereAllAreFar) {
  for_every_isa([] {
    Random random(7);
    for (int round = 0; round < 500; ++round) {
      Partners partners(random, 2 + random.below(40), 0.5);
      const double far = std::exp(-5 - 80 * random.uniform());
      double least = 1e30;
      for (std::size_t j = 0; j < partners.count; ++j) {
        if (j == partners.self) continue;
        partners.kappa[j] = static_cast<float>(far * random.uniform());
        least = std::min(least, plain_loss(partners, j));
      }
      const std::size_t chosen = best_partner(MergeTable::instance().grid(), partners.query());
      ASSERT_LT(chosen, partners.count);
      ASSERT_NE(chosen, partners.self);
      EXPECT_LE(plain_loss(partners, chosen), least * 1.001);
    }
  });
}

// The search looks at few near partners first and, if that does not decide, at all of them.
TEST(BestPartner, DoesNotCareAboutWorsePartners) {
  for_every_isa([] {
    Random random(5);
    for (int round = 0; round < 200; ++round) {
      Partners few(random, 2 + random.below(60), round % 2 == 0 ? 0 : 0.5);
      const std::size_t good = (few.self + 1) % few.count;
      few.kappa[good] = 0.9F;
      few.products[good] = std::abs(few.products[good]);
      for (const float kappa : {1e-30F, 0.1F, 0.14F}) {  // the last one is near, too
        Partners many = few;
        many.count += random.below(200);
        for (AlignedFloats* padded : {&many.kappa, &many.sizes, &many.products, &many.screen}) {
          padded->resize(round_up(many.count, 16), 1.0F);
        }
        for (std::size_t j = few.count; j < many.count; ++j) {
          many.kappa[j] = kappa;
          many.sizes[j] = 1;
          many.products[j] = 0.1F;
        }
        for (const bool parallel : {true, false}) {
          MergeQuery query = few.query();
          MergeQuery larger = many.query();
          query.parallel = larger.parallel = parallel;
          EXPECT_EQ(best_partner(MergeTable::instance().grid(), larger),
                    best_partner(MergeTable::instance().grid(), query));
        }
      }
    }
  });
}

TEST(BestPartner, TakesTheFirstOfEquals) {
  for_every_isa([] {
    for (std::size_t n = 2; n < 50; ++n) {
      for (const std::size_t self : {std::size_t{0}, n / 2, n - 1}) {
        Random random(3);
        Partners partners(random, n, 0);
        partners.self = self;
        for (std::size_t j = 0; j < n; ++j) {
          partners.kappa[j] = 0.5F;
          partners.sizes[j] = 1;
          partners.products[j] = 1;
        }
        EXPECT_EQ(best_partner(MergeTable::instance().grid(), partners.query()), self == 0 ? 1U : 0U);
      }
    }
  });
}

TEST(BestPartner, DoesNotCareAboutTheUnitsOfTheWeights) {
  for_every_isa([] {
    Random random(4);
    for (int round = 0; round < 50; ++round) {
      const Partners plain(random, 2 + random.below(40), 0.5);
      const std::size_t chosen = best_partner(MergeTable::instance().grid(), plain.query());
      // Powers of two, so that scaling rounds nothing. They scale squares: 2^±60 stands for weights scaled by 2^±30.
      for (const float unit : {0x1p-60F, 0x1p-20F, 0x1p20F, 0x1p40F, 0x1p60F, 0x1p100F}) {
        Partners scaled = plain;
        for (float& size : scaled.sizes) size *= unit;
        for (float& product : scaled.products) product *= unit;
        EXPECT_EQ(best_partner(MergeTable::instance().grid(), scaled.query()), chosen) << "unit " << unit;
      }
    }
  });
}

}  // namespace
}  // namespace kinglet::simd
