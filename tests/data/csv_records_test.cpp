// Records in CSV text: kinds of columns, formats as they occur, missing values and labels, and errors that say where
// they are.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "data/reading.hpp"
#include "records/encoder.hpp"

namespace kinglet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr float kUnit = RecordEncoder::kUnit;

std::map<std::uint32_t, float> row_of(const Batch& batch, std::size_t i) {
  std::map<std::uint32_t, float> row;
  const Features x = batch.features()[i];
  for (std::uint32_t k = 0; k < x.count; ++k) row[x.is_sparse() ? x.indices[k] : k] = x.values[k];
  return row;
}

const std::string kPeople =
    "age,job,since,label\n"
    "39, cook, 2001-05-06, yes\n"
    "50, clerk, 2002-07-08T09:10Z, no\n"
    "61, cook, 2003-01-01, yes\n";

TEST(CsvRecords, DetectsKinds) {
  const Batch batch = first_batch(kPeople, {.label_column = "label"});
  EXPECT_THAT(kinds_of(batch), ElementsAre(ColumnKind::number, ColumnKind::category, ColumnKind::time));
  EXPECT_THAT(batch.columns->features, ElementsAre("age", "job", "since"));
  EXPECT_TRUE(batch.sparse);
  EXPECT_EQ(batch.dimension, batch.columns->schema->dimension);
  EXPECT_EQ(row_of(batch, 0).at(0), 39);
  EXPECT_EQ(row_of(batch, 0).at(2), kUnit);
  EXPECT_EQ(row_of(batch, 1).at(3), kUnit);
  EXPECT_EQ(row_of(batch, 2).at(2), kUnit);
}

TEST(CsvRecords, ReadsTheSameRecordsInEveryDress) {
  const SourceOptions options{.label_column = "label"};
  const auto plain = read_all(kPeople, options);
  std::string windows = "\xEF\xBB\xBF" + kPeople;
  for (std::size_t at = 0; (at = windows.find('\n', at)) != std::string::npos; at += 2) windows.replace(at, 1, "\r\n");
  EXPECT_EQ(read_all(windows, options).rows, plain.rows);
  for (const char separator : {';', '\t', '|'}) {
    std::string text = kPeople;
    std::replace(text.begin(), text.end(), ',', separator);
    EXPECT_EQ(read_all(text, options).rows, plain.rows) << separator;
  }
  std::string odd = kPeople;
  std::replace(odd.begin(), odd.end(), ',', '~');
  EXPECT_EQ(read_all(odd, {.format = Format::csv, .label_column = "label", .separator = '~'}).rows, plain.rows);
  const std::string quoted =
      "\"age\",\"job\",\"since\",\"label\"\n\"39\",\"cook\",\"2001-05-06\",\"yes\"\n\n"
      "\"50\" , \"clerk\",\"2002-07-08T09:10Z\",no\n61,cook,2003-01-01,\"yes\"";
  EXPECT_EQ(read_all(quoted, options).rows, plain.rows);
}

TEST(CsvRecords, NumbersStayDenseAndPlain) {
  const Batch batch = first_batch("label,x,y\na,1,2\nb,3,4\n");
  EXPECT_FALSE(batch.sparse);
  EXPECT_EQ(batch.columns->schema, nullptr);
  EXPECT_THAT(batch.values, ElementsAre(1, 2, 3, 4));
  const SourceOptions said{.kinds = {{"x", ColumnKind::number}}};
  EXPECT_FALSE(first_batch("label,x,y\na,1,2\nb,3,4\n", said).sparse);
}

TEST(CsvRecords, OptionsDecideKinds) {
  const std::string text = "label,zip,code,when\na,8001,1,1700000000\nb,8002,2,1700003600\n";
  const SourceOptions options{
      .kinds = {{"zip", ColumnKind::category}, {"code", ColumnKind::ignore}, {"4", ColumnKind::time}}};
  const Batch batch = first_batch(text, options);
  EXPECT_THAT(kinds_of(batch), ElementsAre(ColumnKind::category, ColumnKind::time));
  EXPECT_THAT(batch.columns->ignored, ElementsAre("code"));
  EXPECT_EQ(batch.columns->schema->columns[1].form, TimeForm::seconds);
  EXPECT_THAT(error_of(text, {.kinds = {{"none", ColumnKind::text}}}), HasSubstr("there is no column 'none'"));
  EXPECT_THAT(error_of(text, {.kinds = {{"label", ColumnKind::text}}}),
              HasSubstr("column=label=text: this column is not learned from"));
}

