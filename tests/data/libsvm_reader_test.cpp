// The LIBSVM reader: a comparison with a simple reference reader, and its errors.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <sstream>

#include "data/label_ids.hpp"
#include "data/reading.hpp"
#include "sampled.hpp"
#include "test_data.hpp"

namespace kinglet {
namespace {

using Features = std::map<std::uint32_t, float>;

// Reference reader: line by line, word by word; for valid input only.
std::vector<PlainRow> reference(const std::string& text, std::uint32_t base) {
  std::vector<PlainRow> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    PlainRow row;
    std::string word;
    if (!(words >> word)) continue;
    row.label = canonical_label(word);
    while (words >> word) {
      const auto colon = word.find(':');
      if (word.starts_with("qid:")) continue;
      row.features[static_cast<std::uint32_t>(std::stoul(word)) - base] =
          std::strtof(word.c_str() + colon + 1, nullptr);
    }
    rows.push_back(row);
  }
  return rows;
}

template <typename T>
T any_of(std::initializer_list<T> values) {
  return *rc::gen::elementOf(std::vector<T>(values));
}

// A random valid file that uses every freedom of the format.
std::string random_file(std::uint32_t base) {
  std::string text;
  const int rows = *rc::gen::inRange(1, 30);
  for (int i = 0; i < rows; ++i) {
    const auto blank = [] { return any_of<std::string>({" ", " ", " ", "  ", "\t", " \t "}); };
    text += any_of<std::string>({"", "", "", " ", "\t"}) + any_of<std::string>({"1", "-1", "+1", "2.50", "cat", "1.0"});
    if (*rc::gen::inRange(0, 5) == 0) text += blank() + "qid:" + std::to_string(*rc::gen::inRange(1, 99));
    std::uint32_t index = base + static_cast<std::uint32_t>(*rc::gen::inRange(0, 3));
    for (int k = *rc::gen::inRange(0, 12); k > 0; --k) {
      const float value = *rc::gen::arbitrary<float>();
      const auto form = any_of<const char*>({"{}", "{:.3f}", "{:g}", "{:.0f}", "{:+}", "{:.12e}"});
      text +=
          blank() + std::to_string(index) + ":" + fmt::format(fmt::runtime(form), std::isfinite(value) ? value : 1.0f);
      index += 1 + static_cast<std::uint32_t>(*rc::gen::inRange(0, any_of({2, 5, 100, 100000})));
    }
    text += any_of<std::string>({"", "", " ", "\t", " # 3:nan is a comment", "#x"});
    if (i + 1 < rows || *rc::gen::arbitrary<bool>())
      text += any_of<std::string>({"\n", "\n", "\r\n", "\n\n", "\n#\n", "\n  \r\n"});
  }
  return text;
}

TEST(LibsvmReader, ReadsWhatAPlainReaderReads) {
  EXPECT_TRUE(rc::check([] {
    const int base = *rc::gen::inRange(0, 2);
    const std::string text = "1 1:1\n" + random_file(static_cast<std::uint32_t>(base));  // at least one feature
    SourceOptions options;
    options.format = Format::libsvm;
    options.index_base = base;
    RC_ASSERT(read_all(text, options).rows == reference(text, static_cast<std::uint32_t>(base)));
  }));
}

TEST(LibsvmReader, ReadsCommentsQidBareLabelsAndEveryKindOfBlank) {
  const auto data = read_all("# a comment\n\n+1 qid:3 1:0.5\t 3:-2e-1 # rest\r\n  -1.0\n\t\ncat 2:1\r\n1 1:7");
  ASSERT_EQ(data.rows.size(), 4u);
  EXPECT_EQ(data.rows[0], (PlainRow{"1", {{0, 0.5f}, {2, -0.2f}}}));
  EXPECT_EQ(data.rows[1], (PlainRow{"-1", {}}));
  EXPECT_EQ(data.rows[2], (PlainRow{"cat", {{1, 1.0f}}}));
  EXPECT_EQ(data.rows[3], (PlainRow{"1", {{0, 7.0f}}}));
  EXPECT_EQ(data.labels, (std::vector<std::string>{"1", "-1", "cat"}));
  EXPECT_EQ(data.dimension, 3u);
}

TEST(LibsvmReader, PassesOverAByteOrderMark) {
  EXPECT_EQ(read_all("\xEF\xBB\xBF"
                     "1 1:2\n")
                .rows.at(0)
                .label,
            "1");
}

TEST(LibsvmReader, CountsFromOneUnlessAnIndexIsZero) {
  EXPECT_EQ(read_all("1 1:5 4:6\n").rows[0].features, (Features{{0, 5.0f}, {3, 6.0f}}));
  EXPECT_EQ(read_all("1 1:5 4:6\n").dimension, 4u);
  const auto zero_based = read_all("1 1:5 4:6\n2 0:1\n");
  EXPECT_EQ(zero_based.rows[0].features, (Features{{1, 5.0f}, {4, 6.0f}}));
  EXPECT_EQ(zero_based.dimension, 5u);
  SourceOptions options;
  options.index_base = 0;
  EXPECT_EQ(read_all("1 1:5\n", options).rows[0].features, (Features{{1, 5.0f}}));
}

std::string many_rows(std::size_t count, const std::string& row = "1 1:1 2:2\n") {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += row;
  return text;
}

TEST(LibsvmReader, AnIndexZeroAfterTheFirstBatchIsAnErrorThatSaysWhatToDo) {
  EXPECT_EQ(error_of(many_rows(kBatchRows - 1) + "1 0:1\n"), "no error");
  const std::string error = error_of(many_rows(kBatchRows) + "1 0:1\n");
  EXPECT_EQ(error,
            fmt::format("data:{}:3: found index 0, but indices count from 1; if they count from 0 in this file, use "
                        "index_base=0",
                        kBatchRows + 1));
  EXPECT_EQ(read_all("1 0:1\n" + many_rows(kBatchRows) + "1 0:3\n").rows.back().features, (Features{{0, 3.0f}}));
}

TEST(LibsvmReader, FillsBatchesAndTellsLabelsOnce) {
  const auto data = read_all(many_rows(2 * kBatchRows) + many_rows(5, "-1 7:1\n"));
  EXPECT_EQ(data.batch_sizes, (std::vector<std::size_t>{kBatchRows, kBatchRows, 5}));
  EXPECT_EQ(data.labels, (std::vector<std::string>{"1", "-1"}));
  EXPECT_EQ(data.dimension, 7u);
}

TEST(LibsvmReader, ReportsLineAndColumnOfANaN) {
  EXPECT_EQ(error_of("1 1:1\n-1 1:2 3:nan\n"), "data:2:10: value 'nan' is not finite");
  EXPECT_EQ(error_of("1 1:1\n\n# c\n-1 1:-inf\n"), "data:4:6: value '-inf' is not finite");
}

TEST(LibsvmReader, NamesEveryMistakeWithItsPlace) {
  SourceOptions options;
  options.format = Format::libsvm;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"1 1:1e400\n", "data:1:5: value '1e400' is out of range of a 32-bit float"},
      {"1 1:-4e38", "data:1:5: value '-4e38' is out of range of a 32-bit float"},
      {"1 1:abc\n", "data:1:5: value 'abc' is not a number"},
      {"1 1:1.5x 2:3\n", "data:1:5: value '1.5x' is not a number"},
      {"1 1:\n", "data:1:5: the value of index 1 is missing"},
      {"1 1:1 1:2\n", "data:1:7: index 1 is repeated; an index may appear only once in a row"},
      {"1 3:1 2:2\n", "data:1:7: index 2 comes after 3; the indices of a row must increase"},
      {"1 3:1 0:2\n", "data:1:7: index 0 comes after 3; the indices of a row must increase"},
      {"1 2147483649:1\n", "data:1:3: the index is greater than 2147483648, the highest allowed"},
      {"1 99999999999999999999999:1\n", "data:1:3: the index is greater than 2147483648, the highest allowed"},
      {"1 -1:2\n", "data:1:3: expected index:value, found '-1:2'; an index cannot be negative"},
      {"1 2\n", "data:1:3: expected index:value, found '2'"},
      {"1 foo\n", "data:1:3: expected index:value, found 'foo'"},
      {"1 a:1\n", "data:1:3: expected index:value, found 'a:1'"},
      {"1 :1\n", "data:1:3: expected index:value, found ':1'"},
      {"1 1:2:3\n", "data:1:5: value '2:3' is not a number"},
      {"1:1 2:2\n", "data:1:1: the row has no label before '1:1'"},
      {"nan 2:2\n", "data:1:1: label 'nan' is not finite; correct the label or remove the row"},
      {"", "data: the file is empty"},
      {"# only\n\n  \r\n", "data: no rows, only blank lines and comments"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(error_of(text, options), expected) << text;
}

TEST(LibsvmReader, MessagesStayOnOneLineWhateverTheData) {
  SourceOptions options;
  options.format = Format::libsvm;
  const std::string error =
      error_of(std::string("1 1:\x01\x02\x7fgarbage", 14) + std::string(1000, 'x') + "\n", options);
  EXPECT_EQ(error.find('\n'), std::string::npos);
  EXPECT_LT(error.size(), 200u);
}

TEST(LibsvmReader, TheHighestIndexIsAccepted) {
  const auto data = read_all("1 2147483648:1\n");
  EXPECT_EQ(data.dimension, 2147483648u);
  EXPECT_EQ(data.rows[0].features.begin()->first, 2147483647u);
}

TEST(LibsvmReader, AGivenDimensionHoldsWhateverTheBase) {
  SourceOptions options;
  options.dimension = 3;
  EXPECT_EQ(read_all("1 1:1\n", options).dimension, 3u);
  EXPECT_EQ(read_all("1 3:1\n", options).dimension, 3u);
  EXPECT_EQ(error_of("1 1:1\n1 2:1 4:1\n", options), "data:2:7: index 4 exceeds the expected 3 features");
  EXPECT_EQ(error_of("1 3:1\n1 0:1\n", options),
            "data:1:3: index 3 exceeds the expected 3 features, as indices count from 0 here");
  options.index_base = 0;
  EXPECT_EQ(error_of("1 3:1\n", options), "data:1:3: index 3 exceeds the expected 3 features");
  EXPECT_EQ(error_of("1 2:1\n", options), "no error");
}

TEST(LibsvmReader, ALongRowIsAnErrorAndARowOfTheVeryLengthIsNot) {
  const std::string row = "1 1:0.25 2:0.5";
  for (const std::string end : {"\n", "\n1 1:1\n1 1:1\n", ""}) {
    SourceOptions options;
    options.max_row_bytes = row.size();
    EXPECT_EQ(error_of("1 1:1\n" + row + end, options), "no error");
    options.max_row_bytes = row.size() - 1;
    EXPECT_EQ(error_of("1 1:1\n" + row + end, options),
              "data:2:1: the row is longer than 13 bytes; is this a text file with one example per line?");
  }
}

TEST(LibsvmReader, ReadsRowsWithoutLabelsWhenAsked) {
  const SourceOptions options{.labels_may_be_absent = true};
  const PlainData data = read_all("1:0.5 2:3\nwren 2:1\n2:7 # robin\n\n", options);
  ASSERT_EQ(data.rows.size(), 3u);
  EXPECT_EQ(data.rows[0], (PlainRow{"", {{0, 0.5F}, {1, 3.0F}}}));
  EXPECT_EQ(data.rows[1], (PlainRow{"wren", {{1, 1.0F}}}));
  EXPECT_EQ(data.rows[2], (PlainRow{"", {{1, 7.0F}}}));
}

TEST(LibsvmReader, TooManyLabelsAreAnError) {
  std::string text;
  for (std::size_t i = 0; i <= LabelIds::kMaxLabels; ++i) text += std::to_string(i) + " 1:1\n";
  EXPECT_EQ(error_of(text).find(
                fmt::format("data:{}:1: label '{}' exceeds the limit", LabelIds::kMaxLabels + 1, LabelIds::kMaxLabels)),
            0u);
}

TEST(LibsvmReader, ReadsLabelsAsNumbersWhenAsked) {
  SourceOptions options;
  options.numeric_labels = true;
  const auto data = read_all("1 1:0.5\n-2.5e3 2:1 # rest\n  +.25\n1e-50 1:2\r\n0.1#\n", options);
  ASSERT_EQ(data.rows.size(), 5u);
  EXPECT_TRUE(data.labels.empty());
  const std::vector<float> expected = {1, -2500, 0.25F, 0, 0.1F};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(data.rows[i].target, expected[i]);
    EXPECT_EQ(data.rows[i].label, "");
  }
  EXPECT_EQ(data.rows[1].features, (std::map<std::uint32_t, float>{{1, 1.0F}}));
  // Numeric labels are not classes, so there may be more of them than LabelIds::kMaxLabels.
  std::string many;
  for (int i = 0; i < 70000; ++i) many += std::to_string(i) + " 1:1\n";
  EXPECT_EQ(read_all(many, options).rows.back().target, 69999.0F);
}

