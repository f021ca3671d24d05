// Reading on several threads: the same batches, labels, errors and skipped rows as on one, wherever the text is cut.
#include "data/parts_ahead.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <thread>
#include <type_traits>

#include "core/random.hpp"
#include "data/reading.hpp"

namespace kinglet {
namespace {

// A batch as text, every field of it, so that two can be compared and shown.
std::string all_of(const Batch& batch) {
  std::string text;
  const auto add = [&](const auto& list) {
    for (const auto& item : list) {
      if constexpr (std::is_same_v<std::decay_t<decltype(item)>, float>) {
        text += std::to_string(std::bit_cast<std::uint32_t>(item)) + " ";  // NaN equals NaN
      } else if constexpr (std::is_integral_v<std::decay_t<decltype(item)>>) {
        text += std::to_string(item) + " ";
      } else {
        text += item + " ";
      }
    }
    text += "\n";
  };
  add(batch.values);
  add(batch.indices);
  add(batch.offsets);
  add(batch.labels);
  add(batch.targets);
  add(batch.weights);
  add(batch.new_labels);
  if (batch.columns) add(batch.columns->features);
  add(std::vector<std::uint64_t>{batch.sparse, batch.dimension, batch.highest.index,
                                 static_cast<std::uint64_t>(batch.index_base.value_or(9))});
  return text + batch.highest.where;
}

struct Pass {
  std::vector<std::string> batches;
  std::string error;
  std::uint64_t skipped = 0;
  std::vector<std::string> messages;  // of the first skipped rows
  std::optional<std::uint64_t> rows;

  friend bool operator==(const Pass&, const Pass&) = default;
};

// Reads up to `most` batches.
Pass read_pass(Source& source, std::size_t most = 1'000'000) {
  Pass pass;
  try {
    for (Batch batch; pass.batches.size() < most && source.next(batch);) pass.batches.push_back(all_of(batch));
  } catch (const Error& error) {
    pass.error = error.what();
    Batch batch;
    EXPECT_FALSE(source.next(batch)) << "an error is the end";
  }
  pass.skipped = source.skipped().count;
  for (const Message& message : source.skipped().first) pass.messages.push_back(message.text());
  pass.rows = source.rows_read();
  return pass;
}

struct Text {
  std::string text;
  SourceOptions options;
};

// Texts of rows, with everything between and inside of them that is allowed, and sometimes with errors.
class TextMaker {
 public:
  explicit TextMaker(std::uint64_t seed) : random_(seed) {}

  Text make(bool csv) {
    Text made;
    SourceOptions& options = made.options;
    options.format = csv ? Format::csv : Format::libsvm;
    options.numeric_labels = one_in(4);
    options.labels_unused = one_in(8);
    if (one_in(3)) options.skip_bad = one_in(2) ? 3 : 1000;
    numeric_ = options.numeric_labels;
    errors_ = one_in(2);
    rare_labels_ = one_in(2);
    const std::size_t rows = 1000 + random_.below(4000);
    const bool nul = one_in(6);
    const std::size_t long_row = one_in(3) ? random_.below(rows) : rows;
    line_end_ = one_in(3) ? "\r\n" : "\n";
    if (csv) {
      options.missing = one_in(3) ? Missing::mean : Missing::zero;
      if (one_in(2)) options.weight_column = "5";
      options.ignore = {"4"};
      quoted_lines_ = one_in(2);
      if (one_in(2)) made.text += "label,x,y,note,weight" + line_end_;
    } else {
      if (one_in(4)) options.dimension = 70;
      if (one_in(4)) options.index_base = one_in(2) ? 1 : 0;
    }
    if (one_in(4)) made.text.insert(0, "\xEF\xBB\xBF");
    for (std::size_t i = 0; i < rows; ++i) {
      made.text += csv ? csv_row() : libsvm_row();
      if (i == long_row) made.text += csv ? std::string(3000, ' ') : " # " + std::string(3000, 'c');
      made.text += line_end_;
    }
    if (nul) made.text[random_.below(made.text.size())] = '\0';
    if (one_in(3)) made.text.pop_back();
    return made;
  }

