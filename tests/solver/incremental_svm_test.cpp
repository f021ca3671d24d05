// The incremental SVM: it satisfies the optimality conditions after every step, and its objective is that of a simple
// batch solver.
#include "solver/incremental_svm.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>

#include "solver/reference_qp.hpp"

namespace kinglet {
namespace {

const Kernel kGaussian{.kind = KernelKind::rbf, .gamma = 0.5};
const Kernel kLinear{.kind = KernelKind::linear};
const Kernel kPoly{.kind = KernelKind::poly, .gamma = 0.5, .coef0 = 1, .degree = 3};

// An SVM, its store, and all examples it was given.
struct Work {
  Kernel kernel;
  ExampleStore store;
  IncrementalSvm svm;
  bool bias;
  Vectors vectors;
  std::vector<std::vector<double>> gram;
  std::vector<double> signs;  // 0: unlearned
  std::vector<double> boxes;

  Work(const Kernel& k, std::uint32_t dimension, IncrementalSvm::Settings settings = {})
      : kernel(k), store(k, {.dimension = dimension, .classes = 2}, 1 << 20), svm(settings), bias(settings.bias) {}

  void add(const std::vector<float>& x, double y, double box) {
    const std::size_t slot = store.append(Features::dense(x));
    double value = 0;
    keep(x);
    for (std::size_t j = 0; j < slot; ++j) value += svm.coefficient(j) * gram[slot][j];
    signs.push_back(y);
    boxes.push_back(box);
    svm.append(value + 1e-4);  // an approximate value of f is sufficient
    if (y != 0) svm.learn(store, slot, y, box);
  }
  void keep(const std::vector<float>& x) {
    vectors.push_back(x);
    gram.emplace_back();
    for (std::size_t j = 0; j < vectors.size(); ++j) {
      gram.back().push_back(plain_kernel(kernel, x, vectors[j]));
      if (j + 1 < vectors.size()) gram[j].push_back(gram.back()[j]);
    }
  }
  void unlearn(std::size_t slot) {
    svm.unlearn(store, slot);
    signs[slot] = 0;
  }
  void relearn(std::size_t slot, double y) {
    svm.learn(store, slot, y, boxes[slot]);
    signs[slot] = y;
  }
  void set_box(std::size_t slot, double box) {
    svm.set_box(store, slot, box);
    boxes[slot] = box;
  }
  void remove(std::size_t slot) {
    unlearn(slot);
    store.remove(slot);
    svm.remove(slot);
    for (auto& row : gram) row[slot] = row.back();
    gram[slot] = gram.back();
    for (auto& row : gram) row.pop_back();
    gram.pop_back();
    vectors[slot] = vectors.back();
    signs[slot] = signs.back();
    boxes[slot] = boxes.back();
    vectors.pop_back();
    signs.pop_back();
    boxes.pop_back();
  }

  ReferenceProblem problem() const {
    ReferenceProblem result{.gram = {}, .signs = {}, .boxes = {}, .bias = bias};
    Vectors learned;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      if (signs[i] == 0) continue;
      learned.push_back(vectors[i]);
      result.signs.push_back(signs[i]);
      result.boxes.push_back(boxes[i]);
    }
    result.gram = plain_gram(kernel, learned);
    return result;
  }

  // The largest violation of the optimality conditions, computed afresh from the coefficients.
  double violation() const {
    double worst = 0, sum = 0;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      sum += svm.coefficient(i);
      if (signs[i] == 0) {
        worst = std::max(worst, std::abs(svm.coefficient(i)) * 1e9);
        continue;
      }
      double f = svm.bias();
      for (std::size_t j = 0; j < vectors.size(); ++j) {
        f += svm.coefficient(j) * gram[i][j];
      }
      const double g = 1 - signs[i] * f, alpha = signs[i] * svm.coefficient(i);
      if (alpha < 0 || alpha > boxes[i]) return 1e9;
      if (alpha < boxes[i]) worst = std::max(worst, g);
      if (alpha > 0) worst = std::max(worst, -g);
    }
    return bias ? std::max(worst, std::abs(sum)) : worst;
  }