TEST(LibsvmReader, TellsWhereALabelIsNoNumber) {
  SourceOptions options;
  options.numeric_labels = true;
  EXPECT_EQ(error_of("1 1:1\n cat 1:2\n", options), "data:2:2: label 'cat' is not a number; regression needs a number");
  EXPECT_EQ(error_of("1 1:1\nnan 1:2\n", options), "data:2:1: label 'nan' is not finite; regression needs a number");
  EXPECT_EQ(error_of("1 1:1\n-1e39 1:2\n", options),
            "data:2:1: label '-1e39' is out of range of a 32-bit float; regression needs a number");
  EXPECT_EQ(error_of("1 1:1\n1,2 1:2\n", options), "data:2:1: label '1,2' is not a number; regression needs a number");
  EXPECT_EQ(error_of("1 1:1\n2:1 3:2\n", options), "data:2:1: the row has no label before '2:1'");
}

TEST(LibsvmReader, ReadsTheSameOnASecondPass) {
  const std::string text = many_rows(1500, "1 0:1 3:0.5\n") + "-1 1:2";
  const auto source = read_memory(text, {});
  const auto first = read_all(*source);
  source->rewind();
  Batch batch;
  std::vector<std::size_t> sizes;
  while (source->next(batch)) {
    sizes.push_back(batch.rows());
    EXPECT_TRUE(batch.new_labels.empty());
    EXPECT_EQ(batch.dimension, first.dimension);
    EXPECT_EQ(batch.indices[0], 0u);
    EXPECT_EQ(batch.labels.back(), sizes.size() == 1 ? 0u : 1u);
  }
  EXPECT_EQ(sizes, first.batch_sizes);
  EXPECT_FALSE(source->next(batch));
  EXPECT_EQ(batch.rows(), 0u);
}

