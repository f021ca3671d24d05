#include "data/foreign_format.hpp"

#include <algorithm>
#include <array>

#include "core/model_magic.hpp"

namespace kinglet {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view bytes;
  std::size_t offset;
  const char* what;
};

constexpr std::array kSignatures = {
    Signature{kModelMagic, 0, "is a kinglet model, not data"},
    Signature{"PAR1"sv, 0,
              "is a Parquet file; convert it to CSV, in Python with pandas.read_parquet(FILE).to_csv(...)"},
    Signature{"ARROW1"sv, 0,
              "is an Arrow file; convert it to CSV, in Python with pandas.read_feather(FILE).to_csv(...)"},
    Signature{"FEA1"sv, 0,
              "is a Feather file; convert it to CSV, in Python with pandas.read_feather(FILE).to_csv(...)"},
    Signature{"PK\3\4"sv, 0, "is a zip archive or a spreadsheet; unpack it with unzip, or save the sheet as CSV"},
    Signature{"PK\5\6"sv, 0, "is an empty zip archive"},
    Signature{"ustar"sv, 257, "is a tar archive; unpack it with tar -xf"},
    Signature{"\xFF\xFE"sv, 0, "is UTF-16 text; convert it with iconv -f UTF-16 -t UTF-8"},
    Signature{"\xFE\xFF"sv, 0, "is UTF-16 text; convert it with iconv -f UTF-16 -t UTF-8"},
};

// A JSON list, or an object that does not begin and end on one line: a bracket, then what can follow it. A label that
// begins with a bracket is no JSON.
bool is_json(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  if (text.empty() || (text.front() != '{' && text.front() != '[')) return false;
  const bool is_object = text.front() == '{';
  text.remove_prefix(1);
  const std::size_t next = std::min(text.find_first_not_of(kBlanks), text.size());
  const bool line_ends = text.substr(0, next).find('\n') != std::string_view::npos;
  text.remove_prefix(next);
  if (text.empty()) return true;
  if (is_object) return line_ends && (text.front() == '"' || text.front() == '}');
  return "\"[{]-0123456789tfn"sv.find(text.front()) != std::string_view::npos;
}

}  // namespace

std::string foreign_format(std::string_view beginning) {
  for (const Signature& known : kSignatures) {
    if (beginning.size() > known.offset && beginning.substr(known.offset).starts_with(known.bytes)) return known.what;
  }
  if (is_json(beginning)) {
    return "is JSON, but not one object per line; convert it with jq -c . FILE (a list of objects: jq -c '.[]' FILE)";
  }
  return {};
}

}  // namespace kinglet
