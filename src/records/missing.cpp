#include "records/missing.hpp"

#include <algorithm>

namespace kinglet {
namespace {

// `word` is in lower case.
bool is_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

}  // namespace

bool is_word_for_missing(std::string_view text, bool with_null) {
  const auto equals = [&](std::string_view word) { return is_word(text, word); };
  constexpr std::string_view kWords[] = {"?", "na", "nan"};
  constexpr std::string_view kNullWords[] = {"n/a", "#n/a", "<na>", "null", "none", "\\n"};
  return std::ranges::any_of(kWords, equals) || (with_null && std::ranges::any_of(kNullWords, equals));
}

bool is_none(std::string_view text) { return is_word(text, "none"); }

}  // namespace kinglet
