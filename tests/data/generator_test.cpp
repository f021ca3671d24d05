// The generators: their distributions, their parameters, and the errors for wrong specifications.
#include "data/generator.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "data/reading.hpp"
#include "test_data.hpp"

namespace kinglet {
namespace {

PlainData generate(const std::string& spec) { return read_all(*open_source(spec, {})); }

std::string error_of_spec(const std::string& spec) { return error_of_opening(spec); }

double share_of(const PlainData& data, const std::string& label) {
  double count = 0;
  for (const auto& row : data.rows) count += row.label == label;
  return count / static_cast<double>(data.rows.size());
}

TEST(Generator, EveryOneKeepsWhatItsEntrySays) {
  for (const auto& entry : generators()) {
    SCOPED_TRACE(entry.name);
    const auto data = generate(fmt::format("gen:{}?n=5000", entry.name));
    EXPECT_EQ(data.rows.size(), 5000u);
    EXPECT_EQ(data.dimension, entry.dimension);
    EXPECT_EQ(data.batch_sizes, (std::vector<std::size_t>{1024, 1024, 1024, 1024, 904}));
    std::vector<double> defaults;
    for (const auto& parameter : entry.parameters) {
      defaults.push_back(parameter.default_value);
      EXPECT_LE(parameter.lowest, parameter.default_value);
      EXPECT_LE(parameter.default_value, parameter.highest);
      EXPECT_FALSE(parameter.summary.empty());
      EXPECT_NE(error_of_spec(fmt::format("gen:{}?{}=x", entry.name, parameter.name)), "no error");
      EXPECT_EQ(error_of_spec(fmt::format("gen:{}?n=10&{}={}", entry.name, parameter.name, parameter.default_value)),
                "no error");
    }
    const bool numbers = entry.classes == nullptr;
    EXPECT_EQ(data.labels, numbers ? std::vector<std::string>() : entry.classes(defaults));
    const double least = entry.name == "ring" ? 0.04 : 0.1;  // the outliers of the ring are rare
    for (const auto& label : data.labels) EXPECT_GT(share_of(data, label), least) << label;
    for (const auto& row : data.rows) {
      ASSERT_EQ(row.target.has_value(), numbers);
      ASSERT_TRUE(!numbers || std::isfinite(*row.target));
      for (const auto& [feature, value] : row.features) ASSERT_TRUE(std::isfinite(value));
    }
  }
}

TEST(Generator, TheSeedDecidesAndRewindStartsAgain) {
  for (const auto& entry : generators()) {
    SCOPED_TRACE(entry.name);
    const std::string spec = fmt::format("gen:{}?n=3000", entry.name);
    const auto rows = generate(spec).rows;
    EXPECT_EQ(generate(spec + "&seed=1").rows, rows);
    EXPECT_NE(generate(spec + "&seed=2").rows, rows);
    const auto source = open_source(spec, {});
    PlainData data;
    Batch batch;
    ASSERT_TRUE(source->next(batch));
    append_batch(data, batch);
    source->rewind();
    data.rows.clear();
    while (source->next(batch)) append_batch(data, batch);
    EXPECT_EQ(data.rows, rows);
  }
}

TEST(Generator, MoreRowsOfOneSeedBeginWithTheSameRows) {
  for (const auto& entry : generators()) {
    const auto few = generate(fmt::format("gen:{}?n=1500", entry.name)).rows;
    auto many = generate(fmt::format("gen:{}?n=2500", entry.name)).rows;
    many.resize(few.size());
    EXPECT_EQ(few, many) << entry.name;
  }
}

TEST(Generator, NoiseChangesItsShareOfLabelsAndNothingElse) {
  for (const auto& entry : generators()) {
    if (entry.classes == nullptr) continue;  // for regression, see NoiseIsAddedToNumbersAndChangesNothingElse
    SCOPED_TRACE(entry.name);
    const auto clean = generate(fmt::format("gen:{}?n=20000&noise=0", entry.name)).rows;
    for (const double noise : {0.1, 0.5, 1.0}) {
      const auto noisy = generate(fmt::format("gen:{}?n=20000&noise={}", entry.name, noise)).rows;
      int changed = 0;
      for (std::size_t i = 0; i < clean.size(); ++i) {
        ASSERT_EQ(clean[i].features, noisy[i].features);
        changed += clean[i].label != noisy[i].label;
      }
      EXPECT_NEAR(changed, 20000 * noise, 5 * std::sqrt(20000 * noise * (1 - noise)) + 1e-9);
    }
  }
}

TEST(Generator, AnotherSeedGivesOtherNoise) {
  const auto flipped = [](const std::string& seed) {
    const auto clean = generate("gen:gauss?n=3000&seed=" + seed).rows;
    const auto noisy = generate("gen:gauss?n=3000&noise=0.5&seed=" + seed).rows;
    std::vector<bool> differs;
    for (std::size_t i = 0; i < clean.size(); ++i) differs.push_back(clean[i].label != noisy[i].label);
    return differs;
  };
  EXPECT_EQ(flipped("1"), flipped("1"));
  EXPECT_NE(flipped("1"), flipped("2"));
}

TEST(Generator, NoiseTakesEveryOtherClassEquallyOften) {
  const auto clean = generate("gen:waveform?n=30000").rows;
  const auto noisy = generate("gen:waveform?n=30000&noise=1").rows;
  std::map<std::pair<std::string, std::string>, int> moves;
  for (std::size_t i = 0; i < clean.size(); ++i) ++moves[{clean[i].label, noisy[i].label}];
  EXPECT_EQ(moves.size(), 6u);
  for (const auto& [move, count] : moves) EXPECT_NEAR(count, 5000, 5 * std::sqrt(5000)) << move.first << move.second;
}

TEST(Generator, TheCheckerboardAlternatesAndIsUniform) {
  std::array<std::array<int, 4>, 4> counts{};
  for (const auto& row : generate("gen:checkerboard?n=64000").rows) {
    const float x = row.features.at(0), y = row.features.at(1);
    ASSERT_GE(x, 0.0f);
    ASSERT_LT(x, 4.0f);
    ASSERT_GE(y, 0.0f);
    ASSERT_LT(y, 4.0f);
    ASSERT_EQ(row.label, (static_cast<int>(x) + static_cast<int>(y)) % 2 == 1 ? "1" : "-1");
    ++counts[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)];
  }
  for (const auto& line : counts) {
    for (const int count : line) EXPECT_NEAR(count, 4000, 5 * std::sqrt(4000));
  }
}

TEST(Generator, TheNoisyCheckerboardSwapsFifteenInAHundredUnlessToldOtherwise) {
  const auto board = generate("gen:checkerboard?n=40000").rows;
  const auto noisy = generate("gen:ncheckerboard?n=40000").rows;
  int changed = 0;
  for (std::size_t i = 0; i < board.size(); ++i) changed += board[i].label != noisy[i].label;
  EXPECT_NEAR(changed, 6000, 5 * std::sqrt(40000 * 0.15 * 0.85));
  EXPECT_EQ(generate("gen:ncheckerboard?n=2000&noise=0").rows, generate("gen:checkerboard?n=2000").rows);
}

struct Moments {
  std::vector<double> mean, variance;
  double rows = 0;
};

Moments moments_of(const PlainData& data, const std::string& label) {
  Moments m{std::vector<double>(data.dimension), std::vector<double>(data.dimension)};
  for (const auto& row : data.rows) {
    if (row.label != label) continue;
    m.rows += 1;
    for (const auto& [feature, value] : row.features) {
      m.mean[feature] += value;
      m.variance[feature] += static_cast<double>(value) * value;
    }
  }
  for (std::size_t i = 0; i < m.mean.size(); ++i) {
    m.mean[i] /= m.rows;
    m.variance[i] = m.variance[i] / m.rows - m.mean[i] * m.mean[i];
  }
  return m;
}

TEST(Generator, GaussHasTheMeansAndVariancesOfThePaper) {
  const auto data = generate("gen:gauss?n=100000&balance=0.3");
  EXPECT_NEAR(share_of(data, "1"), 0.3, 0.01);
  const Moments narrow = moments_of(data, "-1"), wide = moments_of(data, "1");
  EXPECT_NEAR(narrow.mean[0], 0, 0.02);
  EXPECT_NEAR(narrow.mean[1], 0, 0.02);
  EXPECT_NEAR(narrow.variance[0], 1, 0.03);
  EXPECT_NEAR(narrow.variance[1], 1, 0.03);
  EXPECT_NEAR(wide.mean[0], 2, 0.06);
  EXPECT_NEAR(wide.mean[1], 0, 0.06);
  EXPECT_NEAR(wide.variance[0], 4, 0.15);
  EXPECT_NEAR(wide.variance[1], 4, 0.15);
}

TEST(Generator, WaveformHasTheMomentsOfTheFixedSetOfUci) {
  const auto file = test_data("waveform21.xz");
  if (!file) GTEST_SKIP() << no_test_data("waveform21.xz");
  const auto real = read_all(*open_source(*file, {})), made = generate("gen:waveform?n=50000");
  for (const std::string label : {"0", "1", "2"}) {
    const Moments a = moments_of(real, label), b = moments_of(made, label);
    EXPECT_NEAR(b.rows / 50000, 1.0 / 3, 0.01);
    for (std::size_t i = 0; i < 21; ++i) {
      EXPECT_NEAR(a.mean[i], b.mean[i], 5 * std::sqrt(b.variance[i] / a.rows)) << label << " feature " << i + 1;
      EXPECT_NEAR(a.variance[i] / b.variance[i], 1, 5 * std::sqrt(2 / a.rows)) << label << " feature " << i + 1;
    }
  }
}

TEST(Generator, WaveformOfTwoClassesIsClassOneAgainstTheRest) {
  const auto three = generate("gen:waveform?n=3000").rows, two = generate("gen:waveform?n=3000&classes=2").rows;
  for (std::size_t i = 0; i < three.size(); ++i) {
    ASSERT_EQ(three[i].features, two[i].features);
    ASSERT_EQ(two[i].label, three[i].label == "1" ? "1" : "-1");
  }
}

TEST(Generator, SpiralsAreMirrorImagesOnTheirArms) {
  for (const auto& row : generate("gen:two-spirals?n=5000&spread=0&turns=2").rows) {
    const double side = row.label == "1" ? 1 : -1;
    const double x = side * row.features.at(0), y = side * row.features.at(1);
    const double radius = std::hypot(x, y), angle = 2 * 3.14159265358979 * 2 * radius;
    ASSERT_LE(radius, 1 + 1e-6);
    ASSERT_NEAR(x, radius * std::cos(angle), 1e-4);
    ASSERT_NEAR(y, radius * std::sin(angle), 1e-4);
  }
}

TEST(Generator, SeaChangesItsThresholdEveryPeriod) {
  const auto rows = generate("gen:sea?n=10000&drift=1500&noise=0").rows;
  const std::array<double, 4> thresholds = {8, 9, 7, 9.5};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double sum = static_cast<double>(rows[i].features.at(0)) + rows[i].features.at(1);
    const double threshold = thresholds[i / 1500 % 4];
    if (std::abs(sum - threshold) < 1e-5) continue;
    ASSERT_EQ(rows[i].label, sum <= threshold ? "1" : "-1") << i;
  }
}

