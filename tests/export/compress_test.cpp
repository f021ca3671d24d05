// Compression: never more vectors than the budget, no step increases the distance from the original model, and a model
// within the budget stays as it is.
#include "export/compress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "core/random.hpp"
#include "export/libsvm_model.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

FlatModel random_model(std::uint64_t seed, std::size_t vectors, std::size_t functions, KernelKind kind) {
  Random random(seed);
  FlatModel plain;
  plain.kernel = {.kind = kind, .gamma = 0.3, .coef0 = kind == KernelKind::poly ? 1.0 : 0.0, .degree = 2};
  plain.dimension = 3;
  plain.functions = functions;
  plain.decision = functions == 1 ? Decision::sign : Decision::largest;
  for (std::size_t c = 0; c < (functions == 1 ? 2 : functions); ++c) plain.labels.push_back(std::to_string(c));
  plain.biases.assign(functions, 0.25);
  for (std::size_t j = 0; j < vectors; ++j) {
    std::vector<float> x;
    std::vector<double> row;
    for (std::size_t f = 0; f < plain.dimension; ++f) x.push_back(static_cast<float>(random.normal()));
    for (std::size_t m = 0; m < functions; ++m) row.push_back(random.normal());
    plain.append(x, row);
  }
  return plain;
}

double value(const FlatModel& plain, std::span<const float> x, std::size_t function) {
  double sum = 0;
  for (std::size_t j = 0; j < plain.size(); ++j) {
    sum += plain.row(j)[function] * plain.kernel(Features::dense(plain.vector(j)), Features::dense(x));
  }
  return sum;
}

// ‖f − g‖², summed over all functions and all pairs of vectors in double precision.
double squared_distance(const FlatModel& f, const FlatModel& g) {
  double sum = 0;
  for (std::size_t m = 0; m < f.functions; ++m) {
    for (std::size_t j = 0; j < f.size(); ++j) {
      sum += f.row(j)[m] * (value(f, f.vector(j), m) - value(g, f.vector(j), m));
    }
    for (std::size_t j = 0; j < g.size(); ++j) {
      sum += g.row(j)[m] * (value(g, g.vector(j), m) - value(f, g.vector(j), m));
    }
  }
  return sum;
}

TEST(Compress, KeepsItsPromises) {
  EXPECT_TRUE(rc::check([] {
    const auto kind = *rc::gen::element(KernelKind::rbf, KernelKind::laplacian, KernelKind::poly, KernelKind::linear);
    const auto vectors = *rc::gen::inRange<std::size_t>(1, 40);
    const auto functions = *rc::gen::element<std::size_t>(1, 3);
    const auto budget = *rc::gen::inRange<std::size_t>(1, 30);
    const FlatModel plain = random_model(*rc::gen::inRange<std::uint64_t>(0, 1000), vectors, functions, kind);
    CompressOptions options{.budget = budget, .rounds = 5, .threads = 1};
    const Compression result = compress(plain, options);
    RC_ASSERT(result.model.size() <= std::max(budget, std::size_t{1}));
    RC_ASSERT(result.refitted <= result.begun);
    RC_ASSERT(result.distance <= result.refitted);
    RC_ASSERT(result.model.biases == plain.biases);
    const double distance = std::sqrt(std::max(0.0, squared_distance(plain, result.model)));
    RC_ASSERT(std::abs(distance - result.distance) <= 2e-3 * (1 + result.norm));
    options.threads = 2;
    const Compression again = compress(plain, options);
    RC_ASSERT(again.model.vectors == result.model.vectors);
    RC_ASSERT(again.model.coefficients == result.model.coefficients);
  }));
}

TEST(Compress, LeavesAModelThatFitsAlone) {
  const FlatModel plain = random_model(1, 20, 1, KernelKind::rbf);
  const Compression result = compress(plain, {.budget = 20});
  EXPECT_EQ(result.model.vectors, plain.vectors);
  EXPECT_EQ(result.model.coefficients, plain.coefficients);
  EXPECT_EQ(result.beginning, "none");
  EXPECT_EQ(result.distance, 0);
}

TEST(Compress, MovingTheVectorsHelps) {
  const FlatModel plain = random_model(2, 200, 1, KernelKind::rbf);
  const Compression still = compress(plain, {.budget = 20, .rounds = 0});
  const Compression moved = compress(plain, {.budget = 20, .rounds = 40});
  EXPECT_LT(moved.distance, 0.8 * still.distance);
}

TEST(Compress, DoublesBecomeOne) {
  FlatModel plain = random_model(3, 15, 2 + 1, KernelKind::rbf);
  const FlatModel once = plain;
  for (std::size_t j = 0; j < once.size(); ++j) plain.append(once.vector(j), once.row(j));
  const Compression result = compress(plain, {.budget = 15});
  EXPECT_LT(result.distance, 1e-2 * result.norm);
}

TEST(Compress, StopsWhenAsked) {
  const Compression result =
      compress(random_model(4, 50, 1, KernelKind::rbf), {.budget = 5, .stopped = [] { return true; }});
  EXPECT_TRUE(result.stopped);
}

TEST(Compress, NeedsAKernelWithDistances) {
  const FlatModel plain = random_model(5, 50, 1, KernelKind::sigmoid);
  EXPECT_THROW(compress(plain, {.budget = 5}), Error);
  EXPECT_EQ(compress(plain, {.budget = 50}).model.size(), 50u);
}

}  // namespace
}  // namespace kinglet
