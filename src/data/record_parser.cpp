#include "data/record_parser.hpp"

#include "kinglet/error.hpp"

namespace kinglet {

std::size_t RecordParser::parse_part(std::string_view text, PartRows& part) {
  builder_.begin_part();
  begin(part.batch);
  const std::uint64_t first_line = line_;
  const std::size_t used = parse(text, false, part.batch);
  part.lines = line_ - first_line;
  part.gaps = gaps();
  return used;
}

bool RecordParser::append(PartRows& part, Batch& batch) {
  if (!builder_.append(part, batch)) return false;
  line_ += part.lines;
  return true;
}

void RecordParser::add(std::size_t column, std::string_view text, const char* p, Batch& batch) {
  try {
    builder_.add(column, text, batch);
  } catch (const Error& error) {
    fail(p, error.message());
  }
}

}  // namespace kinglet