  // Σ α − ½ αᵀKα, computed afresh.
  double objective() const {
    double sum = 0;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      double f = 0;
      for (std::size_t j = 0; j < vectors.size(); ++j) f += svm.coefficient(j) * gram[i][j];
      sum += svm.coefficient(i) * (signs[i] - f / 2);
    }
    return sum;
  }

  // Whether the objective is that of the batch solution. The batch solver converges slowly if there are
  // near-duplicates; its own objective may be below the optimum by its violation times the sum of the boxes.
  bool is_optimal() const {
    const ReferenceProblem solved = problem();
    const ReferenceSolution best = solve_reference(solved);
    const double above = best.violation * std::accumulate(solved.boxes.begin(), solved.boxes.end(), 0.0);
    const double scale = std::max(1.0, std::abs(best.objective));
    const double ours = objective();
    return std::abs(svm.objective() - ours) <= 1e-6 * scale && ours >= best.objective - 1e-5 * scale &&
           ours <= best.objective + above + 1e-5 * scale;
  }
};

std::string state_of(const IncrementalSvm& svm) {
  StateWriter out;
  svm.save(out);
  return out.bytes();
}

// A random vector; 30 % are exact or near duplicates of earlier ones.
std::vector<float> next_vector(Random& random, const Vectors& before, std::size_t dimension) {
  if (!before.empty() && random.coin(0.3)) {
    std::vector<float> x = before[random.below(before.size())];
    if (random.coin(0.5)) {
      for (float& value : x) value += static_cast<float>(1e-7 * random.normal());
    }
    return x;
  }
  return random_vector(random, dimension, 0.7);
}

double label_of(Random& random, const std::vector<float>& x) {
  const double f = x[0] + (x.size() > 1 ? 0.5 * x[1] * x[1] - 0.2 : 0) + 0.3 * random.normal();
  return f > 0 ? 1 : -1;
}

struct Case {
  Kernel kernel;
  double box;
  std::size_t dimension;
  bool bias;
};

class Streams : public testing::TestWithParam<Case> {};

TEST_P(Streams, AreAtTheOptimumAfterEveryExample) {
  const Case& c = GetParam();
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Random random(seed);
    Work work(c.kernel, static_cast<std::uint32_t>(c.dimension), {.bias = c.bias});
    for (int i = 0; i < 90; ++i) {
      const std::vector<float> x = next_vector(random, work.vectors, c.dimension);
      work.add(x, label_of(random, x), c.box);
      ASSERT_LE(work.violation(), 1e-6) << "seed " << seed << " step " << i;
    }
    EXPECT_TRUE(work.is_optimal());
    EXPECT_EQ(work.svm.fallbacks(), 0U);
  }
}

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const Kernel& kernel : {kGaussian, kLinear, kPoly}) {
    for (const double box : {0.1, 1.0, 10.0, 100.0}) {
      for (const std::size_t dimension : {1, 2, 5, 20}) {
        for (const bool bias : {false, true}) list.push_back({kernel, box, dimension, bias});
      }
    }
  }
  return list;
}
INSTANTIATE_TEST_SUITE_P(IncrementalSvm, Streams, testing::ValuesIn(cases()), [](const auto& of) {
  const Case& c = of.param;
  const std::string kernel = c.kernel.kind == KernelKind::rbf    ? "rbf"
                             : c.kernel.kind == KernelKind::poly ? "poly"
                                                                 : "linear";
  return kernel + "_C" + std::to_string(static_cast<int>(c.box * 10)) + "_d" + std::to_string(c.dimension) +
         (c.bias ? "_bias" : "");
});

TEST(IncrementalSvm, LearnsConstantInputsAndSingleClasses) {
  for (const bool bias : {false, true}) {
    for (const Kernel& kernel : {kGaussian, kLinear, kPoly}) {
      for (const float level : {0.0F, 1.0F}) {
        Work same(kernel, 3, {.bias = bias}), one_class(kernel, 3, {.bias = bias});
        Random random(5);
        for (int i = 0; i < 40; ++i) {
          same.add({level, level, level}, random.coin(0.4) ? 1 : -1, 2);
          ASSERT_LE(same.violation(), 1e-8) << i;
          one_class.add(random_vector(random, 3), -1, 2);
          ASSERT_LE(one_class.violation(), 1e-8) << i;
        }
        EXPECT_TRUE(same.is_optimal());
        EXPECT_TRUE(one_class.is_optimal());
      }
    }
  }
}