TEST(Generator, TheRotatingBoardTurnsOnceInAPeriod) {
  // drift=4 is a full turn every 4 rows, so the angles are 0°, 90°, 180° and 270°.
  const auto rows = generate("gen:rotating-checkerboard?n=4000&drift=4").rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double x = rows[i].features.at(0), y = rows[i].features.at(1);
    for (std::size_t turn = 0; turn < i % 4; ++turn) std::tie(x, y) = std::tuple(y, -x);
    const double column = std::floor(2 * x), line = std::floor(2 * y);
    if (std::abs(2 * x - std::round(2 * x)) < 1e-5 || std::abs(2 * y - std::round(2 * y)) < 1e-5) continue;
    ASSERT_EQ(rows[i].label, std::fmod(column + line + 8, 2) == 1 ? "1" : "-1") << i;
  }
}

// The error of a rule that knows the concept of every row.
template <class Rule>
double error_of_rule(const PlainData& data, const Rule& rule) {
  double wrong = 0;
  for (std::size_t row = 0; row < data.rows.size(); ++row) {
    const auto& features = data.rows[row].features;
    const auto at = [&](std::size_t f) {
      for (const auto& [feature, value] : features) {
        if (feature == f) return static_cast<double>(value);
      }
      return 0.0;
    };
    wrong += rule(row, at) != data.rows[row].label;
  }
  return wrong / static_cast<double>(data.rows.size());
}

