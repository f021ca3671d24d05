// Scaler: a comparison with a slow reference that keeps every row; batches, new features, saving.
#include "learn/scaler.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

#include "kinglet/error.hpp"
#include "learn/rows_of.hpp"

namespace kinglet {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
constexpr ScaleKind kKinds[] = {ScaleKind::standard, ScaleKind::minmax, ScaleKind::unit, ScaleKind::none};

Table slice(const Table& table, std::size_t begin, std::size_t n) {
  return {table.begin() + static_cast<std::ptrdiff_t>(begin), table.begin() + static_cast<std::ptrdiff_t>(begin + n)};
}

Table learned(Scaler& scaler, const Table& table, bool as_sparse) {
  RowBuffer buffer;
  return table_of(scaler.learn(TableRows(table).in_form(as_sparse), buffer));
}

Table transformed(const Scaler& scaler, const Table& table, bool as_sparse = false) {
  RowBuffer buffer;
  return table_of(scaler.transform(TableRows(table).in_form(as_sparse), buffer));
}

Scaler begun(ScaleKind kind, bool sparse, const Table& head, bool as_sparse) {
  Scaler scaler(kind, sparse, static_cast<std::uint32_t>(head[0].size()));
  scaler.begin(TableRows(head).in_form(as_sparse));
  return scaler;
}

// Keeps every row and recomputes all statistics each time, in double precision.
class Reference {
 public:
  Reference(ScaleKind kind, bool sparse, const Table& head) : kind_(kind), sparse_(sparse), seen_(head) { refresh(); }

  std::vector<double> learn(const std::vector<float>& row) {
    const auto filled = fill(row);
    seen_.push_back(row);
    if (seen_.size() == next_) refresh();
    return scaled(filled);
  }
  std::vector<double> transform(const std::vector<float>& row) const { return scaled(fill(row)); }

 private:
  std::vector<double> present(std::size_t f) const {
    std::vector<double> values;
    for (const auto& row : seen_) {
      if (!std::isnan(row[f])) values.push_back(static_cast<double>(row[f]));
    }
    return values;
  }
  static double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += v;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
  }
  std::vector<double> fill(const std::vector<float>& row) const {
    std::vector<double> filled(row.begin(), row.end());
    for (std::size_t f = 0; f < row.size(); ++f) {
      if (std::isnan(row[f])) filled[f] = mean(present(f));
    }
    return filled;
  }
  void refresh() {
    next_ = seen_.size() + std::max<std::size_t>(1, seen_.size() / 100);
    const std::size_t dimension = seen_[0].size();
    shift_.assign(dimension, 0);
    width_.assign(dimension, 0);
    for (std::size_t f = 0; f < dimension; ++f) {
      const auto values = present(f);
      if (values.empty()) continue;
      if (kind_ == ScaleKind::standard) {
        const double center = mean(values);
        double squares = 0;
        for (const double v : values) squares += (v - center) * (v - center);
        shift_[f] = sparse_ ? 0 : center;
        width_[f] = std::sqrt(squares / static_cast<double>(values.size()));
      } else {
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        shift_[f] = sparse_ ? 0 : (*low + *high) / 2;
        width_[f] = sparse_ ? std::max(-*low, *high) : (*high - *low) / 2;
      }
    }
  }
  std::vector<double> scaled(std::vector<double> row) const {
    if (kind_ == ScaleKind::unit) {
      double squares = 0;
      for (const double v : row) squares += v * v;
      for (double& v : row) v = squares > 0 ? v / std::sqrt(squares) : 0;
    } else if (kind_ != ScaleKind::none) {
      for (std::size_t f = 0; f < row.size(); ++f) row[f] = width_[f] > 0 ? (row[f] - shift_[f]) / width_[f] : 0;
    }
    return row;
  }

  ScaleKind kind_;
  bool sparse_;
  Table seen_;
  std::size_t next_ = 0;
  std::vector<double> shift_;
  std::vector<double> width_;
};

void expect_near(const std::vector<float>& row, const std::vector<double>& expected) {
  RC_ASSERT(row.size() == expected.size());
  for (std::size_t f = 0; f < row.size(); ++f) {
    RC_ASSERT(std::abs(static_cast<double>(row[f]) - expected[f]) <= 2e-5 * (1 + std::abs(expected[f])));
  }
}

