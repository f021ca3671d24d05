// Sources of bytes: files, compressed files, pipes, standard input, and the errors of each.
#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "data/byte_reader.hpp"
#include "data/foreign_format.hpp"
#include "data/gzip_check.hpp"
#include "data/lines.hpp"
#include "data/reading.hpp"

namespace kinglet {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using namespace std::string_view_literals;

std::string example_text(std::size_t rows, std::uint64_t seed = 1) {
  std::string text;
  for (std::size_t i = 0; i < rows; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    text +=
        fmt::format("{} 1:{} 7:{}\n", (seed >> 40) % 3, (seed >> 33) % 1000, static_cast<float>(seed >> 20) * 1e-9f);
  }
  return text;
}

std::string compressed(const std::string& text, int filter) {
  std::string out(text.size() + (1u << 20), '\0');
  std::size_t used = 0;
  archive* a = archive_write_new();
  archive_write_add_filter(a, filter);
  archive_write_set_format_raw(a);
  archive_write_set_bytes_in_last_block(a, 1);
  archive_write_open_memory(a, out.data(), out.size(), &used);
  archive_entry* entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_size(entry, static_cast<la_int64_t>(text.size()));
  EXPECT_EQ(archive_write_header(a, entry), ARCHIVE_OK);
  archive_write_data(a, text.data(), text.size());
  archive_entry_free(entry);
  archive_write_close(a);
  archive_write_free(a);
  out.resize(used);
  return out;
}

struct Filter {
  const char* name;
  int code;
};
const std::vector<Filter> kFilters = {{"gz", ARCHIVE_FILTER_GZIP},
                                      {"bz2", ARCHIVE_FILTER_BZIP2},
                                      {"xz", ARCHIVE_FILTER_XZ},
                                      {"zst", ARCHIVE_FILTER_ZSTD}};

// --- files -----------------------------------------------------------------------------------------------------------

TEST(Input, CompressionIsRecognisedByContentWhateverTheName) {
  const TemporaryFolder folder;
  const std::string text = example_text(5000);
  const auto expected = read_all(text);
  for (const auto& [name, code] : kFilters) {
    const auto source = open_source(folder.write(std::string("data.txt.") + name + ".csv", compressed(text, code)), {});
    const auto data = read_all(*source);
    EXPECT_EQ(data.rows, expected.rows) << name;
    EXPECT_EQ(data.batch_sizes, expected.batch_sizes) << name;
    EXPECT_EQ(source->progress(), 1.0);
    ASSERT_TRUE(source->can_rewind());
    source->rewind();
    Batch batch;
    std::size_t rows = 0;
    while (source->next(batch)) rows += batch.rows();
    EXPECT_EQ(rows, expected.rows.size()) << name;
  }
}

TEST(Input, SeveralCompressedPiecesInARowAreOneText) {
  const TemporaryFolder folder;
  const std::string first = example_text(1500, 1), second = example_text(1500, 2);
  for (const auto& [name, code] : kFilters) {
    const auto path = folder.write("data", compressed(first, code) + compressed(second, code));
    EXPECT_EQ(read_all(*open_source(path, {})).rows, read_all(first + second).rows) << name;
  }
}

TEST(Input, CutOffCompressedDataIsAnErrorWhereverTheCut) {
  const TemporaryFolder folder;
  for (const auto& [name, code] : kFilters) {
    const std::string whole = compressed(example_text(3000), code);
    for (const std::size_t size : {whole.size() / 3, whole.size() - 9, whole.size() - 4, whole.size() - 1}) {
      const auto error = error_of_opening(folder.write("data", whole.substr(0, size)));
      EXPECT_NE(error.find("data: the compressed data are damaged or truncated ("), std::string::npos)
          << name << " " << size << " of " << whole.size() << ": " << error;
    }
  }
}

// Reading data with a flipped bit fails, or gives the same rows (if the bit is in an unused part of a header), but
// never gives other rows.
TEST(Input, DamagedCompressedDataNeverGivesOtherRows) {
  const TemporaryFolder folder;
  const std::string text = example_text(60);
  const auto expected = read_all(text).rows;
  for (const auto& filter : kFilters) {
    if (filter.code == ARCHIVE_FILTER_ZSTD) continue;  // libarchive writes no checksum for zstd
    const std::string whole = compressed(text, filter.code);
    EXPECT_TRUE(rc::check([&] {
      std::string damaged = whole;
      const auto position = *rc::gen::inRange<std::size_t>(4, whole.size());
      damaged[position] = static_cast<char>(damaged[position] ^ (1 << *rc::gen::inRange(0, 8)));
      try {
        RC_ASSERT(read_all(*open_source(folder.write("data", damaged), {})).rows == expected);
      } catch (const Error&) {
      }
    })) << filter.name;
  }
}

TEST(Input, SomethingAfterCompressedDataIsAnError) {
  const TemporaryFolder folder;
  for (const auto& [name, code] : kFilters) {
    const auto error = error_of_opening(folder.write("data", compressed(example_text(10), code) + "and more"));
    EXPECT_NE(error.find("damaged"), std::string::npos) << name << error;
  }
}

TEST(Input, ACompressedEmptyFileIsEmpty) {
  const TemporaryFolder folder;
  for (const auto& [name, code] : kFilters) {
    const auto path = folder.write("data", compressed("", code));
    EXPECT_EQ(error_of_opening(path), path + ": the file is empty") << name;
  }
}

TEST(Input, WhatCannotBeOpenedIsNamedWithTheReason) {
  const TemporaryFolder folder;
  const std::string missing = folder.path("missing");
  EXPECT_EQ(error_of_opening(missing), missing + ": no such file");
  const std::string too_long(5000, 'x');
  EXPECT_EQ(error_of_opening(too_long), too_long + ": cannot open: " + std::strerror(ENAMETOOLONG));
  EXPECT_EQ(error_of_opening(folder.path("")), folder.path("") + ": is a directory; name one of its files");
  const std::string empty = folder.write("empty", "");
  EXPECT_EQ(error_of_opening(empty), empty + ": the file is empty");
  EXPECT_EQ(error_of_opening("/dev/null"), "/dev/null: the file is empty");
  EXPECT_EQ(error_of_opening("checkerboard?n=5"),
            "checkerboard?n=5: no such file; to use the generator of that name, write gen:checkerboard?n=5");
  EXPECT_EQ(error_of_opening("data:a9a"),
            "data:a9a: no such file; only the kinglet command opens public data sets by name, so use a path");
}

TEST(Input, AFileWithoutPermissionIsAnError) {
  const TemporaryFolder folder;
  const std::string path = folder.write("secret", "1 1:1\n");
  ::chmod(path.c_str(), 0);
  const uid_t user = ::geteuid();
  const bool was_root = user == 0;  // root can read every file
  if (was_root && ::seteuid(65534) != 0) GTEST_SKIP() << "root may read every file, and cannot be somebody else here";
  const std::string error = error_of_opening(path);
  ASSERT_EQ(::seteuid(user), 0);
  EXPECT_EQ(error, path + ": no permission to read this file");
}

// The text ends with the last page of the mapped file, so reading past its end would usually crash.
TEST(Input, FilesThatFillTheirLastPageAreReadToTheEnd) {
  const TemporaryFolder folder;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  for (const std::string end : {"1:1", "1:0.12345678", "1:1\n", ""}) {
    for (std::size_t pages = 1; pages <= 3; ++pages) {
      std::string text;
      while (text.size() + 40 < pages * page) text += "1 1:1 2:0.5\n";
      text += "1 " + std::string(pages * page - text.size() - 2 - end.size(), ' ') + end;
      ASSERT_EQ(text.size() % page, 0u);
      EXPECT_EQ(read_all(*open_source(folder.write("data", text), {})).rows, read_all(text).rows);
    }
  }
}

// The text ends just before a page without read permission, so reading past its end would crash.
TEST(Input, NothingIsLookedAtAfterTheEndOfTheText) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  char* const memory =
      static_cast<char*>(::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_EQ(::mprotect(memory + page, page, PROT_NONE), 0);
  for (const std::string text : {"1 1:12\n", "1 1:12", "1 1:1\n1 2:0.25\n", "1 1:1e5\n", "1\n", "a,12\nb,0.5\n",
                                 "a,12\nb,0.5", "1 12:", "1 1:1 #"}) {
    char* const begin = memory + page - text.size();
    std::memcpy(begin, text.data(), text.size());
    EXPECT_EQ(error_of(std::string_view(begin, text.size())), error_of(text + "\n"));
  }
  ::munmap(memory, 2 * page);
}

// The resident memory of a mapped file in bytes, from /proc/self/smaps.
std::size_t resident_bytes(const std::string& path) {
  std::ifstream maps("/proc/self/smaps");
  std::size_t kilobytes = 0;
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    if (line.find('-') < line.find(' ')) here = line.find(path) != std::string::npos;  // the first line of a mapping
    if (here && line.starts_with("Rss:")) kilobytes += std::stoul(line.substr(4));
  }
  return kilobytes << 10;
}