double known_best_error(std::string_view name) {
  const auto entry = std::ranges::find(generators(), name, &GeneratorEntry::name);
  std::vector<double> values;
  for (const auto& parameter : entry->parameters) values.push_back(parameter.default_value);
  return best_error(*entry, values, entry->noise).value();
}

TEST(Generator, MovingGaussiansHaveTheirBestError) {
  const auto data = generate("gen:moving-gaussians?n=60000");
  const auto nearest = [](std::size_t row, const auto& at) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(row) / 20000;
    return std::cos(angle) * at(0) + std::sin(angle) * at(1) > 0 ? "-1" : "1";
  };
  EXPECT_NEAR(error_of_rule(data, nearest), known_best_error("moving-gaussians"), 0.003);
  const auto resting = [](std::size_t, const auto& at) { return at(0) > 0 ? "-1" : "1"; };
  EXPECT_GT(error_of_rule(data, resting), 0.4);
}

TEST(Generator, MovingGaussiansRestAfterAFastChange) {
  const auto data = generate("gen:moving-gaussians?n=20000&drift=1000&speed=1000&spread=0.1");
  EXPECT_LT(error_of_rule(data, [](std::size_t, const auto& at) { return at(0) > 0 ? "-1" : "1"; }), 0.003);
}

TEST(Generator, InterchangingGaussiansHaveTheirBestErrorAndExchangeClasses) {
  const auto data = generate("gen:interchanging-gaussians?n=60000");
  const auto rule = [](std::size_t row, const auto& at) { return (at(0) > 0) == (row / 5000 % 2 == 0) ? "0" : "1"; };
  EXPECT_NEAR(error_of_rule(data, rule), known_best_error("interchanging-gaussians"), 0.003);
  EXPECT_EQ(generate("gen:interchanging-gaussians?n=900&classes=7").labels.size(), 7U);
}