TEST(Scaler, AgreesWithAReferenceThatKeepsEveryRow) {
  EXPECT_TRUE(rc::check([] {
    const auto kind = *rc::gen::elementOf(std::vector<ScaleKind>(std::begin(kKinds), std::end(kKinds)));
    const bool sparse = *rc::gen::arbitrary<bool>();
    const bool as_sparse = *rc::gen::arbitrary<bool>();
    const bool with_missing = *rc::gen::arbitrary<bool>();
    Random random(*rc::gen::arbitrary<std::uint32_t>());
    const std::size_t dimension = 1 + random.below(9);
    const std::size_t head = 1 + random.below(60);
    Table table = random_table(random, head + random.below(250), dimension, 0.3);
    if (with_missing) {
      for (auto& row : table) {
        for (float& value : row) value = random.coin(0.1) ? kMissing : value;
      }
    }
    Scaler scaler = begun(kind, sparse, slice(table, 0, head), as_sparse);
    Reference reference(kind, sparse, slice(table, 0, head));
    for (std::size_t i = 0; i < head; ++i) {
      expect_near(transformed(scaler, slice(table, i, 1), as_sparse)[0], reference.transform(table[i]));
    }
    const Table rest = learned(scaler, slice(table, head, table.size() - head), as_sparse);
    for (std::size_t i = head; i < table.size(); ++i) expect_near(rest[i - head], reference.learn(table[i]));
  }));
}

TEST(Scaler, GivesTheSameResultHoweverRowsAreCutIntoBatches) {
  EXPECT_TRUE(rc::check([] {
    const auto kind = *rc::gen::elementOf(std::vector<ScaleKind>(std::begin(kKinds), std::end(kKinds)));
    const bool sparse = *rc::gen::arbitrary<bool>();
    Random random(*rc::gen::arbitrary<std::uint32_t>());
    Table table = random_table(random, 400, 1 + random.below(6), 0.2);
    for (auto& row : table) {
      if (random.coin(0.05)) row[0] = kMissing;
    }
    Scaler whole = begun(kind, sparse, slice(table, 0, 20), false);
    Scaler cut = whole;
    const Table expected = learned(whole, slice(table, 20, 380), false);
    for (std::size_t at = 20; at < table.size();) {
      const std::size_t n = std::min<std::size_t>(1 + random.below(50), table.size() - at);
      const Table part = learned(cut, slice(table, at, n), false);
      for (std::size_t i = 0; i < n; ++i) RC_ASSERT(part[i] == expected[at + i - 20]);
      at += n;
    }
    StateWriter a, b;
    whole.save(a);
    cut.save(b);
    RC_ASSERT(a.bytes() == b.bytes());
  }));
}

TEST(Scaler, BringsTheHeadToMeanZeroAndDeviationOne) {
  Random random(1);
  const Table head = random_table(random, 1000, 3);
  const Table out = transformed(begun(ScaleKind::standard, false, head, false), head);
  for (std::size_t f = 0; f < 3; ++f) {
    double sum = 0, squares = 0;
    for (const auto& row : out) sum += static_cast<double>(row[f]), squares += static_cast<double>(row[f] * row[f]);
    EXPECT_NEAR(sum / 1000, 0, 1e-5);
    EXPECT_NEAR(squares / 1000, 1, 1e-5);
  }
}

TEST(Scaler, BringsTheHeadIntoTheUnitCube) {
  Random random(2);
  const Table head = random_table(random, 100, 2);
  const Table out = transformed(begun(ScaleKind::minmax, false, head, false), head);
  for (std::size_t f = 0; f < 2; ++f) {
    float low = 1e9F, high = -1e9F;
    for (const auto& row : out) low = std::min(low, row[f]), high = std::max(high, row[f]);
    EXPECT_NEAR(low, -1, 1e-6);
    EXPECT_NEAR(high, 1, 1e-6);
  }
}

TEST(Scaler, IsExactWhereTheMeanDwarfsTheDeviation) {
  Random random(3);
  Table table(3000, std::vector<float>(1));
  for (auto& row : table) row[0] = static_cast<float>(16'000'000 + 3 * std::round(random.normal()));
  Scaler scaler = begun(ScaleKind::standard, false, slice(table, 0, 1000), false);
  Reference reference(ScaleKind::standard, false, slice(table, 0, 1000));
  const Table out = learned(scaler, slice(table, 1000, 2000), false);
  // The shift is a float, and near 16 million floats are whole numbers.
  for (std::size_t i = 0; i < 2000; ++i)
    EXPECT_NEAR(static_cast<double>(out[i][0]), reference.learn(table[1000 + i])[0], 0.2);
}

