// The rule largest-margin compared with its definition.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "budget/rule_race.hpp"

namespace kinglet {
namespace {

class PlainLargestMargin : public RacingModel {
 public:
  using RacingModel::RacingModel;
  void place(const PlainTerm& term) override {
    if (terms.size() == budget_) {
      std::size_t best = 0;
      for (std::size_t j = 1; j < terms.size(); ++j) {
        if (margin_without(j) > margin_without(best)) best = j;
      }
      for (std::size_t j = 0; j < terms.size(); ++j) {
        if (j != best) doubt(margin_without(best) - margin_without(j), size_at(j) + size_at(best));
      }
      drop(best);
    }
    terms.push_back(term);
  }
};

std::unique_ptr<RacingModel> make_plain(const RaceSetting& setting) {
  return std::make_unique<PlainLargestMargin>(setting.kernel, setting.classes, setting.budget);
}

TEST(LargestMargin, AgreesWithThePlainModel) {
  race_on_many_streams({.rule = "largest-margin"}, make_plain);
  race_on_many_streams({.rule = "largest-margin", .learn_up_to = 1}, make_plain);
}

TEST(LargestMargin, DropsTheOldestOfEquals) {
  // The vectors are so far apart that their kernel values are 0, so every margin without the vector's own term is 0.
  PlainLargestMargin plain({.kind = KernelKind::rbf, .gamma = 0.5}, 2, 3);
  RuleRace race({.rule = "largest-margin", .budget = 3, .dimension = 1}, plain);
  for (int i = 0; i < 9; ++i) race.learn({100.0F * static_cast<float>(i)}, static_cast<ClassId>(i % 2), 1);
  std::vector<std::uint64_t> births;
  for (const PlainTerm& term : race.terms()) births.push_back(term.birth);
  EXPECT_EQ(births, (std::vector<std::uint64_t>{6, 7, 8}));
}

TEST(LargestMargin, NeverDropsTheNewTerm) {
  for (const std::uint32_t classes : {2U, 3U}) {
    const RaceSetting setting{.rule = "largest-margin", .budget = 4, .classes = classes, .learn_up_to = 1e9};
    const auto plain = make_plain(setting);
    RuleRace race(setting, *plain);
    for (std::uint64_t i = 0; i < 200; ++i) {
      race.step();
      EXPECT_EQ(race.terms().back().birth, i);
      EXPECT_EQ(race.acted, i >= 4);
    }
  }
}

}  // namespace
}  // namespace kinglet