TEST(CsvRecords, OnlyAndIgnoreAndIds) {
  const std::string text = "label,a,b,c\nx,1,u,5\ny,2,v,6\n";
  EXPECT_THAT(first_batch(text, {.only = {"c", "a"}}).columns->features, ElementsAre("a", "c"));
  EXPECT_THAT(first_batch(text, {.ignore = {"b"}}).columns->features, ElementsAre("a", "c"));
  const Batch batch = first_batch(text, {.id_column = "b"});
  EXPECT_THAT(batch.ids, ElementsAre("u", "v"));
  EXPECT_THAT(batch.columns->features, ElementsAre("a", "c"));
  EXPECT_THAT(batch.columns->ignored, ElementsAre("b"));
  EXPECT_THAT(error_of(text, {.ignore = {"b"}, .only = {"zz"}}), HasSubstr("there is no column 'zz'"));
  EXPECT_THAT(error_of("label,id,x\na,\"1\n2\",3\n", {.id_column = "id"}),
              HasSubstr("data:2:3: id '1\\x0a2' contains"));
}

TEST(CsvRecords, LeavesOutIdentifiersAndEmptyColumns) {
  std::string text = "label,id,nothing,x\n";
  for (int i = 0; i < 50; ++i) text += fmt::format("{},u{},,{}\n", i % 2, i, 50 - i);
  const Batch batch = first_batch(text);
  EXPECT_THAT(batch.columns->features, ElementsAre("x"));
  EXPECT_THAT(batch.columns->ignored, ElementsAre("id", "nothing"));
  const Batch forced = first_batch(text, {.kinds = {{"id", ColumnKind::category}}});
  EXPECT_THAT(forced.columns->features, ElementsAre("id", "x"));
}

TEST(CsvRecords, MissingValuesAreMarkedAndCounted) {
  const std::string text = "label,x,y\na,1,2\nb,,4\na,?,5\n";
  const auto source = read_memory(text, {}, "data");
  Batch batch;
  source->next(batch);
  EXPECT_EQ(batch.dimension, 3U);
  EXPECT_EQ(row_of(batch, 0).size(), 2U);
  EXPECT_TRUE(std::isnan(row_of(batch, 1).at(0)));
  EXPECT_EQ(row_of(batch, 1).at(2), kUnit);
  EXPECT_THAT(source->gaps().missing, ElementsAre(2, 0));
  EXPECT_EQ(source->gaps().missing_values(), 2U);
  EXPECT_THAT(error_of(text, {.missing = Missing::error}),
              HasSubstr("data:3:3: the value of column 2 ('x') is missing"));
  const Batch zero = first_batch(text, {.missing = Missing::zero});
  EXPECT_FALSE(zero.sparse);
  EXPECT_EQ(zero.values[2], 0);
}

TEST(CsvRecords, AValueMissingLaterIsFilledInAndCounted) {
  std::string text = "label,x,y\n";
  for (std::size_t i = 0; i < kBatchRows; ++i) text += "a,1,2\n";
  text += "b,,3\n";
  for (const unsigned threads : {1u, 2u}) {
    const auto source = read_memory(text, {.threads = threads}, "data", 64);
    Batch batch;
    while (source->next(batch)) EXPECT_FALSE(batch.sparse);
    EXPECT_THAT(source->gaps().missing, ElementsAre(1, 0)) << threads;
  }
  EXPECT_THAT(error_of(text, {.missing = Missing::error}),
              HasSubstr("data:1026:3: the value of column 2 ('x') is missing"));
}

TEST(CsvRecords, RowsWithoutALabelAreLeftOutAndCounted) {
  const std::string text = "label,x,c\na,1,u\n,2,v\n?,3,u\nb,4,w\n";
  for (const bool regress : {false, true}) {
    SourceOptions options{.numeric_labels = regress, .skip_unlabelled = true};
    const std::string labels = regress ? "label,x,c\n1,1,u\n,2,v\n?,3,u\n2,4,w\n" : text;
    const auto source = read_memory(labels, options, "data");
    const PlainData data = read_all(*source);
    ASSERT_EQ(data.rows.size(), 2U);
    EXPECT_EQ(data.rows[1].features.at(0), 4);
    EXPECT_EQ(source->gaps().unlabelled, 2U);
  }
  EXPECT_THAT(error_of(text), HasSubstr("data:3:1: the label is missing"));
  EXPECT_THAT(error_of("label,x,c\n,1,u\n,2,v\n", {.skip_unlabelled = true}), HasSubstr("no row has a label"));
}

