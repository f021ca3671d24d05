// The multi-class SVM against the optimality conditions of its dual, its duality gap, a slow reference in double
// precision, and the SVM of two classes.
#include "solver/crammer_singer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"
#include "plain_model.hpp"
#include "random_vectors.hpp"

namespace kinglet {
namespace {

struct MultiClassData {
  Vectors x;
  std::vector<ClassId> labels;
  std::vector<double> boxes;
};

MultiClassData three_clouds(std::size_t count, std::uint64_t seed, ClassId classes = 3) {
  Random random(seed);
  MultiClassData data;
  for (std::size_t i = 0; i < count; ++i) {
    const auto label = static_cast<ClassId>(random.below(classes));
    std::vector<float> x = random_vector(random, 2);
    x[0] += static_cast<float>(1.5 * std::cos(2.0 * label));
    x[1] += static_cast<float>(1.5 * std::sin(2.0 * label));
    data.x.push_back(x);
    data.labels.push_back(label);
    data.boxes.push_back(random.coin(0.3) ? 2.0 : 0.5);
  }
  return data;
}

std::vector<double> solved(const MultiClassData& data, const Kernel& kernel, std::size_t classes, double tolerance) {
  ExampleStore store(kernel, {.dimension = 2}, 1 << 20);
  for (const auto& x : data.x) store.append(Features::dense(x));
  return solve_crammer_singer(store, data.labels, data.boxes, classes, tolerance);
}

// f_r(x_i) of the solution.
std::vector<double> values_of(const MultiClassData& data, const Kernel& kernel, const std::vector<double>& tau,
                              std::size_t classes) {
  std::vector<double> f(tau.size(), 0.0);
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    for (std::size_t j = 0; j < data.x.size(); ++j) {
      const double k = plain_kernel(kernel, data.x[i], data.x[j]);
      for (std::size_t r = 0; r < classes; ++r) f[i * classes + r] += k * tau[j * classes + r];
    }
  }
  return f;
}

// The largest ψ_i.
double violation_of(const MultiClassData& data, const std::vector<double>& tau, const std::vector<double>& f,
                    std::size_t classes) {
  double largest = 0;
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    double highest = -HUGE_VAL, lowest = HUGE_VAL;
    for (std::size_t r = 0; r < classes; ++r) {
      const bool own = r == data.labels[i];
      const double g = f[i * classes + r] - (own ? 1 : 0);
      highest = std::max(highest, g);
      if (tau[i * classes + r] < (own ? data.boxes[i] : 0)) lowest = std::min(lowest, g);
    }
    largest = std::max(largest, highest - lowest);
  }
  return largest;
}

struct Objectives {
  double primal = 0;
  double dual = 0;  // to maximise
};

Objectives objectives_of(const MultiClassData& data, const std::vector<double>& tau, const std::vector<double>& f,
                         std::size_t classes) {
  Objectives found;
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    double rival = -HUGE_VAL;
    const double own = f[i * classes + data.labels[i]];
    for (std::size_t r = 0; r < classes; ++r) {
      found.primal += tau[i * classes + r] * f[i * classes + r] / 2;
      found.dual -= tau[i * classes + r] * f[i * classes + r] / 2;
      if (r != data.labels[i]) rival = std::max(rival, f[i * classes + r]);
    }
    found.primal += data.boxes[i] * std::max(0.0, 1 + rival - own);
    found.dual += tau[i * classes + data.labels[i]];
  }
  return found;
}

// Coordinate descent over the examples in turn, in double precision, until nothing moves.
std::vector<double> reference(const MultiClassData& data, const Kernel& kernel, std::size_t classes) {
  std::vector<double> tau(data.x.size() * classes, 0.0), linear(classes), next(classes);
  for (int pass = 0; pass < 3000; ++pass) {
    double moved = 0;
    for (std::size_t i = 0; i < data.x.size(); ++i) {
      const double own = plain_kernel(kernel, data.x[i], data.x[i]);
      for (std::size_t r = 0; r < classes; ++r) linear[r] = -own * tau[i * classes + r] - (r == data.labels[i] ? 1 : 0);
      for (std::size_t j = 0; j < data.x.size(); ++j) {
        const double k = plain_kernel(kernel, data.x[i], data.x[j]);
        for (std::size_t r = 0; r < classes; ++r) linear[r] += k * tau[j * classes + r];
      }
      solve_one_example(own, linear, data.labels[i], data.boxes[i], next);
      for (std::size_t r = 0; r < classes; ++r) {
        moved = std::max(moved, std::abs(next[r] - tau[i * classes + r]));
        tau[i * classes + r] = next[r];
      }
    }
    if (moved < 1e-9) break;
  }
  return tau;
}

