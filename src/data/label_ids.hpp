// Labels as small numbers, given in order of first appearance. Numbers are compared by value ("+1", "1" and "1.0" are
// one class), everything else as text. Typical data has few classes, so the last tokens seen are remembered as they
// stood in the file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kinglet/source.hpp"

namespace kinglet {

// "+1" and "1.0" are "1", "-1.0" is "-1", "2.50" is "2.5", "-0" is "0"; a word stays as it is.
std::string canonical_label(std::string_view token);

class LabelIds {
 public:
  // More classes than this are taken for a mistake (a column of numbers read as labels), before they fill the memory.
  static constexpr std::size_t kMaxLabels = 1u << 16;

  // The id of a label; a new one's canonical text is appended to `added`. kNoLabel when there are too many labels.
  std::uint32_t id(std::string_view token, std::vector<std::string>& added) {
    if (token.size() > 8) return look_up(token, added);
    std::uint64_t key = 0;
    for (const char c : token) key = key << 8 | static_cast<unsigned char>(c);
    const Recent& recent = recent_[slot(key)];
    if (recent.key == key && recent.size == token.size()) return recent.id;
    return remember(key, token, added);
  }

 private:
  struct Recent {
    std::uint64_t key = 0;
    std::size_t size = 0;  // tokens are never empty, so 0 is a free slot
    std::uint32_t id = kNoLabel;
  };
  static std::size_t slot(std::uint64_t key) { return (key * 0x9E3779B97F4A7C15) >> 57; }
  std::uint32_t remember(std::uint64_t key, std::string_view token, std::vector<std::string>& added);
  std::uint32_t look_up(std::string_view token, std::vector<std::string>& added);

  std::array<Recent, 128> recent_;
  std::unordered_map<std::string, std::uint32_t> ids_;
};

}  // namespace kinglet
