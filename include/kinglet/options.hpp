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

// Which values are worth trying where nobody knows (lab/search_space.hpp): low, low · step, low · step², … up to high. An
// option whose default is `auto` counts in multiples of what that stands for. In regression both ends are multiplied by
// the deviation of the numbers to learn to the power of `target_power`, so that their unit makes no difference.
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
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;  // whether `low` itself is outside
  std::vector<std::string> choices{};
  bool may_be_auto = false;
  bool may_be_infinite = false;  // real only: whether "inf" is a value
  SearchRange search{};
  // Where the option means something: with this value of another option only, and not with that one. An empty name: no
  // such condition.
  OptionMention only_with{};
  OptionMention not_with{};

  const std::string& shown_name() const { return shown.empty() ? name : shown; }
  OptionMention mention() const { return option(shown_name()); }
  // One sentence that says what is wrong with `value`; empty where nothing is.
  Message problem(std::string_view value) const;
  std::string range() const;  // "> 0", "1 … 1000000", "rbf|linear|…": for help and messages
};

// A set of named values in text form; complete_options() (registry.hpp) checks each against its spec. Reading a name that was
// never declared, or a number from a text that was never checked, is our bug (assertion); setting one is the user's.
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
