// The fields of CSV text: where each ends, and its text without quotes and surrounding blanks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kinglet {

struct CsvField {
  std::string_view text;        // valid until the next field is read
  const char* begin = nullptr;  // start of the field, with quotes
  const char* next = nullptr;   // the separator or '\n' after it; null if the text ends inside the quotes
  const char* fault =
      nullptr;  // what is wrong with its quotes, at `next`, or at `begin` if that is null; null: nothing
};

class CsvFields {
 public:
  // A field in quotes that is longer has a quote too many: it must not swallow the rows of a stream.
  static constexpr std::size_t kMostBytes = 1u << 20;
  static constexpr std::uint64_t kMostLineEnds = 1000;

  explicit CsvFields(char separator) : separator_(separator) {}

  char separator() const { return separator_; }
  bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != separator_; }
  // The start of the next line if this one is blank, else null.
  const char* past_blank_line(const char* p) const;

  // The field at `p`. The text ends at `end`, behind a '\n'; `last`: nothing follows it.
  CsvField at(const char* p, const char* end, bool last);

  // Line ends inside the fields since start_row().
  void start_row() { inner_lines_ = 0; }
  std::uint64_t inner_lines() const { return inner_lines_; }

 private:
  void read_quoted(const char* p, const char* end, bool last, CsvField& field);

  char separator_;
  std::uint64_t inner_lines_ = 0;
  std::string unquoted_;  // the text of the last field in quotes
};

inline const char* CsvFields::past_blank_line(const char* p) const {
  while (is_blank(*p) || *p == '\r') ++p;
  return *p == '\n' ? p + 1 : nullptr;
}

inline CsvField CsvFields::at(const char* p, const char* end, bool last) {
  while (is_blank(*p)) ++p;
  CsvField field{.begin = p};
  if (*p == '"') {
    read_quoted(p + 1, end, last, field);
    return field;
  }
  while (*p != separator_ && *p != '\n') ++p;
  field.next = p;
  if (*p == '\n' && p != field.begin && p[-1] == '\r') --p;
  while (p != field.begin && is_blank(p[-1])) --p;
  field.text = {field.begin, static_cast<std::size_t>(p - field.begin)};
  return field;
}

}  // namespace kinglet