 private:
  bool one_in(std::uint64_t n) { return random_.below(n) == 0; }
  std::string number() { return std::to_string(random_.below(1000)) + (one_in(2) ? ".25" : ""); }
  std::string label() {
    static const char* const kWords[] = {"a", "b", "+1", "1.0", "-1", "longer than eight"};
    if (numeric_) return number();
    if (rare_labels_ && one_in(300)) return "L" + std::to_string(random_.below(100));
    return kWords[random_.below(5)];
  }

  std::string libsvm_row() {
    static const char* const kBad[] = {"b 1:x", "new 2:1 1:1", "nan 1:1", "1:1 2:2", "b 3", "b 1:1\x01", "b 0:1 99:1"};
    if (one_in(30)) return one_in(2) ? "" : " # only a comment";
    if (errors_ && one_in(700)) return kBad[random_.below(7)];
    std::string row = label();
    if (one_in(20)) row += " qid:3";
    std::uint64_t index = 0;
    for (std::uint64_t n = random_.below(4); n > 0; --n) {
      index += 1 + random_.below(one_in(400) ? 60 : 5);
      row += " " + std::to_string(index) + ":" + number();
    }
    if (one_in(20)) row += " # a comment";
    return row;
  }

  std::string csv_row() {
    static const char* const kBad[] = {"b,1,2",          "new,1,x,,1", "a,1,2,,1,3", "a,1,2,\"\"x,1",
                                       "a,1,2,\"open,1", "a,1,2,,-1",  ",1,2,,1",    "a,,,\"two\nlines\",oh"};
    static const char* const kNotes[] = {"", "words", "mid\"quote", "\"quoted\"", "\"a \"\"b\"\" c\"", " \"blank\" "};
    if (one_in(30)) return one_in(2) ? "" : "   ";
    if (errors_ && one_in(700)) return kBad[random_.below(8)];
    std::string note = kNotes[random_.below(6)];
    if (quoted_lines_ && one_in(4)) note = one_in(2) ? "\"two\nlines\"" : "\"a,1,2,,1\n\nb,2,3,,1\n\"";
    const std::string x = one_in(20) ? "" : one_in(20) ? "\"" + number() + "\"" : number();
    return label() + "," + x + "," + number() + "," + note + "," + number();
  }

