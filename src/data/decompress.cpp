// Decompresses input with libarchive, whose "raw" format is a single stream of bytes behind any compression filter.
#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "data/byte_reader.hpp"
#include "data/gzip_check.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

class Decompressor final : public ByteReader {
 public:
  explicit Decompressor(std::unique_ptr<DescriptorReader> input) : input_(std::move(input)) {}

  // A decompressor works in blocks, so on a pipe it may wait for more data than the next row needs.
  Supply read(std::span<char> room, bool wait, std::size_t& got) override {
    if (block_.empty()) {
      if (!wait && !input_->ready_now()) return Supply::idle;
      if (!archive_) open();
      if (empty_ || !next_block()) return stopped_ ? Supply::stopped : Supply::end;
    }
    got = std::min(room.size(), block_.size());
    std::memcpy(room.data(), block_.data(), got);
    block_.remove_prefix(got);
    return Supply::ready;
  }

  bool can_rewind() const override { return input_->can_rewind(); }
  void rewind() override {
    archive_.reset();
    block_ = {};
    given_ = 0;
    gzip_ = {};
    input_->rewind();
  }
  std::optional<double> progress() const override { return input_->progress(); }
  void stop() override { input_->stop(); }

 private:
  struct Free {
    void operator()(archive* a) const { archive_read_free(a); }
  };

  static la_ssize_t read_more(archive* a, void* self, const void** bytes) {
    auto& me = *static_cast<Decompressor*>(self);
    *bytes = me.compressed_.data();
    try {
      std::size_t got = 0;
      const Supply supply = me.input_->read(me.compressed_, true, got);
      me.stopped_ = supply == Supply::stopped;
      me.given_ += got;
      me.gzip_.compressed({me.compressed_.data(), got});
      return static_cast<la_ssize_t>(got);
    } catch (const Error& error) {  // exceptions must not pass through C code
      archive_set_error(a, EIO, "%s", error.what());
      return ARCHIVE_FATAL;
    }
  }

  void open() {
    archive_.reset(archive_read_new());
    archive* a = archive_.get();
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_xz(a);
    archive_read_support_filter_zstd(a);
    archive_read_support_format_raw(a);
    archive_read_support_format_empty(a);
    if (archive_read_open(a, this, nullptr, read_more, nullptr) < ARCHIVE_WARN) fail();
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(a, &entry);
    if (status != ARCHIVE_EOF && status < ARCHIVE_WARN) fail();
    if (archive_filter_code(a, 0) == ARCHIVE_FILTER_NONE)
      fail("it ends too early");  // it begins like a compressed file, but is too short
    empty_ = status == ARCHIVE_EOF;
  }

  bool next_block() {
    for (;;) {
      const void* bytes = nullptr;
      std::size_t size = 0;
      la_int64_t offset = 0;
      const int status = archive_read_data_block(archive_.get(), &bytes, &size, &offset);
      if (stopped_) return false;
      if (status != ARCHIVE_OK && status != ARCHIVE_EOF) fail();
      if (size > 0) {
        block_ = {static_cast<const char*>(bytes), size};
        if (is_gzip()) gzip_.decompressed(block_);
        return true;
      }
      if (status == ARCHIVE_EOF) {
        check_end();
        return false;
      }
    }
  }

  bool is_gzip() const { return archive_filter_code(archive_.get(), 0) == ARCHIVE_FILTER_GZIP; }

  // libarchive reports success, but it does not check everything.
  void check_end() {
    if (is_gzip() && !gzip_.holds()) fail("wrong checksum");
    std::size_t more = 0;
    const bool all_used = static_cast<std::uint64_t>(archive_filter_bytes(archive_.get(), -1)) == given_;
    if (!all_used || input_->read(compressed_, true, more) == Supply::ready) fail("other data follow it");
  }

  void fail(const char* reason = nullptr) {
    if (stopped_) return;
    if (reason == nullptr) reason = archive_error_string(archive_.get());
    throw Error(fmt::format("{}: the compressed data are damaged or truncated ({}); create or download the file again",
                            input_->name(), reason != nullptr ? reason : "it ends too early"));
  }

  std::unique_ptr<DescriptorReader> input_;
  std::unique_ptr<archive, Free> archive_;
  std::string_view block_;
  std::array<char, 64 << 10> compressed_;
  std::uint64_t given_ = 0;  // number of compressed bytes passed to libarchive
  GzipCheck gzip_;
  bool empty_ = false;
  bool stopped_ = false;
};

}  // namespace

std::unique_ptr<ByteReader> decompress(std::unique_ptr<DescriptorReader> input) {
  return std::make_unique<Decompressor>(std::move(input));
}

}  // namespace kinglet
