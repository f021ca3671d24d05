// The sums of squared gradients that a learner collects, compared with a plain version in double precision and with
// finite differences of f.
#include "learn/gradient_squares.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "error_of.hpp"
#include "kinglet/registry.hpp"
#include "learn/additive_learner.hpp"
#include "learn/rows_of.hpp"
#include "plain_model.hpp"
#include "random_vectors.hpp"

namespace kinglet {
namespace {

struct GradientCase {
  std::string kernel = "rbf";
  std::uint32_t classes = 2;  // 0: regression
  Storage storage = Storage::dense;
  std::uint32_t dimension = 11;

  std::string name() const {
    return kernel + ", classes " + std::to_string(classes) + ", dimension " + std::to_string(dimension) + ", " +
           name_of(storage);
  }
  Options options() const {
    Options given{{"kernel", kernel}, {"gamma", "0.07"}, {"budget", "25"}, {"metric", "learned"}, {"lambda", "0.01"}};
    given.set("maintain", kernel == "rbf" ? "merge" : "smallest");
    if (classes == 0) given.set("task", "regress");
    given.set("update", classes == 0 ? "norma" : "pegasos");
    return complete_options(given);
  }
  Shape shape() const { return {.dimension = dimension, .classes = classes, .storage = storage}; }
};

using Point = std::vector<double>;

// f of a learner in double precision: its values, and its gradient straight from the formula.
class PlainFunction {
 public:
  PlainFunction(const AdditiveLearner& learner, const Kernel& kernel) : kernel_(kernel) {
    for (std::size_t j = 0; j < learner.stats().support_vectors; ++j) {
      const SupportVector vector = learner.support_vector(j);
      x_.emplace_back(vector.x.begin(), vector.x.end());
      coefficients_.push_back(vector.coefficients);
    }
  }

  double value(const Point& x, std::size_t output) const {
    double sum = 0;
    for (std::size_t j = 0; j < x_.size(); ++j) sum += coefficients_[j][output] * plain_kernel(kernel_, x_[j], x);
    return sum;
  }
  double slope(const Point& x, std::size_t output, std::size_t feature) const {
    double sum = 0;
    for (std::size_t j = 0; j < x_.size(); ++j) {
      const double difference = x[feature] - x_[j][feature];
      const double along = kernel_.kind == KernelKind::rbf ? 2 * difference : (difference > 0) - (difference < 0);
      sum -= kernel_.gamma * coefficients_[j][output] * plain_kernel(kernel_, x_[j], x) * along;
    }
    return sum;
  }
  double finite_difference(Point x, std::size_t output, std::size_t feature) const {
    constexpr double kStep = 1e-6;
    x[feature] += kStep;
    const double above = value(x, output);
    x[feature] -= 2 * kStep;
    return (above - value(x, output)) / (2 * kStep);
  }

