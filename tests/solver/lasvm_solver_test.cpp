// LASVM and the batch SVM compared with a simple reference solver with bias.
#include "solver/lasvm_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/batch_svm.hpp"
#include "solver/reference_qp.hpp"

namespace kinglet {
namespace {

struct Problem {
  Vectors x;
  ReferenceProblem given;

  Problem(const Kernel& kernel, std::size_t count, std::size_t dimension, double box, std::uint64_t seed) {
    Random random(seed);
    for (std::size_t i = 0; i < count; ++i) {
      x.push_back(i > 5 && random.below(12) == 0 ? x[random.below(i)] : random_vector(random, dimension));
      const bool positive = static_cast<double>(x[i][0]) + 0.3 + 0.4 * random.normal() > 0;
      given.signs.push_back(positive ? 1 : -1);
      given.boxes.push_back(box * (positive ? 2 : 1));
    }
    given.gram = plain_gram(kernel, x);
    given.bias = true;
  }
};

double objective(const DualSolver& solver, const Problem& problem) {
  double sum = 0;
  for (std::size_t i = 0; i < problem.x.size(); ++i) {
    double f = 0;
    for (std::size_t j = 0; j < problem.x.size(); ++j) {
      f += solver.coefficient(j) * problem.given.gram(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }
    sum += solver.coefficient(i) * (problem.given.signs[i] - f / 2);
  }
  return sum;
}

double largest_difference(const DualSolver& solver, const ReferenceSolution& best, const Problem& problem) {
  double largest = 0;
  for (std::size_t i = 0; i < problem.x.size(); ++i) {
    double difference = solver.bias() - best.bias;
    for (std::size_t j = 0; j < problem.x.size(); ++j) {
      difference += (solver.coefficient(j) - problem.given.signs[j] * best.alphas[j]) *
                    problem.given.gram(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }
    largest = std::max(largest, std::abs(difference));
  }
  return largest;
}

// The number of examples for which f has the sign of the label. coefficient(j) is y_j α_j.
template <class Coefficient>
std::size_t right_signs(const Problem& problem, double bias, const Coefficient& coefficient) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < problem.x.size(); ++i) {
    double f = bias;
    for (std::size_t j = 0; j < problem.x.size(); ++j) {
      f += coefficient(j) * problem.given.gram(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }
    right += f * problem.given.signs[i] > 0;
  }
  return right;
}
std::size_t right_signs(const DualSolver& solver, const Problem& problem) {
  return right_signs(problem, solver.bias(), [&](std::size_t j) { return solver.coefficient(j); });
}
std::size_t right_signs(const ReferenceSolution& best, const Problem& problem) {
  return right_signs(problem, best.bias, [&](std::size_t j) { return problem.given.signs[j] * best.alphas[j]; });
}

void learn_all(DualSolver& solver, ExampleStore& store, const Problem& problem) {
  for (std::size_t i = 0; i < problem.x.size(); ++i) {
    const std::size_t slot = store.append(Features::dense(problem.x[i]));
    double value = 0;
    for (std::size_t j = 0; j < slot; ++j) {
      value += solver.coefficient(j) * problem.given.gram(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }
    solver.append(value);
    solver.learn(store, slot, problem.given.signs[i], problem.given.boxes[i]);
  }
  solver.finish(store);
}

const Kernel kKernels[] = {{.kind = KernelKind::rbf, .gamma = 0.5},
                           {.kind = KernelKind::linear},
                           {.kind = KernelKind::poly, .gamma = 0.5, .coef0 = 1, .degree = 2}};

TEST(BatchSvm, IsTheBatchSolution) {
  for (const Kernel& kernel : kKernels) {
    const Problem problem(kernel, 150, 3, 1, 3);
    ExampleStore store(kernel, {.dimension = 3, .classes = 2}, 1 << 20);
    BatchSvm solver(1e-5, 1 << 20);
    learn_all(solver, store, problem);
    const ReferenceSolution best = solve_reference(problem.given, 1e-8);
    EXPECT_NEAR(objective(solver, problem), best.objective, 1e-4 * best.objective);
    EXPECT_LE(largest_difference(solver, best, problem), 1e-2);
  }
}

// LASVM forgets examples that could have become support vectors later, so it does not reach the optimum over all
// examples. In one pass its objective must reach at least 92 % of the optimum; on these problems it reaches between
// 92.8 % and 98.8 %. It must also predict as many training labels correctly as the exact SVM, up to 1 % of them.
TEST(Lasvm, ComesCloseToTheBatchSolution) {
  for (const Kernel& kernel : kKernels) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Problem problem(kernel, 200, 3, 1, seed);
      ExampleStore store(kernel, {.dimension = 3, .classes = 2}, 1 << 20);
      LasvmSolver solver(1e-4);
      learn_all(solver, store, problem);
      const ReferenceSolution best = solve_reference(problem.given, 1e-8);
      EXPECT_LE(objective(solver, problem), best.objective * (1 + 1e-5));
      EXPECT_GE(objective(solver, problem), best.objective * 0.92) << seed;
      EXPECT_GE(right_signs(solver, problem) + problem.x.size() / 100, right_signs(best, problem)) << seed;
      double sum = 0;
      for (std::size_t i = 0; i < problem.x.size(); ++i) {
        sum += solver.coefficient(i);
        EXPECT_GE(problem.given.signs[i] * solver.coefficient(i), 0);
        EXPECT_LE(problem.given.signs[i] * solver.coefficient(i), problem.given.boxes[i]);
      }
      EXPECT_NEAR(sum, 0, 1e-9);
    }
  }
}

// On the examples that it keeps, LASVM is exact: a batch solution of these examples has the same objective.
TEST(Lasvm, SolvesWhatItKeepsExactly) {
  const Kernel kernel{.kind = KernelKind::rbf, .gamma = 0.5};
  const Problem problem(kernel, 200, 2, 1, 9);
  ExampleStore store(kernel, {.dimension = 2, .classes = 2}, 1 << 20);
  LasvmSolver solver(1e-5);
  learn_all(solver, store, problem);
  std::vector<char> needed(problem.x.size(), 0);
  solver.mark_needed(needed);
  ReferenceProblem kept{.bias = true};
  Vectors x;
  for (std::size_t i = 0; i < problem.x.size(); ++i) {
    if (needed[i] == 0) continue;
    x.push_back(problem.x[i]);
    kept.signs.push_back(problem.given.signs[i]);
    kept.boxes.push_back(problem.given.boxes[i]);
  }
  EXPECT_LT(x.size(), problem.x.size());
  kept.gram = plain_gram(kernel, x);
  const double best = solve_reference(kept, 1e-8).objective;
  EXPECT_NEAR(objective(solver, problem), best, 1e-5 * best);
}

TEST(Lasvm, KnowsWhatToDoWithOneClass) {
  const Kernel kernel{.kind = KernelKind::rbf, .gamma = 0.5};
  ExampleStore store(kernel, {.dimension = 2, .classes = 2}, 1 << 20);
  LasvmSolver solver(1e-3);
  Random random(1);
  for (std::size_t i = 0; i < 20; ++i) {
    store.append(Features::dense(random_vector(random, 2)));
    solver.append(0);
    solver.learn(store, i, 1, 1);
    EXPECT_EQ(solver.bias(), 1);
    EXPECT_EQ(solver.coefficient(i), 0);
  }
  solver.finish(store);
  EXPECT_EQ(solver.bias(), 1);
}

}  // namespace
}  // namespace kinglet
