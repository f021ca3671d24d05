// Checks options against their declared range and converts their values. Numbers are read in the C locale, whatever the
// locale of the program, and must cover the whole text.
#include "kinglet/options.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/assert.hpp"
#include "core/compose.hpp"

namespace kinglet {
namespace {

std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  return text;
}

std::optional<double> parse_real(std::string_view text) {
  text = without_plus(text);
  double value = 0;
  const auto result = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  // Infinity must be written as such; 1e999 is an error.
  if (std::isnan(value) || (std::isinf(value) && text.find_first_of("0123456789") != text.npos)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  text = without_plus(text);
  std::int64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

bool inside(const OptionSpec& spec, double value) {
  return (spec.low_open ? value > spec.low : value >= spec.low) && value <= spec.high;
}

bool is_valid(const OptionSpec& spec, std::string_view value) {
  if (spec.may_be_auto && value == "auto") return true;
  switch (spec.kind) {
    case OptionKind::real: {
      const auto number = parse_real(value);
      return number && (std::isfinite(*number) || spec.may_be_infinite) && inside(spec, *number);
    }
    case OptionKind::integer: {
      const auto number = parse_integer(value);
      return number && inside(spec, static_cast<double>(*number));
    }
    case OptionKind::choice:
      return std::find(spec.choices.begin(), spec.choices.end(), value) != spec.choices.end();
    case OptionKind::flag:
      return value == "true" || value == "false";
    case OptionKind::text:
      return true;
  }
  return false;
}

std::string number_range(const OptionSpec& spec) {
  const bool from = std::isfinite(spec.low);
  const bool to = std::isfinite(spec.high);
  if (from && to && spec.low_open) return fmt::format("> {}, ≤ {}", spec.low, spec.high);
  if (from && to) return fmt::format("{} … {}", spec.low, spec.high);
  if (from) return fmt::format("{} {}", spec.low_open ? ">" : "≥", spec.low);
  if (to) return fmt::format("≤ {}", spec.high);
  return spec.kind == OptionKind::integer ? "whole number" : "number";
}

// Describes the allowed values, to complete "NAME must be …".
std::string expected(const OptionSpec& spec) {
  if (spec.kind == OptionKind::choice || spec.kind == OptionKind::flag) return "one of " + spec.range();
  std::string text = spec.kind == OptionKind::integer ? "a whole number" : "a number";
  if (std::isfinite(spec.low) && std::isfinite(spec.high) && !spec.low_open) {
    text += fmt::format(" from {} to {}", spec.low, spec.high);
  } else if (std::isfinite(spec.low) || std::isfinite(spec.high)) {
    text += " " + number_range(spec);
  }
  if (spec.may_be_infinite) text += ", or inf";
  if (spec.may_be_auto) text += ", or auto";
  return text;
}

}  // namespace

Message OptionSpec::problem(std::string_view value) const {
  if (is_valid(*this, value)) return {};
  return compose("{} must be {}, not '{}'", mention(), expected(*this), value);
}

std::string OptionSpec::range() const {
  std::string text;
  switch (kind) {
    case OptionKind::real:
    case OptionKind::integer:
      text = number_range(*this);
      break;
    case OptionKind::choice:
      text = fmt::format("{}", fmt::join(choices, "|"));
      break;
    case OptionKind::flag:
      text = "true|false";
      break;
    case OptionKind::text:
      return "text";
  }
  const bool is_list = kind == OptionKind::choice || kind == OptionKind::flag;
  if (may_be_infinite) text += " or inf";
  if (may_be_auto) text += is_list ? "|auto" : " or auto";
  return text;
}

double Options::real(std::string_view name) const {
  const auto value = parse_real(text(name));
  KINGLET_ASSERT(value.has_value());
  return *value;
}

std::int64_t Options::integer(std::string_view name) const {
  const auto value = parse_integer(text(name));
  KINGLET_ASSERT(value.has_value());
  return *value;
}

const std::string& Options::text(std::string_view name) const {
  const auto found = given_.find(name);
  KINGLET_ASSERT(found != given_.end());
  return found->second;
}

bool Options::flag(std::string_view name) const { return text(name) == "true"; }

}  // namespace kinglet