// With speed 2 a change takes half of the period; in its middle, half of the rows are of the new concept.
TEST(Generator, SlowChangesMixTwoConcepts) {
  const auto data = generate("gen:interchanging-gaussians?n=20000&drift=10000&speed=2&spread=0.1");
  const auto share_of_new = [&](std::size_t begin, std::size_t end) {
    const PlainData part{.rows = {data.rows.begin() + static_cast<std::ptrdiff_t>(begin),
                                  data.rows.begin() + static_cast<std::ptrdiff_t>(end)}};
    return error_of_rule(part, [](std::size_t, const auto& at) { return at(0) > 0 ? "0" : "1"; });
  };
  EXPECT_EQ(share_of_new(0, 10000), 0);
  EXPECT_NEAR(share_of_new(10000, 10500), 0.05, 0.03);
  EXPECT_NEAR(share_of_new(12000, 13000), 0.5, 0.06);
  EXPECT_EQ(share_of_new(15000, 20000), 1);
}

TEST(Generator, RecurringConceptsAreTheirFormulas) {
  const auto data = generate("gen:recurring?n=20000");
  const auto rule = [](std::size_t row, const auto& at) {
    const double a = at(0), b = at(1);
    const std::size_t number = row / 5000 % 3;
    const bool in_circle = std::hypot(a - 0.5, b - 0.5) < std::sqrt(0.5 / std::numbers::pi);
    return (number == 0 ? b > a : number == 1 ? in_circle : (a < 0.5) != (b < 0.5)) ? "1" : "-1";
  };
  EXPECT_LT(error_of_rule(data, rule), 1e-4);  // points at a border may round to the other side
  EXPECT_EQ(known_best_error("recurring"), 0);
}

