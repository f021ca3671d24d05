// Which texts say that a value is missing.
#pragma once

#include <string_view>

namespace kinglet {

// `with_null`: also N/A, #N/A, <NA>, NULL, None and \N, in any case; models of earlier versions learned these as
// values.
bool is_word_for_missing(std::string_view text, bool with_null);

// None, in any case.
bool is_none(std::string_view text);

// An empty field or one of these words; ?, NA and nan always are.
inline bool is_missing(std::string_view text, bool with_null = true) {
  if (text.empty()) return true;
  const char first = text[0];
  const bool may_be =
      text.size() <= 4 && (first == '?' || (first | 0x20) == 'n' || first == '#' || first == '<' || first == '\\');
  return may_be && is_word_for_missing(text, with_null);
}

}  // namespace kinglet
