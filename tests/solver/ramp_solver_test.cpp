// The ramp-loss SVM: it satisfies the optimality conditions after every example, and is the batch solution of the
// examples inside the ramp.
#include "solver/ramp_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "solver/reference_qp.hpp"

namespace kinglet {
namespace {

constexpr double kTolerance = 1e-3;

// Two overlapping classes. Some labels are flipped, and some examples are copies of earlier ones.
struct Stream {
  Vectors x;
  std::vector<double> y;
  std::vector<double> boxes;

  Stream(std::size_t count, std::size_t dimension, double box, std::uint64_t seed) {
    Random random(seed);
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 10 && random.below(10) == 0) {
        const std::size_t again = random.below(i);
        x.push_back(x[again]);
        y.push_back(random.below(2) == 0 ? y[again] : -y[again]);
      } else {
        x.push_back(random_vector(random, dimension));
        const bool above = std::sin(2.0 * static_cast<double>(x[i][0])) > static_cast<double>(x[i][dimension - 1]);
        y.push_back(above == (random.below(8) == 0) ? -1 : 1);
      }
      boxes.push_back(box * (random.below(4) == 0 ? 0.5 : 1));
    }
  }
};

// A solver, its store, and reference values of f, computed in double precision from a kernel matrix of its own.
struct Work {
  ExampleStore store;
  RampSolver solver;
  const Stream& stream;
  Eigen::MatrixXd gram;

  Work(const Kernel& kernel, const Stream& given, const RampPlan& plan = {}, std::size_t cache = 1 << 20)
      : store(kernel, {.dimension = static_cast<std::uint32_t>(given.x[0].size()), .classes = 2}, cache),
        solver(plan),
        stream(given),
        gram(plain_gram(kernel, given.x)) {}

  void add(std::size_t i) {
    const std::size_t slot = store.append(Features::dense(stream.x[i]));
    ASSERT_EQ(slot, i);
    solver.append(value(i, i));
    solver.learn(store, slot, stream.y[i], stream.boxes[i]);
  }
  double value(std::size_t at, std::size_t count) const {
    double sum = 0;
    for (std::size_t j = 0; j < count; ++j) {
      sum += solver.coefficient(j) * gram(static_cast<Eigen::Index>(at), static_cast<Eigen::Index>(j));
    }
    return sum;
  }
  // ½‖f‖² + Σ C_i R(y_i f(x_i))
  double objective(std::size_t count) const {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double f = value(i, count);
      sum += 0.5 * solver.coefficient(i) * f + stream.boxes[i] * std::clamp(1 - stream.y[i] * f, 0.0, 2.0);
    }
    return sum;
  }
  void expect_conditions(std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
      const double g = 1 - stream.y[i] * value(i, count);
      const double alpha = stream.y[i] * solver.coefficient(i);
      ASSERT_GE(alpha, 0);
      ASSERT_LE(alpha, stream.boxes[i]);
      ASSERT_NEAR(g, solver.gradient(i), 0.1 * kTolerance) << i;
      if (!solver.is_active(i)) {
        ASSERT_EQ(alpha, 0);
        ASSERT_GT(g, 2 - 0.1 * kTolerance);
        continue;
      }
      // No support vector lies beyond the ramp.
      ASSERT_LE(solver.gradient(i), 2) << i;
      if (alpha < stream.boxes[i]) {
        ASSERT_LE(g, 1.1 * kTolerance) << i << " of " << count;
      }
      if (alpha > 0) {
        ASSERT_GE(g, -1.1 * kTolerance) << i << " of " << count;
      }
    }
  }
};

struct Case {
  Kernel kernel;
  std::size_t dimension;
  double box;
  const char* name;
};
const Case kCases[] = {
    {{.kind = KernelKind::rbf, .gamma = 0.5}, 2, 0.1, "GaussianSoft"},
    {{.kind = KernelKind::rbf, .gamma = 0.5}, 2, 1, "Gaussian"},
    {{.kind = KernelKind::rbf, .gamma = 2}, 2, 100, "GaussianHard"},
    {{.kind = KernelKind::rbf, .gamma = 0.1}, 10, 10, "GaussianWide"},
    {{.kind = KernelKind::linear}, 3, 1, "Linear"},
    {{.kind = KernelKind::poly, .gamma = 0.5, .coef0 = 1, .degree = 2}, 3, 0.5, "Poly"},
    {{.kind = KernelKind::laplacian, .gamma = 0.3}, 4, 5, "Laplacian"},
};

