// The twin vector machine: its budget, its counts, the exactness of the solution over its twins, and its accuracy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "solver/dual_options.hpp"
#include "solver/reference_qp.hpp"
#include "solver/tvm_learner.hpp"

namespace kinglet {
namespace learners {
extern const LearnerEntry tvm;
}
namespace {

Options options_with(std::size_t budget, const std::string& box, const std::string& gamma = "2") {
  return {{"algo", "tvm"}, {"task", "classify"}, {"kernel", "rbf"}, {"gamma", gamma},
          {"C", box},      {"band", "1"},        {"cache", "1M"},   {"budget", std::to_string(budget)}};
}

struct Data {
  Vectors vectors;
  std::vector<ClassId> labels;
};

Data checkerboard(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  Data data;
  for (std::size_t i = 0; i < count; ++i) {
    data.vectors.push_back({static_cast<float>(4 * random.uniform()), static_cast<float>(4 * random.uniform())});
    const auto& x = data.vectors.back();
    data.labels.push_back(static_cast<ClassId>(static_cast<int>(x[0]) + static_cast<int>(x[1])) % 2);
  }
  return data;
}

// Two or three bent clouds that overlap.
Data bananas(std::uint64_t seed, std::size_t count, std::uint32_t classes) {
  Random random(seed);
  Data data;
  for (std::size_t i = 0; i < count; ++i) {
    const auto label = static_cast<ClassId>(random.below(classes));
    const double angle = 3.14 * random.uniform(), side = label % 2 == 0 ? 1 : -1;
    const double x = std::cos(angle) * side + 0.5 * label + 0.15 * random.normal();
    const double y = std::sin(angle) * side + (label == 1 ? 0.4 : label == 2 ? 1.2 : 0) + 0.15 * random.normal();
    data.vectors.push_back({static_cast<float>(x), static_cast<float>(y)});
    data.labels.push_back(label);
  }
  return data;
}

double accuracy(const Learner& learner, const Data& data) {
  double right = 0;
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    if (learner.predict(Features::dense(data.vectors[i])).label == data.labels[i]) ++right;
  }
  return right / static_cast<double>(data.labels.size());
}

std::string state_of(const Learner& learner) {
  StateWriter out;
  learner.save(out);
  return out.bytes();
}

double total_weight(const TvmLearner& learner) {
  double sum = 0;
  for (std::size_t p = 0; p < learner.prototypes(); ++p) {
    for (ClassId c = 0; c < learner.classes(); ++c) sum += learner.count(p, c);
  }
  return sum;
}

// The largest violation of the optimality conditions over all twins, computed afresh from the coefficients. Also checks
// that the box of each twin is C times its count.
double violation(const TvmLearner& learner, double box, const Kernel& kernel) {
  double worst = 0;
  for (std::size_t output = 0; output < learner.outputs(); ++output) {
    const IncrementalSvm& machine = learner.machine(output);
    const std::size_t positive = learner.outputs() == 1 ? 1 : output;
    for (std::size_t p = 0; p < learner.prototypes(); ++p) {
      double f = 0, own = 0, rest = 0;
      for (std::size_t q = 0; q < learner.prototypes(); ++q) {
        const double k = plain_kernel(kernel, learner.place(p), learner.place(q));
        f += k * (machine.coefficient(2 * q) + machine.coefficient(2 * q + 1));
      }
      for (ClassId c = 0; c < learner.classes(); ++c) (c == positive ? own : rest) += learner.count(p, c);
      for (const bool is_rest : {false, true}) {
        const std::size_t slot = 2 * p + (is_rest ? 1 : 0);
        const double sign = is_rest ? -1 : 1, limit = box * (is_rest ? rest : own);
        const double alpha = sign * machine.coefficient(slot), g = 1 - sign * f;
        EXPECT_EQ(machine.is_learned(slot), limit > 0);
        EXPECT_TRUE(alpha >= 0 && alpha <= limit);
        if (limit > 0) {
          EXPECT_DOUBLE_EQ(machine.box(slot), limit);
        }
        if (alpha < limit) worst = std::max(worst, g);
        if (alpha > 0) worst = std::max(worst, -g);
      }
    }
  }
  return worst;
}

TEST(Tvm, IsExactOverItsTwinsWithinItsBudget) {
  for (const std::uint32_t classes : {2U, 3U}) {
    const Data data = bananas(1, 400, classes);
    TvmLearner learner(options_with(15, "3"), {.dimension = 2, .classes = classes});
    Random random(2);
    for (std::size_t i = 0; i < data.labels.size(); ++i) {
      const float weight = static_cast<float>(random.below(4)) / 2;
      learner.learn_batch(RowBlock(Vectors{data.vectors[i]}).rows(), {&data.labels[i], 1}, {&weight, 1}, {});
      ASSERT_LE(learner.prototypes(), 15U);
      ASSERT_LE(learner.stats().support_vectors, 15U);
      ASSERT_LE(violation(learner, 3, gaussian(2)), 1e-6) << i;
      ASSERT_NEAR(total_weight(learner), learner.accepted() - learner.removed(), 1e-9);
    }
    EXPECT_GT(learner.stats().maintenance, 50U);
    EXPECT_GT(total_weight(learner), 20);  // some prototypes represent several examples
    const std::size_t bytes = TvmLearner::bytes(options_with(15, "3"), {.dimension = 2, .classes = classes});
    EXPECT_LE(learner.stats().memory_bytes, bytes);
    EXPECT_GE(learner.stats().memory_bytes, bytes / 6);
  }
}

TEST(Tvm, MergesIntoTheWeightedMean) {
  TvmLearner learner(options_with(2, "0.1"), {.dimension = 2, .classes = 2});
  const Vectors vectors{{0, 0}, {2, 2}, {0.125F, 0.125F}};
  const std::vector<ClassId> labels{1, 0, 0};
  const std::vector<float> weights{3, 5, 1};
  learner.learn_batch(RowBlock(vectors).rows(), labels, weights, {});
  ASSERT_EQ(learner.prototypes(), 2U);
  EXPECT_EQ(learner.place(0), vectors[1]);
  EXPECT_EQ(learner.place(1), (std::vector<float>{0.03125F, 0.03125F}));
  EXPECT_EQ(learner.count(0, 0), 5);
  EXPECT_EQ(learner.count(1, 1), 3);
  EXPECT_EQ(learner.count(1, 0), 1);
}

struct Prototype {
  std::vector<float> place;
  std::vector<double> counts;
};

std::vector<Prototype> prototypes_of(const TvmLearner& learner) {
  std::vector<Prototype> list;
  for (std::size_t p = 0; p < learner.prototypes(); ++p) {
    list.push_back({learner.place(p), {}});
    for (ClassId c = 0; c < learner.classes(); ++c) list.back().counts.push_back(learner.count(p, c));
  }
  return list;
}

double merging_loss(const Prototype& a, const Prototype& b, const Kernel& kernel) {
  const auto weight = [](const Prototype& p) { return std::accumulate(p.counts.begin(), p.counts.end(), 0.0); };
  const auto usual = [](const Prototype& p) { return std::ranges::max_element(p.counts) - p.counts.begin(); };
  const double squared = 2 - 2 * plain_kernel(kernel, a.place, b.place);
  return weight(a) * weight(b) / (weight(a) + weight(b)) * squared * (usual(a) == usual(b) ? 1 : 10);
}

TEST(Tvm, MergesTheTwoThatLoseLeast) {
  for (const std::uint32_t classes : {2U, 3U}) {
    const Data data = bananas(7, 1500, classes);
    TvmLearner learner(options_with(30, "3"), {.dimension = 2, .classes = classes});
    int merged = 0, of_old_ones = 0;
    for (std::size_t i = 0; i < data.labels.size(); ++i) {
      std::vector<Prototype> before = prototypes_of(learner);
      const double removed = learner.removed();
      const auto maintenance = learner.stats().maintenance;
      learner.learn_batch(RowBlock(Vectors{data.vectors[i]}).rows(), {&data.labels[i], 1}, {}, {});
      if (learner.stats().maintenance == maintenance || learner.removed() != removed) continue;
      before.push_back({data.vectors[i], std::vector<double>(classes)});
      before.back().counts[data.labels[i]] = 1;
      // The two prototypes that were merged.
      const std::vector<Prototype> after = prototypes_of(learner);
      std::vector<Prototype> gone;
      for (const Prototype& one : before) {
        if (std::ranges::none_of(after, [&](const Prototype& p) { return p.place == one.place; })) gone.push_back(one);
      }
      if (gone.size() != 2) continue;  // rounded to floats, the mean equals one of the two
      ++merged;
      of_old_ones += gone[1].place != data.vectors[i] ? 1 : 0;
      const double loss = merging_loss(gone[0], gone[1], gaussian(2));
      for (std::size_t p = 0; p < before.size(); ++p) {
        for (std::size_t q = 0; q < p; ++q) {
          ASSERT_GE(merging_loss(before[p], before[q], gaussian(2)), loss - 1e-12) << i;
        }
      }
    }
    EXPECT_GT(merged, 50);
    EXPECT_GT(of_old_ones, 20);
  }
}

TEST(Tvm, TakesAwayWhatIsFarthestOutsideTheBand) {
  Options options = options_with(2, "100", "0.1");
  options.set("band", "0.25");
  TvmLearner learner(options, {.dimension = 1, .classes = 2});
  // The first two examples are on the margin with |f| = 1, which is more than twice the band. The third is near the
  // boundary and joins the margin.
  learner.learn_batch(RowBlock(Vectors{{-2}, {2}, {0.1F}}).rows(), std::vector<ClassId>{0, 1, 1}, {}, {});
  EXPECT_EQ(learner.prototypes(), 2U);
  EXPECT_EQ(learner.removed(), 1);
  EXPECT_EQ(learner.place(0), std::vector<float>{-2});
  EXPECT_EQ(learner.place(1), std::vector<float>{0.1F});
  learner.learn_batch(RowBlock(Vectors{{1}}).rows(), std::vector<ClassId>{1}, {}, {});
  EXPECT_EQ(learner.accepted(), 3);
}

TEST(Tvm, GoesOnFromASavedStateBitForBit) {
  for (const std::uint32_t classes : {2U, 3U}) {
    Data data = bananas(3, 500, classes);
    if (classes == 2) {  // many examples at the same place, so that losses tie
      for (auto& x : data.vectors) {
        for (float& value : x) value = std::round(4 * value) / 4;
      }
    }
    const Shape shape{.dimension = 2, .classes = classes};
    TvmLearner whole(options_with(20, "5"), shape), resumed(options_with(20, "5"), shape);
    const RowBlock block(data.vectors);
    whole.learn_batch(block.rows().slice(0, 250), Targets(data.labels).slice(0, 250), {}, {});
    const std::string state = state_of(whole);
    StateReader in(state);
    resumed.load(in);
    EXPECT_TRUE(in.at_end());
    EXPECT_EQ(resumed.stats().kernel_evaluations, 0U);
    for (TvmLearner* learner : {&whole, &resumed}) {
      learner->learn_batch(block.rows().slice(250, 250), Targets(data.labels).slice(250, 250), {}, {});
    }
    EXPECT_EQ(state_of(whole), state_of(resumed));
  }
}

TEST(Tvm, RefusesADamagedState) {
  const Data data = bananas(4, 40, 2);
  const Shape shape{.dimension = 2, .classes = 2};
  TvmLearner learner(options_with(10, "1"), shape);
  learner.learn_batch(RowBlock(data.vectors).rows(), data.labels, {}, {});
  const std::string state = state_of(learner);
  const auto load = [&](const std::string& bytes, std::size_t budget, const std::string& box) {
    TvmLearner other(options_with(budget, box), shape);
    StateReader in(bytes);
    other.load(in);
  };
  EXPECT_NO_THROW(load(state, 10, "1"));
  EXPECT_THROW(load(state, 9, "1"), Error);
  EXPECT_THROW(load(state, 10, "2"), Error);
  for (std::size_t length = 0; length < state.size(); length += 13) {
    EXPECT_THROW(load(state.substr(0, length), 10, "1"), Error) << length;
  }
  // Changes the first value of the second twin, which follows the dimension, the number of twins and the first twin.
  std::string unlike = state;
  const float value = 9;
  std::memcpy(unlike.data() + 4 + 8 + 8 + 2 * 4 + 8, &value, sizeof value);
  EXPECT_THROW(load(unlike, 10, "1"), Error);
}

TEST(Tvm, TakesInAClassThatComesLater) {
  const Data first = bananas(5, 60, 2), later = bananas(6, 600, 3);
  TvmLearner learner(options_with(30, "5"), {.dimension = 2, .classes = 2});
  learner.learn_batch(RowBlock(first.vectors).rows(), first.labels, {}, {});
  learner.grow({.dimension = 2, .classes = 3});
  EXPECT_LE(violation(learner, 5, gaussian(2)), 1e-6);
  learner.learn_batch(RowBlock(later.vectors).rows(), later.labels, {}, {});
  EXPECT_LE(violation(learner, 5, gaussian(2)), 1e-6);
  EXPECT_GE(accuracy(learner, bananas(7, 1000, 3)), 0.85);
}

TEST(Tvm, LearnsACheckerboardAndBananas) {
  TvmLearner board(options_with(100, "100", "1.5"), {.dimension = 2, .classes = 2});
  const Data squares = checkerboard(8, 6000);
  board.learn_batch(RowBlock(squares.vectors).rows(), squares.labels, {}, {});
  EXPECT_GE(accuracy(board, checkerboard(9, 2000)), 0.97);
  for (const std::uint32_t classes : {2U, 3U}) {
    TvmLearner learner(options_with(40, "10"), {.dimension = 2, .classes = classes});
    const Data data = bananas(10, 2000, classes);
    learner.learn_batch(RowBlock(data.vectors).rows(), data.labels, {}, {});
    EXPECT_GE(accuracy(learner, bananas(11, 2000, classes)), classes == 2 ? 0.95 : 0.9);
  }
}

}  // namespace
}  // namespace kinglet