// The difference of the classes' means points along the weights, which belong to a concept, not to a seed.
TEST(Generator, TheHyperplaneTurnsFromConceptToConcept) {
  const auto direction = [](const PlainData& data, std::size_t begin, std::size_t end) {
    std::array<double, 10> sum{};
    for (std::size_t row = begin; row < end; ++row) {
      const double sign = data.rows[row].label == "1" ? 1 : -1;
      for (const auto& [feature, value] : data.rows[row].features)
        sum[feature] += sign * (static_cast<double>(value) - 0.5);
    }
    return sum;
  };
  const auto cosine = [](const std::array<double, 10>& a, const std::array<double, 10>& b) {
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t f = 0; f < 10; ++f) {
      ab += a[f] * b[f];
      aa += a[f] * a[f];
      bb += b[f] * b[f];
    }
    return ab / std::sqrt(aa * bb);
  };
  const auto one = generate("gen:hyperplane?n=20000&speed=1000000");
  const auto other = generate("gen:hyperplane?n=20000&speed=1000000&seed=2");
  EXPECT_GT(cosine(direction(one, 0, 10000), direction(other, 0, 10000)), 0.99);
  EXPECT_GT(cosine(direction(one, 10000, 20000), direction(other, 10000, 20000)), 0.99);
  EXPECT_LT(cosine(direction(one, 0, 10000), direction(one, 10000, 20000)), 0.9);
  const auto slow = generate("gen:hyperplane?n=20000");
  const double near = cosine(direction(slow, 0, 2000), direction(slow, 2000, 4000));
  EXPECT_GT(near, cosine(direction(slow, 0, 2000), direction(slow, 8000, 10000)));
}

TEST(Generator, BestErrorsAreKnownWithNoise) {
  EXPECT_EQ(known_best_error("ncheckerboard"), 0.15);
  EXPECT_EQ(known_best_error("sea"), 0.1);
  const auto entry = std::ranges::find(generators(), "moving-gaussians", &GeneratorEntry::name);
  const std::vector<double> values{1000, 1, 0.5};
  const double without = best_error(*entry, values, 0).value();
  EXPECT_NEAR(without, 0.02275, 1e-5);
  EXPECT_NEAR(best_error(*entry, values, 0.1).value(), without * 0.9 + (1 - without) * 0.1, 1e-12);
  EXPECT_EQ(best_error(*entry, values, 0.6), std::nullopt);
}

TEST(Generator, FriedmanIsItsFormula) {
  for (const auto& row : generate("gen:friedman?n=3000&noise=0").rows) {
    const auto x = [&](std::uint32_t i) { return static_cast<double>(row.features.at(i - 1)); };
    for (std::uint32_t i = 1; i <= 10; ++i) ASSERT_TRUE(x(i) >= 0 && x(i) <= 1);
    const double bowl = (x(3) - 0.5) * (x(3) - 0.5);
    ASSERT_NEAR(*row.target, 10 * std::sin(3.14159265358979 * x(1) * x(2)) + 20 * bowl + 10 * x(4) + 5 * x(5), 1e-4);
  }
}

TEST(Generator, PricesAreTheirFormula) {
  for (const auto& row : generate("gen:prices?n=3000&noise=0").rows) {
    const auto x = [&](std::uint32_t i) { return static_cast<double>(row.features.at(i)); };
    for (std::uint32_t i = 0; i < 3; ++i) ASSERT_TRUE(x(i) >= -2 && x(i) <= 2);
    ASSERT_NEAR(*row.target, 3e5 + 5e4 * (std::sin(2 * x(0)) + x(1) * x(1) / 2 - x(2) / 2) / 1.2, 0.2);
  }
}

TEST(Generator, NoiseIsAddedToNumbersAndChangesNothingElse) {
  const auto clean = generate("gen:friedman?n=20000&noise=0").rows;
  EXPECT_EQ(generate("gen:friedman?n=20000").rows, generate("gen:friedman?n=20000&noise=1").rows);
  for (const double deviation : {1.0, 30.0}) {
    const auto noisy = generate(fmt::format("gen:friedman?n=20000&noise={}", deviation)).rows;
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < clean.size(); ++i) {
      ASSERT_EQ(clean[i].features, noisy[i].features);
      const double added = static_cast<double>(*noisy[i].target) - static_cast<double>(*clean[i].target);
      sum += added;
      squares += added * added;
    }
    EXPECT_NEAR(sum / 20000, 0, 5 * deviation / std::sqrt(20000));
    EXPECT_NEAR(std::sqrt(squares / 20000), deviation, 5 * deviation / std::sqrt(2 * 20000));
  }
}

TEST(Generator, TheRingHasItsShareOfOutliers) {
  const auto data = generate("gen:ring?n=20000&outliers=0.2&spread=0.05");
  EXPECT_NEAR(share_of(data, "-1"), 0.2, 0.015);
  double far = 0;
  for (const auto& row : data.rows) {
    const float x = row.features.at(0), y = row.features.at(1);
    if (row.label == "1") {
      ASSERT_NEAR(std::hypot(x, y), 1, 0.3);
    } else {
      ASSERT_TRUE(std::abs(x) <= 2 && std::abs(y) <= 2);
      far += std::abs(std::hypot(x, y) - 1) > 0.3;
    }
  }
  EXPECT_NEAR(far / 4000, 1 - 3.14159 * (1.3 * 1.3 - 0.7 * 0.7) / 16, 0.04);  // area outside 0.7 < r < 1.3
}

