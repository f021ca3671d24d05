#pragma once

#include <string>

#include "kinglet/error.hpp"

namespace kinglet {

// The message of the Error that `action` throws; empty if it throws none.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace kinglet
