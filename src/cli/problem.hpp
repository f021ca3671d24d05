// Errors as a command reports them.
#pragma once

#include "kinglet/message.hpp"

namespace kinglet::cli {

// What the exception that is being handled says to the user. An exception that is not an error of the user or the
// system is a bug, and is thrown again.
Message current_problem();

}  // namespace kinglet::cli
