#include "expansion/support_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "expansion/expansion_twins.hpp"
#include "plain_model.hpp"
#include "random_vectors.hpp"

namespace kinglet {
namespace {

// An expansion with its SupportValues, which remember the kernel rows of the two newest vectors: removing one of these
// needs no new kernel row. The tests remove both new and older vectors.
class ExpansionWithValues {
 public:
  explicit ExpansionWithValues(std::size_t outputs)
      : f_(gaussian(0.3), {.dimension = 11, .classes = 2}, outputs, 8), values_(f_) {}

  Expansion& f() { return f_; }
  SupportValues& values() { return values_; }

  void append(Random& random) {
    with_new_term(random, [&](const Term& term) { f_.append(term); });
  }
  void replace(std::size_t slot, Random& random) {
    with_new_term(random, [&](const Term& term) { f_.replace(slot, term); });
  }
  bool would_be_best(Random& random) {
    bool best = false;
    with_new_term(random, [&](const Term& term) { best = values_.would_be_best(term); });
    return best;
  }
  // The newest vector has age 0.
  std::size_t slot_by_age(std::size_t age) const {
    std::vector<std::size_t> slots(f_.size());
    for (std::size_t j = 0; j < slots.size(); ++j) slots[j] = j;
    std::ranges::sort(slots, [&](std::size_t i, std::size_t j) { return f_.births()[i] > f_.births()[j]; });
    return slots[age];
  }
  // Removes one of the three newest vectors, or sometimes any vector.
  void remove(Random& random) {
    f_.remove(slot_by_age(random.below(std::min<std::size_t>(f_.size(), random.coin(0.8) ? 3 : 100))));
  }
  void expect_values() {
    std::vector<float> scores(f_.outputs());
    for (std::size_t j = 0; j < f_.size(); ++j) {
      AlignedFloats row(f_.set().padded_size());
      f_.set().kernel_row_of(j, row.data());
      evaluate(f_, row.data(), scores.data());
      for (std::size_t c = 0; c < f_.outputs(); ++c) {
        ASSERT_NEAR(values_.value(j, c), static_cast<double>(scores[c]), 2e-5) << j << ' ' << c;
      }
    }
  }
  void save(StateWriter& out) const {
    f_.save(out);
    values_.save(out);
  }
  void load(const ExpansionWithValues& other) {
    StateWriter out;
    other.save(out);
    StateReader in(out.bytes());
    f_.load(in);
    values_.load(in);
    EXPECT_TRUE(in.at_end());
  }
  std::string saved() const {
    StateWriter out;
    save(out);
    return std::string(out.bytes().begin(), out.bytes().end());
  }

 private:
  template <class Act>
  void with_new_term(Random& random, Act act) {
    const std::vector<float> x = random_vector(random, 11);
    std::vector<double> weights;
    for (std::size_t c = 0; c < f_.outputs(); ++c) weights.push_back(random.normal());
    AlignedFloats row(f_.set().padded_size() + 16);
    f_.set().kernel_row(Features::dense(x), row.data());
    act({.x = Features::dense(x),
         .kernel_row = row.data(),
         .coefficients = weights,
         .label = random.coin(0.5) ? 1U : 0U});
  }

