// The generated streams that stay the same from beginning to end.
#include <array>
#include <cmath>
#include <numbers>

#include "data/generator.hpp"

namespace kinglet {
namespace {

using Values = std::span<float>;
using Classes = std::span<std::uint32_t>;
using Numbers = std::span<float>;

// Checkerboard of 4 x 4 squares: points uniform on [0, 4)², classes alternate from square to square. One random word
// gives both coordinates (24 bits each, of which the first two select the square).
FillRows make_checkerboard(ParameterValues) {
  return [](Random& random, std::uint64_t, Values values, Classes classes) {
    constexpr float kScale = 4 * 0x1p-24f;
    Random local = random;  // a local copy stays in registers
    float* x = values.data();
    for (auto& label : classes) {
      const std::uint64_t word = local.next();
      const auto a = static_cast<std::uint32_t>(word >> 40);
      const auto b = static_cast<std::uint32_t>(word >> 16) & 0xFFFFFF;
      *x++ = kScale * static_cast<float>(a);
      *x++ = kScale * static_cast<float>(b);
      label = ((a ^ b) >> 22) & 1;
    }
    random = local;
  };
}

// N((0,0), I) against N((2,0), 4I). Wang, Crammer, Vucetic: Journal of Machine Learning Research 13 (2012).
FillRows make_gauss(ParameterValues parameters) {
  const double balance = parameters[0];
  return [balance](Random& random, std::uint64_t, Values values, Classes classes) {
    float* x = values.data();
    for (auto& label : classes) {
      label = random.coin(balance);
      const double mean = label == 1 ? 2 : 0, deviation = label == 1 ? 2 : 1;
      *x++ = static_cast<float>(mean + deviation * random.normal());
      *x++ = static_cast<float>(deviation * random.normal());
    }
  };
}

// Breiman's waves: a row is u h_a(t) + (1 - u) h_b(t) + N(0, 1) for t = 1..21, where the h are triangles of height 6
// around t = 7, 11 and 15, and the class says which two. Breiman et al.: Classification and Regression Trees (1984);
// labels as in the UCI repository.
FillRows make_waveform(ParameterValues parameters) {
  const bool two_classes = parameters[0] == 2;
  return [two_classes](Random& random, std::uint64_t, Values values, Classes classes) {
    constexpr std::array<std::array<int, 2>, 3> kPeaks = {{{15, 7}, {11, 7}, {11, 15}}};
    const auto triangle = [](int t, int peak) { return static_cast<double>(std::max(6 - std::abs(t - peak), 0)); };
    float* x = values.data();
    for (auto& label : classes) {
      const auto kind = static_cast<std::uint32_t>(random.below(3));
      const auto [first, second] = kPeaks[kind];
      const double u = random.uniform();
      for (int t = 1; t <= 21; ++t) {
        *x++ = static_cast<float>(u * triangle(t, first) + (1 - u) * triangle(t, second) + random.normal());
      }
      label = two_classes ? kind == 1 : kind;
    }
  };
}

// Two spiral arms that wind around each other, from the centre to radius 1. The angle is the square root of a uniform
// number, which distributes points evenly along an arm; `spread` is the deviation of points from their arm.
// After Lang and Witbrock: Connectionist Models Summer School (1988).
FillRows make_two_spirals(ParameterValues parameters) {
  const double turns = parameters[0], spread = parameters[1];
  return [turns, spread](Random& random, std::uint64_t, Values values, Classes classes) {
    float* x = values.data();
    for (auto& label : classes) {
      const std::uint64_t word = random.next();
      label = static_cast<std::uint32_t>(word & 1);
      const double radius = std::sqrt(static_cast<double>(word >> 11) * 0x1p-53);
      const double angle = 2 * std::numbers::pi * turns * radius;
      const double side = label == 1 ? radius : -radius;
      *x++ = static_cast<float>(side * std::cos(angle) + spread * random.normal());
      *x++ = static_cast<float>(side * std::sin(angle) + spread * random.normal());
    }
  };
}

// Friedman's first regression problem: ten features uniform on [0, 1), of which only five matter,
// y = 10 sin(π x1 x2) + 20 (x3 − ½)² + 10 x4 + 5 x5. Friedman: The Annals of Statistics 19 (1991).
FillNumberedRows make_friedman(ParameterValues) {
  return [](Random& random, Values values, Numbers numbers) {
    float* x = values.data();
    for (float& y : numbers) {
      std::array<double, 10> u;
      for (double& each : u) {
        each = random.uniform();
        *x++ = static_cast<float>(each);
      }
      const double bowl = u[2] - 0.5;
      y = static_cast<float>(10 * std::sin(std::numbers::pi * u[0] * u[1]) + 20 * bowl * bowl + 10 * u[3] + 5 * u[4]);
    }
  };
}

// Numbers as large as prices: y = 300,000 + 50,000 (sin 2a + b²/2 − c/2) / 1.2 with a, b and c uniform on [-2, 2).
FillNumberedRows make_prices(ParameterValues) {
  return [](Random& random, Values values, Numbers numbers) {
    float* x = values.data();
    for (float& y : numbers) {
      std::array<double, 3> u;
      for (double& each : u) {
        each = 4 * random.uniform() - 2;
        *x++ = static_cast<float>(each);
      }
      const auto [a, b, c] = u;
      y = static_cast<float>(3e5 + 5e4 * (std::sin(2 * a) + b * b / 2 - c / 2) / 1.2);
    }
  };
}

// A noisy ring of radius 1 (class 1, normal) and points uniform on [-2, 2)² (class -1, outliers).
FillRows make_ring(ParameterValues parameters) {
  const double outliers = parameters[0], spread = parameters[1];
  return [outliers, spread](Random& random, std::uint64_t, Values values, Classes classes) {
    float* x = values.data();
    for (auto& label : classes) {
      const double first = random.uniform(), second = random.uniform();
      const double radius = 1 + spread * random.normal();
      label = random.coin(outliers) ? 0 : 1;
      const double angle = 2 * std::numbers::pi * first;
      *x++ = static_cast<float>(label == 1 ? radius * std::cos(angle) : 4 * first - 2);
      *x++ = static_cast<float>(label == 1 ? radius * std::sin(angle) : 4 * second - 2);
    }
  };
}

std::vector<std::string> waveform_classes(ParameterValues parameters) {
  if (parameters[0] == 2) return {"-1", "1"};
  return {"0", "1", "2"};
}

}  // namespace

std::vector<GeneratorEntry> still_streams() {
  return {
      {.name = "checkerboard",
       .summary = "checkerboard of 4 x 4 squares, uniform on [0,4)^2, classes alternate",
       .dimension = 2,
       .classes = minus_and_plus,
       .make = make_checkerboard,
       .best_error = never_wrong},
      {.name = "ncheckerboard",
       .summary = "checkerboard with noisy labels",
       .dimension = 2,
       .classes = minus_and_plus,
       .noise = 0.15,
       .make = make_checkerboard,
       .best_error = never_wrong},
      {.name = "gauss",
       .summary = "N((0,0),I) against N((2,0),4I)",
       .dimension = 2,
       .classes = minus_and_plus,
       .parameters = {{"balance", "share of class 1, the wider distribution", 0.5, 0, 1}},
       .make = make_gauss},
      {.name = "waveform",
       .summary = "Breiman's noisy mixtures of two of three waves",
       .dimension = 21,
       .classes = waveform_classes,
       .parameters = {{"classes", "3, or 2 for class 1 against the rest", 3, 2, 3, true}},
       .make = make_waveform},
      {.name = "two-spirals",
       .summary = "two intertwined spiral arms",
       .dimension = 2,
       .classes = minus_and_plus,
       .parameters = {{"turns", "number of turns of an arm", 1.5, 0.1, 100},
                      {"spread", "deviation of the points from their arm", 0.02, 0, 10}},
       .make = make_two_spirals},
      {.name = "ring",
       .summary = {"a noisy ring (class 1) with outliers (class -1), for ", option("task", "novelty")},
       .dimension = 2,
       .classes = minus_and_plus,
       .parameters = {{"outliers", "share of outliers, uniform on [-2,2)^2", 0.05, 0, 1},
                      {"spread", "deviation of the points from the ring", 0.1, 0, 10}},
       .make = make_ring},
      {.name = "friedman",
       .summary = {"Friedman's first function of 5 of 10 features, for ", option("task", "regress")},
       .dimension = 10,
       .noise = 1,
       .make_numbers = make_friedman},
      {.name = "prices",
       .summary = {"numbers around 300000 from 3 features, for ", option("task", "regress")},
       .dimension = 3,
       .noise = 5000,
       .make_numbers = make_prices},
  };
}

}  // namespace kinglet