  Random random_;
  std::string line_end_;
  bool numeric_ = false;
  bool errors_ = false;
  bool rare_labels_ = false;
  bool quoted_lines_ = false;
};

std::unique_ptr<Source> open_text(const Text& text, unsigned threads, std::size_t part_bytes) {
  SourceOptions options = text.options;
  options.threads = threads;
  return read_memory(text.text, options, "data", part_bytes);
}

TEST(ReadingOnThreads, GivesTheSameAsOnOne) {
  EXPECT_TRUE(rc::check([] {
    const bool csv = *rc::gen::arbitrary<bool>();
    const Text text = TextMaker(*rc::gen::inRange<std::uint64_t>(0, 1'000'000)).make(csv);
    const auto threads = *rc::gen::element(2U, 3U, 8U);
    const auto part_bytes = *rc::gen::element<std::size_t>(40, 100, 333, 1000);
    const auto one = open_text(text, 1, part_bytes);
    const auto many = open_text(text, threads, part_bytes);
    for (const std::size_t batches : {2u, 100u}) {  // the second pass begins in the middle of the first
      const Pass expected = read_pass(*one, batches);
      const Pass found = read_pass(*many, batches);
      RC_ASSERT(found.error == expected.error);
      RC_ASSERT(found.messages == expected.messages);
      RC_ASSERT(found == expected);
      one->rewind();
      many->rewind();
    }
  }));
}

// An error on the last row, on the first row of a part and so on: a short row repeated, with one bad row anywhere.
TEST(ReadingOnThreads, FindsAnErrorAnywhere) {
  const std::size_t rows = 1200;
  for (std::size_t bad = 1020; bad < rows; ++bad) {
    Text text;
    for (std::size_t i = 0; i < rows; ++i) text.text += i == bad ? "a 1:x\n" : "a 1:1\n";
    const auto source = open_text(text, 2, 60);
    const Pass pass = read_pass(*source);
    ASSERT_EQ(pass.error, "data:" + std::to_string(bad + 1) + ":5: value 'x' is not a number");
    ASSERT_EQ(pass.rows, bad);
  }
}

TEST(ReadingOnThreads, LimitsTheNumberOfLabels) {
  Text text;
  for (std::size_t i = 0; i < LabelIds::kMaxLabels + 5; ++i) text.text += "n" + std::to_string(i) + " 1:1\na 2:1\n";
  for (const std::uint64_t skip_bad : {0u, 3u, 100u}) {
    text.options.skip_bad = skip_bad;
    const Pass expected = read_pass(*open_text(text, 1, 50'000));
    EXPECT_EQ(expected.error.empty(), skip_bad == 100);
    EXPECT_EQ(read_pass(*open_text(text, 3, 50'000)), expected);
  }
}

// Nearly as many labels as there may be: a part does not have to fit again while its rows are taken.
TEST(ReadingOnThreads, TakesEveryRowOnceHoweverManyLabelsThereAre) {
  for (const char* end : {" 1:1 2:2 3:3\n", ",1,2,3\n"}) {
    for (const std::size_t labels : {LabelIds::kMaxLabels * 2 / 3, LabelIds::kMaxLabels - 10}) {
      Text text;
      for (std::size_t i = 0; i < 200'000; ++i) text.text += "n" + std::to_string(i % labels) + end;
      const Pass expected = read_pass(*open_text(text, 1, kPartBytes));
      EXPECT_EQ(expected.error, "");
      EXPECT_TRUE(read_pass(*open_text(text, 3, kPartBytes)) == expected) << labels << " labels";
    }
  }
}

TEST(ReadingOnThreads, LimitsTheLengthOfRows) {
  const std::string rows = [] {
    std::string text;
    for (int i = 0; i < 3000; ++i) text += "a,1,2\n";
    return text;
  }();
  for (const std::size_t length : {100u, 199u, 200u, 201u, 5000u}) {
    for (const bool quoted_lines : {false, true}) {
      const std::string inside(length - 6, quoted_lines ? '\n' : ' ');
      Text text{rows + "a,\"" + inside + "\",2\n" + rows, {.missing = Missing::zero, .max_row_bytes = 200}};
      EXPECT_EQ(read_pass(*open_text(text, 2, 100)), read_pass(*open_text(text, 1, 100))) << length;
    }
  }
}

class FileOfRows {
 public:
  explicit FileOfRows(bool last_newline = true) {
    for (int i = 0; text_.size() < 12 * kPartBytes; ++i) {
      text_ += std::to_string(i % 5) + " 1:" + std::to_string(i) + " " + std::to_string(2 + i / 9000) + ":0.5\n";
    }
    if (!last_newline) text_.pop_back();
    path_ = folder_.write("rows", text_);
  }
  std::unique_ptr<Source> open(unsigned threads) const { return open_source(path_, {.threads = threads}); }

 private:
  TemporaryFolder folder_;
  std::string text_;
  std::string path_;
};

TEST(ReadingOnThreads, ReadsFiles) {
  for (const bool last_newline : {true, false}) {
    const FileOfRows file(last_newline);
    const Pass expected = read_pass(*file.open(1));
    for (const unsigned threads : {0u, 2u, 5u}) {
      const auto source = file.open(threads);
      EXPECT_EQ(read_pass(*source), expected);
      EXPECT_EQ(source->progress(), 1.0);
      source->rewind();
      EXPECT_LT(source->progress(), 0.01);
    }
    EXPECT_EQ(read_pass(*read_ahead(file.open(2))).batches, expected.batches);
  }
}

std::size_t running_threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

TEST(ReadingOnThreads, StartsThemOnlyForLargeFiles) {
  const std::size_t before = running_threads();
  std::string small;
  while (small.size() < kLeastParts * kPartBytes) small += "a 1:1\n";
  const auto small_source = read_memory(small, {.threads = 3});
  const FileOfRows file;
  const auto source = file.open(3);
  Batch batch;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(small_source->next(batch));
  ASSERT_TRUE(source->next(batch));
  EXPECT_EQ(running_threads(), before) << "the first batch is read without threads";
  ASSERT_TRUE(source->next(batch));
  EXPECT_GT(running_threads(), before);
}

TEST(ReadingOnThreads, CanBeDestroyedOrStoppedAtAnyMoment) {
  const FileOfRows file;
  for (int batches = 0; batches < 12; ++batches) {
    const auto source = file.open(3);
    Batch batch;
    for (int i = 0; i < batches; ++i) ASSERT_TRUE(source->next(batch));
    if (batches % 2 == 0) continue;
    source->stop();
    EXPECT_FALSE(source->next(batch));
    EXPECT_FALSE(source->next(batch));
  }
}

TEST(ReadingOnThreads, StopsFromAnotherThread) {
  const FileOfRows file;
  const auto source = file.open(2);
  Batch batch;
  ASSERT_TRUE(source->next(batch));
  std::thread stopper([&] { source->stop(); });
  while (source->next(batch)) {
  }
  stopper.join();
  EXPECT_FALSE(source->next(batch));
}

// --- parts -----------------------------------------------------------------------------------------------------------

TEST(LinesOfBlock, AreAllLinesInOrderExceptLongOnes) {
  EXPECT_TRUE(rc::check([] {
    const auto lengths = *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 30));
    const auto block = *rc::gen::inRange<std::size_t>(1, 40);
    std::string text;
    for (const std::size_t length : lengths) text += std::string(length, 'x') + "\n";
    if (text.empty()) return;
    std::size_t covered = 0;
    for (std::size_t i = 0; i * block < text.size(); ++i) {
      const std::string_view lines = lines_of_block(text, block, i);
      if (lines.empty()) continue;
      const auto begin = static_cast<std::size_t>(lines.data() - text.data());
      RC_ASSERT(begin >= covered && begin / block == i && lines.size() <= 2 * block);
      RC_ASSERT((begin == 0 || text[begin - 1] == '\n') && lines.back() == '\n');
      const std::string_view left_out = std::string_view(text).substr(covered, begin - covered);
      RC_ASSERT(left_out.empty() || left_out.size() > block);
      covered = begin + lines.size();
    }
  }));
}

TEST(PartsOnThreads, AreParsedCompletely) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "a,1," + std::to_string(i) + (i % 1000 == 999 ? "\nb,x,2\n" : "\n");
  const auto parser = make_csv_parser("data", ',', {});
  Batch first;
  parser->begin(first);
  parser->parse("a,1,2\n", true, first);
  PartsAhead parts(text, *parser, 3, 2000);
  std::size_t bytes = 0;
  std::size_t unusable = 0;
  while (const PartsAhead::Part* part = parts.front()) {
    EXPECT_EQ(part->text.data(), text.data() + bytes);
    bytes += part->text.size();
    unusable += part->usable ? 0 : 1;
    EXPECT_EQ(part->usable ? part->used : part->text.size(), part->text.size());
    parts.pop();
  }
  EXPECT_EQ(bytes, text.size());
  EXPECT_EQ(unusable, 5u) << "one for each row with an error";
}

}  // namespace
}  // namespace kinglet
