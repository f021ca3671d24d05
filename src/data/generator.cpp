// The generated data streams. Each has a function that fills rows and an entry in the table below.
#include "data/generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/assert.hpp"
#include "data/fail_at.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

using Values = std::span<float>;
using Classes = std::span<std::uint32_t>;
using Numbers = std::span<float>;

// --- the streams -----------------------------------------------------------------------------------------------------

// Checkerboard of 4 x 4 squares: points uniform on [0, 4)², classes alternate from square to square. One random word gives
// both coordinates (24 bits each, of which the first two select the square).
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

// Rotating checkerboard: it makes a full turn every `drift` rows. Squares have side ½, points are uniform on [-1, 1)².
// After Kuncheva's rotating checkerboard, used by Elwell and Polikar, IEEE Transactions on Neural Networks 22 (2011).
FillRows make_rotating_checkerboard(ParameterValues parameters) {
  const double turns_per_row = 1 / parameters[0];
  return [turns_per_row](Random& random, std::uint64_t row, Values values, Classes classes) {
    float* x = values.data();
    for (auto& label : classes) {
      const double turn = static_cast<double>(row++) * turns_per_row;
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

// SEA concepts: three features uniform on [0, 10), class 1 if the sum of the first two is at most θ. Every `drift` rows θ
// changes to the next of 8, 9, 7, 9.5, cyclically. Street and Kim: KDD (2001).
FillRows make_sea(ParameterValues parameters) {
  const auto period = static_cast<std::uint64_t>(parameters[0]);
  return [period](Random& random, std::uint64_t row, Values values, Classes classes) {
    constexpr std::array kThresholds = {8.0, 9.0, 7.0, 9.5};
    float* x = values.data();
    for (auto& label : classes) {
      const double threshold = kThresholds[row++ / period % kThresholds.size()];
      const double a = 10 * random.uniform(), b = 10 * random.uniform(), c = 10 * random.uniform();
      *x++ = static_cast<float>(a);
      *x++ = static_cast<float>(b);
      *x++ = static_cast<float>(c);
      label = a + b <= threshold;
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

// --- the table -------------------------------------------------------------------------------------------------------

std::vector<std::string> minus_and_plus(ParameterValues) { return {"-1", "1"}; }
std::vector<std::string> waveform_classes(ParameterValues parameters) {
  if (parameters[0] == 2) return {"-1", "1"};
  return {"0", "1", "2"};
}

constexpr double kMostRows = 0x1p53;

const std::array<GeneratorParameter, 3> kCommon = {{
    {"n", "number of rows; endless if not given", 0, 1, kMostRows, true},
    {"seed", "random seed", 1, 0, kMostRows, true},
    {"noise", "share of labels replaced by another class; for numbers, deviation of the added noise", 0, 0, 1},
}};
constexpr std::size_t kRows = 0, kSeed = 1, kNoise = 2;
constexpr double kMostDeviation = 1e6;  // of noise that is added to numbers

const std::vector<GeneratorEntry>& table() {
  static const std::vector<GeneratorEntry> entries = {
      {"checkerboard",
       "checkerboard of 4 x 4 squares, uniform on [0,4)^2, classes alternate",
       2,
       minus_and_plus,
       {},
       0,
       make_checkerboard},
      {"ncheckerboard", "checkerboard with noisy labels", 2, minus_and_plus, {}, 0.15, make_checkerboard},
      {"gauss",
       "N((0,0),I) against N((2,0),4I)",
       2,
       minus_and_plus,
       {{"balance", "share of class 1, the wider distribution", 0.5, 0, 1}},
       0,
       make_gauss},
      {"waveform",
       "Breiman's noisy mixtures of two of three waves",
       21,
       waveform_classes,
       {{"classes", "3, or 2 for class 1 against the rest", 3, 2, 3, true}},
       0,
       make_waveform},
      {"two-spirals",
       "two intertwined spiral arms",
       2,
       minus_and_plus,
       {{"turns", "number of turns of an arm", 1.5, 0.1, 100},
        {"spread", "deviation of the points from their arm", 0.02, 0, 10}},
       0,
       make_two_spirals},
      {"sea",
       "SEA concepts: a separating plane that moves abruptly every drift rows",
       3,
       minus_and_plus,
       {{"drift", "rows from one concept to the next", 12500, 1, kMostRows, true}},
       0.1,
       make_sea},
      {"rotating-checkerboard",
       "a slowly rotating checkerboard",
       2,
       minus_and_plus,
       {{"drift", "rows per full turn", 100000, 1, kMostRows, true}},
       0,
       make_rotating_checkerboard},
      {"ring",
       {"a noisy ring (class 1) with outliers (class -1), for ", option("task", "novelty")},
       2,
       minus_and_plus,
       {{"outliers", "share of outliers, uniform on [-2,2)^2", 0.05, 0, 1},
        {"spread", "deviation of the points from the ring", 0.1, 0, 10}},
       0,
       make_ring},
      {"friedman",
       {"Friedman's first function of 5 of 10 features, for ", option("task", "regress")},
       10,
       nullptr,
       {},
       1,
       nullptr,
       make_friedman},
      {"prices",
       {"numbers around 300000 from 3 features, for ", option("task", "regress")},
       3,
       nullptr,
       {},
       5000,
       nullptr,
       make_prices},
  };
  return entries;
}

// --- the source ------------------------------------------------------------------------------------------------------

class GeneratorSource final : public Source {
 public:
  GeneratorSource(std::string name, const GeneratorEntry& entry, ParameterValues common, ParameterValues own,
                  bool numeric_labels)
      : name_(std::move(name)),
        dimension_(entry.dimension),
        classes_(entry.classes == nullptr ? std::vector<std::string>() : entry.classes(own)),
        fill_(entry.classes == nullptr ? nullptr : entry.make(own)),
        fill_numbers_(entry.classes == nullptr ? entry.make_numbers(own) : nullptr),
        seed_(static_cast<std::uint64_t>(common[kSeed])),
        rows_(static_cast<std::uint64_t>(common[kRows])),
        noise_(common[kNoise]) {
    if (numeric_labels) {
      for (const std::string& text : classes_) class_numbers_.push_back(number_in(text));
    }
    start();
  }

  bool next(Batch& batch) override;
  bool can_rewind() const override { return true; }
  void rewind() override { start(); }
  std::optional<double> progress() const override {
    if (rows_ == 0) return std::nullopt;
    return static_cast<double>(row_) / static_cast<double>(rows_);
  }
  std::optional<std::uint64_t> rows() const override {
    if (rows_ == 0) return std::nullopt;
    return rows_;
  }
  std::string name() const override { return name_; }
  void stop() override { stopped_ = true; }

 private:
  void start() {
    row_ = 0;
    random_ = Random(seed_);
    noise_random_ = Random(~seed_);  // a separate generator, so that noise changes nothing but the labels
  }
  void fill_classes(Batch& batch);
  void fill_numbers(Batch& batch);
  void add_noise(Classes labels);
  static float number_in(const std::string& text);

  std::string name_;
  std::uint32_t dimension_;
  std::vector<std::string> classes_;
  std::vector<float> class_numbers_;  // numbers to use instead of class ids; empty: use the ids
  FillRows fill_;
  FillNumberedRows fill_numbers_;  // used instead if there are no classes
  std::uint64_t seed_;
  std::uint64_t rows_;  // 0: endless
  double noise_;
  Random random_;
  Random noise_random_;
  std::uint64_t row_ = 0;
  bool classes_told_ = false;
  std::atomic<bool> stopped_ = false;
};

bool GeneratorSource::next(Batch& batch) {
  const std::uint64_t left = rows_ == 0 ? kBatchRows : rows_ - row_;
  const std::size_t count = stopped_ ? 0 : std::min<std::uint64_t>(kBatchRows, left);
  batch.sparse = false;
  batch.dimension = dimension_;
  batch.values.resize(count * dimension_);
  batch.labels.resize(count);
  batch.columns.reset();
  batch.indices.clear();
  batch.offsets.clear();
  batch.weights.clear();
  batch.targets.clear();
  batch.new_labels.clear();
  if (count == 0) return false;
  if (fill_numbers_) {
    fill_numbers(batch);
  } else {
    fill_classes(batch);
  }
  row_ += count;
  return true;
}

void GeneratorSource::fill_classes(Batch& batch) {
  fill_(random_, row_, batch.values, batch.labels);
  if (noise_ > 0) add_noise(batch.labels);
  if (class_numbers_.empty()) {
    if (!std::exchange(classes_told_, true)) batch.new_labels = classes_;
    return;
  }
  for (auto& label : batch.labels) batch.targets.push_back(class_numbers_[std::exchange(label, kNoLabel)]);
}

void GeneratorSource::fill_numbers(Batch& batch) {
  std::ranges::fill(batch.labels, kNoLabel);
  batch.targets.resize(batch.rows());
  fill_numbers_(random_, batch.values, batch.targets);
  if (noise_ == 0) return;
  for (float& y : batch.targets) y = static_cast<float>(static_cast<double>(y) + noise_ * noise_random_.normal());
}

float GeneratorSource::number_in(const std::string& text) {
  float number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  KINGLET_ASSERT(parsed.ec == std::errc() && parsed.ptr == text.data() + text.size());
  return number;
}

void GeneratorSource::add_noise(Classes labels) {
  const auto others = static_cast<std::uint32_t>(classes_.size()) - 1;
  const auto threshold = static_cast<std::uint64_t>(noise_ * 0x1p32);
  Random local = noise_random_;
  for (auto& label : labels) {
    const std::uint64_t word = local.next();
    // The low half of the word decides whether to replace the label, the high half by which class.
    const auto shift = static_cast<std::uint32_t>(((word >> 32) * others) >> 32) + 1;
    const std::uint32_t other = label + shift > others ? label + shift - others - 1 : label + shift;
    label = (word & 0xFFFFFFFF) < threshold ? other : label;
  }
  noise_random_ = local;
}

// --- the specification -----------------------------------------------------------------------------------------------

std::string known_names() {
  std::string names;
  for (const auto& entry : table()) names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
  return names;
}

std::string known_parameters(const GeneratorEntry& entry) {
  std::string names = "n, seed, noise";
  for (const auto& parameter : entry.parameters) names += fmt::format(", {}", parameter.name);
  return names;
}

[[noreturn]] void fail_spec(std::string_view spec, const std::string& message) {
  throw Error(printable(spec) + ": " + message);
}

double parse_parameter(std::string_view spec, const GeneratorParameter& parameter, std::string_view text) {
  std::optional<double> value;
  if (parameter.whole) {
    if (const auto count = parse_count(text)) value = static_cast<double>(*count);
  } else {
    double number = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    if (result.ec == std::errc() && result.ptr == text.data() + text.size()) value = number;
  }
  if (value && *value >= parameter.lowest && *value <= parameter.highest) return *value;
  fail_spec(spec, fmt::format("{} must be a {} from {} to {}, not {}", parameter.name,
                              parameter.whole ? "whole number" : "number", parameter.lowest, parameter.highest,
                              quoted(text)));
}

// Sets the parameter called `name`; false if there is none.
bool set_parameter(std::string_view spec, std::string_view name, std::string_view text,
                   std::span<const GeneratorParameter> parameters, std::span<double> values) {
  const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == name; });
  if (found == parameters.end()) return false;
  values[static_cast<std::size_t>(found - parameters.begin())] = parse_parameter(spec, *found, text);
  return true;
}

std::vector<double> defaults(std::span<const GeneratorParameter> parameters) {
  std::vector<double> values;
  for (const auto& parameter : parameters) values.push_back(parameter.default_value);
  return values;
}

}  // namespace

std::span<const GeneratorEntry> generators() { return table(); }
std::span<const GeneratorParameter> common_generator_parameters() { return kCommon; }

std::optional<std::uint64_t> parse_count(std::string_view text) {
  double unit = 1;
  if (!text.empty()) {
    const char last = text.back();
    unit = last == 'k' || last == 'K' ? 1e3 : last == 'm' || last == 'M' ? 1e6 : last == 'g' || last == 'G' ? 1e9 : 1;
    if (unit != 1) text.remove_suffix(1);
  }
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  value *= unit;
  if (!(value >= 0 && value <= 0x1p53) || value != std::floor(value)) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

std::unique_ptr<Source> open_generator(std::string_view spec, bool numeric_labels) {
  const std::string_view body = spec.substr(std::min(spec.find(':') + 1, spec.size()));
  const std::size_t question = std::min(body.find('?'), body.size());
  const std::string_view name = body.substr(0, question);
  const auto entry = std::find_if(table().begin(), table().end(), [&](const auto& g) { return g.name == name; });
  if (entry == table().end()) {
    fail_spec(spec, fmt::format("unknown generator {}; known generators are {}", quoted(name), known_names()));
  }
  std::vector<double> common = defaults(kCommon), own = defaults(entry->parameters);
  common[kNoise] = entry->noise;
  auto common_parameters = kCommon;
  if (entry->classes == nullptr) common_parameters[kNoise].highest = kMostDeviation;
  std::string_view rest = body.substr(std::min(question + 1, body.size()));
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) fail_spec(spec, "expected name=value, found " + quoted(part));
    const std::string_view key = part.substr(0, equals), value = part.substr(equals + 1);
    if (!set_parameter(spec, key, value, common_parameters, common) &&
        !set_parameter(spec, key, value, entry->parameters, own)) {
      fail_spec(spec, fmt::format("{} has no parameter {}; it has {}", name, quoted(key), known_parameters(*entry)));
    }
  }
  return std::make_unique<GeneratorSource>(std::string(spec), *entry, common, own, numeric_labels);
}

}  // namespace kinglet