TEST(CsvRecords, ARecordThatDoesNotFitNamesColumnValueAndLine) {
  std::string text = "label,age,job\n";
  for (int i = 0; i < 20; ++i) text += "a,30,cook\n";
  EXPECT_THAT(
      error_of(text + "b,old,cook\n"),
      HasSubstr("data:22:3: value 'old' of column 2 ('age') is not a number; if the column is of another kind, use "
                "column=age=category"));
  EXPECT_THAT(error_of(text + "b,30\n"), HasSubstr("data:22:5: the row has fewer columns"));
  EXPECT_THAT(error_of(text + "b,30,x,y\n"), HasSubstr("data:22:7: the row has more columns"));
  EXPECT_THAT(error_of(text + "b,30,\"x\n"), HasSubstr("data:22:6: the quote that opens here is never closed"));
  EXPECT_THAT(error_of("label,t\na,2024-01-01\nb,2024-13-01\n", {.kinds = {{"t", ColumnKind::time}}}),
              HasSubstr("data:3:3: value '2024-13-01' of column 2 ('t') is not a date or time"));
  text += "b,old,cook\nb,31,clerk\n";
  const auto source = read_memory(text, {.skip_bad = 1}, "data");
  EXPECT_EQ(read_all(*source).rows.size(), 21U);
  EXPECT_EQ(source->skipped().count, 1U);
}

std::string notes_of(const std::string& text, const SourceOptions& options) {
  std::string notes;
  const Batch batch = first_batch(text, options);
  for (const Message& note : batch.columns->notes) notes += note.text() + "\n";
  return notes;
}

TEST(CsvRecords, NullIsMissingButForModelsThatLearnedIt) {
  const std::string text = "x,c,label\n1,a,1\nNULL,None,1\n\\N,N/A,none\n#N/A,a,<NA>\n";
  const auto source = read_memory(text, {.label_column = "label", .skip_unlabelled = true}, "data");
  Batch batch;
  ASSERT_TRUE(source->next(batch));
  EXPECT_THAT(batch.new_labels, ElementsAre("1", "none"));  // a class may be called none
  EXPECT_THAT(kinds_of(batch), ElementsAre(ColumnKind::number, ColumnKind::category));
  EXPECT_THAT(source->gaps().missing, ElementsAre(2, 2));
  EXPECT_EQ(source->gaps().unlabelled, 1U);
  EXPECT_TRUE(batch.columns->schema->null_words);

  Columns old = *batch.columns;
  auto schema = std::make_shared<Schema>(*old.schema);
  schema->null_words = false;
  old.schema = std::move(schema);
  const auto again =
      read_memory("x,c\n1,NULL\n", {.columns = std::make_shared<const Columns>(old), .labels_unused = true});
  ASSERT_TRUE(again->next(batch));
  EXPECT_EQ(again->gaps().missing_values(), 0U);
}

TEST(CsvRecords, NumbersThatCountTheRowsAreLeftOut) {
  std::string records = "id,c,y\n", numbers = "id,x,y\n", gaps = "id,x,y\n";
  for (int i = 0; i < 30; ++i) {
    records += fmt::format("{},{},{}\n", 100 + i, "ab"[i % 2], i % 3);
    numbers += fmt::format("{},{},{}\n", 100 + i, i % 7, i % 3);
    gaps += fmt::format("{},{},{}\n", 100 + i, i == 4 ? "" : "7", i % 3);
  }
  const SourceOptions options{.label_column = "y"};
  EXPECT_THAT(first_batch(records, options).columns->ignored, ElementsAre("id"));
  const SourceOptions asked{.label_column = "y", .kinds = {{"id", ColumnKind::number}}};
  EXPECT_THAT(first_batch(records, asked).columns->features, ElementsAre("id", "c"));
  for (const std::string& text : {numbers, gaps}) {  // numbers alone are learned as ever, with a note
    EXPECT_THAT(first_batch(text, options).columns->features, ElementsAre("id", "x"));
    EXPECT_EQ(notes_of(text, options), "column id counts the rows; to leave it out, use ignore=id\n");
  }
}

