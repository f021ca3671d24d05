#include "core/option_texts.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/compose.hpp"
#include "kinglet/error.hpp"

namespace kinglet {

std::uint64_t parse_memory(std::string_view text, std::string_view name) {
  constexpr std::string_view kUnits = "KMGT";
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  unsigned shift = 0;
  if (!unit.empty()) {
    const auto which = kUnits.find(static_cast<char>(unit[0] & ~0x20));
    if (which != kUnits.npos) {
      shift = 10 * (static_cast<unsigned>(which) + 1);
      unit.remove_prefix(1);
    }
  }
  const bool ends_well = unit.empty() || unit == "B" || (shift > 0 && unit == "iB");
  if (error != std::errc() || !ends_well || count == 0 || count > (std::uint64_t{1} << 62) >> shift) {
    throw Error(compose("{} must be an amount such as 64K, 256K, 2M or 1G, not '{}'", option(std::string(name)), text));
  }
  return count << shift;
}

double number_or_nan(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto result = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = result.ec == std::errc() && result.ptr == text.data() + text.size();
  return whole && std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
}

bool same_label(std::string_view a, std::string_view b) {
  // Longer integers are treated as names, because different ones may round to the same double.
  constexpr std::size_t kDigits = 15;
  if (a == b) return true;
  return a.size() <= kDigits && b.size() <= kDigits && number_or_nan(a) == number_or_nan(b);
}

std::vector<ClassWeight> parse_class_weights(std::string_view text) {
  std::vector<ClassWeight> weights;
  if (text == "none" || text == kBalancedClasses) return weights;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, comma);
    const std::size_t equals = item.rfind('=');
    const double weight = equals == item.npos ? -1 : number_or_nan(item.substr(equals + 1));
    if (equals == 0 || !(weight >= 0 && weight <= 1e9)) {
      throw Error(
          compose("{} must be none, balanced, or a list such as 1=10,-1=0.5 with weights from 0 to 1e9, not '{}'",
                  option("class-weight"), item));
    }
    const std::string_view label = item.substr(0, equals);
    if (std::any_of(weights.begin(), weights.end(), [&](const auto& w) { return same_label(w.label, label); })) {
      throw Error(compose("{} contains the class '{}' twice", option("class-weight"), label));
    }
    weights.push_back({std::string(label), static_cast<float>(weight)});
    if (comma == text.size()) return weights;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace kinglet
