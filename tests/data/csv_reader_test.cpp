// The CSV and TSV reader: columns, quotes, missing values, errors, and a comparison with a simple reference reader.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "data/reading.hpp"

namespace kinglet {
namespace {

using Features = std::map<std::uint32_t, float>;

SourceOptions csv(const std::string& label = "first", const std::string& weight = "") {
  SourceOptions options;
  options.format = Format::csv;
  options.label_column = label;
  options.weight_column = weight;
  return options;
}

// The second column is a number, whatever its values are.
SourceOptions csv_number() {
  SourceOptions options = csv();
  options.kinds = {{"2", ColumnKind::number}};
  return options;
}

// Reads the other columns as features.
SourceOptions without_first_column() {
  SourceOptions options = csv("none");
  options.kinds = {{"2", ColumnKind::number}};
  options.ignore = {"1"};
  options.header = false;
  return options;
}

// The field as CSV text: in quotes if it needs them, and otherwise in one case of four.
std::string written(const std::string& field) {
  const bool must = field.find_first_of("\"\r\n \t,;") != std::string::npos || field.empty();
  if (!must && *rc::gen::inRange(0, 4) != 0) return field;
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

TEST(CsvReader, ReadsBackWhateverWasWritten) {
  EXPECT_TRUE(rc::check([] {
    const char separator = *rc::gen::element(',', '\t', ';');
    const int columns = *rc::gen::inRange(1, 6), rows = *rc::gen::inRange(1, 20);
    const int label = *rc::gen::inRange(0, columns + 1);
    const auto word =
        rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::element('a', 'b', ',', ';', '"', 'x', '1')));
    const auto text_with_lines = rc::gen::container<std::string>(rc::gen::element('a', ',', '\t', '"', '\n', '\r'));
    std::vector<PlainRow> expected;
    std::string text;
    for (int i = 0; i < rows; ++i) {
      PlainRow row;
      row.label = "w" + *word + "w";
      for (int c = 0, feature = 0; c <= columns; ++c) {
        if (c > 0) text += separator;
        if (c == label) {
          text += written(row.label);
          continue;
        }
        const float any = *rc::gen::arbitrary<float>();
        const float value = std::isfinite(any) ? any : 0.5f;
        row.features[static_cast<std::uint32_t>(feature++)] = value;
        text += *rc::gen::element<std::string>("", "", "  ") + written(fmt::format("{}", value));
      }
      text += separator + written(*text_with_lines);
      text += *rc::gen::element<std::string>("\n", "\r\n", "\n\n");
      expected.push_back(row);
    }
    SourceOptions options = csv(std::to_string(label + 1));
    options.format = separator == '\t' ? Format::tsv : Format::csv;
    options.header = false;
    options.ignore = {std::to_string(columns + 2)};
    RC_ASSERT(read_all(text, options).rows == expected);
  }));
}

TEST(CsvReader, FindsHeaderLabelAndWeight) {
  const std::string text = "age,class,w,size\n1,a,0.5,2\n3,b,2,4\n";
  const auto source = read_memory(text, csv("class", "w"));
  const auto data = read_all(*source);
  ASSERT_EQ(data.rows.size(), 2u);
  EXPECT_EQ(data.rows[0], (PlainRow{"a", {{0, 1.0f}, {1, 2.0f}}, 0.5f}));
  EXPECT_EQ(data.rows[1], (PlainRow{"b", {{0, 3.0f}, {1, 4.0f}}, 2.0f}));
  EXPECT_EQ(data.dimension, 2u);
}

TEST(CsvReader, FindsTheLabelFirstLastByNumberOrNowhere) {
  EXPECT_EQ(read_all("a,1,2\n", csv("first")).rows[0], (PlainRow{"a", {{0, 1.0f}, {1, 2.0f}}}));
  EXPECT_EQ(read_all("1,2,a\n", csv("last")).rows[0], (PlainRow{"a", {{0, 1.0f}, {1, 2.0f}}}));
  EXPECT_EQ(read_all("1,a,2\n", csv("2")).rows[0], (PlainRow{"a", {{0, 1.0f}, {1, 2.0f}}}));
  EXPECT_EQ(read_all("1,2\n", csv("none")).rows[0], (PlainRow{"", {{0, 1.0f}, {1, 2.0f}}}));
}

TEST(CsvReader, ToldAHeaderItBelievesIt) {
  SourceOptions options = csv();
  options.header = true;
  EXPECT_EQ(read_all("1,2\n3,4\n", options).rows.size(), 1u);
  options.header = false;
  EXPECT_EQ(read_all("label,x\n3,4\n", options).rows.size(), 2u);
  EXPECT_EQ(read_all("1,2\n3,4\n", csv()).rows.size(), 2u);
  EXPECT_EQ(read_all("cat,2\ndog,4\n", csv()).rows.size(), 2u);
}

TEST(CsvReader, RecognisesTheSeparator) {
  EXPECT_EQ(read_all("a,1\n").rows[0].features, (Features{{0, 1.0f}}));
  EXPECT_EQ(read_all("a;1\n").rows[0].features, (Features{{0, 1.0f}}));
  EXPECT_EQ(read_all("a\t1\n").rows[0].features, (Features{{0, 1.0f}}));
  EXPECT_EQ(read_all("\"a b\"\t1\n").rows[0].label, "a b");
}

TEST(CsvReader, QuotedFieldsMayHoldEverything) {
  SourceOptions options = csv();
  options.ignore = {"3"};
  const auto data = read_all("\"a \"\"b\"\", c\",1,\"any\n\"\"text\"\"\"\r\n\"x\" ,\"2.5\",\n", options);
  ASSERT_EQ(data.rows.size(), 2u);
  EXPECT_EQ(data.rows[0].label, "a \"b\", c");
  EXPECT_EQ(data.rows[1], (PlainRow{"x", {{0, 2.5f}}}));
}

TEST(CsvReader, LinesInsideOfQuotesCount) {
  const std::string problem =
      "value 'x' of column 2 is not a number; if the column is of another kind, use column=2=category";
  EXPECT_EQ(error_of("\"a\nb\nc\",1\nd,x\n", without_first_column()), "data:4:3: " + problem);
  EXPECT_EQ(error_of("d,1\n\"a\nb\nc\",x\n", without_first_column()), "data:4:4: " + problem);
}

TEST(CsvReader, LinesInsideOfAHeaderCountOnce) {
  EXPECT_EQ(error_of("\"the\nlabel\",x\na,1\nb,2z\n", csv_number()).substr(0, 9), "data:4:3:");
}

TEST(CsvReader, AQuotedRowMayBeLongerThanAChunk) {
  std::string field;
  for (int line = 0; line < 1000; ++line) field += std::string(900, 'x') + "\n";
  std::string text = "n,a,b,c,d,e,f\n1,a,b,c,d,e,f\n2";
  for (int i = 0; i < 6; ++i) text += ",\"" + field + "\"";
  text += "\n3,a,b,c,d,e,f\n";
  SourceOptions options{.label_column = "none", .only = {"n"}};
  const auto data = read_all(text, options);
  ASSERT_EQ(data.rows.size(), 3u);
  EXPECT_EQ(data.rows[1].features, (Features{{0, 2.0f}}));
  options.max_row_bytes = 1u << 20;
  EXPECT_EQ(error_of(text, options).substr(0, 32), "data:3:1: the row is longer than");
}

TEST(CsvReader, LabelsAreOneLineOfText) {
  for (const std::string label : {"\"a\nb\"", "a\tb", "\x01", "a\x7F", "\"a\r\""}) {
    EXPECT_EQ(error_of("a,1\n" + label + ",2\n", csv()).substr(0, 17), "data:2:1: label '") << label;
    EXPECT_EQ(error_of("a,1\n" + label + ",2\n", without_first_column()), "no error") << label;
  }
  EXPECT_EQ(error_of("\xC3\xA4,1\n\xE4,2\na b,3\n", csv()), "no error");
}

TEST(CsvReader, MissingValuesAreAnErrorZeroOrNaN) {
  for (const std::string field : {"", "?", "NA", "nan", "NaN", "\"\"", " "}) {
    const std::string text = "1,5," + field + "\n-1," + field + ",6\n";
    SourceOptions options = csv();
    options.missing = Missing::error;
    EXPECT_EQ(error_of(text, options).substr(0, 10), field == " " ? "data:1:6: " : "data:1:5: ") << field;
    options.missing = Missing::zero;
    EXPECT_EQ(read_all(text, options).rows[1].features, (Features{{0, 0.0f}, {1, 6.0f}}));
    options.missing = Missing::mean;
    EXPECT_TRUE(std::isnan(read_all(text, options).rows[0].features[1]));
    EXPECT_EQ(read_all(text, options).rows[0].features[0], 5.0f);
  }
}

TEST(CsvReader, NamesEveryMistakeWithItsPlace) {
  const std::vector<std::tuple<std::string, SourceOptions, std::string>> cases = {
      {"1,2\n1,inf\n", csv(), "data:2:3: value 'inf' of column 2 is not finite"},
      {"1,2\n1,-1e400\n", csv(), "data:2:3: value '-1e400' of column 2 is out of range of a 32-bit float"},
      {"c,x\n1,2z\n", csv_number(),
       "data:2:3: value '2z' of column 2 ('x') is not a number; if the column is of another kind, use "
       "column=x=category"},
      {"1,2,3\n1,2\n", csv(), "data:2:4: the row has fewer columns than the first row, which has 3"},
      {"1,2,3\n1,2,3,4\n", csv(), "data:2:6: the row has more columns than the first row, which has 3"},
      {"1,2\n,2\n", csv(), "data:2:1: the label is missing; if the data have no labels, use label_column=none"},
      {"a,b\n1,2\n", csv("c"), "data:1:1: there is no label column 'c'; the file has the columns a, b"},
      {"3,4\n1,2\n", csv("5"), "data:1:1: there is no label column '5'; the file has columns 1 to 2 and no header"},
      {"3,4\n1,2\n", csv("0"), "data:1:1: there is no label column '0'; the file has columns 1 to 2 and no header"},
      {"3,4,5\n", csv("2", "2"), "data:1:1: column 2 is both label and weight"},
      {"3,4,x\n", csv("1", "3"), "data:1:5: weight 'x' is not a number"},
      {"3,4,-1\n", csv("1", "3"), "data:1:5: weight '-1' is negative"},
      {"3,4,\n", csv("1", "3"), "data:1:5: weight '' is not a number"},
      {"1\n2\n", csv(), "data:1:1: there are no feature columns; are the columns separated by ','?"},
      {"1,\"2\n", csv(), "data:1:3: the quote that opens here is never closed"},
      {"1,2\n1,\"2\n" + std::string(1001, '\n'), csv(),
       "data:2:3: the quote that opens here is not closed within 1 MiB and 1,000 lines"},
      {"1,\"" + std::string((1u << 20) + 1, 'x') + "\"\n", csv(),
       "data:1:3: the quote that opens here is not closed within 1 MiB and 1,000 lines"},
      {"1,\"2\"x\n", csv(), "data:1:6: unexpected text after a closing quote; write a quote inside quotes twice"},
      {"a,b\n", csv(), "data: a header but no rows"},
      {"\n \n", csv(), "data: no rows, only blank lines"},
      {"", csv(), "data: the file is empty"},
  };
  for (const auto& [text, options, expected] : cases) EXPECT_EQ(error_of(text, options), expected) << text;
}

TEST(CsvReader, TheDimensionAskedForMustBeThatOfTheFile) {
  SourceOptions options = csv();
  options.dimension = 2;
  EXPECT_EQ(error_of("1,2,3\n", options), "no error");
  EXPECT_EQ(error_of("1,2\n", options), "data:1:1: found 1 feature columns, expected 2");
  EXPECT_EQ(error_of("1,2,3,4\n", options), "data:1:1: found 3 feature columns, expected 2");
}

SourceOptions numbers(const std::string& label = "first") {
  SourceOptions options = csv(label);
  options.numeric_labels = true;
  return options;
}

TEST(CsvReader, ReadsRowsWithoutLabelsWhenAsked) {
  const PlainData data = read_all("wren,1\n,2\n?,3\nrobin,4\n", {.labels_may_be_absent = true});
  ASSERT_EQ(data.rows.size(), 4u);
  for (const std::size_t i : {1u, 2u}) EXPECT_EQ(data.rows[i].label, "");
  EXPECT_EQ(data.rows[3].label, "robin");
}

TEST(CsvReader, ReadsLabelsAsNumbersWhenAsked) {
  SourceOptions options = numbers("price");
  options.weight_column = "w";
  const auto data = read_all("a,price,w\n1,-2.5e1,3\n2,\"0.5\",1\n3, +7 ,2\r\n4,1e-50,1\n", options);
  ASSERT_EQ(data.rows.size(), 4u);
  EXPECT_EQ(data.rows[0].target, -25.0F);
  EXPECT_EQ(data.rows[0].weight, 3.0F);
  EXPECT_EQ(data.rows[1].target, 0.5F);
  EXPECT_EQ(data.rows[2].target, 7.0F);
  EXPECT_EQ(data.rows[3].target, 0.0F);
  EXPECT_TRUE(data.labels.empty());
  for (const auto& row : data.rows) EXPECT_EQ(row.label, "");
}

TEST(CsvReader, HasNoNumbersWithoutALabelColumn) {
  const auto data = read_all("1,2\n3,4\n", numbers("none"));
  ASSERT_EQ(data.rows.size(), 2u);
  EXPECT_FALSE(data.rows[0].target.has_value());
  EXPECT_EQ(data.dimension, 2u);
}

TEST(CsvReader, TellsWhereALabelIsNoNumber) {
  EXPECT_EQ(error_of("1,2\nabc,4\n", numbers()),
            "data:2:1: label 'abc' is not a number; regression needs a number. If the label is in another column, "
            "use label_column with its name or number");
  EXPECT_TRUE(error_of("1,2\n3,4\n5,inf\n", numbers("last")).starts_with("data:3:3: label 'inf' is not finite"));
  EXPECT_TRUE(error_of("1,2\n3,1e39\n", numbers("last"))
                  .starts_with("data:2:3: label '1e39' is out of range of a 32-bit float"));
  EXPECT_TRUE(error_of("1,2\n,4\n", numbers()).starts_with("data:2:1: the label is missing"));
  EXPECT_TRUE(error_of("1,2\nNA,4\n", numbers()).starts_with("data:2:1: the label is missing"));
}

TEST(CsvReader, PassesOverTheHeaderAgainOnASecondPass) {
  const std::string text = "c,x\n1,2\n2,3\n";
  const auto source = read_memory(text, csv());
  EXPECT_EQ(read_all(*source).rows.size(), 2u);
  source->rewind();
  Batch batch;
  ASSERT_TRUE(source->next(batch));
  EXPECT_EQ(batch.labels, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(batch.values, (std::vector<float>{2, 3}));
  EXPECT_TRUE(batch.new_labels.empty());
}

TEST(CsvReader, PassesOverAByteOrderMark) {
  EXPECT_EQ(read_all("\xEF\xBB\xBF"
                     "c,x\n1,2\n",
                     csv("c"))
                .rows.size(),
            1u);
}

TEST(CsvReader, KeepsTheMemoryOfABatch) {
  std::string text;
  for (std::size_t i = 0; i < 20 * kBatchRows; ++i) text += "1,2.5,3\n";
  const auto source = read_memory(text, csv("first", "3"));
  Batch batch;
  ASSERT_TRUE(source->next(batch));
  const auto addresses = [&] {
    return std::vector<const void*>{batch.values.data(), batch.labels.data(), batch.weights.data()};
  };
  const auto before = addresses();
  while (source->next(batch)) ASSERT_EQ(addresses(), before);
}

}  // namespace
}  // namespace kinglet
