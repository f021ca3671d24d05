// Merging two terms: the table compared with a search in double precision, the bounds that the partner search relies
// on, and the partner that it finds compared with the best one.
#include "expansion/merge_table.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/aligned.hpp"
#include "core/random.hpp"
#include "simd/every_isa.hpp"

namespace kinglet {
namespace {

// The loss by its definition, which cancels for nearby vectors: ‖α_m‖² + ‖α_n‖² + 2κ α_m·α_n − ‖α_z‖².
double plain_loss(const MergeWeights& w, double kappa, double h) {
  const double u = std::pow(kappa, (1 - h) * (1 - h));
  const double v = std::pow(kappa, h * h);
  return w.m + w.n + 2 * kappa * w.product - (u * u * w.m + v * v * w.n + 2 * u * v * w.product);
}

// The least loss over h ∈ [0, 1]: a grid, then golden-section search around its best point.
double least_loss(const MergeWeights& w, double kappa) {
  constexpr int kSteps = 32;
  int best = 0;
  double least = merge_loss(w, kappa, 0);
  for (int i = 1; i <= kSteps; ++i) {
    const double loss = merge_loss(w, kappa, static_cast<double>(i) / kSteps);
    if (loss < least) {
      least = loss;
      best = i;
    }
  }
  double low = std::max(0.0, (best - 1.0) / kSteps);
  double high = std::min(1.0, (best + 1.0) / kSteps);
  const double golden = (std::sqrt(5.0) - 1) / 2;
  while (high - low > 1e-7) {
    const double a = high - golden * (high - low);
    const double b = low + golden * (high - low);
    if (merge_loss(w, kappa, a) < merge_loss(w, kappa, b)) {
      high = b;
    } else {
      low = a;
    }
  }
  return std::min(least, merge_loss(w, kappa, (low + high) / 2));
}

MergeWeights parallel(double ratio) { return {ratio * ratio, 1, ratio}; }

double between(double low, double high) { return low + (high - low) * (*rc::gen::inRange(0, 1'000'001) / 1e6); }

TEST(MergeLoss, IsThePlainFormulaWithoutItsCancellation) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const double a = random.normal(), b = random.normal(), c = random.normal(), d = random.normal();
    const MergeWeights w{a * a + b * b, c * c + d * d, a * c + b * d};
    const double kappa = random.uniform();
    const double h = random.uniform();
    EXPECT_NEAR(merge_loss(w, kappa, h), plain_loss(w, kappa, h), 1e-12 * (w.m + w.n));
  }
  // For κ = 1 − ε the plain formula loses all digits. With equal weights and h = ½ the loss is 2(1 − √κ)² ≈ ε²/2.
  EXPECT_GT(merge_loss(parallel(1), 1 - 1e-9, 0.5), 0);
  EXPECT_LT(merge_loss(parallel(1), 1 - 1e-9, 0.5), 1e-17);
  EXPECT_EQ(merge_loss(parallel(0.5), 1, 0.3), 0);
}

TEST(MergeLoss, OfVectorsThatSeeNothingOfEachOtherIsTheRemovalOfOne) {
  EXPECT_EQ(merge_loss({0.25, 1, 0.5}, 0, 0), 0.25);
  EXPECT_EQ(merge_loss({0.25, 1, 0.5}, 0, 1), 1);
}

RC_GTEST_PROP(BestMergePlace, LosesNoMoreThanAnyOtherPlace, ()) {
  const double a = between(-1, 1), b = between(-1, 1), c = between(-1, 1), d = between(-1, 1);
  const MergeWeights w{a * a + b * b, c * c + d * d, a * c + b * d};
  const double kappa = between(1e-6, 1);
  const double h = best_merge_place(w, kappa);
  RC_ASSERT(h >= 0 && h <= 1);
  const double loss = merge_loss(w, kappa, h);
  RC_ASSERT(loss <= least_loss(w, kappa) + 1e-6 * std::min(w.m, w.n));
  // Never worse than removing one of the two or projecting it on the other.
  const double slack = 1e-12 * (w.m + w.n);
  RC_ASSERT(loss <= std::min(w.m, w.n) + slack);
  RC_ASSERT(loss <= std::min(w.m, w.n) * (1 - kappa * kappa) + slack);
}

RC_GTEST_PROP(BestMergePlace, IsExactForParallelWeights, ()) {
  const double ratio = between(1e-3, 1);
  const double kappa = between(1e-9, 1);
  const double least = least_loss(parallel(ratio), kappa);
  const double h = best_merge_place(parallel(ratio), kappa);
  RC_ASSERT(merge_loss(parallel(ratio), kappa, h) <= least * (1 + 1e-6) + 1e-18);
  // If the weights are swapped, the best place is mirrored and the loss stays the same.
  const MergeWeights swapped{1, ratio * ratio, ratio};
  RC_ASSERT(std::abs(merge_loss(swapped, kappa, best_merge_place(swapped, kappa)) - least) <= 1e-6 * least + 1e-18);
}

