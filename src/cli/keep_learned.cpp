#include "cli/keep_learned.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/problem.hpp"
#include "core/compose.hpp"
#include "core/memory_error.hpp"
#include "kinglet/error.hpp"

namespace kinglet::cli {
namespace {

// If memory ran out while an example was learned, the model may be damaged: load it, to see. Most of the memory for
// that is free once the model itself is gone; where it does not suffice, the file is kept unchecked.
void save_usable(const std::string& path, Model& model) {
  model.save(path);
  { const Model gone = std::move(model); }
  try {
    Model::load(path);
  } catch (const std::bad_alloc&) {
  } catch (const MemoryError&) {
  } catch (const Error&) {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    throw;
  }
}

Message fate_of(Model& model, const std::string& path, std::uint64_t learned) {
  const std::uint64_t examples = model.progress().examples;
  if (model.stats().learns_at_end) {
    return fmt::format("{} learns only at the end of a pass, so there is nothing to keep",
                       model.options().text("algo"));
  }
  if (path.empty()) {
    return fmt::format("what was learned from {} is lost, because -o was not given", plural(learned, "example"));
  }
  try {
    save_usable(partial_path(path), model);
    return fmt::format("what was learned from {} is in {}", plural(examples, "example"), partial_path(path));
  } catch (...) {
    return compose("what was learned could not be saved: {}", current_problem());
  }
}

}  // namespace

void keep_learned_and_fail(const Message& problem, const std::string& path, std::uint64_t learned, Model& model) {
  if (learned == 0) throw Error(problem);
  throw Error(compose("{} ({})", problem, fate_of(model, path, learned)));
}

}  // namespace kinglet::cli
