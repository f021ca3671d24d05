#include "cli/flag_text.hpp"

#include <algorithm>

#include "kinglet/registry.hpp"

namespace kinglet::cli {

std::string flag_text(const OptionMention& mention) {
  std::string flag = "--" + mention.name;
  std::ranges::replace(flag, '_', '-');  // fields of C++, such as label_column
  return mention.value.empty() ? flag : flag + " " + mention.value;
}

std::string command_text(const FunctionMention& mention) {
  return "kinglet " + (mention.name == "make_start" ? "span" : mention.name);
}

std::string flag_text(const Message& message) { return message.text(flag_text, command_text); }

std::string flag_name(std::string_view option) { return "--" + shown_name(option); }

}  // namespace kinglet::cli
