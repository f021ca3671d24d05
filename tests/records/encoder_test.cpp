// The encoder: features of each kind, slots and buckets, missing values, and properties that learning relies on.
#include "records/encoder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <map>

#include "error_of.hpp"
#include "records/detect.hpp"
#include "records/schema.hpp"

namespace kinglet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using NewValues = RecordEncoder::NewValues;

constexpr float kUnit = RecordEncoder::kUnit;

std::shared_ptr<const Columns> columns_of(std::vector<ColumnPlan> plans, std::vector<std::string> names = {}) {
  auto schema = std::make_shared<Schema>();
  schema->columns = std::move(plans);
  lay_out(*schema);
  auto columns = std::make_shared<Columns>();
  columns->dimension = static_cast<std::uint32_t>(schema->columns.size());
  columns->features = std::move(names);
  columns->schema = std::move(schema);
  return columns;
}

ColumnPlan category(std::vector<std::string> values, std::uint32_t slots, std::uint32_t buckets = 2) {
  return {
      .kind = ColumnKind::category, .indicator = true, .slots = slots, .values = std::move(values), .buckets = buckets};
}

ColumnPlan days_since_1970() { return {.kind = ColumnKind::time, .origin = 0, .learned = LearnedTimes()}; }

// The features of the last row of a batch.
std::map<std::uint32_t, float> last_row(const Batch& batch) {
  std::map<std::uint32_t, float> row;
  for (auto k = batch.offsets[batch.offsets.size() - 2]; k < batch.offsets.back(); ++k)
    row[batch.indices[k]] = batch.values[k];
  return row;
}

std::map<std::uint32_t, float> encoded(RecordEncoder& encoder, const std::vector<std::string>& fields) {
  Batch batch;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].empty()) encoder.add_text(i, fields[i]);
  }
  encoder.append_to(batch);
  return last_row(batch);
}

using Row = std::map<std::uint32_t, float>;

TEST(Encoder, PutsNumbersFirst) {
  RecordEncoder encoder(
      columns_of(
          {category({"a"}, 3), {.kind = ColumnKind::number}, category({"x", "y"}, 2), {.kind = ColumnKind::number}}),
      NewValues::stay, std::nullopt);
  // 0, 1: the numbers; 2-4 slots, 5-6 buckets, 7 missing; 8-9 slots, 10-11 buckets, 12 missing.
  EXPECT_EQ(encoded(encoder, {"a", "7", "y", "0"}), (Row{{0, 7}, {1, 0}, {2, kUnit}, {9, kUnit}}));
  EXPECT_EQ(encoder.snapshot()->schema->dimension, 13U);
}

TEST(Encoder, ANewValueTakesAFreeSlotAndThenABucket) {
  RecordEncoder encoder(columns_of({category({"a"}, 2)}), NewValues::stay, std::nullopt);
  EXPECT_EQ(encoded(encoder, {"b"}), (Row{{1, kUnit}}));
  const auto hashed = encoded(encoder, {"c"});
  EXPECT_GE(hashed.begin()->first, 2U);
  EXPECT_LT(hashed.begin()->first, 4U);
  EXPECT_EQ(encoded(encoder, {"c"}), hashed);
  EXPECT_EQ(encoded(encoder, {"a"}), (Row{{0, kUnit}}));
  EXPECT_THAT(encoder.snapshot()->schema->columns[0].values, ElementsAre("a", "b"));
}

TEST(Encoder, WhenPredictingANewValueIsHashed) {
  const auto columns = columns_of({category({"a"}, 9)});
  RecordEncoder encoder(columns, NewValues::hash, std::nullopt);
  EXPECT_GE(encoded(encoder, {"b"}).begin()->first, 9U);
  EXPECT_EQ(encoder.snapshot(), columns);
}

TEST(Encoder, ASnapshotDoesNotChange) {
  RecordEncoder encoder(columns_of({category({}, 3)}), NewValues::stay, std::nullopt);
  encoded(encoder, {"a"});
  const auto early = encoder.snapshot();
  EXPECT_EQ(encoder.snapshot(), early);
  encoded(encoder, {"b"});
  EXPECT_THAT(early->schema->columns[0].values, ElementsAre("a"));
  EXPECT_THAT(encoder.snapshot()->schema->columns[0].values, ElementsAre("a", "b"));
  EXPECT_TRUE(continues(*early->schema, *encoder.snapshot()->schema));
  EXPECT_FALSE(continues(*encoder.snapshot()->schema, *early->schema));
}

