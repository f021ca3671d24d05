// Calibration: a comparison with a simple reference, streams with known probabilities, and properties for any scores.
#include "model/calibration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/random.hpp"

namespace kinglet {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Shown {
  std::vector<float> scores;
  ClassId predicted = 0;
  ClassId truth = 0;
  double weight = 1;
};

ClassId best_of(const std::vector<float>& scores) {
  if (scores.size() == 1) return scores[0] >= 0 ? 1 : 0;
  return static_cast<ClassId>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

// A stream whose labels are drawn from softmax(slope · scores). The calibration has to estimate the slope.
std::vector<Shown> stream(std::size_t rows, std::size_t classes, double slope, std::uint64_t seed) {
  Random random(seed);
  std::vector<Shown> list;
  for (std::size_t i = 0; i < rows; ++i) {
    Shown one;
    std::vector<double> logits(classes, 0.0);
    if (classes == 2) {
      const double f = random.normal() / slope * 2;
      one.scores = {static_cast<float>(f)};
      logits[1] = f * slope;
    } else {
      for (std::size_t c = 0; c < classes; ++c) {
        one.scores.push_back(static_cast<float>(random.normal() / slope * 2));
        logits[c] = static_cast<double>(one.scores[c]) * slope;
      }
    }
    double sum = 0;
    for (double& e : logits) sum += e = std::exp(e);
    double draw = random.uniform() * sum;
    while (one.truth + 1 < classes && draw >= logits[one.truth]) draw -= logits[one.truth++];
    one.predicted = best_of(one.scores);
    list.push_back(one);
  }
  return list;
}

Calibration learned(const std::vector<Shown>& list, std::uint32_t classes) {
  Calibration calibration;
  calibration.grow(classes);
  for (const Shown& one : list) calibration.learn(one.scores, one.predicted, one.truth, one.weight);
  return calibration;
}

std::vector<float> probabilities(const Calibration& calibration, const std::vector<float>& scores,
                                 std::size_t classes) {
  std::vector<float> out(classes);
  calibration.probabilities(scores, best_of(scores), out);
  return out;
}

// --- simple reference ------------------------------------------------------------------------------------------------

class PlainCalibration {
 public:
  explicit PlainCalibration(std::size_t classes) : slopes(classes) {}

  struct Slope {
    double theta = 0, h = 0, n = 0, right = 0, wrong = 0;
  };

  static std::vector<double> behind(const Shown& one, std::size_t classes) {
    std::vector<double> z(classes, 0.0);
    for (std::size_t c = 0; c < classes; ++c) {
      if (c == one.predicted) continue;
      z[c] = one.scores.size() == 1 ? -std::abs(double(one.scores[0]))
                                    : double(one.scores[c]) - double(one.scores[one.predicted]);
    }
    return z;
  }
  double mean() const {
    double sum = 0, weight = 0;
    for (const Slope& s : slopes) sum += s.h * s.theta, weight += s.h;
    return weight > 0 ? sum / weight : 0;
  }
  std::vector<double> probabilities(const Shown& one) const {
    std::vector<double> p = behind(one, slopes.size());
    const Slope& s = slopes[one.predicted];
    const double a = std::exp((s.n > 0 ? s.theta : mean()) - log_lead);
    double sum = 0;
    for (double& v : p) sum += v = std::exp(a * v);
    for (double& v : p) v /= sum;
    return p;
  }
  void learn(const Shown& one) {
    const std::size_t classes = slopes.size();
    const std::vector<double> z = behind(one, classes);
    double second = -1e300;
    for (std::size_t c = 0; c < classes; ++c) {
      if (c != one.predicted) second = std::max(second, z[c]);
    }
    const auto rate = [](double n) { return std::max(std::min(1.0, 3 / n), 1e-4); };
    if (second < 0) log_lead += rate(++leads) * (std::log(-second) - log_lead);
    if (one.weight <= 0) return;
    mean_weight += rate(++weights) * (one.weight - mean_weight);
    const std::vector<double> p = probabilities(one);
    Slope& s = slopes[one.predicted];
    if (s.n == 0) {
      const bool first = std::all_of(slopes.begin(), slopes.end(), [](const Slope& o) { return o.n == 0; });
      s.theta = mean();
      s.h = first ? 1 : 4;
    }
    const double a = std::exp(s.theta - log_lead);
    std::vector<double> target(classes, 0.0);
    const double past = 1 - std::max(std::min(1.0, 2 / ++s.n), 1e-4);
    s.right *= past;
    s.wrong *= past;
    if (one.truth == one.predicted) {
      const double smooth = 1 / (++s.right + 2);
      const std::size_t rival = static_cast<std::size_t>(
          std::find_if(z.begin(), z.end(),
                       [&](const double& v) { return v == second && std::size_t(&v - z.data()) != one.predicted; }) -
          z.begin());
      target[one.predicted] = 1 - smooth;
      target[rival] = smooth;
    } else {
      const double smooth = 1 / (++s.wrong + 2);
      target[one.truth] = 1 - smooth;
      target[one.predicted] = smooth;
    }
    double g = 0, square = 0, middle = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      const double u = std::max(a * z[c], -700.0);
      g += (p[c] - target[c]) * u;
      middle += p[c] * u;
      square += p[c] * u * u;
    }
    g = std::clamp(g, -10.0, 10.0);
    const double w = one.weight / mean_weight;
    s.h = past * s.h + w * (square - middle * middle + g * g) / 2;
    s.theta = std::clamp(s.theta - std::clamp(w * g / (s.h + 0.1), -1.0, 1.0), -20.0, 20.0);
  }

  std::vector<Slope> slopes;
  double log_lead = 0, mean_weight = 0, leads = 0, weights = 0;
};

TEST(Calibration, AgreesWithThePlainVersion) {
  for (const std::size_t classes : {2u, 3u, 7u}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Random random(seed);
      auto list = stream(1500, classes, std::exp(2 * random.normal()), seed);
      for (Shown& one : list) {
        one.weight = random.coin(0.1) ? 0 : 0.2 + random.uniform();
        if (random.coin(0.05)) std::ranges::fill(one.scores, 0.0F);
        if (random.coin(0.02)) one.scores[0] *= 1e4F;
        one.predicted = best_of(one.scores);
      }
      Calibration calibration;
      calibration.grow(static_cast<std::uint32_t>(classes));
      PlainCalibration plain(classes);
      std::vector<float> out(classes);
      for (std::size_t i = 0; i < list.size(); ++i) {
        calibration.probabilities(list[i].scores, list[i].predicted, out);
        const auto expected = plain.probabilities(list[i]);
        for (std::size_t c = 0; c < classes; ++c) ASSERT_NEAR(out[c], expected[c], 2e-4) << classes << " " << i;
        calibration.learn(list[i].scores, list[i].predicted, list[i].truth, list[i].weight);
        plain.learn(list[i]);
      }
    }
  }
}