 private:
  Kernel kernel_;
  std::vector<Point> x_;
  std::vector<std::vector<double>> coefficients_;
};

struct DrawnExample {
  std::vector<float> x;
  Example example;
};

void draw(Random& random, const GradientCase& one, DrawnExample& drawn) {
  drawn.x = random_vector(random, one.dimension);
  for (float& value : drawn.x) {
    if (one.storage != Storage::dense && random.coin(0.5)) value = 0;
  }
  drawn.example.label = one.classes == 0 ? kNoClass : static_cast<ClassId>(random.below(one.classes));
  drawn.example.number = 2 * drawn.x[0] + static_cast<float>(random.normal());
  drawn.example.weight = 0.5F + static_cast<float>(random.below(3));
}

// The outputs whose difference an example is learned with; `rival` is empty for one output.
struct Direction {
  std::size_t label = 0;
  std::optional<std::size_t> rival;
};

Direction direction_of(const PlainFunction& f, const Point& x, std::size_t outputs, ClassId label) {
  if (outputs == 1) return {};
  Direction direction{label, label == 0 ? 1U : 0U};
  for (std::size_t c = 0; c < outputs; ++c) {
    if (c != label && f.value(x, c) > f.value(x, *direction.rival)) direction.rival = c;
  }
  return direction;
}

void expect_plain_sums(const GradientCase& one) {
  AdditiveLearner learner(one.options(), one.shape());
  const Kernel kernel = make_kernel(one.options());
  Random random(3);
  std::vector<double> want(one.dimension);
  double mean = 0, count = 0;  // of the squared lengths of gradients
  DrawnExample drawn;
  for (int i = 0; i < 200; ++i) {
    draw(random, one, drawn);
    const Point x(drawn.x.begin(), drawn.x.end());
    const PlainFunction f(learner, kernel);
    const Direction direction = direction_of(f, x, learner.outputs(), drawn.example.label);
    std::vector<double> gradient(one.dimension);
    for (std::size_t k = 0; k < one.dimension; ++k) {
      const auto difference = [&](auto of) {
        return of(direction.label) - (direction.rival ? of(*direction.rival) : 0.0);
      };
      gradient[k] = difference([&](std::size_t c) { return f.slope(x, c, k); });
      const double approximate = difference([&](std::size_t c) { return f.finite_difference(x, c, k); });
      if (kernel.kind == KernelKind::rbf) {  // the Laplacian kernel has kinks
        ASSERT_NEAR(gradient[k], approximate, 1e-6 * (1 + std::abs(gradient[k]))) << one.name();
      }
    }
    const std::uint64_t updates = learner.stats().updates;
    const TableRows rows({drawn.x});
    const float weight = drawn.example.weight;
    const Targets targets = one.classes == 0 ? Targets(&drawn.example.number, 1) : Targets(&drawn.example.label, 1);
    learner.learn_batch(rows.in_form(one.storage), targets, {&weight, 1}, {});
    double length = 0;
    for (const double slope : gradient) length += slope * slope;
    if (learner.stats().updates == updates || length == 0) continue;
    count = std::min(count + 1, 50.0);
    mean += (length - mean) / count;
    for (std::size_t k = 0; k < one.dimension; ++k) {
      want[k] += static_cast<double>(weight) * gradient[k] * gradient[k] / mean;
    }
  }
  ASSERT_GT(learner.stats().updates, 30U) << one.name();
  double largest = 0;
  for (const double sum : want) largest = std::max(largest, sum);
  const std::span<double> got = learner.gradient_squares();
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t k = 0; k < want.size(); ++k) EXPECT_NEAR(got[k], want[k], 2e-4 * largest) << one.name() << ' ' << k;
}

TEST(GradientSquares, AreThoseOfThePlainFormulaAndOfFiniteDifferences) {
  for (const char* kernel : {"rbf", "laplacian"}) {
    for (const std::uint32_t classes : {2U, 4U, 0U}) {
      for (const Storage storage : kStorages) {
        for (const std::uint32_t dimension : {3U, 11U}) expect_plain_sums({kernel, classes, storage, dimension});
      }
    }
  }
}

TEST(GradientSquares, MoveWithTheVectorsWhenTheMetricChanges) {
  for (const Storage storage : kStorages) {
    const GradientCase one{.classes = 3, .storage = storage};
    AdditiveLearner learner(one.options(), one.shape());
    Random random(4);
    DrawnExample drawn;
    for (int i = 0; i < 100; ++i) {
      draw(random, one, drawn);
      drawn.example.x = Features::dense(drawn.x);
      learner.learn(drawn.example);
    }
    const std::vector<double> before(learner.gradient_squares().begin(), learner.gradient_squares().end());
    const SupportVector vector = learner.support_vector(7);
    std::vector<float> ratios(one.dimension);
    for (float& ratio : ratios) ratio = static_cast<float>(0.5 + random.uniform());
    const double count = learner.gradient_count();
    EXPECT_NEAR(count, static_cast<double>(learner.stats().updates), 1);  // at first f is 0
    learner.rescale_features(ratios);
    EXPECT_EQ(learner.gradient_count(), count / 2);
    const SupportVector moved = learner.support_vector(7);
    EXPECT_EQ(moved.coefficients, vector.coefficients);
    for (std::size_t k = 0; k < one.dimension; ++k) {
      const auto ratio = static_cast<double>(ratios[k]);
      EXPECT_FLOAT_EQ(moved.x[k], vector.x[k] * ratios[k]);
      EXPECT_NEAR(learner.gradient_squares()[k], before[k] / (2 * ratio * ratio), 1e-9 * before[k]);
    }
  }
}

TEST(GradientSquares, AreNotCollectedUnlessTheMetricIsLearned) {
  AdditiveLearner learner(complete_options({{"algo", "bpegasos"}, {"gamma", "1"}}), {.dimension = 3, .classes = 2});
  EXPECT_TRUE(learner.gradient_squares().empty());
}

TEST(GradientSquares, ArePartOfTheMemoryThatIsKnownBeforehand) {
  for (const std::uint32_t classes : {2U, 5U}) {
    const GradientCase one{.classes = classes};
    AdditiveLearner learner(one.options(), one.shape());
    const std::size_t bytes = AdditiveLearner::bytes(one.options(), one.shape());
    EXPECT_EQ(learner.stats().memory_bytes, bytes);
    Options without = one.options();
    without.set("metric", "none");
    EXPECT_EQ(bytes - AdditiveLearner::bytes(without, one.shape()), 11 * sizeof(double) + 32 * sizeof(float));
    Random random(5);
    DrawnExample drawn;
    for (int i = 0; i < 100; ++i) {
      draw(random, one, drawn);
      drawn.example.x = Features::dense(drawn.x);
      learner.learn(drawn.example);
    }
    EXPECT_EQ(learner.stats().memory_bytes, bytes);
  }
}

TEST(GradientSquares, AreRefusedWhereTheyAreDamaged) {
  const auto state_with = [](double sum) {
    StateWriter out;
    out.put_array(std::vector<double>{1, sum, 2});
    for (const double value : {5.0, 1.0, 5.0}) out.put(value);
    return out.bytes();
  };
  for (const double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    const std::string state = state_with(bad);
    GradientSquares squares(3, 10);
    StateReader in(state);
    EXPECT_THROW(squares.load(in), Error);
  }
  const std::string state = state_with(3);
  GradientSquares squares(4, 10);
  StateReader in(state);
  EXPECT_THROW(squares.load(in), Error);
}

}  // namespace
}  // namespace kinglet
