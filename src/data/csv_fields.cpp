#include "data/csv_fields.hpp"

#include <algorithm>
#include <cstring>

namespace kinglet {

const char* CsvFields::past_blank_line(const char* p) const {
  while (is_blank(*p) || *p == '\r') ++p;
  return *p == '\n' ? p + 1 : nullptr;
}

CsvField CsvFields::at(const char* p, const char* end, bool last) {
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

// `p` points behind the opening quote.
void CsvFields::read_quoted(const char* p, const char* end, bool last, CsvField& field) {
  unquoted_.clear();
  for (;;) {
    const auto* quote = static_cast<const char*>(std::memchr(p, '"', static_cast<std::size_t>(end - p)));
    if (quote == nullptr) {
      if (last) field.fault = "the quote that opens here is never closed";
      return;
    }
    unquoted_.append(p, quote);
    inner_lines_ += static_cast<std::uint64_t>(std::count(p, quote, '\n'));
    p = quote + 1;
    if (p == end || *p != '"') break;
    unquoted_ += '"';
    ++p;
  }
  field.text = unquoted_;
  while (is_blank(*p)) ++p;
  if (*p == '\r' && p[1] == '\n') ++p;
  field.next = p;
  if (*p == separator_ || *p == '\n') return;
  field.fault = "unexpected text after a closing quote; write a quote inside quotes twice";
}

}  // namespace kinglet
