// The errors of a run that was resumed with other data.
#include "lab/same_data.hpp"

#include <fmt/format.h>

#include "kinglet/error.hpp"
#include "model/model_access.hpp"

namespace kinglet {

void require_same_beginning(const Model& model, const Batch& first, const Source& source) {
  if (began_with(model, first)) return;
  throw Error(
      fmt::format("{} does not begin with the same rows as the data of the checkpoint: the checkpoint belongs to other "
                  "data or to another order of them",
                  source.name()));
}

void require_same_rows(const Model& model, std::optional<std::uint64_t> hash, std::uint64_t found,
                       const Source& source) {
  if (!hash || *hash == found) return;
  throw Error(
      fmt::format("{} differs from the data of the checkpoint in its first {} rows: the checkpoint belongs to other "
                  "data or to another order of them",
                  source.name(), position_of(model).row));
}

void refuse_shorter_data(const Model& model, std::uint64_t rows, const Source& source) {
  throw Error(
      fmt::format("{} has only {} examples, but the checkpoint is at {}: the checkpoint belongs to other data or "
                  "to another order of them",
                  source.name(), rows, position_of(model).row));
}

}  // namespace kinglet
