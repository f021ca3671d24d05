#include "data/json_members.hpp"

#include <algorithm>

#include "core/fail_at.hpp"
#include "core/number.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20; }

// A number as JSON writes it: no sign +, no leading zero, digits on both sides of the point.
bool is_json_number(std::string_view text) {
  const auto digits = [&] {
    const auto count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count;
  };
  const auto take = [&](std::string_view any_of) {
    const bool found = !text.empty() && any_of.find(text.front()) != std::string_view::npos;
    if (found) text.remove_prefix(1);
    return found;
  };
  take("-");
  if (!take("0") && digits() == 0) return false;
  if (take(".") && digits() == 0) return false;
  if (take("eE")) {
    take("+-");
    if (digits() == 0) return false;
  }
  return text.empty();
}

void append_utf8(std::uint32_t code, std::string& text) {
  const auto byte = [&](std::uint32_t bits) { text += static_cast<char>(bits); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      byte(0xE0 | code >> 12);
    } else {
      byte(0xF0 | code >> 18);
      byte(0x80 | (code >> 12 & 0x3F));
    }
    byte(0x80 | (code >> 6 & 0x3F));
  }
  byte(0x80 | (code & 0x3F));
}

bool is_surrogate(std::uint32_t code, std::uint32_t first) { return code >= first && code < first + 0x400; }

}  // namespace

void JsonMembers::start(std::string_view line) {
  p_ = line.data();
  end_ = p_ + line.size();
  has_member_ = false;
  skip_blanks();
  expect('{', "an object, as in {\"x\": 1, \"label\": \"a\"}");
}

bool JsonMembers::next(JsonMember& member) {
  skip_blanks();
  if (take('}')) {
    end();
    return false;
  }
  if (has_member_) {
    expect(',', "a comma or }");
    skip_blanks();
  }
  has_member_ = true;
  if (p_ == end_ || *p_ != '"') throw Error("expected a name in double quotes");
  member.name = string(name_);
  skip_blanks();
  expect(':', "a colon");
  skip_blanks();
  value(member);
  return true;
}

void JsonMembers::skip_blanks() {
  while (p_ != end_ && (*p_ == ' ' || *p_ == '\t' || *p_ == '\r')) ++p_;
}

bool JsonMembers::take(char c) {
  if (p_ == end_ || *p_ != c) return false;
  ++p_;
  return true;
}

void JsonMembers::expect(char c, const char* what) {
  if (!take(c)) throw Error(std::string("expected ") + what);
}

// The string at `p_`; `unescaped` holds its text if it has escapes.
std::string_view JsonMembers::string(std::string& unescaped) {
  const char* const begin = ++p_;
  const auto stops = [](char c) { return c == '"' || c == '\\' || is_control(c); };
  p_ = std::find_if(p_, end_, stops);
  if (p_ != end_ && *p_ == '"') return {begin, static_cast<std::size_t>(p_++ - begin)};
  unescaped.assign(begin, p_);
  while (!take('"')) {
    if (p_ == end_) throw Error("the line ends inside a string");
    if (is_control(*p_)) throw Error("a control character in a string must be written as an escape, such as \\n");
    ++p_;
    escape(unescaped);
    const char* const plain = p_;
    p_ = std::find_if(p_, end_, stops);
    unescaped.append(plain, p_);
  }
  return unescaped;
}

// Behind a backslash.
void JsonMembers::escape(std::string& text) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const std::size_t known = p_ == end_ ? std::string_view::npos : kLetters.find(*p_);
  if (known != std::string_view::npos) {
    text += kMeanings[known];
    ++p_;
    return;
  }
  if (!take('u')) throw Error("the escape is unknown");
  std::uint32_t code = hex();
  if (is_surrogate(code, 0xD800) && end_ - p_ >= 2 && p_[0] == '\\' && p_[1] == 'u') {
    p_ += 2;
    const std::uint32_t low = hex();
    if (!is_surrogate(low, 0xDC00)) throw Error("half of a surrogate pair is missing");
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  } else if (is_surrogate(code, 0xD800) || is_surrogate(code, 0xDC00)) {
    throw Error("half of a surrogate pair is missing");
  }
  append_utf8(code, text);
}

std::uint32_t JsonMembers::hex() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::uint32_t code = 0;
  for (int i = 0; i < 4; ++i, ++p_) {
    const std::size_t digit = p_ == end_ ? kDigits.npos : kDigits.find(*p_ >= 'A' && *p_ <= 'F' ? *p_ | 0x20 : *p_);
    if (digit == kDigits.npos) throw Error("\\u must be followed by four hexadecimal digits");
    code = code << 4 | static_cast<std::uint32_t>(digit);
  }
  return code;
}

void JsonMembers::value(JsonMember& member) {
  member.begin = p_;
  member.kind = JsonMember::Kind::scalar;
  if (p_ != end_ && *p_ == '"') {
    member.text = string(text_);
  } else if (p_ != end_ && (*p_ == '{' || *p_ == '[')) {
    member.kind = JsonMember::Kind::nested;
    pass_over_nested();
  } else {
    member.text = word();
    if (member.text == "null" || member.text == "NaN") member.kind = JsonMember::Kind::null;
  }
}

// A number or a name without quotes.
std::string_view JsonMembers::word() {
  const char* const begin = p_;
  const std::string_view rest(p_, static_cast<std::size_t>(end_ - p_));
  p_ += std::min(rest.find_first_of(",}] \t\r\""), rest.size());
  const std::string_view text(begin, static_cast<std::size_t>(p_ - begin));
  if (text == "true" || text == "false" || text == "null" || text == "NaN" || is_json_number(text)) return text;
  p_ = begin;
  throw Error(text.empty() ? std::string("expected a value") : quoted(text) + " is not a JSON value");
}

// A list or an object. Its brackets must match; only the depth is counted, so no nesting is too deep.
void JsonMembers::pass_over_nested() {
  std::size_t depth = 0;
  do {
    if (p_ == end_) throw Error("the line ends inside a list or an object");
    if (*p_ == '"') {
      string(text_);
      continue;
    }
    if (*p_ == '{' || *p_ == '[') ++depth;
    if (*p_ == '}' || *p_ == ']') --depth;
    ++p_;
  } while (depth > 0);
}

void JsonMembers::end() {
  skip_blanks();
  if (p_ != end_) throw Error("unexpected text after the object; write one object per line");
}

}  // namespace kinglet