// Kernel values of up to 10⁷ must resolve differences of 1. Rounding then leaves f fewer digits, hence the larger
// tolerance.
TEST(IncrementalSvm, LearnsFeaturesOfVeryDifferentSize) {
  for (const bool bias : {false, true}) {
    Random random(29);
    Work work(kLinear, 6, {.bias = bias});
    for (int i = 0; i < 200; ++i) {
      std::vector<float> x = random_vector(random, 6);
      const double y = label_of(random, x);
      x[4] = 3000 + 300 * x[4];
      x[5] *= 1000;
      work.add(x, y, 100);
      ASSERT_LE(work.violation(), 1e-4) << i;
    }
  }
}

TEST(IncrementalSvm, ForgetsAnExampleAsIfItHadNeverBeen) {
  for (const bool bias : {false, true}) {
    for (const Kernel& kernel : {kGaussian, kLinear, kPoly}) {
      Random random(7);
      Work work(kernel, 2, {.bias = bias});
      for (int i = 0; i < 60; ++i) {
        const std::vector<float> x = next_vector(random, work.vectors, 2);
        work.add(x, label_of(random, x), 10);
      }
      while (work.vectors.size() > 1) {
        work.remove(random.below(work.vectors.size()));
        ASSERT_LE(work.violation(), 1e-6) << work.vectors.size();
        if (work.vectors.size() % 10 == 0) {
          EXPECT_TRUE(work.is_optimal());
        }
      }
    }
  }
}

TEST(IncrementalSvm, FollowsBoxesThatGrowAndShrink) {
  for (const bool bias : {false, true}) {
    Random random(11);
    Work work(kGaussian, 2, {.bias = bias});
    for (int i = 0; i < 50; ++i) {
      const std::vector<float> x = next_vector(random, work.vectors, 2);
      work.add(x, label_of(random, x), 1);
    }
    for (int i = 0; i < 300; ++i) {
      work.set_box(random.below(50), std::exp(2 * random.normal()));
      ASSERT_LE(work.violation(), 1e-6) << i;
      if (i % 50 == 0) {
        EXPECT_TRUE(work.is_optimal());
      }
    }
  }
}

// Random sequences of all operations.
RC_GTEST_PROP(IncrementalSvm, StaysAtTheOptimum, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const bool bias = *rc::gen::arbitrary<bool>();
  const Kernel kernel = *rc::gen::elementOf(std::vector<Kernel>{kGaussian, kLinear, kPoly});
  const double box = *rc::gen::element(0.1, 1.0, 10.0, 100.0);
  Random random(seed);
  Work work(kernel, 3, {.bias = bias});
  for (int i = 0; i < 80; ++i) {
    const std::size_t n = work.vectors.size();
    const std::size_t slot = n == 0 ? 0 : random.below(n);
    const double dice = random.uniform();
    if (n == 0 || dice < 0.6) {
      const std::vector<float> x = next_vector(random, work.vectors, 3);
      work.add(x, random.coin(0.1) ? 0 : label_of(random, x), box * (random.coin(0.5) ? 1 : 0.3));
    } else if (work.signs[slot] == 0) {
      work.relearn(slot, label_of(random, work.vectors[slot]));
    } else if (dice < 0.75) {
      work.unlearn(slot);
    } else if (dice < 0.85) {
      work.remove(slot);
    } else {
      work.set_box(slot, box * std::exp(random.normal()));
    }
    RC_ASSERT(work.violation() <= 1e-6);
  }
  RC_ASSERT(work.is_optimal());
}

// With no events allowed, coordinate ascent alone must find the solution.
TEST(IncrementalSvm, ComesNearTheOptimumByCoordinateAscentAlone) {
  for (const bool bias : {false, true}) {
    Random random(13);
    Work work(kGaussian, 2, {.bias = bias, .most_events = 0});
    for (int i = 0; i < 60; ++i) {
      const std::vector<float> x = next_vector(random, work.vectors, 2);
      work.add(x, label_of(random, x), 1);
      ASSERT_LE(work.violation(), 1e-4) << i;
    }
    EXPECT_GT(work.svm.fallbacks(), 0U);
    for (int i = 0; i < 30; ++i) {
      work.remove(random.below(work.vectors.size()));
      ASSERT_LE(work.violation(), 1e-4) << i;
    }
  }
}