TEST(Generator, GivesClassesAsNumbersWhenAsked) {
  const auto classes = generate("gen:waveform?n=2000").rows;
  SourceOptions options;
  options.numeric_labels = true;
  const auto numbers = read_all(*open_source("gen:waveform?n=2000", options));
  EXPECT_TRUE(numbers.labels.empty());
  for (std::size_t i = 0; i < classes.size(); ++i) {
    ASSERT_EQ(numbers.rows[i].features, classes[i].features);
    ASSERT_EQ(fmt::format("{}", numbers.rows[i].target.value()), classes[i].label);
  }
}

TEST(Generator, KnowsHowManyRowsItHas) {
  EXPECT_EQ(open_source("gen:gauss?n=1234", {})->rows(), 1234u);
  EXPECT_EQ(open_source("gen:gauss", {})->rows(), std::nullopt);
  EXPECT_EQ(read_ahead(open_source("gen:gauss?n=5", {}))->rows(), 5u);
}

TEST(Generator, WithoutNAStreamNeverEnds) {
  const auto source = open_source("gen:checkerboard", {});
  Batch batch;
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(source->next(batch));
  EXPECT_EQ(batch.rows(), kBatchRows);
  EXPECT_EQ(source->progress(), std::nullopt);
  source->stop();
  EXPECT_FALSE(source->next(batch));
}

TEST(Generator, CountsAreReadAsPeopleWriteThem) {
  EXPECT_EQ(parse_count("10000000"), 10000000u);
  EXPECT_EQ(parse_count("1e7"), 10000000u);
  EXPECT_EQ(parse_count("10M"), 10000000u);
  EXPECT_EQ(parse_count("2k"), 2000u);
  EXPECT_EQ(parse_count("1.5G"), 1500000000u);
  EXPECT_EQ(parse_count("0"), 0u);
  for (const char* text : {"", "M", "1.5", "-1", "1e300", "nan", "inf", "10MM", "10 ", "0x10", "1e-3"}) {
    EXPECT_EQ(parse_count(text), std::nullopt) << text;
  }
}

TEST(Generator, OfAParameterGivenTwiceTheLastCounts) {
  EXPECT_EQ(generate("gen:gauss?n=7&seed=3&n=9").rows, generate("gen:gauss?n=9&seed=3").rows);
}

TEST(Generator, AWrongSpecificationIsAnsweredWithWhatThereIs) {
  EXPECT_EQ(
      error_of_spec("gen:chess"),
      "gen:chess: unknown generator 'chess'; known generators are checkerboard, ncheckerboard, gauss, waveform, "
      "two-spirals, ring, friedman, prices, sea, rotating-checkerboard, moving-gaussians, interchanging-gaussians, "
      "hyperplane, recurring");
  EXPECT_EQ(error_of_spec("gen:gauss?sigma=2"),
            "gen:gauss?sigma=2: gauss has no parameter 'sigma'; it has n, seed, noise, balance");
  EXPECT_EQ(error_of_spec("gen:gauss?n=0"),
            "gen:gauss?n=0: n must be a whole number from 1 to 9007199254740992, not '0'");
  EXPECT_EQ(error_of_spec("gen:gauss?noise=1.5"), "gen:gauss?noise=1.5: noise must be a number from 0 to 1, not '1.5'");
  EXPECT_EQ(error_of_spec("gen:gauss?noise=nan"), "gen:gauss?noise=nan: noise must be a number from 0 to 1, not 'nan'");
  EXPECT_EQ(error_of_spec("gen:gauss?n"), "gen:gauss?n: expected name=value, found 'n'");
  EXPECT_EQ(error_of_spec("gen:"),
            "gen:: unknown generator ''; known generators are checkerboard, ncheckerboard, gauss, waveform, "
            "two-spirals, ring, friedman, prices, sea, rotating-checkerboard, moving-gaussians, "
            "interchanging-gaussians, hyperplane, recurring");
}

}  // namespace
}  // namespace kinglet