TEST(LibsvmReader, KeepsTheMemoryOfABatch) {
  const std::string text = many_rows(20 * kBatchRows);
  const auto source = read_memory(text, {});
  Batch batch;
  ASSERT_TRUE(source->next(batch));
  const auto addresses = [&] {
    return std::vector<const void*>{batch.values.data(), batch.indices.data(), batch.offsets.data(),
                                    batch.labels.data()};
  };
  const auto before = addresses();
  while (source->next(batch)) ASSERT_EQ(addresses(), before);
}

TEST(LibsvmReader, ShowsProgress) {
  const std::string text = many_rows(4 * kBatchRows);
  const auto source = read_memory(text, {});
  Batch batch;
  std::vector<double> progress;
  while (source->next(batch)) progress.push_back(source->progress().value());
  EXPECT_EQ(progress.size(), 4u);
  EXPECT_NEAR(progress[0], 0.25, 0.01);
  EXPECT_EQ(progress[3], 1.0);
}

// The counts of the folder's own table.
TEST(LibsvmReader, ReadsTheBenchmarkSetsWhole) {
  struct Expected {
    const char* file;
    std::size_t rows;
    std::uint32_t dimension;
    std::map<std::string, std::size_t> classes;
  };
  const std::vector<Expected> sets = {
      {"a9a.xz", 32561, 123, {{"-1", 24720}, {"1", 7841}}},
      {"w8a.xz", 49749, 300, {{"-1", 48270}, {"1", 1479}}},
      {"ijcnn1.xz", 49990, 22, {{"-1", 45137}, {"1", 4853}}},
      {"spam-stream.xz", 9324, 39916, {{"-1", 6937}, {"1", 2387}}},
      {"iris.xz", 150, 4, {{"1", 50}, {"2", 50}, {"3", 50}}},
      {"waveform21.xz", 5000, 21, {{"0", 1657}, {"1", 1647}, {"2", 1696}}},
  };
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (!is_sampled(i)) continue;
    const Expected& expected = sets[i];
    const auto file = test_data(expected.file);
    if (!file) GTEST_SKIP() << no_test_data(expected.file);
    const PlainData data = read_all(*open_source(*file, {}));
    std::map<std::string, std::size_t> classes;
    for (const auto& row : data.rows) ++classes[row.label];
    EXPECT_EQ(data.dimension, expected.dimension) << expected.file;
    EXPECT_EQ(data.rows.size(), expected.rows) << expected.file;
    EXPECT_EQ(classes, expected.classes) << expected.file;
  }
}

}  // namespace
}  // namespace kinglet