// This is why a run can be resumed: rows that were encoded with the values known then are encoded alike later.
TEST(Encoder, LaterSnapshotsEncodeEarlierRowsAlike) {
  EXPECT_TRUE(rc::check([] {
    const auto first = columns_of({category({"0"}, 4), category({}, 3, 1)});
    RecordEncoder encoder(first, NewValues::stay, std::nullopt);
    const auto values = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 12));
    std::vector<Row> rows;
    for (const int value : values) rows.push_back(encoded(encoder, {std::to_string(value), std::to_string(value % 5)}));
    RecordEncoder learning(encoder.snapshot(), NewValues::stay, std::nullopt);
    RecordEncoder predicting(encoder.snapshot(), NewValues::hash, std::nullopt);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::vector<std::string> fields{std::to_string(values[i]), std::to_string(values[i] % 5)};
      RC_ASSERT(encoded(learning, fields) == rows[i]);
      RC_ASSERT(encoded(predicting, fields) == rows[i]);
    }
    RC_ASSERT(encoder.snapshot()->schema->columns[0].values.size() <= 4U);
  }));
}

TEST(Encoder, MarksAndCountsMissingValues) {
  const auto columns = columns_of({{.kind = ColumnKind::number, .indicator = true},
                                   {.kind = ColumnKind::number},
                                   category({"a"}, 1, 1),
                                   {.kind = ColumnKind::time, .indicator = true}});
  RecordEncoder encoder(columns, NewValues::stay, std::nullopt);
  Batch batch;
  encoder.append_to(batch);
  const Row row = last_row(batch);
  EXPECT_TRUE(std::isnan(row.at(0)) && std::isnan(row.at(1)) && std::isnan(row.at(2)));
  EXPECT_EQ(row.size(), 6U);
  EXPECT_EQ(row.at(3), kUnit);   // of the first column
  EXPECT_EQ(row.at(6), kUnit);   // of the category: 4 is its slot, 5 its bucket
  EXPECT_EQ(row.at(13), kUnit);  // of the time, behind its cycles
  EXPECT_THAT(encoder.missing(), ElementsAre(1, 1, 1, 1));
  RecordEncoder zero(columns, NewValues::stay, Missing::zero);
  EXPECT_EQ(encoded(zero, {}).at(1), 0);
}

TEST(Encoder, ATimeHasATrendAndCycles) {
  RecordEncoder encoder(columns_of({{.kind = ColumnKind::time, .origin = 86400}}), NewValues::stay, std::nullopt);
  const Row row = encoded(encoder, {"1970-01-05T06:00"});  // a Monday
  EXPECT_EQ(row.at(0), 3.25F);
  EXPECT_FLOAT_EQ(row.at(1), kUnit);  // sine of a quarter of the day
  EXPECT_NEAR(row.at(2), 0, 1e-6);
  EXPECT_FLOAT_EQ(row.at(3), kUnit * std::sin(2 * 3.14159265F * 0.25F / 7));
  RecordEncoder epoch(columns_of({{.kind = ColumnKind::time, .form = TimeForm::milliseconds, .origin = 86400}}),
                      NewValues::stay, std::nullopt);
  EXPECT_EQ(encoded(epoch, {std::to_string(367200000)}), row);
  Batch batch;
  epoch.add_number(0, 367200000);
  epoch.append_to(batch);
  EXPECT_EQ(last_row(batch), row);
}

TEST(Encoder, SaysWhatIsWrongWithAField) {
  RecordEncoder encoder(columns_of({{.kind = ColumnKind::number}, {.kind = ColumnKind::time}}), NewValues::stay,
                        std::nullopt);
  EXPECT_EQ(error_of([&] { encoder.add_text(0, "1O"); }), "is not a number");
  EXPECT_EQ(error_of([&] { encoder.add_text(0, "1e99"); }), "is out of range of a 32-bit float");
  EXPECT_EQ(error_of([&] { encoder.add_text(0, "inf"); }), "is not finite");
  EXPECT_THAT(error_of([&] { encoder.add_text(1, "yesterday"); }), HasSubstr("is not a date or time like"));
  EXPECT_EQ(error_of([&] { encoder.add_number(0, 1e300); }), "is out of range of a 32-bit float");
}

TEST(Encoder, RowsAreValidWhateverTheFieldsAre) {
  EXPECT_TRUE(rc::check([] {
    RecordEncoder encoder(columns_of({{.kind = ColumnKind::text, .buckets = 5},
                                      {.kind = ColumnKind::number, .indicator = true},
                                      category({}, 2),
                                      days_since_1970()}),
                          *rc::gen::element(NewValues::stay, NewValues::hash), std::nullopt);
    Batch batch;
    for (int i = 0; i < 5; ++i) {
      for (std::size_t column = 0; column < 4; ++column) {
        if (*rc::gen::element(true, false)) continue;
        try {
          encoder.add_text(column, *rc::gen::arbitrary<std::string>());
        } catch (const Error&) {
          encoder.begin();
        }
      }
      encoder.append_to(batch);
    }
    for (std::size_t row = 0; row < 5; ++row) {
      for (auto k = batch.offsets[row]; k < batch.offsets[row + 1]; ++k) {
        if (k > batch.offsets[row]) RC_ASSERT(batch.indices[k - 1] < batch.indices[k]);
        RC_ASSERT(batch.indices[k] < encoder.snapshot()->schema->dimension);
        RC_ASSERT(std::isfinite(batch.values[k]) || batch.indices[k] < 2);
      }
    }
  }));
}