TEST(Input, OnlyALittleOfALargeFileIsInMemoryAtATime) {
  const TemporaryFolder folder;
  std::string text = example_text(20000);
  while (text.size() < (32u << 20)) text += text;
  const std::string path = folder.write("large", text);
  const auto source = open_source(path, {});
  Batch batch;
  std::size_t most = 0, batches = 0;
  while (source->next(batch)) {
    if (++batches % 32 == 0) most = std::max(most, resident_bytes(path));
  }
  EXPECT_GT(most, 0u);
  EXPECT_LT(most, 16u << 20);  // pages are released after 8 MiB; the rest is for reading ahead
}

TEST(Input, TheRowsAreTheSameWhateverTheSizeOfTheChunks) {
  const std::string text = example_text(300);
  const auto expected = read_all(text).rows;
  EXPECT_TRUE(rc::check([&] {
    SourceOptions options;
    options.max_row_bytes = *rc::gen::inRange<std::size_t>(40, 5000);
    RC_ASSERT(read_all(text, options).rows == expected);
  }));
}

// --- pipes -----------------------------------------------------------------------------------------------------------

// A named pipe, and the file descriptor of its writing end.
class Pipe {
 public:
  explicit Pipe(const TemporaryFolder& folder) : path_(folder.path("pipe")) { ::mkfifo(path_.c_str(), 0600); }
  ~Pipe() { close(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  const std::string& path() const { return path_; }
  void open() { fd_ = ::open(path_.c_str(), O_WRONLY); }
  void write(std::string_view text) {
    while (!text.empty()) {
      const auto n = ::write(fd_, text.data(), text.size());
      ASSERT_GT(n, 0);
      text.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  std::string path_;
  int fd_ = -1;
};

std::string rows_of(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "1 1:1\n";
  return text;
}

TEST(Input, AfterTheFirstBatchASlowPipeGivesShortBatches) {
  const TemporaryFolder folder;
  Pipe pipe(folder);
  const auto source = open_source(pipe.path(), {});
  pipe.open();
  pipe.write(rows_of(500));
  std::thread later([&] {
    std::this_thread::sleep_for(50ms);
    pipe.write(rows_of(kBatchRows + 3 - 500));
  });
  Batch batch;
  ASSERT_TRUE(source->next(batch));
  later.join();
  EXPECT_EQ(batch.rows(), kBatchRows) << "the first batch waits until it is full";
  ASSERT_TRUE(source->next(batch));
  EXPECT_EQ(batch.rows(), 3u);
  pipe.write("1 1:1\n2 1:");
  ASSERT_TRUE(source->next(batch));
  EXPECT_EQ(batch.rows(), 1u) << "half a row waits";
  pipe.write("5\n");
  pipe.close();
  ASSERT_TRUE(source->next(batch));
  EXPECT_EQ(batch.rows(), 1u);
  EXPECT_EQ(batch.values, std::vector<float>{5});
  EXPECT_FALSE(source->next(batch));
  EXPECT_FALSE(source->can_rewind());
  EXPECT_THROW(source->rewind(), Error);
  EXPECT_EQ(source->progress(), std::nullopt);
}

TEST(Input, ThatDoesNotFillItsFirstBatchAnswersAtOnce) {
  const TemporaryFolder folder;
  Pipe pipe(folder);
  SourceOptions options;
  options.fill_first_batch = false;
  const auto source = open_source(pipe.path(), options);
  pipe.open();
  pipe.write("1 1:1\n");
  Batch batch;
  ASSERT_TRUE(source->next(batch));
  EXPECT_EQ(batch.rows(), 1u);
}

TEST(Input, APipeMayBeCompressed) {
  const TemporaryFolder folder;
  const std::string text = example_text(3000);
  for (const auto& [name, code] : kFilters) {
    const TemporaryFolder inner;
    Pipe pipe(inner);
    const auto source = open_source(pipe.path(), {});
    std::thread writer([&, code = code] {
      pipe.open();
      pipe.write(compressed(text, code));
      pipe.close();
    });
    EXPECT_EQ(read_all(*source).rows, read_all(text).rows) << name;
    writer.join();
    std::filesystem::remove(pipe.path());
  }
}

TEST(Input, APipeInPiecesGivesTheSameRowsAsAFile) {
  const std::string text = example_text(2000);
  const auto expected = read_all(text).rows;
  const TemporaryFolder folder;
  Pipe pipe(folder);
  EXPECT_TRUE(rc::check([&](std::vector<std::uint8_t> pieces) {
    const auto source = open_source(pipe.path(), {});
    std::thread writer([&] {
      pipe.open();
      std::string_view rest = text;
      for (const auto piece : pieces) {
        const std::size_t size = std::min<std::size_t>(rest.size(), piece * 37u + 1);
        pipe.write(rest.substr(0, size));
        rest.remove_prefix(size);
      }
      pipe.write(rest);
      pipe.close();
    });
    const auto data = read_all(*source);
    writer.join();
    RC_ASSERT(data.rows == expected);
  }));
}

TEST(Input, StopEndsAReadThatIsBlockedOnAPipe) {
  const TemporaryFolder folder;
  const std::string half_compressed = compressed(rows_of(9000), ARCHIVE_FILTER_GZIP).substr(0, 50);
  for (const std::string& sent : {std::string(), "1 1:1\n"s, rows_of(700), half_compressed}) {
    const TemporaryFolder inner;
    Pipe pipe(inner);
    const auto source = open_source(pipe.path(), {});
    pipe.open();
    pipe.write(sent);
    std::thread stopper([&] {
      std::this_thread::sleep_for(50ms);
      source->stop();
    });
    Batch batch;
    const bool some = source->next(batch);
    stopper.join();
    EXPECT_EQ(batch.rows(), some ? (sent.size() > 10 ? 700u : 1u) : 0u);
    EXPECT_FALSE(source->next(batch));
  }
}

TEST(Input, ANamedPipeNobodyWritesToCanBeOpenedAndStopped) {
  const TemporaryFolder folder;
  const Pipe pipe(folder);
  const auto source = open_source(pipe.path(), {});
  std::thread stopper([&] {
    std::this_thread::sleep_for(50ms);
    source->stop();
  });
  Batch batch;
  EXPECT_FALSE(source->next(batch));
  stopper.join();
}

TEST(Input, ALongRowInAPipeIsAnErrorBeforeItFillsTheMemory) {
  const TemporaryFolder folder;
  Pipe pipe(folder);
  SourceOptions options;
  options.max_row_bytes = 100000;
  options.format = Format::libsvm;
  const auto source = open_source(pipe.path(), options);
  std::thread writer([&] {
    pipe.open();
    pipe.write("1 1:1\n" + std::string(150000, '1'));
  });
  Batch batch;
  try {
    while (source->next(batch)) {
    }
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), pipe.path() +
                                             ":2:1: the row is longer than 100000 bytes; is this a text file with one "
                                             "example per line?");
  }
  writer.join();
}

TEST(Input, StandardInputMayBeAFileOrAPipe) {
  const TemporaryFolder folder;
  const std::string text = example_text(2000);
  const int saved = ::dup(STDIN_FILENO);
  for (const bool as_pipe : {false, true}) {
    const int fd = ::open(folder.write("data", text).c_str(), O_RDONLY);
    int ends[2] = {-1, -1};
    std::thread writer;
    if (as_pipe) {
      ASSERT_EQ(::pipe(ends), 0);
      writer = std::thread([&] {
        for (std::string_view rest = text; !rest.empty();) {
          rest.remove_prefix(
              static_cast<std::size_t>(::write(ends[1], rest.data(), std::min<std::size_t>(rest.size(), 9999))));
        }
        ::close(ends[1]);
      });
    }
    ::dup2(as_pipe ? ends[0] : fd, STDIN_FILENO);
    const auto source = open_source("-", {});
    EXPECT_EQ(source->name(), "<stdin>");
    EXPECT_EQ(source->can_rewind(), !as_pipe);
    EXPECT_EQ(read_all(*source).rows, read_all(text).rows);
    if (writer.joinable()) writer.join();
    if (as_pipe) ::close(ends[0]);
    ::close(fd);
  }
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
}

// --- parts -----------------------------------------------------------------------------------------------------------

TEST(Input, MagicNumbersAreToldFromText) {
  EXPECT_EQ(recognise_compression("\x1F\x8B\x08 rest"sv), FileCompression::compressed);
  EXPECT_EQ(recognise_compression("BZh91AY&SY"sv), FileCompression::compressed);
  EXPECT_EQ(recognise_compression("BZh9 1:1 2:2"sv), FileCompression::none);
  EXPECT_EQ(recognise_compression("BZ"sv), FileCompression::unclear);
  EXPECT_EQ(recognise_compression("\x1F"sv), FileCompression::unclear);
  EXPECT_EQ(recognise_compression(""sv), FileCompression::unclear);
  EXPECT_EQ(recognise_compression("1"sv), FileCompression::none);
  EXPECT_EQ(recognise_compression("\x1F\x8B"sv), FileCompression::unclear);
  for (const auto whole : {"\x1F\x8B"sv,
                           "\xFD"
                           "7zXZ"sv,
                           "\x28\xB5\x2F"sv}) {
    EXPECT_EQ(recognise_compression(whole, true), FileCompression::compressed) << whole;
  }
  for (const auto whole : {"("sv, "B"sv, "BZh9"sv, ""sv}) {
    EXPECT_EQ(recognise_compression(whole, true), FileCompression::unclear) << whole;
  }
  EXPECT_EQ(recognise_compression("\xFD"
                                  "7zXZ\0"sv),
            FileCompression::compressed);
  EXPECT_EQ(recognise_compression("\x28\xB5\x2F\xFD"sv), FileCompression::compressed);
}

TEST(Input, ForeignFormatsAreToldFromText) {
  for (const auto text : {"1 1:1\n"sv, "[a],1\n[b],2\n"sv, "{x},1\n"sv, "PK,1\n"sv, "PAR,1\n"sv, ""sv, "\n"sv}) {
    EXPECT_EQ(foreign_format(text), "") << text;
  }
  EXPECT_THAT(foreign_format("\xEF\xBB\xBF {\n\"a\": 1}"), testing::StartsWith("is JSON"));
  EXPECT_THAT(foreign_format("[]"), testing::StartsWith("is JSON"));
  EXPECT_THAT(foreign_format(std::string(257, 'a') + "ustar\0"), testing::StartsWith("is a tar archive"));
  EXPECT_EQ(foreign_format(std::string(257, 'a')), "");
}

TEST(Input, ANulByteIsFoundAnywhereWithItsLine) {
  EXPECT_TRUE(rc::check([] {
    std::string text;
    const auto rows = *rc::gen::inRange<std::size_t>(1, 3000);
    const auto bad = *rc::gen::inRange<std::size_t>(0, rows);
    for (std::size_t i = 0; i < rows; ++i) text += i == bad ? "1 1:2 # a\0b\n"s : "1 1:2 # ab\n"s;
    RC_ASSERT(error_of(text) == fmt::format("data:{}:10: there is a NUL byte; is this a text file?", bad + 1));
    const auto source = read_memory(text, {});
    std::size_t before = 0;
    try {
      for (Batch batch; source->next(batch);) before += batch.rows();
    } catch (const Error&) {
    }
    RC_ASSERT(before == bad);
  }));
}

TEST(Input, TheChecksumOfGzipIsTheKnownOne) {
  EXPECT_EQ(crc32(0, "123456789"), 0xCBF43926u);
  EXPECT_EQ(crc32(crc32(0, "1234"), "56789"), 0xCBF43926u);
  EXPECT_EQ(crc32(0, "The quick brown fox jumps over the lazy dog"), 0x414FA339u);
}

TEST(Input, LinesAreWholeAndLoseNothing) {
  EXPECT_TRUE(rc::check([] {
    const auto text = *rc::gen::container<std::string>(rc::gen::element('a', 'b', '\n'));
    Lines lines(bytes_in_memory(text), 1000);
    std::string seen;
    for (auto chunk = lines.next(true); chunk.supply == Supply::ready; chunk = lines.next(true)) {
      RC_ASSERT(chunk.text.back() == '\n');
      const std::size_t line = chunk.text.find('\n') + 1;
      seen += chunk.text.substr(0, line);
      lines.consume(line);
    }
    RC_ASSERT(seen == (text.empty() || text.back() == '\n' ? text : text + "\n"));
  }));
}

}  // namespace
}  // namespace kinglet
