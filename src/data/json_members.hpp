// The members of a JSON object that is one line (RFC 8259), one after the other.
//
//   {"age": 39, "job": "cook", "left": null, "tags": ["new"]}
//
// A number, true and false are texts as they are written; a string is its text without escapes. NaN, which JSON does
// not have but Python writes, is null. Lists and objects are only passed over.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kinglet {

struct JsonMember {
  enum class Kind : std::uint8_t { scalar, null, nested };

  std::string_view name;  // name and text are valid until the next member is read
  Kind kind = Kind::null;
  std::string_view text;        // of a scalar
  const char* begin = nullptr;  // of the value
};

class JsonMembers {
 public:
  // A line without its '\n'. Throws Error if it does not begin with an object.
  void start(std::string_view line);
  // False after the last member. Throws Error if the line is not JSON.
  bool next(JsonMember& member);

  const char* at() const { return p_; }  // where reading has stopped, for errors

 private:
  void skip_blanks();
  bool take(char c);
  void expect(char c, const char* what);
  std::string_view string(std::string& unescaped);
  void escape(std::string& text);
  std::uint32_t hex();
  std::string_view word();
  void value(JsonMember& member);
  void pass_over_nested();
  void end();

  const char* p_ = nullptr;
  const char* end_ = nullptr;
  bool has_member_ = false;
  std::string name_, text_;  // of strings that have escapes
};

}  // namespace kinglet