TEST(Scaler, MapsAConstantFeatureToZero) {
  for (const bool sparse : {false, true}) {
    for (const ScaleKind kind : {ScaleKind::standard, ScaleKind::minmax}) {
      if (sparse && kind == ScaleKind::minmax) continue;  // only divides by the largest absolute value
      const Table table(500, {0.1F, -7e7F, 0});
      Scaler scaler = begun(kind, sparse, slice(table, 0, 10), false);
      for (const auto& row : learned(scaler, slice(table, 10, 490), false)) EXPECT_EQ(row, std::vector<float>(3, 0));
    }
  }
}

TEST(Scaler, KeepsZerosZeroInSparseForm) {
  Random random(4);
  const Table table = random_table(random, 200, 20, 0.9);
  for (const ScaleKind kind : kKinds) {
    Scaler scaler = begun(kind, true, slice(table, 0, 50), true);
    RowBuffer buffer;
    const TableRows rest(slice(table, 50, 150));
    const Rows out = scaler.learn(rest.sparse(), buffer);
    for (std::size_t i = 0; i < out.count; ++i) {
      EXPECT_LE(out[i].count, rest.sparse()[i].count);
      EXPECT_TRUE(out[i].is_sparse());
      for (std::uint32_t k = 0; k < out[i].count; ++k) EXPECT_NE(table[50 + i][out[i].indices[k]], 0);
    }
  }
}

TEST(Scaler, ScattersSparseRowsIntoDenseOnes) {
  Random random(5);
  const Table table = random_table(random, 300, 11, 0.7);
  for (const ScaleKind kind : kKinds) {
    Scaler from_dense = begun(kind, false, slice(table, 0, 50), false);
    Scaler from_sparse = begun(kind, false, slice(table, 0, 50), true);
    EXPECT_EQ(learned(from_dense, slice(table, 50, 250), false), learned(from_sparse, slice(table, 50, 250), true));
  }
}

TEST(Scaler, GrowsAsIfTheNewFeaturesHadAlwaysBeenZero) {
  Random random(6);
  Table wide = random_table(random, 600, 5, 0.5);
  for (std::size_t i = 0; i < 300; ++i) wide[i][3] = wide[i][4] = 0;
  Table narrow = slice(wide, 0, 300);
  for (auto& row : narrow) row.resize(3);
  for (const ScaleKind kind : kKinds) {
    for (const bool sparse : {false, true}) {
      Scaler known = begun(kind, sparse, slice(wide, 0, 100), true);
      Scaler grown = begun(kind, sparse, slice(narrow, 0, 100), true);
      learned(known, slice(wide, 100, 200), true);
      learned(grown, slice(narrow, 100, 200), true);
      grown.grow(5);
      EXPECT_EQ(learned(known, slice(wide, 300, 300), true), learned(grown, slice(wide, 300, 300), true));
    }
  }
}

TEST(Scaler, IgnoresFeaturesBeyondItsDimensionWhenItOnlyTransforms) {
  Random random(7);
  const Table wide = random_table(random, 100, 4, 0.2);
  Table narrow = wide;
  for (auto& row : narrow) row.resize(2);
  for (const bool sparse : {false, true}) {
    const Scaler scaler = begun(ScaleKind::standard, sparse, narrow, false);
    EXPECT_EQ(transformed(scaler, wide, true), transformed(scaler, narrow, true));
    EXPECT_EQ(transformed(scaler, wide, false), transformed(scaler, narrow, false));
  }
}

TEST(Scaler, TakesRowsThatAreTooShortForRowsThatEndInZeros) {
  Random random(8);
  const Table wide = random_table(random, 100, 4);
  Table padded = slice(wide, 0, 20);
  Table narrow = padded;
  for (auto& row : narrow) row.resize(2);
  for (auto& row : padded) row[2] = row[3] = 0;
  const Scaler scaler = begun(ScaleKind::standard, false, wide, false);
  EXPECT_EQ(transformed(scaler, narrow), transformed(scaler, padded));
}

