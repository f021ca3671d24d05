// Labels: their canonical text and their ids.
#include "data/label_ids.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace kinglet {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view without_leading_zeros(std::string_view digits) {
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
}

}  // namespace

std::string canonical_label(std::string_view token) {
  const bool negative = !token.empty() && token.front() == '-';
  const std::string_view magnitude = token.substr(negative || (!token.empty() && token.front() == '+') ? 1 : 0);
  if (magnitude.empty() || !(is_digit(magnitude.front()) || magnitude.front() == '.')) return std::string(token);
  if (std::all_of(magnitude.begin(), magnitude.end(),
                  is_digit)) {  // as text, because identifiers may be too long for a number
    const std::string_view digits = without_leading_zeros(magnitude);
    return (negative && digits != "0" ? "-" : "") + std::string(digits);
  }
  double value = 0;
  const auto parsed = std::from_chars(magnitude.data(), magnitude.data() + magnitude.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != magnitude.data() + magnitude.size()) return std::string(token);
  if (value == 0) return "0";
  char text[32];
  const bool whole = value < 0x1p53 && value == std::floor(value);
  const auto written = whole ? std::to_chars(text, text + sizeof text, static_cast<std::uint64_t>(value))
                             : std::to_chars(text, text + sizeof text, value);
  return (negative ? "-" : "") + std::string(text, written.ptr);
}

bool has_control_characters(std::string_view label) {
  return std::any_of(label.begin(), label.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

std::uint32_t LabelIds::remember(std::uint64_t key, std::string_view token, std::vector<std::string>& added) {
  const std::uint32_t id = look_up(token, added);
  if (id != kNoLabel) recent_[slot(key)] = {key, token.size(), id};
  return id;
}

std::uint32_t LabelIds::look_up(std::string_view token, std::vector<std::string>& added) {
  std::string text = canonical_label(token);
  if (const auto known = ids_.find(text); known != ids_.end()) return known->second;
  if (ids_.size() == kMaxLabels || has_control_characters(text)) return kNoLabel;
  const auto id = static_cast<std::uint32_t>(ids_.size());
  added.push_back(text);
  ids_.emplace(std::move(text), id);
  return id;
}

void LabelIds::forget_last(std::vector<std::string>& added) {
  ids_.erase(added.back());
  added.pop_back();
  recent_ = {};
}

}  // namespace kinglet