TEST(CrammerSinger, SolvesTheProblemOfOneExample) {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    const std::size_t classes = 2 + random.below(5);
    const std::size_t label = random.below(classes);
    const double own = 0.1 + random.uniform(), box = 0.1 + random.uniform();
    std::vector<double> linear(classes), tau(classes);
    for (double& value : linear) value = random.normal();
    solve_one_example(own, linear, label, box, tau);
    double sum = 0, highest = -HUGE_VAL, lowest = HUGE_VAL;
    for (std::size_t r = 0; r < classes; ++r) {
      sum += tau[r];
      const double limit = r == label ? box : 0;
      EXPECT_LE(tau[r], limit + 1e-12);
      const double g = own * tau[r] + linear[r];
      highest = std::max(highest, g);
      if (tau[r] < limit - 1e-12) lowest = std::min(lowest, g);
    }
    EXPECT_NEAR(sum, 0, 1e-12);
    EXPECT_LE(highest - lowest, 1e-9) << "the optimality condition";
  }
}

TEST(CrammerSinger, MeetsTheOptimalityConditionsOfItsDual) {
  for (const Kernel& kernel : {gaussian(0.5), Kernel{.kind = KernelKind::linear}}) {
    for (const std::size_t classes : {2U, 3U, 5U}) {
      const MultiClassData data = three_clouds(150, classes, static_cast<ClassId>(classes));
      const std::vector<double> tau = solved(data, kernel, classes, 1e-3);
      for (std::size_t i = 0; i < data.x.size(); ++i) {
        double sum = 0;
        for (std::size_t r = 0; r < classes; ++r) {
          sum += tau[i * classes + r];
          EXPECT_LE(tau[i * classes + r], r == data.labels[i] ? data.boxes[i] : 0);
        }
        EXPECT_NEAR(sum, 0, 1e-9);
      }
      const std::vector<double> f = values_of(data, kernel, tau, classes);
      EXPECT_LE(violation_of(data, tau, f, classes), 1.1e-3) << classes << " classes";
      const Objectives found = objectives_of(data, tau, f, classes);
      EXPECT_GE(found.primal, found.dual - 1e-6);
      EXPECT_LE(found.primal - found.dual, 2e-3 * found.primal) << classes << " classes";
    }
  }
}

TEST(CrammerSinger, AgreesWithASlowReference) {
  const Kernel kernel = gaussian(0.5);
  const MultiClassData data = three_clouds(40, 9);
  const std::vector<double> tau = solved(data, kernel, 3, 1e-5);
  const std::vector<double> slow = reference(data, kernel, 3);
  const std::vector<double> f = values_of(data, kernel, tau, 3), expected = values_of(data, kernel, slow, 3);
  for (std::size_t i = 0; i < f.size(); ++i) EXPECT_NEAR(f[i], expected[i], 1e-3);
}

std::vector<float> scores_after(const Options& options, const MultiClassData& data, std::uint32_t classes) {
  const auto learner = make_learner(complete_options(options), {.dimension = 2, .classes = classes});
  const RowBlock block(data.x);
  learner->learn_batch(block.rows(), data.labels, {}, {});
  learner->finish();
  std::vector<float> scores(data.x.size() * learner->outputs());
  learner->scores(block.rows(), scores);
  StateWriter out;
  learner->save(out);
  const auto again = make_learner(complete_options(options), {.dimension = 2, .classes = classes});
  StateReader in(out.bytes());
  again->load(in);
  std::vector<float> loaded(scores.size());
  again->scores(block.rows(), loaded);
  EXPECT_EQ(loaded, scores);
  return scores;
}

TEST(CrammerSinger, OfTwoClassesIsTheSvmWithTwiceTheCost) {
  const MultiClassData data = three_clouds(120, 4, 2);
  const std::vector<float> joint =
      scores_after({{"algo", "mcsvm"}, {"C", "1"}, {"gamma", "0.5"}, {"tolerance", "1e-6"}}, data, 2);
  const std::vector<float> exact = scores_after({{"algo", "idsvm"}, {"C", "2"}, {"gamma", "0.5"}}, data, 2);
  for (std::size_t i = 0; i < joint.size(); ++i) EXPECT_NEAR(joint[i], exact[i], 1e-3);
}

TEST(CrammerSinger, LearnsSeveralClassesThroughItsLearner) {
  const MultiClassData data = three_clouds(200, 6);
  const std::vector<float> scores = scores_after({{"algo", "mcsvm"}, {"C", "1"}, {"gamma", "0.5"}}, data, 3);
  std::size_t right = 0;
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    const auto* best = std::max_element(&scores[3 * i], &scores[3 * i] + 3);
    right += static_cast<std::size_t>(best - &scores[3 * i]) == data.labels[i] ? 1 : 0;
  }
  EXPECT_GT(right, 140U);
}

}  // namespace
}  // namespace kinglet
