// The position of a model in its data, the rows that it began with, and the way to its learner.
#include "model/model_access.hpp"

#include "core/assert.hpp"
#include "model/model_state.hpp"

namespace kinglet {

Position position_of(const Model& model) { return ModelAccess::state(model).position; }

void set_position(Model& model, const Position& position) {
  ModelAccess::State& state = ModelAccess::state(model);
  state.end_keeping();
  state.position = position;
}

bool began_with(const Model& model, const Batch& first) {
  const Fingerprint& known = ModelAccess::state(model).beginning;
  if (known.rows > first.rows()) return false;
  return fingerprint(first, known.rows, first.new_labels) == known || known.rows == 0;
}

std::optional<std::uint64_t> open_query(const Model& model) {
  const QueryRule& query = ModelAccess::state(model).query;
  return query.is_due() ? std::optional(query.candidate().example) : std::nullopt;
}

void name_candidate(Model& model, const Batch& batch, std::uint64_t first) {
  Candidate& candidate = ModelAccess::state(model).query.candidate();
  const std::uint64_t later = model.progress().examples - candidate.example;
  const std::uint64_t rows = position_of(model).row;
  if (batch.ids.empty() || candidate.example == 0 || later >= rows) return;
  const std::uint64_t row = rows - later - 1;
  if (row >= first && row < first + batch.rows()) candidate.row_id = batch.ids[row - first];
}

std::optional<std::uint64_t> rows_hash(const Model& model) { return ModelAccess::state(model).rows_hash; }

void set_rows_hash(Model& model, std::optional<std::uint64_t> hash) { ModelAccess::state(model).rows_hash = hash; }

void begin_other_data(Model& model) {
  set_position(model, {});
  set_rows_hash(model, std::nullopt);
  ModelAccess::state(model).beginning = {};
  if (ModelAccess::state(model).learner) ModelAccess::state(model).learner->begin_data();
}

const Learner& learner_of(const Model& model) {
  KINGLET_ASSERT(model.has_learned());
  return *ModelAccess::state(model).learner;
}

}  // namespace kinglet
