// Options of a learner: declared once (OptionSpec, in the registry), set as text or as values, checked in one place.
// Options are apart from state: a learner is built from them and never changes them.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinglet/message.hpp"

namespace kinglet {

enum class OptionKind { real, integer, choice, text, flag };

// Search range of an option when no good value is known: low, low · step, low · step², … up to high. If the default of
// the option is `auto`, these are multiples of the value that `auto` stands for. In regression, both ends are
// multiplied by s to the power of `target_power`, where s is the standard deviation of the targets as the learner sees
// them (1 if they are scaled), so that their unit makes no difference.
struct SearchRange {
  double low = 0;
  double high = 0;  // 0: not worth searching
  double step = 10;
  double target_power = 0;
};

struct OptionSpec {
  std::string name{};   // its key in Options, model files and JSON: "lambda", "class-weight"
  std::string shown{};  // the name in help and messages, where that is another one; Options may use either
  OptionKind kind = OptionKind::real;
  std::string default_value{};  // the default, as text; "auto" where the data decide
  Message help{};               // one line
  bool own_meaning = false;     // another than that of the option of this name in other parts
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;  // whether `low` itself is outside
  std::vector<std::string> choices{};
  bool may_be_auto = false;
  bool may_be_infinite = false;  // real only: whether "inf" is a value
  SearchRange search{};
  // The option applies only with this value of another option, and does not apply with that value of another option. An
  // empty name: no such condition.
  OptionMention only_with{};
  OptionMention not_with{};

  const std::string& shown_name() const { return shown.empty() ? name : shown; }
  OptionMention mention() const { return option(shown_name()); }
  // One sentence that says what is wrong with `value`; empty if it is valid.
  Message problem(std::string_view value) const;
  std::string range() const;  // "> 0", "1 … 1000000", "rbf|linear|…": for help and messages
};

// A set of named values in text form; complete_options() (registry.hpp) checks each against its spec. Reading an option
// that was never declared, or a number from a text that was never checked, is a programming error and fails an
// assertion. An unknown option or a wrong value is a user error: set() accepts it, and complete_options() throws Error.
class Options {
 public:
  using Map = std::map<std::string, std::string, std::less<>>;

  Options() = default;
  Options(std::initializer_list<std::pair<const std::string, std::string>> given) : given_(given) {}

  void set(std::string name, std::string value) { given_[std::move(name)] = std::move(value); }
  void unset(const std::string& name) { given_.erase(name); }
  bool has(std::string_view name) const { return given_.find(name) != given_.end(); }
  const Map& all() const { return given_; }

  double real(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  bool flag(std::string_view name) const;
  bool is_auto(std::string_view name) const { return text(name) == "auto"; }

 private:
  Map given_;
};

}  // namespace kinglet
