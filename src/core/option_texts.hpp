// Options whose text has a form of its own: amounts of memory and weights of classes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kinglet {

// The bytes that "64K", "2M", "1G" or "65536" stand for (K = 1024 bytes). Throws Error, which names the option, for
// anything else.
std::uint64_t parse_memory(std::string_view text, std::string_view option = "memory");

// How much an example of the class counts.
struct ClassWeight {
  std::string label;
  float weight = 1;
};

// "label=weight,label=weight" taken apart; "none" gives an empty list. Throws Error for anything else.
std::vector<ClassWeight> parse_class_weights(std::string_view text);

// The number that a text is, or NaN.
double number_or_nan(std::string_view text);

// Whether two texts name the same class: equal, or two finite numbers of equal value ("+1", "1", "1.0").
bool same_label(std::string_view a, std::string_view b);

}  // namespace kinglet
