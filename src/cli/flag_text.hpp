// Options and functions as the command spells them: --gamma, --task regress, kinglet span.
#pragma once

#include <string>
#include <string_view>

#include "kinglet/message.hpp"

namespace kinglet::cli {

std::string flag_text(const OptionMention& mention);
std::string command_text(const FunctionMention& mention);
std::string flag_text(const Message& message);

// The flag of an option of the registry: --budget-rule for "maintain".
std::string flag_name(std::string_view option);

}  // namespace kinglet::cli