TEST(Encoder, NamesItsFeatures) {
  const auto columns = columns_of({category({"a"}, 2, 1),
                                   {.kind = ColumnKind::number, .indicator = true},
                                   {.kind = ColumnKind::text, .buckets = 1}},
                                  {"job", "age", "note"});
  EXPECT_THAT(names_of_features(*columns),
              ElementsAre("age", "job=a", "job=(free 1)", "job#1", "job=?", "age=?", "note#1"));
  Columns nameless = *columns;
  nameless.features.clear();
  nameless.places = {2, 5, 6};
  EXPECT_THAT(names_of_features(nameless), ElementsAre("5", "2=a", "2=(free 1)", "2#1", "2=?", "5=?", "6#1"));
}

TEST(Encoder, LearnsTheRangeOfTimes) {
  const auto columns = columns_of({days_since_1970(), {.kind = ColumnKind::number}});
  RecordEncoder encoder(columns, NewValues::stay, std::nullopt);
  EXPECT_EQ(encoder.snapshot(), columns);
  EXPECT_EQ(encoded(encoder, {"1970-01-21", "1"}).at(0), 20);
  EXPECT_EQ(encoded(encoder, {"1970-01-11", "1"}).at(0), 10);
  encoder.add_text(0, "2024-01-01");
  encoder.begin();  // a record that is not appended
  const auto learned = encoder.snapshot();
  EXPECT_EQ(learned->schema->columns[0].learned, (LearnedTimes{.first = 10 * 86400.0, .last = 20 * 86400.0}));
  EXPECT_TRUE(continues(*columns->schema, *learned->schema));
  EXPECT_FALSE(continues(*learned->schema, *columns->schema));
  EXPECT_THAT(encoder.new_times(), ElementsAre(0, 0));
  EXPECT_EQ(encoded(encoder, {"1970-02-20", "1"}).at(0), 50);  // learning goes on beyond the range
}

TEST(Encoder, InPredictionANewTimeCountsAsALearnedOne) {
  ColumnPlan plan = days_since_1970();
  plan.learned = LearnedTimes{.first = 10 * 86400.0, .last = 40 * 86400.0};
  const auto columns = columns_of({plan});
  RecordEncoder learning(columns, NewValues::stay, std::nullopt);
  RecordEncoder predicting(columns, NewValues::hash, std::nullopt);
  EXPECT_EQ(encoded(predicting, {"1970-01-21T05:00"}), encoded(learning, {"1970-01-21T05:00"}));
  EXPECT_THAT(predicting.new_times(), ElementsAre(0));
  // A Friday long after is the last Friday of the range, in every cycle: a year was not learned.
  EXPECT_EQ(encoded(predicting, {"1970-07-17T05:00"}), encoded(learning, {"1970-02-06T05:00"}));
  EXPECT_THAT(predicting.new_times(), ElementsAre(1));
  EXPECT_EQ(predicting.snapshot(), columns);
  predicting.clear_counts();
  EXPECT_THAT(predicting.new_times(), ElementsAre(0));
  plan.learned.reset();  // a model of an earlier version
  RecordEncoder before(columns_of({plan}), NewValues::hash, std::nullopt);
  EXPECT_EQ(encoded(before, {"1970-07-17T05:00"}), encoded(learning, {"1970-07-17T05:00"}));
  EXPECT_THAT(before.new_times(), ElementsAre(0));
}

TEST(Encoder, TheSeasonGoesOnOnceAYearWasLearned) {
  ColumnPlan plan = days_since_1970();
  plan.learned = LearnedTimes{.first = 0, .last = 364 * 86400.0};
  const auto columns = columns_of({plan});
  RecordEncoder learning(columns, NewValues::stay, std::nullopt);
  RecordEncoder predicting(columns, NewValues::hash, std::nullopt);
  const Row row = encoded(predicting, {"1971-07-16T05:00"});  // a Friday in summer
  const Row last = encoded(learning, {"1970-12-25T05:00"});   // the last Friday
  const Row calendar = encoded(learning, {"1971-07-16T05:00"});
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(row.at(i), last.at(i)) << i;
  for (std::uint32_t i = 5; i < 7; ++i) EXPECT_EQ(row.at(i), calendar.at(i)) << i;
}

TEST(Encoder, RefusesTooManyFeatures) {
  Schema schema;
  schema.columns = {{.kind = ColumnKind::text, .buckets = 1u << 24}, {.kind = ColumnKind::number}};
  EXPECT_THAT(error_of([&] { lay_out(schema); }), HasSubstr("more than 16777216 features"));
}

}  // namespace
}  // namespace kinglet