TEST(IncrementalSvm, GoesOnFromASavedStateBitForBit) {
  for (const bool bias : {false, true}) {
    Random random(17);
    Work work(kGaussian, 2, {.bias = bias});
    for (int i = 0; i < 60; ++i) {
      const std::vector<float> x = next_vector(random, work.vectors, 2);
      work.add(x, label_of(random, x), 10);
    }
    Work other(kGaussian, 2, {.bias = bias});
    for (const auto& x : work.vectors) {
      other.store.append(Features::dense(x));
      other.keep(x);
    }
    other.signs = work.signs;
    other.boxes = work.boxes;
    const std::string state = state_of(work.svm);
    StateReader in(state);
    other.svm.load(in, other.vectors.size());
    EXPECT_TRUE(in.at_end());
    ASSERT_EQ(state_of(other.svm), state);
    for (int i = 0; i < 40; ++i) {
      const std::vector<float> x = next_vector(random, work.vectors, 2);
      const double y = label_of(random, x);
      const std::size_t slot = random.below(work.vectors.size());
      for (Work* w : {&work, &other}) {
        w->add(x, y, 10);
        if (i % 3 == 0) w->remove(slot);
      }
      ASSERT_EQ(state_of(other.svm), state_of(work.svm)) << i;
    }
  }
}

TEST(IncrementalSvm, RefusesADamagedState) {
  Random random(19);
  Work work(kGaussian, 2);
  for (int i = 0; i < 12; ++i) {
    const std::vector<float> x = random_vector(random, 2);
    work.add(x, label_of(random, x), 1);
  }
  const std::string state = state_of(work.svm);
  ASSERT_GT(work.svm.margin_size(), 0U);
  const auto load = [](const std::string& bytes, std::size_t count) {
    IncrementalSvm svm;
    StateReader in(bytes);
    svm.load(in, count);
  };
  EXPECT_NO_THROW(load(state, 12));
  EXPECT_THROW(load(state, 11), Error);
  for (std::size_t length = 0; length < state.size(); length += 7) {
    EXPECT_THROW(load(state.substr(0, length), 12), Error) << length;
  }
  // A sign of 3, a negative box, a coefficient outside its box, a NaN among the values of f. Each array of the state
  // starts with its length.
  const std::size_t array = 8 + 12 * 8;
  const auto with = [&](std::size_t at, double value) {
    std::string bytes = state;
    std::memcpy(bytes.data() + at, &value, sizeof value);
    return bytes;
  };
  EXPECT_THROW(load(with(8, 3), 12), Error);
  EXPECT_THROW(load(with(array + 8, -1), 12), Error);
  EXPECT_THROW(load(with(2 * array + 8, 50), 12), Error);
  EXPECT_THROW(load(with(3 * array + 8, std::nan("")), 12), Error);
  std::string twice = state;  // the first index of the margin set occurs twice
  twice.replace(5 * array + 12, 4, twice, 5 * array + 8, 4);
  EXPECT_THROW(load(twice, 12), Error);
  EXPECT_THROW(load(with(state.size() - 8, std::numeric_limits<double>::infinity()), 12), Error);
}

// The result is the same with a large cache and with one that is too small.
TEST(IncrementalSvm, DoesNotDependOnTheCache) {
  Random random(23);
  ExampleStore small(kGaussian, {.dimension = 2, .classes = 2}, 1),
      large(kGaussian, {.dimension = 2, .classes = 2}, 1 << 24);
  IncrementalSvm by_small, by_large;
  for (int i = 0; i < 60; ++i) {
    const std::vector<float> x = random_vector(random, 2);
    const double y = label_of(random, x);
    by_small.append(0);
    by_small.learn(small, small.append(Features::dense(x)), y, 5);
    by_large.append(0);
    by_large.learn(large, large.append(Features::dense(x)), y, 5);
  }
  EXPECT_EQ(state_of(by_small), state_of(by_large));
}

}  // namespace
}  // namespace kinglet
