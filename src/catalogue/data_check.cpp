// Summarises the content of a data file and compares it with the catalogue.
#include "catalogue/data_check.hpp"

#include <fmt/format.h>

#include <bit>
#include <vector>

#include "catalogue/sha256.hpp"
#include "core/compose.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

// Collects the bytes of the digest, one batch at a time.
class RowBytes {
 public:
  void add(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    bytes_.push_back(std::byte{0});
  }
  void add(std::uint32_t number) {
    for (unsigned shift = 0; shift < 32; shift += 8) bytes_.push_back(static_cast<std::byte>(number >> shift & 0xFF));
  }
  void add(std::uint32_t index, float value) {
    if (value == 0) return;
    add(index);
    add(std::bit_cast<std::uint32_t>(value));
  }
  void flush(Sha256& sum) {
    sum.add(bytes_);
    bytes_.clear();
  }

 private:
  std::vector<std::byte> bytes_;
};

constexpr std::uint32_t kEndOfRow = 0xFFFFFFFF;

void add_features(RowBytes& bytes, const Batch& batch, std::size_t row) {
  if (!batch.sparse) {
    const float* values = batch.values.data() + row * batch.dimension;
    for (std::uint32_t k = 0; k < batch.dimension; ++k) bytes.add(k, values[k]);
    return;
  }
  for (std::uint64_t k = batch.offsets[row]; k < batch.offsets[row + 1]; ++k) {
    bytes.add(batch.indices[k], batch.values[k]);
  }
}

CheckResult wrong(Message fault) { return {FileVerdict::wrong, std::move(fault)}; }

// Describes the first count that is wrong. A test file may lack the last features or a rare class.
std::string wrong_count(const KnownSet& set, const KnownFile& file, const Content& content) {
  const bool whole = file.name == set.files.front().name;
  const auto fault = [](std::string_view what, std::uint64_t found, std::uint64_t expected) {
    return fmt::format("has {} {}, not {}", found, what, expected);
  };
  if (content.rows != file.rows) return fault("examples", content.rows, file.rows);
  if (content.features > set.features) return fault("features", content.features, set.features);
  if (whole ? content.classes != set.classes : content.classes > set.classes) {
    return fault("classes", content.classes, set.classes);
  }
  return "";
}

CheckResult check_content(const KnownSet& set, const KnownFile& file, const std::filesystem::path& path,
                          const Proceed& proceed) {
  SourceOptions options;
  if (!set.label_column.empty()) options.default_label_column = set.label_column;
  const auto source = open_source(path.string(), options);
  const auto content = content_of(*source, proceed);
  if (!content) return {FileVerdict::stopped, ""};
  const std::string fault = wrong_count(set, file, *content);
  if (!fault.empty()) return wrong(fault);
  if (file.check == Check::content && content->digest != file.digest) {
    return wrong(
        "does not contain the expected examples (their number is right, but they differ or are in another order)");
  }
  return {};
}

}  // namespace

std::optional<Content> content_of(Source& source, const Proceed& proceed) {
  Content content;
  Sha256 sum;
  RowBytes bytes;
  std::vector<std::string> labels;
  for (Batch batch; source.next(batch);) {
    if (!proceed()) return std::nullopt;
    labels.insert(labels.end(), batch.new_labels.begin(), batch.new_labels.end());
    for (std::size_t row = 0; row < batch.rows(); ++row) {
      bytes.add(batch.labels[row] == kNoLabel ? std::string_view() : labels[batch.labels[row]]);
      add_features(bytes, batch, row);
      bytes.add(kEndOfRow);
    }
    bytes.flush(sum);
    content.rows += batch.rows();
    content.features = batch.dimension;
  }
  content.classes = static_cast<std::uint32_t>(labels.size());
  content.digest = sum.hex();
  return content;
}

CheckResult check_file(const KnownSet& set, const KnownFile& file, const std::filesystem::path& path,
                       const Proceed& proceed) {
  if (file.check == Check::sha256) {
    const auto sum = sha256_of_file(path, proceed);
    if (!sum) return {FileVerdict::stopped, ""};
    return *sum == file.digest ? CheckResult() : wrong(fmt::format("has SHA-256 {}, not {}", *sum, file.digest));
  }
  try {
    return check_content(set, file, path, proceed);
  } catch (const Error& error) {
    return wrong(compose("cannot be read as examples: {}", error.message()));
  }
}

}  // namespace kinglet