// --- known probabilities ---------------------------------------------------------------------------------------------

TEST(Calibration, FindsTheSlopeWhateverItsSize) {
  for (const std::size_t classes : {2u, 4u}) {
    for (const double slope : {1e-6, 0.3, 1.0, 50.0, 1e6}) {
      const auto list = stream(20000, classes, slope, 7);
      const Calibration calibration = learned(list, static_cast<std::uint32_t>(classes));
      std::vector<float> scores(classes == 2 ? 1 : classes, 0.0F);
      scores[0] = static_cast<float>(1 / slope);  // one unit of log odds
      const auto p = probabilities(calibration, scores, classes);
      const ClassId best = best_of(scores);
      EXPECT_NEAR(std::log(p[best] / p[best == 0 ? 1 : 0]), 1, 0.1) << classes << " classes, slope " << slope;
    }
  }
}

TEST(Calibration, ErrsLessAndLess) {
  for (const std::size_t classes : {2u, 5u}) {
    std::vector<double> errors;
    for (const std::size_t rows : {20u, 20000u}) {
      Reliability reliability;
      for (const std::uint64_t seed : {11u, 12u, 13u}) {
        const Calibration calibration = learned(stream(rows, classes, 3, seed), static_cast<std::uint32_t>(classes));
        for (const Shown& one : stream(10000, classes, 3, seed + 100)) {
          reliability.add(probabilities(calibration, one.scores, classes), one.predicted, one.truth);
        }
      }
      errors.push_back(reliability.calibration_error());
    }
    EXPECT_LT(errors[1], 0.012) << classes;
    EXPECT_LT(errors[1], errors[0]) << classes;
  }
}

TEST(Calibration, HasASlopeForEachSide) {
  Random random(5);
  Calibration calibration;
  calibration.grow(2);
  for (int i = 0; i < 20000; ++i) {
    const std::vector<float> scores{static_cast<float>(random.normal())};
    const ClassId predicted = best_of(scores);
    const double lead = std::abs(static_cast<double>(scores[0])) * (predicted == 1 ? 1 : 4);
    const bool right = random.coin(1 / (1 + std::exp(-lead)));
    calibration.learn(scores, predicted, right ? predicted : 1 - predicted, 1);
  }
  EXPECT_NEAR(probabilities(calibration, {1}, 2)[1], 1 / (1 + std::exp(-1.0)), 0.03);
  EXPECT_NEAR(probabilities(calibration, {-1}, 2)[0], 1 / (1 + std::exp(-4.0)), 0.03);
}

TEST(Calibration, FollowsScoresThatGrow) {
  auto list = stream(20000, 3, 1, 3);
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (float& score : list[i].scores) score *= i < 10000 ? 1.0F : 30.0F;
  }
  const Calibration calibration = learned(list, 3);
  const auto p = probabilities(calibration, {30, 0, 0}, 3);
  EXPECT_NEAR(std::log(p[0] / p[1]), 1, 0.25);
}

