// idsvm as a learner: predictions, more than two classes, weights, the bias, and saved states.
#include <gtest/gtest.h>

#include <cmath>

#include "kinglet/source.hpp"
#include "solver/dual_learner.hpp"
#include "solver/dual_options.hpp"
#include "solver/incremental_svm.hpp"
#include "solver/reference_qp.hpp"

namespace kinglet {
namespace learners {
extern const LearnerEntry idsvm;
}
namespace {

Options options_with(const std::string& box, bool bias) {
  return {{"algo", "idsvm"}, {"task", "classify"}, {"kernel", "rbf"},
          {"gamma", "0.5"},  {"C", box},           {"bias", bias ? "true" : "false"},
          {"cache", "1M"}};
}

ClassId label_of(const std::vector<float>& x, std::uint32_t classes) {
  if (classes == 2) return x[0] * x[1] > 0 ? 1 : 0;
  return x[0] > 0.3F ? 2 : x[1] > 0 ? 1 : 0;
}

struct Data {
  Vectors vectors;
  std::vector<ClassId> labels;
  std::vector<float> weights;

  Data(std::uint64_t seed, std::size_t count, std::uint32_t classes) {
    Random random(seed);
    vectors = random_vectors(random, count, 2);
    for (const auto& x : vectors) {
      labels.push_back(random.coin(0.1) ? static_cast<ClassId>(random.below(classes)) : label_of(x, classes));
      weights.push_back(static_cast<float>(random.below(3)));
    }
  }
};

std::string state_of(const Learner& learner) {
  StateWriter out;
  learner.save(out);
  return out.bytes();
}

TEST(Idsvm, PredictsAsTheBatchSolutionOfEachClassAgainstTheRest) {
  for (const std::uint32_t classes : {2U, 3U}) {
    for (const bool bias : {false, true}) {
      const Data data(classes, 80, classes);
      const auto learner = learners::idsvm.make(options_with("2", bias), {.dimension = 2, .classes = classes});
      learner->learn_batch(RowBlock(data.vectors).rows(), data.labels, data.weights, {});
      const std::size_t outputs = classes == 2 ? 1 : classes;
      for (std::size_t c = 0; c < outputs; ++c) {
        ReferenceProblem problem{.gram = {}, .signs = {}, .boxes = {}, .bias = bias};
        Vectors used;
        for (std::size_t i = 0; i < 80; ++i) {
          if (data.weights[i] == 0) continue;
          used.push_back(data.vectors[i]);
          problem.signs.push_back(data.labels[i] == (outputs == 1 ? 1 : c) ? 1 : -1);
          problem.boxes.push_back(2 * static_cast<double>(data.weights[i]));
        }
        problem.gram = plain_gram(gaussian(0.5), used);
        const ReferenceSolution reference = solve_reference(problem);
        Random random(9);
        for (int k = 0; k < 20; ++k) {
          const std::vector<float> x = random_vector(random, 2);
          double f = reference.bias;
          for (std::size_t i = 0; i < used.size(); ++i) {
            f += problem.signs[i] * reference.alphas[i] * plain_kernel(gaussian(0.5), used[i], x);
          }
          std::vector<float> scores(outputs);
          learner->scores(RowBlock(Vectors{x}).rows(), scores);
          EXPECT_NEAR(scores[c], f, 1e-4) << classes << " classes, output " << c;
        }
      }
    }
  }
}

TEST(Idsvm, GoesOnFromASavedStateBitForBit) {
  const Data data(4, 120, 3);
  const Shape shape{.dimension = 2, .classes = 3};
  const auto whole = learners::idsvm.make(options_with("5", true), shape);
  const auto resumed = learners::idsvm.make(options_with("5", true), shape);
  const RowBlock block(data.vectors);
  whole->learn_batch(block.rows().slice(0, 60), Targets(data.labels).slice(0, 60), {}, {});
  const std::string state = state_of(*whole);
  StateReader in(state);
  resumed->load(in);
  for (Learner* learner : {whole.get(), resumed.get()}) {
    learner->learn_batch(block.rows().slice(60, 60), Targets(data.labels).slice(60, 60), {}, {});
  }
  EXPECT_EQ(state_of(*whole), state_of(*resumed));
  EXPECT_GT(whole->stats().support_vectors, 10U);
  EXPECT_EQ(whole->stats().stored_examples, 120U);
}

// If a class appears later, the result is the same as if it had been known from the start.
TEST(Idsvm, TakesInAClassThatComesLater) {
  const Data data(6, 60, 3);
  const auto early = learners::idsvm.make(options_with("1", false), {.dimension = 2, .classes = 3});
  const auto late = learners::idsvm.make(options_with("1", false), {.dimension = 2, .classes = 2});
  Data first = data;
  for (ClassId& label : first.labels) label = std::min<ClassId>(label, 1);
  for (Learner* learner : {early.get(), late.get()}) {
    learner->learn_batch(RowBlock(data.vectors).rows(), first.labels, {}, {});
    learner->grow({.dimension = 2, .classes = 3});
    learner->learn_batch(RowBlock(data.vectors).rows(), data.labels, {}, {});
  }
  std::vector<float> by_early(180), by_late(180);
  early->scores(RowBlock(data.vectors).rows(), by_early);
  late->scores(RowBlock(data.vectors).rows(), by_late);
  for (std::size_t i = 0; i < by_early.size(); ++i) EXPECT_NEAR(by_early[i], by_late[i], 1e-4) << i;
}

TEST(Idsvm, LearnsACheckerboard) {
  const auto learner = learners::idsvm.make(options_with("50", false), {.dimension = 2, .classes = 2});
  Random random(3);
  const auto draw = [&](std::size_t count, Vectors& vectors, std::vector<ClassId>& labels) {
    for (std::size_t i = 0; i < count; ++i) {
      vectors.push_back({static_cast<float>(4 * random.uniform()), static_cast<float>(4 * random.uniform())});
      labels.push_back(static_cast<ClassId>(static_cast<int>(vectors.back()[0]) + static_cast<int>(vectors.back()[1])) %
                       2);
    }
  };
  Vectors vectors, fresh;
  std::vector<ClassId> labels, expected;
  draw(1000, vectors, labels);
  draw(1000, fresh, expected);
  learner->learn_batch(RowBlock(vectors).rows(), labels, {}, {});
  std::size_t right = 0;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    right += learner->predict(Features::dense(fresh[i])).label == expected[i] ? 1 : 0;
  }
  EXPECT_GE(right, 930U);
}

}  // namespace
}  // namespace kinglet