RC_GTEST_PROP(BestMergePlace, OfOppositeWeightsIsOneOfTheTwo, ()) {
  const double a = between(0.01, 1), b = between(0.01, 1);
  const double kappa = between(1e-6, 1);
  const MergeWeights w{a * a, b * b, -a * b};
  const double h = best_merge_place(w, kappa);
  RC_ASSERT(h == 0 || h == 1);
  RC_ASSERT(merge_loss(w, kappa, h) <= least_loss(w, kappa) + 1e-12);
}

TEST(BestMergePlace, OppositeWeightsAreProjectedOnTheHeavier) {
  EXPECT_EQ(best_merge_place({0.25, 1, -0.5}, 0.7), 0);
  EXPECT_EQ(best_merge_place({1, 0.25, -0.5}, 0.7), 1);
}

TEST(MergeTable, RootLossIsThatOfASearchInDoublePrecision) {
  double worst = 0;
  for (int r = 1; r <= 70; ++r) {
    for (int k = 0; k <= 150; ++k) {
      const double ratio = r / 70.0;
      const double kappa = k / 150.0;
      const double root = std::sqrt(std::max(0.0, least_loss(parallel(ratio), kappa))) / ratio;
      worst = std::max(worst, std::abs(MergeTable::instance().root_loss(ratio, kappa) - root));
    }
  }
  EXPECT_LT(worst, 1e-3);
}

TEST(MergeTable, RootLossOfNearDuplicatesHasARightSlope) {
  for (const double ratio : {0.01, 0.1, 0.5, 0.77, 1.0}) {
    for (const double distance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
      const double kappa = 1 - distance;
      const double root = std::sqrt(least_loss(parallel(ratio), kappa)) / ratio;
      EXPECT_NEAR(MergeTable::instance().root_loss(ratio, kappa) / root, 1, 5e-3) << ratio << ' ' << distance;
    }
  }
  EXPECT_EQ(MergeTable::instance().root_loss(0.3, 1), 0);
}

// Near κ = 1 the smallest loss is of second order in 1 − κ, but an error of h adds a loss of first order. The added
// loss is therefore measured relative to that of projecting the lighter term on the other, which is of first order too.
TEST(MergeTable, PlaceCostsNoMoreThanOneInAThousandOfAProjection) {
  double worst = 0;
  for (int r = 1; r <= 150; ++r) {
    for (int k = 1; k <= 100; ++k) {
      const double ratio = r / 150.0;
      const double kappa = k == 100 ? 1 - 1e-7 : k == 99 ? 1 - 1e-4 : k / 100.0;
      const double h = MergeTable::instance().place(ratio, kappa);
      ASSERT_TRUE(h >= 0 && h <= 1);
      const double excess = merge_loss(parallel(ratio), kappa, h) - least_loss(parallel(ratio), kappa);
      worst = std::max(worst, excess / (ratio * ratio * (1 - kappa * kappa)));
    }
  }
  EXPECT_LT(worst, 1e-3);
}

TEST(MergeTable, LossFallsAsTheVectorsComeNearer) {
  for (int r = 0; r <= 20; ++r) {
    const double ratio = std::max(1e-4, r / 20.0);
    double before = ratio * ratio;
    for (int k = 0; k <= 200; ++k) {
      const double loss = least_loss(parallel(ratio), k / 200.0);
      EXPECT_LE(loss, before + 1e-12);
      before = loss;
    }
  }
}

TEST(MergeTable, LossForTheLighterWeightIsLeastAmongEqualsAndLargestBesideAGiant) {
  const auto relative = [](double ratio, double kappa) { return least_loss(parallel(ratio), kappa) / (ratio * ratio); };
  for (int k = 1; k <= 50; ++k) {
    const double kappa = k / 50.0;
    double before = 1;
    for (int r = 1; r <= 50; ++r) {
      const double loss = relative(r / 50.0, kappa);
      EXPECT_LE(loss, before + 1e-6) << r << ' ' << k;
      before = loss;
    }
    const double least = MergeTable::instance().root_loss(1, kappa);
    const double most = MergeTable::instance().root_loss(0, kappa);
    for (int r = 0; r <= 100; ++r) {
      EXPECT_GE(MergeTable::instance().root_loss(r / 100.0, kappa), least - 1e-6);
      EXPECT_LE(MergeTable::instance().root_loss(r / 100.0, kappa), most + 1e-6);
    }
  }
}

// --- the search for a partner ----------------------------------------------------------------------------------------

