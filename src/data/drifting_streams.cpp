// The generated streams that change. Every `drift` rows the next concept begins. A change takes drift/speed rows: with
// speed 1 it never ends, with a high speed it is abrupt. Meanwhile what can move moves evenly, and streams of separate
// concepts draw each row from the old or the new one, more and more often from the new.
#include <array>
#include <cmath>
#include <numbers>

#include "data/generator.hpp"

namespace kinglet {
namespace {

using Values = std::span<float>;
using Classes = std::span<std::uint32_t>;

constexpr double kAbrupt = 1e6;

// The first two parameters of every stream here.
class Drift {
 public:
  explicit Drift(ParameterValues parameters) : rows_(parameters[0]), speed_(parameters[1]) {}

  // How many changes there were up to a row; between two whole numbers while one goes on.
  double changes(std::uint64_t row) const {
    const double periods = static_cast<double>(row) * (1 / rows_);
    if (speed_ == 1) return periods;
    const double whole = std::floor(periods);
    return whole + std::min(1.0, speed_ * (periods - whole));
  }

  // The concept of a row, where concepts do not move.
  std::uint64_t concept_at(std::uint64_t row, Random& random) const {
    const auto period = static_cast<std::uint64_t>(rows_);
    const std::uint64_t latest = row / period;
    const double share = speed_ * static_cast<double>(row % period + 1) / rows_;
    return latest == 0 || share >= 1 || random.coin(share) ? latest : latest - 1;
  }

  bool is_abrupt() const { return speed_ >= rows_; }