  Expansion f_;
  SupportValues values_;
};

TEST(SupportValues, AreThoseOfFWhoeverLeaves) {
  for (const std::size_t outputs : {1, 3}) {
    ExpansionWithValues twin(outputs);
    Random random(9);
    for (int i = 0; i < 400; ++i) {
      twin.append(random);
      if (twin.f().size() > 20 || random.coin(0.3)) twin.remove(random);
      if (random.coin(0.1)) twin.f().shrink(0.9);
      if (random.coin(0.05)) twin.f().rescale(std::vector<float>(11, random.coin(0.5) ? 1.25F : 0.8F));
      twin.expect_values();
    }
  }
}

// replace() has the same result as append() and then remove(): the same terms in the same slots, with correct values.
TEST(SupportValues, AreThoseOfFAfterAReplacement) {
  for (const std::size_t outputs : {1, 3}) {
    ExpansionWithValues one(outputs);
    ExpansionWithValues other(outputs);
    Random random(11);
    for (int i = 0; i < 30; ++i) {
      Random same = random;
      one.append(random);
      other.append(same);
    }
    for (int i = 0; i < 200; ++i) {
      if (random.coin(0.1)) {
        one.f().shrink(0.9);
        other.f().shrink(0.9);
      }
      const std::size_t slot = random.coin(0.7) ? one.slot_by_age(random.below(3)) : random.below(30);
      Random same = random;
      one.append(random);
      one.f().remove(slot);
      other.replace(slot, same);
      other.expect_values();
      for (std::size_t j = 0; j < one.f().size(); ++j) {
        ASSERT_EQ(one.f().births()[j], other.f().births()[j]);
        ASSERT_EQ(one.f().self_kernels()[j], other.f().self_kernels()[j]);
        for (std::size_t c = 0; c < outputs; ++c) ASSERT_EQ(one.f().stored(j, c), other.f().stored(j, c));
      }
      ASSERT_EQ(one.f().log().changed().back(), other.f().log().changed().back());
    }
  }
}

// The largest margin is found while the values are updated. It must be the same as in a copy that searches afresh.
TEST(SupportValues, TellTheLargestMarginWhateverChanges) {
  ExpansionWithValues twin(1);
  Random random(12);
  for (int i = 0; i < 400; ++i) {
    if (twin.f().size() < 40) {
      twin.append(random);
    } else {
      twin.replace(twin.values().best_without_help().slot, random);
    }
    if (random.coin(0.3)) twin.remove(random);
    if (random.coin(0.1)) twin.f().shrink(random.coin(0.1) ? 1e-13 : 0.9);  // 1e-13 folds the scale
    if (twin.f().size() == 0) continue;
    ExpansionWithValues fresh(1);
    fresh.load(twin);
    ASSERT_EQ(twin.values().largest_margin(), fresh.values().largest_margin()) << i;
    ASSERT_EQ(twin.values().best_without_help().slot, fresh.values().best_without_help().slot) << i;
  }
}

// would_be_best() must be true exactly if the term, once it is appended, has the largest margin without its own
// contribution.
TEST(SupportValues, TellBeforehandWhetherATermWouldBeTheBest) {
  ExpansionWithValues twin(1);
  Random random(13);
  for (int i = 0; i < 20; ++i) twin.append(random);
  int passed = 0;
  for (int i = 0; i < 300; ++i) {
    ExpansionWithValues other(1);
    other.load(twin);
    Random same = random;
    other.append(same);
    const bool leaves = other.values().best_without_help().slot == 20;
    ASSERT_EQ(twin.would_be_best(random), leaves) << i;
    passed += leaves ? 1 : 0;
    if (!leaves) twin.replace(twin.slot_by_age(random.below(20)), random);
  }
  EXPECT_GT(passed, 5);
  EXPECT_LT(passed, 295);
}

TEST(SupportValues, AreTheSameAfterSavingAndLoading) {
  ExpansionWithValues one(2);
  Random random(10);
  for (int i = 0; i < 30; ++i) one.append(random);
  for (int i = 0; i < 40; ++i) {
    ExpansionWithValues other(2);
    other.load(one);
    Random same = random;
    for (ExpansionWithValues* f : {&one, &other}) {
      Random& own = f == &one ? random : same;
      f->append(own);
      f->remove(own);
    }
    ASSERT_EQ(one.saved(), other.saved()) << i;
  }
}

// After changes that the rules using these values never make, the values are recomputed.
TEST(SupportValues, AreThoseOfFAfterAnyOtherChange) {
  for (const std::size_t outputs : {1, 3}) {
    Twins twins(outputs, 41, {.norm = true, .values = true});
    for (int i = 0; i < 300; ++i) {
      if (i == 150) twins.grow(4, 3);
      twins.step();
      if (twins.plain().terms.size() > 25) twins.remove(3);
      twins.expect_same();
      ASSERT_FALSE(HasFatalFailure());
      const Expansion& f = twins.f();
      for (std::size_t j = 0; j < f.size(); ++j) {
        for (std::size_t c = 0; c < f.outputs(); ++c) {
          double length = 0;
          const double want = twins.plain().evaluate(twins.plain().terms[j].x, c, length);
          ASSERT_NEAR(twins.function().values->value(j, c), want, 2e-4 * length + 1e-6 * twins.largest_ever()) << i;
        }
      }
    }
  }
}

TEST(SupportValues, AllocateWhatTheySay) {
  for (const std::size_t capacity : {1, 16, 17, 100}) {
    Expansion f(gaussian(0.3), {.dimension = 3, .classes = 5}, 5, capacity);
    const SupportValues values(f);
    EXPECT_EQ(values.memory_bytes(), SupportValues::bytes(5, capacity));
  }
}

}  // namespace
}  // namespace kinglet
