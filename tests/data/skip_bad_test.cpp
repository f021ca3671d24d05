// Rows with errors: all rows before the error come first, and with skip_bad the rows after it, too.
#include <gtest/gtest.h>

#include "data/reading.hpp"
#include "data/text_source.hpp"

namespace kinglet {
namespace {

struct Reading {
  PlainData data;
  SkippedRows skipped;
  std::string error;  // empty: none
};

Reading read_with(std::unique_ptr<Source> source) {
  Reading result;
  try {
    for (Batch batch; source->next(batch);) append_batch(result.data, batch);
  } catch (const Error& error) {
    result.error = error.what();
    Batch batch;
    EXPECT_FALSE(source->next(batch)) << "an error is the end";
  }
  result.skipped = source->skipped();
  return result;
}

Reading read_with(std::string_view text, const SourceOptions& options) {
  const Reading direct = read_with(read_memory(text, options, "data"));
  const Reading ahead = read_with(read_ahead(read_memory(text, options, "data")));
  EXPECT_EQ(direct.data.rows, ahead.data.rows);
  EXPECT_EQ(direct.error, ahead.error);
  EXPECT_EQ(direct.skipped.count, ahead.skipped.count);
  EXPECT_EQ(direct.skipped.first, ahead.skipped.first);
  return direct;
}

std::string rows(std::size_t n, bool csv) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += csv ? "a,1,2\n" : "a 1:1 2:2\n";
  return text;
}

TEST(SkipBad, RowsBeforeAnErrorComeFirst) {
  for (const bool csv : {false, true}) {
    for (const std::size_t before : {0u, 1u, 500u, 1024u, 4000u}) {
      const Reading reading = read_with(rows(before, csv) + (csv ? "b,1,x\n" : "b 1:1 2:x\n") + rows(9, csv), {});
      EXPECT_EQ(reading.data.rows.size(), before);
      EXPECT_EQ(reading.error.find("data:" + std::to_string(before + 1) + ":"), 0u) << reading.error;
      EXPECT_EQ(reading.skipped.count, 0u);
    }
  }
}

TEST(SkipBad, RowsWithErrorsAreLeftOut) {
  const std::string bad_libsvm[] = {"b 1:1 2:x\n", "b 2:1 1:1\n", "b 1\n",  "1:1\n",
                                    "nan 1:1\n",   "nan 1:1\n",   "b 0:1\n"};
  const std::string bad_csv[] = {"b,1\n",  "b,1,2,3\n",          "b,x,1\n",     ",1,2\n",
                                 "b,1,\n", "b,x,\"one\ntwo\"\n", "b,\"1\"2,3\n"};
  for (const bool csv : {false, true}) {
    std::string text = rows(3, csv);
    std::size_t count = 0;
    for (const std::string& bad : csv ? bad_csv : bad_libsvm) {
      text += bad + rows(2, csv);
      ++count;
    }
    SourceOptions options{.index_base = csv ? std::nullopt : std::optional(1), .skip_bad = count};
    if (csv) options.kinds = {{"2", ColumnKind::number}, {"3", ColumnKind::number}};
    if (csv) options.missing = Missing::error;
    const Reading reading = read_with(text, options);
    EXPECT_EQ(reading.error, "");
    EXPECT_EQ(reading.data.rows, read_all(rows(3 + 2 * count, csv)).rows);
    EXPECT_EQ(reading.skipped.count, count);
    ASSERT_EQ(reading.skipped.first.size(), SkippedRows::kMostShown);
    EXPECT_EQ(reading.skipped.first[0].text().find("data:4:"), 0u) << reading.skipped.first[0].text();
    EXPECT_EQ(reading.skipped.first[1].text().find("data:7:"), 0u) << reading.skipped.first[1].text();
  }
}

TEST(SkipBad, OneTooManyIsAnError) {
  const std::string text = rows(5, false) + "b 1:x\n" + rows(5, false) + "b 1:y\n" + rows(5, false) + "b 1:z\n";
  const Reading reading = read_with(text, {.skip_bad = 2});
  EXPECT_EQ(reading.data.rows.size(), 15u);
  EXPECT_EQ(reading.error, "data:18:5: value 'z' is not a number; this is one bad row more than skip_bad=2 allows");
  EXPECT_EQ(reading.skipped.count, 2u);
}

TEST(SkipBad, LinesAreCountedInsideOfQuotes) {
  const Reading reading =
      read_with("a,1,2\nb,x,\"two\nlines\"\nb,y,1\na,1,2\n", {.kinds = {{"2", ColumnKind::number}}, .skip_bad = 5});
  ASSERT_EQ(reading.skipped.first.size(), 2u);
  EXPECT_EQ(reading.skipped.first[0].text().find("data:2:3"), 0u);
  EXPECT_EQ(reading.skipped.first[1].text().find("data:4:3"), 0u);
  EXPECT_EQ(reading.data.rows.size(), 2u);
}

TEST(SkipBad, AQuoteThatIsNeverClosedCostsItsLine) {
  const Reading reading = read_with("a,1,2\na,\"1,2\na,3,4\na,5,6\n", {.skip_bad = 1});
  EXPECT_EQ(reading.data.rows.size(), 3u);
  EXPECT_EQ(reading.skipped.count, 1u);
}

TEST(SkipBad, ABadFirstRowOfACsvFileCannotBeSkipped) {
  EXPECT_NE(read_with("a,\"1\"x,2\na,3,4\n", {.skip_bad = 9}).error, "");
  EXPECT_NE(read_with("a,1,2\na,3,4\n", {.label_column = "none of these", .skip_bad = 9}).error, "");
}

TEST(SkipBad, EachPassCountsAgain) {
  const std::string text = "a 1:1\nb 1:x\na 1:2\n";
  const auto source = read_memory(text, {.skip_bad = 1}, "data");
  for (int pass = 0; pass < 3; ++pass) {
    if (pass > 0) source->rewind();
    std::size_t seen = 0;
    for (Batch batch; source->next(batch);) seen += batch.rows();
    EXPECT_EQ(seen, 2u);
    EXPECT_EQ(source->skipped().count, 1u);
  }
}

}  // namespace
}  // namespace kinglet