 private:
  double rows_;
  double speed_;
};

// Places for the mean of a normal distribution, evenly on the unit circle.
void append_around(float*& x, double turn, double spread, Random& random) {
  const double angle = 2 * std::numbers::pi * turn;
  *x++ = static_cast<float>(std::cos(angle) + spread * random.normal());
  *x++ = static_cast<float>(std::sin(angle) + spread * random.normal());
}

// The best error of two equally frequent normal distributions whose means have the distance 2: Φ(−1/σ).
double error_of_two_gaussians(double spread) { return 0.5 * std::erfc(1 / (spread * std::numbers::sqrt2)); }

// --- the streams -----------------------------------------------------------------------------------------------------

// SEA concepts: three features uniform on [0, 10), class 1 if the sum of the first two is at most θ, which is one of 8,
// 9, 7, 9.5, cyclically. Street and Kim: KDD (2001).
FillRows make_sea(ParameterValues parameters) {
  return [drift = Drift(parameters)](Random& random, std::uint64_t row, Values values, Classes classes) {
    constexpr std::array kThresholds = {8.0, 9.0, 7.0, 9.5};
    float* x = values.data();
    for (auto& label : classes) {
      const double threshold = kThresholds[drift.concept_at(row++, random) % kThresholds.size()];
      const double a = 10 * random.uniform(), b = 10 * random.uniform(), c = 10 * random.uniform();
      *x++ = static_cast<float>(a);
      *x++ = static_cast<float>(b);
      *x++ = static_cast<float>(c);
      label = a + b <= threshold;
    }
  };
}

// Rotating checkerboard: a change is a full turn. Squares have side ½, points are uniform on [-1, 1)².
// After Kuncheva's rotating checkerboard, used by Elwell and Polikar, IEEE Transactions on Neural Networks 22 (2011).
FillRows make_rotating_checkerboard(ParameterValues parameters) {
  return [drift = Drift(parameters)](Random& random, std::uint64_t row, Values values, Classes classes) {
    float* x = values.data();
    for (auto& label : classes) {
      const double turn = drift.changes(row++);
      const double angle = 2 * std::numbers::pi * (turn - std::floor(turn));
      const double c = std::cos(angle), s = std::sin(angle);
      const double a = 2 * random.uniform() - 1, b = 2 * random.uniform() - 1;
      const auto column = static_cast<std::int64_t>(std::floor(2 * (c * a + s * b)));
      const auto line = static_cast<std::int64_t>(std::floor(2 * (c * b - s * a)));
      *x++ = static_cast<float>(a);
      *x++ = static_cast<float>(b);
      label = static_cast<std::uint32_t>((column + line) & 1);
    }
  };
}

// Two normal distributions that face each other on a circle and move around it; a change is a full turn.
FillRows make_moving_gaussians(ParameterValues parameters) {
  const double spread = parameters[2];
  return [drift = Drift(parameters), spread](Random& random, std::uint64_t row, Values values, Classes classes) {
    float* x = values.data();
    for (auto& label : classes) {
      label = static_cast<std::uint32_t>(random.below(2));
      const double turn = drift.changes(row++);
      append_around(x, turn - std::floor(turn) + 0.5 * label, spread, random);
    }
  };
}

// Normal distributions on a circle that never move; their classes do, each to the next place. After the interchanging
// RBF of Losing, Hammer and Wersing: ICDM (2016).
FillRows make_interchanging_gaussians(ParameterValues parameters) {
  const double spread = parameters[2];
  const auto count = static_cast<std::uint64_t>(parameters[3]);
  return [drift = Drift(parameters), spread, count](Random& random, std::uint64_t row, Values values, Classes classes) {
    float* x = values.data();
    for (auto& label : classes) {
      const std::uint64_t place = random.below(count);
      label = static_cast<std::uint32_t>((place + drift.concept_at(row++, random)) % count);
      append_around(x, static_cast<double>(place) / static_cast<double>(count), spread, random);
    }
  };
}

// Hyperplane: ten features uniform on [0, 1), class 1 if Σ w_i (x_i − ½) ≥ 0. Each change takes w to other weights,
// drawn at random but the same for every seed. After Hulten, Spencer and Domingos: KDD (2001).
FillRows make_hyperplane(ParameterValues parameters) {
  return [drift = Drift(parameters)](Random& random, std::uint64_t row, Values values, Classes classes) {
    constexpr std::size_t kFeatures = 10;
    const auto weights_of = [](std::uint64_t number) {
      Random own(number);
      std::array<double, kFeatures> weights;
      for (double& weight : weights) weight = own.normal();
      return weights;
    };
    auto before = static_cast<std::uint64_t>(drift.changes(row));
    auto from = weights_of(before), to = weights_of(before + 1);
    float* x = values.data();
    for (auto& label : classes) {
      const double changes = drift.changes(row++);
      const double share = changes - std::floor(changes);
      if (static_cast<std::uint64_t>(changes) != before) {
        before = static_cast<std::uint64_t>(changes);
        from = weights_of(before);
        to = weights_of(before + 1);
      }
      double sum = 0;
      for (std::size_t f = 0; f < kFeatures; ++f) {
        const double value = random.uniform();
        *x++ = static_cast<float>(value);
        sum += ((1 - share) * from[f] + share * to[f]) * (value - 0.5);
      }
      label = sum >= 0;
    }
  };
}

// Three concepts that come again and again, of points uniform on [0, 1)²: above the diagonal, inside a circle, and a
// board of 2 x 2 squares.
FillRows make_recurring(ParameterValues parameters) {
  return [drift = Drift(parameters)](Random& random, std::uint64_t row, Values values, Classes classes) {
    float* x = values.data();
    for (auto& label : classes) {
      const std::uint64_t concept_number = drift.concept_at(row++, random) % 3;
      const double a = random.uniform(), b = random.uniform();
      *x++ = static_cast<float>(a);
      *x++ = static_cast<float>(b);
      const bool in_circle = (a - 0.5) * (a - 0.5) + (b - 0.5) * (b - 0.5) < 0.5 / std::numbers::pi;
      label = concept_number == 0 ? b > a : concept_number == 1 ? in_circle : (a < 0.5) != (b < 0.5);
    }
  };
}

// --- the table -------------------------------------------------------------------------------------------------------

std::vector<std::string> numbered_classes(ParameterValues parameters) {
  std::vector<std::string> classes(static_cast<std::size_t>(parameters[3]));
  for (std::size_t c = 0; c < classes.size(); ++c) classes[c] = std::to_string(c);
  return classes;
}

// While concepts are mixed, the best error depends on the row.
std::optional<double> never_wrong_if_abrupt(ParameterValues parameters) {
  return Drift(parameters).is_abrupt() ? std::optional(0.0) : std::nullopt;
}
std::optional<double> of_moving_gaussians(ParameterValues parameters) { return error_of_two_gaussians(parameters[2]); }
std::optional<double> of_interchanging_gaussians(ParameterValues parameters) {
  if (parameters[3] != 2 || !Drift(parameters).is_abrupt()) return std::nullopt;
  return error_of_two_gaussians(parameters[2]);
}

GeneratorParameter drift_rows(std::string_view summary, double rows) {
  return {"drift", summary, rows, 1, kMostGeneratedRows, true};
}
GeneratorParameter speed(double by_default) {
  return {"speed", "a change takes drift/speed rows", by_default, 1, kAbrupt};
}

}  // namespace

std::vector<GeneratorEntry> drifting_streams() {
  constexpr std::string_view kNext = "rows from one concept to the next";
  constexpr std::string_view kTurn = "rows from one turn to the next";
  const GeneratorParameter spread{"spread", "deviation of the points from their centre", 0.5, 0.001, 10};
  return {
      {.name = "sea",
       .summary = "SEA concepts: a separating plane that moves every drift rows",
       .dimension = 3,
       .classes = minus_and_plus,
       .parameters = {drift_rows(kNext, 12500), speed(kAbrupt)},
       .noise = 0.1,
       .make = make_sea,
       .best_error = never_wrong_if_abrupt},
      {.name = "rotating-checkerboard",
       .summary = "a slowly rotating checkerboard",
       .dimension = 2,
       .classes = minus_and_plus,
       .parameters = {drift_rows(kTurn, 100000), speed(1)},
       .make = make_rotating_checkerboard,
       .best_error = never_wrong},
      {.name = "moving-gaussians",
       .summary = "two normal distributions that move around a circle, opposite to each other",
       .dimension = 2,
       .classes = minus_and_plus,
       .parameters = {drift_rows(kTurn, 20000), speed(1), spread},
       .make = make_moving_gaussians,
       .best_error = of_moving_gaussians},
      {.name = "interchanging-gaussians",
       .summary = "normal distributions around a circle that exchange their classes every drift rows",
       .dimension = 2,
       .classes = numbered_classes,
       .parameters =
           {drift_rows(kNext, 5000), speed(kAbrupt), spread, {"classes", "number of classes", 2, 2, 100, true}},
       .make = make_interchanging_gaussians,
       .best_error = of_interchanging_gaussians},
      {.name = "hyperplane",
       .summary = "a hyperplane that turns from one random direction to the next",
       .dimension = 10,
       .classes = minus_and_plus,
       .parameters = {drift_rows(kNext, 10000), speed(1)},
       .make = make_hyperplane,
       .best_error = never_wrong},
      {.name = "recurring",
       .summary = "three concepts that come again and again: a diagonal, a circle, a board of squares",
       .dimension = 2,
       .classes = minus_and_plus,
       .parameters = {drift_rows(kNext, 5000), speed(kAbrupt)},
       .make = make_recurring,
       .best_error = never_wrong_if_abrupt},
  };
}

}  // namespace kinglet