class Ramp : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Kernels, Ramp, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST_P(Ramp, MeetsTheConditionsOnAllExamplesAfterEveryOne) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Stream stream(160, GetParam().dimension, GetParam().box, seed);
    Work work(GetParam().kernel, stream);
    for (std::size_t i = 0; i < stream.x.size(); ++i) {
      work.add(i);
      work.expect_conditions(i + 1);
      if (HasFatalFailure()) return;
    }
  }
}

// On the examples inside the ramp, the solution is the SVM with hinge loss, whose optimum is unique.
TEST_P(Ramp, IsTheBatchSolutionOfWhatIsInsideTheRamp) {
  for (const std::uint64_t seed : {1, 2}) {
    const Stream stream(120, GetParam().dimension, GetParam().box, seed);
    Work work(GetParam().kernel, stream);
    for (std::size_t i = 0; i < stream.x.size(); ++i) work.add(i);
    Vectors inside;
    ReferenceProblem problem;
    double objective = 0;
    for (std::size_t i = 0; i < stream.x.size(); ++i) {
      if (!work.solver.is_active(i)) continue;
      inside.push_back(stream.x[i]);
      problem.signs.push_back(stream.y[i]);
      problem.boxes.push_back(stream.boxes[i]);
      const double coefficient = work.solver.coefficient(i);
      objective += coefficient * (stream.y[i] - work.value(i, stream.x.size()) / 2);
    }
    problem.gram = plain_gram(GetParam().kernel, inside);
    const ReferenceSolution best = solve_reference(problem, 1e-8);
    EXPECT_NEAR(objective, best.objective, 1e-4 * best.objective);
  }
}

TEST_P(Ramp, NeverRaisesTheObjectiveFromRoundToRound) {
  for (const bool offline : {false, true}) {
    const Stream stream(150, GetParam().dimension, GetParam().box, 5);
    Work work(GetParam().kernel, stream, {.tolerance = 1e-6, .offline = offline});
    std::size_t rounds = 0;
    std::size_t compared = 0;
    double last = 0;
    std::size_t count = 0;
    work.solver.on_round = [&] {
      const double now = work.objective(count);
      // The first round is not compared: since the last round of the previous step, an example was added, or the set of
      // examples inside the ramp was reset.
      if (rounds > 0) {
        EXPECT_LE(now, last + 1e-6 * (1 + std::abs(last)));
        ++compared;
      }
      last = now;
      ++rounds;
    };
    for (std::size_t i = 0; i < stream.x.size(); ++i) {
      count = i + 1;
      rounds = 0;
      work.add(i);
    }
    if (offline) {
      rounds = 0;
      work.solver.finish(work.store);
      work.expect_conditions(count);
    }
    // In cases with a very small or very large C, no step takes more than one round.
    if (GetParam().box == 1) {
      EXPECT_GE(compared, 1U);
    }
  }
}

TEST_P(Ramp, GivesTheSameWithHardlyAnyCache) {
  const Stream stream(150, GetParam().dimension, GetParam().box, 7);
  Work roomy(GetParam().kernel, stream);
  Work cramped(GetParam().kernel, stream, {}, 0);
  for (std::size_t i = 0; i < stream.x.size(); ++i) {
    roomy.add(i);
    cramped.add(i);
  }
  for (std::size_t i = 0; i < stream.x.size(); ++i) {
    EXPECT_EQ(roomy.solver.coefficient(i), cramped.solver.coefficient(i)) << i;
  }
  EXPECT_LT(roomy.store.evaluations(), cramped.store.evaluations());
}