TEST(Scaler, ReplacesAMissingValueByTheMeanSoFar) {
  Scaler scaler = begun(ScaleKind::none, false, {{1, 10}, {3, kMissing}, {kMissing, 20}}, false);
  EXPECT_EQ(transformed(scaler, {{kMissing, kMissing}}), (Table{{2, 15}}));
  EXPECT_EQ(learned(scaler, {{5, 15}, {kMissing, 1}}, false), (Table{{5, 15}, {3, 1}}));
  EXPECT_EQ(transformed(scaler, {{kMissing, kMissing}}), (Table{{3, 11.5F}}));
}

TEST(Scaler, MapsAFeatureThatIsAlwaysMissingToZero) {
  for (const ScaleKind kind : kKinds) {
    Scaler scaler = begun(kind, false, {{kMissing}, {kMissing}}, false);
    EXPECT_EQ(learned(scaler, {{kMissing}}, false), (Table{{0}}));
  }
}

TEST(Scaler, HoldsItsStatisticsOnceToldTo) {
  Random random(9);
  const Table table = random_table(random, 300, 3);
  for (const ScaleKind kind : kKinds) {
    Scaler scaler = begun(kind, false, slice(table, 0, 100), false);
    learned(scaler, slice(table, 100, 55), false);
    scaler.hold();
    const Table first = transformed(scaler, table);
    EXPECT_EQ(learned(scaler, table, false), first);
    EXPECT_EQ(transformed(scaler, table), first);
    // The held statistics include all 155 rows, although the last regular refresh was earlier.
    Reference reference(kind, false, slice(table, 0, 155));
    for (std::size_t f = 0; f < 3; ++f) {
      EXPECT_NEAR(static_cast<double>(first[200][f]), reference.transform(table[200])[f], 1e-4);
    }
  }
}

TEST(Scaler, GivesFiniteNumbersWhateverComesIn) {
  constexpr float kHuge = std::numeric_limits<float>::max();
  for (const ScaleKind kind : kKinds) {
    for (const bool sparse : {false, true}) {
      Scaler scaler = begun(kind, sparse, {{-kHuge, 1e-30F, -kHuge}, {-kHuge, 1.1e-30F, kHuge}}, false);
      for (const Table& table : {learned(scaler, Table(300, {kHuge, 1e30F, kMissing}), false),
                                 transformed(scaler, {{kHuge, -kHuge, 0}, {1e-45F, 1e-45F, kMissing}})}) {
        for (const auto& row : table) {
          for (const float value : row) EXPECT_LE(std::abs(value), Scaler::kMost);
        }
      }
    }
  }
}

TEST(Scaler, GoesOnAfterSavingAsIfNothingHadHappened) {
  Random random(10);
  Table table = random_table(random, 500, 4, 0.3);
  table[120][1] = table[30][2] = kMissing;
  for (const ScaleKind kind : kKinds) {
    for (const bool sparse : {false, true}) {
      Scaler scaler = begun(kind, sparse, slice(table, 0, 100), false);
      learned(scaler, slice(table, 100, 133), false);
      StateWriter out;
      scaler.save(out);
      Scaler restored(kind, sparse, 0);
      StateReader in(out.bytes());
      restored.load(in);
      EXPECT_TRUE(in.at_end());
      EXPECT_EQ(restored.dimension(), 4u);
      EXPECT_EQ(learned(scaler, slice(table, 233, 267), false), learned(restored, slice(table, 233, 267), false));
      scaler.hold();
      restored.hold();
      EXPECT_EQ(transformed(scaler, {{1, 2, 3, 4}}), transformed(restored, {{1, 2, 3, 4}}));
    }
  }
}

TEST(Scaler, RefusesDamagedStatistics) {
  Scaler scaler = begun(ScaleKind::standard, false, {{1, 2}, {3, 4}}, false);
  StateWriter out;
  scaler.save(out);
  for (std::size_t length = 0; length < out.bytes().size(); ++length) {
    StateReader in(std::string_view(out.bytes()).substr(0, length));
    Scaler restored(ScaleKind::standard, false, 0);
    EXPECT_THROW(restored.load(in), Error);
  }
  StateReader in(out.bytes());
  Scaler other(ScaleKind::minmax, false, 0);
  EXPECT_THROW(other.load(in), Error);
}

}  // namespace
}  // namespace kinglet
