// Maps labels to ids, numbered in order of first appearance. Numbers are compared by value ("+1", "1" and "1.0" are one
// class), everything else as text. Typical data have few classes, so recent tokens are cached as they appear in the
// file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kinglet/source.hpp"

namespace kinglet {

// "+1" and "1.0" become "1", "-1.0" becomes "-1", "2.50" becomes "2.5", "-0" becomes "0"; a word stays unchanged.
std::string canonical_label(std::string_view token);

// Whether the label contains a line end, a tab or the like, which would break up the lines that predictions are written
// to.
bool has_control_characters(std::string_view label);

class LabelIds {
 public:
  // More classes than this are probably a mistake (a column of numbers read as labels) and would fill the memory.
  static constexpr std::size_t kMaxLabels = 1u << 16;

  // The id of a label. The canonical text of a new label is appended to `added`. kNoLabel if there are too many labels,
  // or if the label has control characters.
  std::uint32_t id(std::string_view token, std::vector<std::string>& added) {
    if (token.size() > 8) return look_up(token, added);
    std::uint64_t key = 0;
    for (const char c : token) key = key << 8 | static_cast<unsigned char>(c);
    const Recent& recent = recent_[slot(key)];
    if (recent.key == key && recent.size == token.size()) return recent.id;
    return remember(key, token, added);
  }
  // Whether there may be so many labels more.
  bool has_room_for(std::size_t labels) const { return labels <= kMaxLabels - ids_.size(); }
  // Takes back the label that id() just appended to `added`.
  void forget_last(std::vector<std::string>& added);

 private:
  struct Recent {
    std::uint64_t key = 0;
    std::size_t size = 0;  // 0: free slot, as tokens are never empty
    std::uint32_t id = kNoLabel;
  };
  static std::size_t slot(std::uint64_t key) { return (key * 0x9E3779B97F4A7C15) >> 57; }
  std::uint32_t remember(std::uint64_t key, std::string_view token, std::vector<std::string>& added);
  std::uint32_t look_up(std::string_view token, std::vector<std::string>& added);

  std::array<Recent, 128> recent_;
  std::unordered_map<std::string, std::uint32_t> ids_;
};

}  // namespace kinglet
