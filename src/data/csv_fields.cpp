#include "data/csv_fields.hpp"

#include <algorithm>
#include <cstring>

namespace kinglet {

// `p` points behind the opening quote.
void CsvFields::read_quoted(const char* p, const char* end, bool last, CsvField& field) {
  unquoted_.clear();
  const char* const limit = static_cast<std::size_t>(end - p) > kMostBytes ? p + kMostBytes : end;
  std::uint64_t line_ends = 0;
  for (;;) {
    const auto* quote = static_cast<const char*>(std::memchr(p, '"', static_cast<std::size_t>(limit - p)));
    line_ends += static_cast<std::uint64_t>(std::count(p, quote != nullptr ? quote : limit, '\n'));
    if (line_ends > kMostLineEnds || (quote == nullptr && limit != end)) {
      field.fault = "the quote that opens here is not closed within 1 MiB and 1,000 lines";
      return;
    }
    if (quote == nullptr) {
      if (last) field.fault = "the quote that opens here is never closed";
      return;
    }
    unquoted_.append(p, quote);
    p = quote + 1;
    if (p == end || *p != '"') break;
    unquoted_ += '"';
    ++p;
    if (p > limit) {
      field.fault = "the quote that opens here is not closed within 1 MiB and 1,000 lines";
      return;
    }
  }
  inner_lines_ += line_ends;
  field.text = unquoted_;
  while (is_blank(*p)) ++p;
  if (*p == '\r' && p[1] == '\n') ++p;
  field.next = p;
  if (*p == separator_ || *p == '\n') return;
  field.fault = "unexpected text after a closing quote; write a quote inside quotes twice";
}

}  // namespace kinglet