TEST(CsvRecords, NotesWhatIsOddAboutColumns) {
  std::string text = "x,user,x,y\n";
  for (int i = 0; i < 300; ++i) text += fmt::format("\"{},5\",u{},a,{}\n", i % 9, i % 150, i % 2);
  const std::string notes = notes_of(text, {.label_column = "y"});
  EXPECT_THAT(notes, HasSubstr("columns 1 and 3 are both called 'x'"));
  EXPECT_THAT(
      notes,
      HasSubstr("column 1 has numbers in a notation that is not read, such as '0,5': it is learned as category"));
  EXPECT_THAT(
      notes,
      HasSubstr("column user has 150 values in the first rows, of which 100 have features of their own; for more, "
                "use category_values=300"));
}

TEST(CsvRecords, ALabelThatIdentifiesTheRowsIsRefused) {
  std::string text;
  for (int i = 0; i < 128; ++i) text += fmt::format("r{},{},{}\n", i, i % 5, "ab"[i % 2]);
  EXPECT_THAT(error_of(text),
              HasSubstr("all values of column 1 differ in the first 128 rows, so it cannot be the label; "
                        "name the label with label_column"));
  EXPECT_EQ(first_batch(text, {.label_column = "first"}).new_labels.size(), 128U);
  EXPECT_EQ(first_batch(text.substr(0, text.rfind("r127"))).new_labels.size(), 127U);
}

TEST(CsvRecords, IfNoRowFitsTheFirstOneTheErrorSaysSo) {
  EXPECT_EQ(error_of("y,iso,n\na,2024-01-01T01:00,1,2\nb,2024-01-01T01:00,1,2\n",
                     {.label_column = "y", .kinds = {{"iso", ColumnKind::time}}}),
            "data:2:21: the row has more columns than the first row, which has 3");
  EXPECT_THAT(error_of("y,iso,n\n\na,b\n"), HasSubstr("data:3:4: the row has fewer columns"));
}

TEST(CsvRecords, AFirstRowThatRecursIsNoHeader) {
  const auto rows_of = [](const std::string& text, const SourceOptions& options = {}) {
    return read_all(text, options).rows.size();
  };
  const std::string rows = "p,s,y\ne,s,n\np,x,y\n";
  EXPECT_EQ(rows_of(rows), 3U);
  EXPECT_EQ(rows_of(rows, {.header = true}), 2U);
  EXPECT_THAT(
      notes_of(rows, {}),
      HasSubstr("the first row is taken as an example, because its values recur; if it is a header, use header"));
  EXPECT_EQ(rows_of("a,b,a\nx,y,z\nu,v,w\n"), 3U);                            // names that are equal
  EXPECT_EQ(rows_of("kind,size,hue\np,s,y\ne,s,n\n"), 2U);                    // a header
  EXPECT_EQ(rows_of("kind,size,hue\np,s,y\nkind,size,hue\n"), 2U);            // which is repeated
  EXPECT_EQ(rows_of("x,x,y\n1,2,x\nx,4,y\n", {.label_column = "last"}), 2U);  // numbers below
  const std::string unclear = "kind,size,hue\nkind,s,y\ne,s,n\n";
  EXPECT_EQ(rows_of(unclear), 2U);
  EXPECT_THAT(notes_of(unclear, {}), HasSubstr("the text of column 1 recurs; if it is an example, use no_header"));
}

TEST(CsvRecords, RowsOfWordsForAModelWithoutNames) {
  const Batch learned = first_batch("p,s,y\ne,s,n\np,x,y\n", {.label_column = "first"});
  const SourceOptions options{.columns = learned.columns, .labels_unused = true};
  EXPECT_EQ(read_all("s,y\n", options).rows.size(), 1U);
}