TEST(Calibration, DoesNotKnowTheUnitOfWeights) {
  auto list = stream(3000, 3, 1, 3);
  Random random(4);
  for (Shown& one : list) one.weight = random.uniform() + 0.1;
  auto same = list;
  for (Shown& one : same) one.weight *= 1024;
  EXPECT_EQ(probabilities(learned(list, 3), {1, 0, 2}, 3), probabilities(learned(same, 3), {1, 0, 2}, 3));
}

TEST(Calibration, LearnsNothingFromAnExampleOfWeightZeroButItsLead) {
  auto list = stream(500, 2, 1, 3);
  Calibration calibration = learned(list, 2);
  const auto before = probabilities(calibration, {0.7F}, 2);
  // Weight zero, a very short lead and a wrong prediction.
  std::vector<Shown> idle(50, {{1e-3F}, 1, 0, 0});
  for (const Shown& one : idle) calibration.learn(one.scores, one.predicted, one.truth, one.weight);
  const auto after = probabilities(calibration, {0.7F}, 2);
  EXPECT_GT(after[1], before[1]);  // 0.7 is now a long lead; the wrong predictions did not count
}

// --- what holds for any scores ---------------------------------------------------------------------------------------

void expect_sound(const std::vector<float>& p, ClassId predicted) {
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  EXPECT_NEAR(sum, 1, 1e-6);
  for (ClassId c = 0; c < p.size(); ++c) {
    EXPECT_TRUE(p[c] >= 0 && p[c] <= 1) << p[c];
    if (c != predicted) {
      EXPECT_LT(p[c], p[predicted]);
    }
  }
}

TEST(Calibration, NeverContradictsTheLabel) {
  Random random(9);
  for (const std::size_t classes : {2u, 3u, 30u}) {
    const Calibration fresh = learned({}, static_cast<std::uint32_t>(classes));
    const Calibration calibration = learned(stream(1000, classes, 1, 2), static_cast<std::uint32_t>(classes));
    for (int i = 0; i < 3000; ++i) {
      std::vector<float> scores(classes == 2 ? 1 : classes);
      const double size = std::pow(10.0, 80 * random.uniform() - 42);
      for (float& score : scores) score = static_cast<float>(size * random.normal());
      if (random.coin(0.2)) std::ranges::fill(scores, scores[0]);
      if (random.coin(0.1)) scores[random.below(scores.size())] = std::nextafter(scores[0], kInfinity);
      for (const Calibration* each : {&fresh, &calibration}) {
        expect_sound(probabilities(*each, scores, classes), best_of(scores));
      }
    }
  }
}

TEST(Calibration, StandsScoresThatAreNoNumbers) {
  const Calibration calibration = learned(stream(1000, 3, 1, 2), 3);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::vector<float>& scores :
       {std::vector<float>{kInfinity, kInfinity, 0}, {-kInfinity, 0, nan}, {nan, nan, nan}}) {
    std::vector<float> out(3);
    calibration.probabilities(scores, 1, out);
    expect_sound(out, 1);
  }
}

TEST(Calibration, IsCertainOfAnOnlyClass) {
  Calibration calibration;
  calibration.grow(1);
  const std::vector<float> scores{0.3F};
  calibration.learn(scores, 0, 0, 1);
  std::vector<float> out(1);
  calibration.probabilities(scores, 0, out);
  EXPECT_EQ(out[0], 1);
  EXPECT_EQ(calibration.reliability().examples, 0u);
}

TEST(Calibration, StaysFiniteWhereNothingIsEverWrong) {
  Random random(3);
  Calibration calibration;
  calibration.grow(2);
  for (int i = 0; i < 30000; ++i) {
    const std::vector<float> scores{static_cast<float>(random.normal() * 1e20)};
    calibration.learn(scores, best_of(scores), best_of(scores), 1);
  }
  const auto p = probabilities(calibration, {1e20F}, 2);
  EXPECT_GT(p[1], 0.95);
  EXPECT_LT(probabilities(calibration, {1e18F}, 2)[1], 0.95);
}

TEST(Calibration, GivesANewClassTheMeanSlope) {
  Calibration calibration = learned(stream(5000, 3, 1, 2), 3);
  calibration.grow(4);
  const auto p = probabilities(calibration, {0, 0, 0, 1}, 4);
  EXPECT_NEAR(std::log(p[3] / p[0]), 1, 0.2);
}

TEST(Calibration, GoesOnFromItsBytes) {
  const auto list = stream(2000, 4, 1, 2);
  Calibration whole = learned(list, 4);
  const Calibration first = learned({list.begin(), list.begin() + 700}, 4);
  StateWriter out;
  first.save(out);
  Calibration second;
  second.grow(4);
  StateReader in(out.bytes());
  second.load(in);
  EXPECT_TRUE(in.at_end());
  for (std::size_t i = 700; i < list.size(); ++i) {
    second.learn(list[i].scores, list[i].predicted, list[i].truth, list[i].weight);
  }
  StateWriter a, b;
  whole.save(a);
  second.save(b);
  EXPECT_EQ(a.bytes(), b.bytes());
  Calibration other;
  other.grow(3);
  StateReader again(out.bytes());
  EXPECT_THROW(other.load(again), Error);
}

}  // namespace
}  // namespace kinglet