// Many examples have a gradient close to 2, the end of the ramp, at the same time. The rounds must terminate.
TEST(RampSolver, ComesToAnEndWhereManyExamplesAreAtTheEndOfTheRamp) {
  const Kernel kernel{.kind = KernelKind::rbf, .gamma = 1};
  for (const double box : {0.5, 1.0, 2.0, 4.0}) {
    Stream stream(200, 1, box, 11);
    for (std::size_t i = 0; i < stream.x.size(); ++i) {
      stream.x[i] = {static_cast<float>(i % 2) * 1e-4F};  // two places close to each other
      stream.y[i] = i % 3 == 0 ? -1 : 1;
      stream.boxes[i] = box;
    }
    Work work(kernel, stream);
    for (std::size_t i = 0; i < stream.x.size(); ++i) {
      work.add(i);
      work.expect_conditions(i + 1);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(RampSolver, KeepsTheExamplesNearestToTheBoundary) {
  const Stream stream(300, 2, 5, 3);
  const Kernel kernel{.kind = KernelKind::rbf, .gamma = 1};
  constexpr std::size_t kKept = 20;
  Work work(kernel, stream, {.kept = kKept});
  std::vector<std::size_t> who;  // the number of the example in each slot
  for (std::size_t i = 0; i < stream.x.size(); ++i) {
    const std::size_t slot = work.store.append(Features::dense(stream.x[i]));
    double value = 0;
    for (std::size_t j = 0; j < slot; ++j) {
      value += work.solver.coefficient(j) * plain_kernel(kernel, stream.x[i], stream.x[who[j]]);
    }
    who.push_back(i);
    work.solver.append(value);
    work.solver.learn(work.store, slot, stream.y[i], stream.boxes[i]);
    std::vector<char> needed(work.store.size(), 0);
    work.solver.mark_needed(needed);
    std::size_t others = 0;
    double farthest = 0;
    double nearest_dropped = 1e300;
    for (std::size_t j = 0; j < needed.size(); ++j) {
      const double distance = std::abs(1 - work.solver.gradient(j));
      if (work.solver.alpha(j) > 0) {
        ASSERT_EQ(needed[j], 1);
      } else if (needed[j] != 0) {
        ++others;
        farthest = std::max(farthest, distance);
      } else {
        nearest_dropped = std::min(nearest_dropped, distance);
      }
    }
    ASSERT_LE(others, kKept);
    ASSERT_LE(farthest, nearest_dropped);
    for (std::size_t j = needed.size(); j-- > 0;) {
      if (needed[j] != 0) continue;
      work.store.remove(j);
      work.solver.remove(j);
      who[j] = who.back();
      who.pop_back();
    }
    // The gradients of the remaining examples are still right.
    for (std::size_t j = 0; j < who.size(); ++j) {
      double f = 0;
      for (std::size_t k = 0; k < who.size(); ++k) {
        f += work.solver.coefficient(k) * plain_kernel(kernel, stream.x[who[j]], stream.x[who[k]]);
      }
      ASSERT_NEAR(1 - stream.y[who[j]] * f, work.solver.gradient(j), 1e-4);
    }
  }
}

TEST(RampSolver, RefusesADamagedState) {
  const Stream stream(40, 2, 1, 3);
  Work work({.kind = KernelKind::rbf, .gamma = 1}, stream);
  for (std::size_t i = 0; i < stream.x.size(); ++i) work.add(i);
  StateWriter out;
  work.solver.save(out);
  const std::string whole = out.bytes();
  for (std::size_t cut = 0; cut < whole.size(); cut += 7) {
    StateReader in(std::string_view(whole).substr(0, cut));
    RampSolver other({});
    EXPECT_THROW(other.load(in, stream.x.size()), Error);
  }
  std::string wrong = whole;
  const double outside = 7;
  std::memcpy(&wrong[2 * (8 + 8 * stream.x.size()) + 8], &outside, sizeof outside);  // the first α
  StateReader in(wrong);
  RampSolver other({});
  EXPECT_THROW(other.load(in, stream.x.size()), Error);
}

}  // namespace
}  // namespace kinglet
