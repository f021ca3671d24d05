// If training fails, what was learned is kept in MODEL.partial, next to the MODEL of -o. A file MODEL of an earlier,
// complete run stays as it is.
#pragma once

#include <cstdint>
#include <string>

#include "kinglet/message.hpp"
#include "kinglet/model.hpp"

namespace kinglet::cli {

// Throws Error with the problem and what became of the model, which is moved away. `path` is MODEL, or empty without
// -o; `learned` is the number of examples learned in this run.
[[noreturn]] void keep_learned_and_fail(const Message& problem, const std::string& path, std::uint64_t learned,
                                        Model& model);

}  // namespace kinglet::cli
