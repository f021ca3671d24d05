#include "data/csv_fields.hpp"

#include <algorithm>
#include <cstring>

namespace kinglet {

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