TEST(CsvRecords, AModelFindsItsColumnsInAnyOrder) {
  const Batch learned = first_batch(kPeople, {.label_column = "label"});
  const std::string other = "since;extra;job;age\n2001-05-06;1;cook;39\n2002-07-08;2;baker;50\n";
  SourceOptions options{.ignore = {"extra"}, .columns = learned.columns, .labels_unused = true};
  const Batch batch = first_batch(other, options);
  EXPECT_EQ(row_of(batch, 0), row_of(learned, 0));
  EXPECT_EQ(batch.columns, learned.columns);
  const ColumnPlan& job = learned.columns->schema->columns[1];
  const auto baker = row_of(batch, 1);
  EXPECT_GE(baker.lower_bound(2)->first, job.first + job.slots);  // hashed
  options.ignore.clear();
  EXPECT_THAT(error_of(other, options), HasSubstr("the model was not trained with the column 'extra'"));
  options.ignore = {"extra", "job"};
  EXPECT_THAT(error_of(other, options), HasSubstr("the model learned from the column 'job', so it cannot be left out"));
  EXPECT_THAT(error_of(other, {.ignore = {"extra"},
                               .kinds = {{"age", ColumnKind::text}},
                               .columns = learned.columns,
                               .labels_unused = true}),
              HasSubstr("column=age=text: the model has learned it as number"));
}

TEST(CsvRecords, WithoutAHeaderColumnsAreFoundByNumber) {
  const Batch learned = first_batch("a,1,red\nb,2,blue\n", {.header = false});
  EXPECT_THAT(kinds_of(learned), ElementsAre(ColumnKind::number, ColumnKind::category));
  EXPECT_THAT(learned.columns->features, IsEmpty());
  const Batch batch = first_batch("2,blue\n1,red\n", {.columns = learned.columns, .labels_unused = true});
  EXPECT_EQ(row_of(batch, 0), row_of(learned, 1));
  EXPECT_EQ(row_of(batch, 1), row_of(learned, 0));
}

// The values of a category become more along the stream; each batch has the columns with those that it needs.
TEST(CsvRecords, ColumnsGrowWithTheBatches) {
  std::string text = "label,c\n";
  for (std::size_t i = 0; i < kBatchRows; ++i) text += "a,red\n";
  text += "b,blue\nb,green\n";
  const auto source = read_memory(text, {}, "data");
  Batch first, second;
  source->next(first);
  source->next(second);
  EXPECT_THAT(first.columns->schema->columns[0].values, ElementsAre("red"));
  EXPECT_THAT(second.columns->schema->columns[0].values, ElementsAre("red", "blue", "green"));
  EXPECT_EQ(first.dimension, second.dimension);
  source->rewind();  // in a second pass the values are known
  source->next(first);
  EXPECT_EQ(first.columns, second.columns);
}

TEST(CsvRecords, ManyValuesTakeNoMoreMemory) {
  std::string text = "label,c\n";
  for (int i = 0; i < 5000; ++i) text += fmt::format("a,v{}\n", i % 3000 / 2);
  const auto source = read_memory(text, {.kinds = {{"c", ColumnKind::category}}, .category_values = 10}, "data");
  Batch batch;
  while (source->next(batch)) {
    EXPECT_EQ(batch.dimension, 15U);
    EXPECT_LE(batch.columns->schema->columns[0].values.size(), 10U);
  }
}

// What is read does not depend on how the text arrives.
TEST(CsvRecords, AreTheSameFromAPipeInPieces) {
  EXPECT_TRUE(rc::check([] {
    std::string text = "label,x,c,note\n";
    const int rows = *rc::gen::inRange(1, 40);
    for (int i = 0; i < rows; ++i) {
      text += fmt::format("{},{},{},\"{}\"\n", *rc::gen::element("a", "b"), *rc::gen::element("1", "2.5", "", "x"),
                          *rc::gen::element("u", "v", "", "\"w, w\""), *rc::gen::element("p q", "r", "\n", "s t u"));
    }
    TemporaryFolder folder;
    const std::string path = folder.write("data.csv", text);
    PlainData expected, found;
    std::string problem = "no error", other = "no error";
    const auto read = [](Source& source, PlainData& data, std::string& error) {
      try {
        data = read_all(source);
      } catch (const Error& e) {
        error = e.message().text();
      }
    };
    SourceOptions options;
    options.kinds = {{"x", ColumnKind::number}};
    read(*read_memory(text, options, path), expected, problem);
    read(*open_source(path, options), found, other);
    RC_ASSERT(problem == other);
    RC_ASSERT(expected.rows.size() == found.rows.size());
    RC_ASSERT(expected.labels == found.labels && expected.dimension == found.dimension);
  }));
}

}  // namespace
}  // namespace kinglet
