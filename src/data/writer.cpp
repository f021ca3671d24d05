// Writes batches as LIBSVM and CSV text.
#include "data/writer.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <ostream>

#include "kinglet/error.hpp"

namespace kinglet {
namespace {

// Room for the longest float, the longest index, a colon and a separator.
constexpr std::size_t kLongestEntry = 32;

// Appends to a string in pieces, without first zeroing the memory.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}
  ~Writer() { flush(); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void text(std::string_view piece) {
    flush();
    out_.append(piece);
  }
  void character(char c) {
    make_room();
    *p_++ = c;
  }
  void number(float value) {
    make_room();
    p_ = std::to_chars(p_, buffer_ + sizeof buffer_, value).ptr;
  }
  void index(std::uint32_t value) {
    make_room();
    p_ = std::to_chars(p_, buffer_ + sizeof buffer_, value).ptr;
  }

 private:
  void make_room() {
    if (static_cast<std::size_t>(buffer_ + sizeof buffer_ - p_) < kLongestEntry) flush();
  }
  void flush() {
    out_.append(buffer_, p_);
    p_ = buffer_;
  }

  std::string& out_;
  char buffer_[4096];
  char* p_ = buffer_;
};

void write_entry(Writer& out, std::uint32_t feature, float value) {
  if (value == 0) return;
  if (!std::isfinite(value)) {
    throw Error(
        fmt::format("a row has no value for feature {}; LIBSVM format cannot express this, write CSV", feature + 1));
  }
  out.character(' ');
  out.index(feature + 1);
  out.character(':');
  out.number(value);
}

std::string_view libsvm_label(std::uint32_t id, std::span<const std::string> labels) {
  if (id >= labels.size()) throw Error("a row has no label; LIBSVM format needs one, write CSV");
  const std::string& label = labels[id];
  if (label.find_first_of(" \t\r\n#:") != std::string::npos) {
    throw Error(
        fmt::format("label '{}' contains a blank, # or :, which LIBSVM format does not allow; write CSV", label));
  }
  return label;
}

// Quoted if it could be misread otherwise.
std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n;\t ") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) field.append(c == '"' ? 2 : 1, c);
  return field + '"';
}

void write_csv_features(Writer& out, const Features& x, std::uint32_t dimension) {
  const auto write = [&](float value, bool first) {
    if (!first) out.character(',');
    if (!std::isnan(value)) out.number(value);
  };
  if (!x.is_sparse()) {
    for (std::uint32_t i = 0; i < dimension; ++i) write(x.values[i], i == 0);
    return;
  }
  std::uint32_t k = 0;
  for (std::uint32_t i = 0; i < dimension; ++i) {
    const bool here = k < x.count && x.indices[k] == i;
    write(here ? x.values[k] : 0.0f, i == 0);
    k += here;
  }
}

using WriteText = void(std::string&, const Batch&, std::span<const std::string>);

void write_to(std::ostream& out, WriteText* write, const Batch& batch, std::span<const std::string> labels) {
  std::string text;
  write(text, batch, labels);
  if (!out.write(text.data(), static_cast<std::streamsize>(text.size()))) throw Error("cannot write the output");
}

void write_to(std::FILE* out, WriteText* write, const Batch& batch, std::span<const std::string> labels) {
  std::string text;
  write(text, batch, labels);
  if (std::fwrite(text.data(), 1, text.size(), out) != text.size()) {
    throw Error(fmt::format("cannot write the output: {}", std::strerror(errno)));
  }
}

}  // namespace

void write_libsvm(std::string& out, const Batch& batch, std::span<const std::string> labels) {
  if (!batch.weights.empty()) throw Error("the rows have weights; LIBSVM format cannot express them, write CSV");
  Writer writer(out);
  const Rows rows = batch.features();
  for (std::size_t i = 0; i < rows.count; ++i) {
    const Features x = rows[i];
    if (batch.targets.empty()) {
      for (const char c : libsvm_label(batch.labels[i], labels)) writer.character(c);
    } else {
      writer.number(batch.targets[i]);
    }
    for (std::uint32_t k = 0; k < x.count; ++k) write_entry(writer, x.is_sparse() ? x.indices[k] : k, x.values[k]);
    writer.character('\n');
  }
}

void write_csv(std::string& out, const Batch& batch, std::span<const std::string> labels) {
  std::vector<std::string> fields;
  for (const auto& label : labels) fields.push_back(csv_field(label));
  Writer writer(out);
  const Rows rows = batch.features();
  for (std::size_t i = 0; i < rows.count; ++i) {
    if (!batch.targets.empty()) {
      writer.number(batch.targets[i]);
      if (batch.dimension > 0) writer.character(',');
    } else if (!fields.empty()) {
      if (batch.labels[i] < fields.size()) writer.text(fields[batch.labels[i]]);
      if (batch.dimension > 0) writer.character(',');
    }
    write_csv_features(writer, rows[i], batch.dimension);
    if (!batch.weights.empty()) {
      writer.character(',');
      writer.number(batch.weights[i]);
    }
    writer.character('\n');
  }
}

std::string csv_header(const Batch& batch, std::span<const std::string> labels,
                       std::span<const std::string> feature_names) {
  std::string header = labels.empty() && batch.targets.empty() ? "" : "label,";
  for (std::uint32_t i = 0; i < batch.dimension; ++i) {
    header += i < feature_names.size() ? csv_field(feature_names[i]) : fmt::format("x{}", i + 1);
    header += ',';
  }
  if (batch.weights.empty()) {
    if (!header.empty()) header.pop_back();
  } else {
    header += "weight";
  }
  return header + '\n';
}

void write_libsvm(std::ostream& out, const Batch& batch, std::span<const std::string> labels) {
  write_to(out, write_libsvm, batch, labels);
}
void write_libsvm(std::FILE* out, const Batch& batch, std::span<const std::string> labels) {
  write_to(out, write_libsvm, batch, labels);
}
void write_csv(std::ostream& out, const Batch& batch, std::span<const std::string> labels) {
  write_to(out, write_csv, batch, labels);
}
void write_csv(std::FILE* out, const Batch& batch, std::span<const std::string> labels) {
  write_to(out, write_csv, batch, labels);
}

}  // namespace kinglet
