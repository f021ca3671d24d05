// Parses options with a special syntax: amounts of memory and class weights.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kinglet {

// The number of bytes given as "64K", "2M", "1G" or "65536" (K = 1024 bytes). Throws Error for anything else; the
// message mentions the option `name`.
std::uint64_t parse_memory(std::string_view text, std::string_view name = "memory");

// The weight of examples of one class.
struct ClassWeight {
  std::string label;
  float weight = 1;
};

// The value of `class-weight` that weighs classes by their counts.
inline constexpr std::string_view kBalancedClasses = "balanced";

// Parses "label=weight,label=weight"; "none" and "balanced" give an empty list. Throws Error for anything else.
std::vector<ClassWeight> parse_class_weights(std::string_view text);

// Parses a number; NaN if the text is not a number.
double number_or_nan(std::string_view text);

// Whether two texts name the same class: equal, or two finite numbers of equal value ("+1", "1", "1.0").
bool same_label(std::string_view a, std::string_view b);

}  // namespace kinglet