// Weights of one or more outputs; the term `self` is the lightest.
struct Terms {
  std::vector<std::vector<float>> weights;
  std::vector<float> kappa;
  std::size_t self = 0;

  MergeWeights pair(std::size_t n) const {
    MergeWeights w;
    for (std::size_t c = 0; c < weights[n].size(); ++c) {
      const auto a = static_cast<double>(weights[self][c]);
      const auto b = static_cast<double>(weights[n][c]);
      w.m += a * a;
      w.n += b * b;
      w.product += a * b;
    }
    return w;
  }
  double loss_with(std::size_t n) const { return least_loss(pair(n), static_cast<double>(kappa[n])); }
  double least() const {
    double best = 1e30;
    for (std::size_t n = 0; n < weights.size(); ++n) {
      if (n != self) best = std::min(best, loss_with(n));
    }
    return best;
  }
  std::size_t search() const {
    const std::size_t count = weights.size();
    AlignedFloats padded_kappa(round_up(count, 16)), sizes(padded_kappa.size()), products(padded_kappa.size());
    AlignedFloats screen(padded_kappa.size());
    for (std::size_t n = 0; n < count; ++n) {
      padded_kappa[n] = kappa[n];
      sizes[n] = static_cast<float>(pair(n).n);
      products[n] = static_cast<float>(pair(n).product);
    }
    return simd::best_partner(MergeTable::instance().grid(),
                              {padded_kappa.data(), sizes.data(), products.data(), screen.data(), count, self,
                               sizes[self], weights[0].size() == 1});
  }
};

enum class Signs { same, mixed, classes, free };

Terms random_terms(Random& random, Signs signs, double nearness) {
  Terms terms;
  const std::size_t count = 2 + random.below(40);
  const std::size_t outputs = signs == Signs::classes || signs == Signs::free ? 3 + random.below(3) : 1;
  for (std::size_t n = 0; n < count; ++n) {
    std::vector<float> w(outputs, 0);
    const double size = std::exp(2 * random.normal());
    if (outputs == 1) {
      w[0] = static_cast<float>(signs == Signs::mixed && random.coin(0.5) ? -size : size);
    } else if (signs == Signs::classes) {  // as in an update: one class up, one down
      const std::size_t up = random.below(outputs);
      w[up] = static_cast<float>(size);
      w[(up + 1 + random.below(outputs - 1)) % outputs] = static_cast<float>(-size);
    } else {
      for (float& value : w) value = static_cast<float>(size * random.normal());
    }
    terms.weights.push_back(w);
    // From far apart (κ near 0) to κ within the spacing of floats next to 1.
    terms.kappa.push_back(static_cast<float>(std::exp(-std::exp(nearness + 3 * random.normal()))));
  }
  double least = 1e30;
  for (std::size_t n = 0; n < count; ++n) {
    double size = 0;
    for (const float value : terms.weights[n]) size += static_cast<double>(value) * static_cast<double>(value);
    if (size < least) {
      least = size;
      terms.self = n;
    }
  }
  terms.kappa[terms.self] = 1;
  return terms;
}

double worst_choice(Signs signs) {
  double worst = 0;
  simd::for_every_isa([&] {
    Random random(9);
    for (int round = 0; round < 150; ++round) {
      const Terms terms = random_terms(random, signs, round % 3 == 0 ? -12 : round % 3 == 1 ? -4 : 0);
      const std::size_t n = terms.search();
      ASSERT_LT(n, terms.weights.size());
      ASSERT_NE(n, terms.self);
      const double least = terms.least();
      // The search screens partners with an approximate formula, which is rough for near-duplicates. Differences far
      // below the size of the lightest term are therefore ignored.
      worst = std::max(worst, (terms.loss_with(n) - least) / (least + 1e-4 * terms.pair(n).m));
    }
  });
  return worst;
}

TEST(BestPartner, OfOneSignLosesAtMostOneInAHundredAboveTheLeast) { EXPECT_LE(worst_choice(Signs::same), 1e-2); }
TEST(BestPartner, OfMixedSignsLosesAtMostOneInAHundredAboveTheLeast) { EXPECT_LE(worst_choice(Signs::mixed), 1e-2); }

// With several outputs, the search uses the loss at the place that would be best for parallel weights. This upper bound
// is at most 4/3 of the smallest loss; the worst case is a light term beside a heavy one whose weights are at 60°.
TEST(BestPartner, OfClassWeightsLosesAtMostAThirdAboveTheLeast) { EXPECT_LE(worst_choice(Signs::classes), 0.34); }
TEST(BestPartner, OfFreeWeightsLosesAtMostAThirdAboveTheLeast) { EXPECT_LE(worst_choice(Signs::free), 0.34); }

}  // namespace
}  // namespace kinglet
