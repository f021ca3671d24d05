#include "cli/problem.hpp"

#include <new>
#include <stdexcept>
#include <system_error>

#include "kinglet/error.hpp"

namespace kinglet::cli {
namespace {

constexpr const char* kOutOfMemory = "out of memory; try a smaller --budget or --memory";

}  // namespace

Message current_problem() {
  try {
    throw;
  } catch (const Error& error) {
    return error.message();
  } catch (const std::system_error& error) {
    return error.what();
  } catch (const std::length_error&) {
    return kOutOfMemory;
  } catch (const std::bad_alloc&) {
    return kOutOfMemory;
  }
}

}  // namespace kinglet::cli
