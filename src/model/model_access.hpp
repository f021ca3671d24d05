// What the library's own parts (command, laboratory, export, C and Python interfaces) do with a Model beyond its public
// interface: its position in the data, its learner, its functions as plain numbers, and predictions into reused memory.
// What concerns a shared start is in model_mix.cpp, predictions in model_predict.cpp, plain numbers in
// model_flatten.cpp, the rest in model_access.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/learner.hpp"
#include "kinglet/message.hpp"
#include "kinglet/model.hpp"

namespace kinglet {

struct FlatModel;  // learn/flat_model.hpp

// Where a training run is in its data. It is saved with the model, so that an interrupted run can resume.
struct Position {
  std::uint64_t pass = 0;  // completed passes
  std::uint64_t row = 0;   // rows learned in the current pass
};

Position position_of(const Model& model);  // learn() and end_pass() move it on
void set_position(Model& model, const Position& position);

// Whether `first`, the first batch of a source, begins with the rows that the model learned first (at most 64 rows are
// compared). True if the model does not know its first rows.
bool began_with(const Model& model, const Batch& first);

// The example whose label is asked for before the model learns on; nullopt: no query is open.
std::optional<std::uint64_t> open_query(const Model& model);
// Gives the row whose label is or may be asked for its id, which model files do not have, if the row is in the batch.
// `first` is the number in the current pass of the batch's first row, from 0.
void name_candidate(Model& model, const Batch& batch, std::uint64_t first);

// The hash of the rows learned in the current pass (fingerprint.hpp: RowHash), which only checkpoints have.
std::optional<std::uint64_t> rows_hash(const Model& model);
void set_rows_hash(Model& model, std::optional<std::uint64_t> hash);

// The model goes on with other data, from their first row. What it has learned stays.
void begin_other_data(Model& model);

// The start that the model has learned from (kinglet/mix.hpp); nullopt: none. The instruction set that made the start.
std::optional<std::uint64_t> start_of(const Model& model);
std::string isa_of_start(const Model& model);

// What differs in two models with the same id of their start, although the start fixes it: one of the files was
// changed. An empty message: nothing.
Message difference_from_start(const Model& a, const Model& b);

// Whether models that learned from one start add up.
bool adds_up(const Model& model);
// The sum of models with the same start that add up. Throws Error where one of them is in the middle of active
// learning.
Model sum_of(std::span<const Model* const> models);
// Replaces the counters of a model that only predicts.
void set_progress(Model& model, const Progress& progress);

const Learner& learner_of(const Model& model);  // only if model.has_learned()

// The same as Model::predict(), scores(), probabilities() and deviations(), but into memory that is reused from call to
// call. They return the number of ignored values.
std::uint64_t predict_into(const Model& model, const Batch& batch, std::vector<Prediction>& out, unsigned threads = 1);
std::uint64_t scores_into(const Model& model, const Batch& batch, std::vector<float>& out, unsigned threads = 1);
std::uint64_t probabilities_into(const Model& model, const Batch& batch, std::vector<float>& out, unsigned threads = 1);
std::uint64_t deviations_into(const Model& model, const Batch& batch, std::vector<float>& out, unsigned threads = 1);
// The probabilities for one row of scores; `out` has one place per label. Only for a model that gives probabilities and
// has learned.
void probabilities_of(const Model& model, std::span<const float> scores, std::span<float> out);

// The functions that the model predicts with, as plain numbers. Throws Error if nothing was learned or fewer than two
// classes are known.
FlatModel flatten(const Model& model);
// A model that predicts with these functions and does not learn.
Model fixed_model(const FlatModel& plain);

}  // namespace kinglet
