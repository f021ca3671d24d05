// The budget maintenance loss of single operations, compared with its definition: the distance of f before and after
// the operation, divided by the norm of the new term.
// tests/learn/maintenance_loss_test.cpp tests the mean that a learner reports for a whole stream.
#include "expansion/maintenance_loss.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expansion/expansion_twins.hpp"

namespace kinglet {
namespace {

// ‖f − g‖; the order of the slots does not matter.
double distance(const PlainExpansion& f, const PlainExpansion& g) {
  PlainExpansion difference = f;
  for (auto term : g.terms) {
    for (double& weight : term.weights) weight = -weight;
    difference.terms.push_back(term);
  }
  double length = 0;
  return std::sqrt(std::max(0.0, difference.squared_norm(length)));
}

double length_of(const PlainExpansion::Entry& term) {
  double sum = 0;
  for (const double weight : term.weights) sum += weight * weight;
  return std::sqrt(sum);
}

TEST(MaintenanceLoss, IsTheLengthOfTheDifferenceOverThatOfTheNewTerm) {
  for (const std::size_t outputs : {1, 3}) {
    Twins twins(outputs, 61, {.loss = true});
    for (int i = 0; i < 15; ++i) twins.append();
    int compared = 0;
    for (int i = 0; i < 400; ++i) {
      if (i % 40 == 0) twins.shrink(0.7);
      twins.append();
      ASSERT_EQ(twins.function().loss->value(), 0);
      const PlainExpansion before = twins.plain();
      const double entered = length_of(before.terms.back());
      const std::size_t n = before.terms.size();
      const auto slot = static_cast<std::size_t>(twins.random().below(n));
      if (i % 4 == 0) twins.remove(slot);
      if (i % 4 == 1) twins.merge(slot, (slot + 1 + twins.random().below(n - 1)) % n, twins.random().uniform());
      if (i % 4 == 2) twins.project_out(slot);
      if (i % 4 == 3) twins.hand_over(slot);
      if (entered == 0) continue;
      const double want = distance(before, twins.plain()) / entered;
      if (want > 100) continue;  // the new term has almost no weight
      ASSERT_NEAR(twins.function().loss->value(), want, 2e-3 * (1 + want)) << i;
      ++compared;
    }
    EXPECT_GT(compared, 200);
  }
}

TEST(MaintenanceLoss, OfAReplacementIsTheTermThatLeft) {
  Twins twins(2, 62, {.loss = true});
  for (int i = 0; i < 10; ++i) twins.append();
  for (std::size_t i = 0; i < 50; ++i) {
    const double left = length_of(twins.plain().terms[i % 10]);
    twins.replace(i % 10);
    const double entered = length_of(twins.plain().terms[i % 10]);
    ASSERT_NEAR(twins.function().loss->value(), left / entered, 1e-4 * left / entered);
  }
}

TEST(MaintenanceLoss, AddsUpWhatSeveralOperationsTake) {
  Twins twins(1, 63, {.loss = true});
  for (int i = 0; i < 10; ++i) twins.append();
  const double entered = length_of(twins.plain().terms.back());
  const double both = length_of(twins.plain().terms[0]) + length_of(twins.plain().terms[1]);
  twins.remove(1);
  twins.remove(0);
  EXPECT_NEAR(twins.function().loss->value(), both / entered, 1e-4 * both / entered);
}

}  // namespace
}  // namespace kinglet
