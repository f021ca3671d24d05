// The parts of a Model, and the functions that work on them, under the name of the file where each is. The public
// interface (kinglet/model.hpp) is model.cpp, and what the model's file contains is model_io.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinglet/model.hpp"
#include "learn/row_buffer.hpp"
#include "learn/row_sample.hpp"
#include "learn/scaler.hpp"
#include "learn/target_scaler.hpp"
#include "model/calibration.hpp"
#include "model/class_weights.hpp"
#include "model/fingerprint.hpp"
#include "model/labels.hpp"
#include "model/model_access.hpp"
#include "model/notices.hpp"
#include "model/query.hpp"
#include "model/single_examples.hpp"

namespace kinglet {

// A start that models share (kinglet/mix.hpp). Scaling and metric are frozen, and features beyond those of the start
// are ignored.
struct SharedStart {
  std::uint64_t id = 0;      // a hash of the start: models with the same one go together
  std::uint32_t labels = 0;  // how many classes it has; those of a model that follow are its own
  std::string isa;           // the instruction set that made it
};

struct Model::State {
  Options requested;            // complete, `auto` left as it was
  bool metric_is_open = false;  // nobody asked for a metric: records are learned without one
  Options options;              // with `auto` resolved once learning has started
  TaskKind task;
  std::string only_predicts;  // why the model does not learn; empty: it does
  Labels labels;
  std::optional<Scaler> scaler;  // these two once learning has started
  std::unique_ptr<Learner> learner;
  std::optional<TargetScaler> target_scaler;  // likewise, in regression unless the option `target-scale` is none
  ClassWeights class_weights;
  Progress progress;
  Position position;
  QueryRule query;
  std::optional<Calibration> calibration;  // with the option `proba`
  std::optional<RowSample> sample;         // of the rows of this pass as they are in the data, if the learner wants one
  std::uint64_t head_left = 0;  // rows of the first batch that the scaler has counted but that were not learned yet
  std::optional<int> index_base;
  std::shared_ptr<const Columns> columns;  // of the data that was learned first; null: not known
  std::optional<SharedStart> shared;       // the start that it has learned from
  Fingerprint beginning;                   // of the first rows that were learned
  std::optional<std::uint64_t>
      rows_hash;        // of all rows learned in this pass; only while a checkpoint is saved or loaded
  SourceLabels source;  // not saved: another source has other ids
  SingleExamples singles;
  Notices notices;
  unsigned learning_threads = 1;  // not saved

  // Reused from batch to batch.
  RowBuffer buffer;
  std::vector<ClassId> classes;
  std::vector<float> weights;
  std::vector<float> scaled_targets;
  std::vector<TargetTransform> transforms;  // by row
  std::vector<Prediction> before;
  std::vector<float> scores_before;     // for the calibration
  std::optional<Scaler> scaler_before;  // these rows
  std::vector<float> scores_ahead;
  std::size_t group = 1;  // number of rows to score at once; does not affect the result

  explicit State(const Options& given);
  // Options that are complete already.
  struct Complete {};
  State(const Options& given, Complete);

  // --- model_learn.cpp ---
  void require_learning() const;  // throws Error for a model that only predicts
  // Model::learn() of a batch.
  bool learn(const Batch& batch, std::vector<Prediction>* before_out, const Oracle& oracle);
  void take_columns(const Batch& batch);  // that were learned: categories may have new values
  // Learns the rows of the batch, up to a query without an answer. Returns the number of rows processed.
  std::size_t learn_rows(const Batch& batch, bool asking, const Oracle& oracle, Prediction* out);
  // The three tasks. The first of the scaled rows is row `at` of the batch.
  void learn_classes(const Rows& rows, const Batch& batch, std::size_t at, Prediction* out);
  void learn_numbers(const Rows& rows, const Batch& batch, std::size_t at, Prediction* out);
  void learn_scaled(const Rows& rows, std::span<const float> targets, std::span<const float> row_weights,
                    std::span<Prediction> out);
  void learn_normal(const Rows& rows, const Batch& batch, std::size_t at, Prediction* out);
  void learn_known(const Rows& rows, std::span<const float> row_weights, std::span<Prediction> out);
  // Whether learning the row adds a class. That may be refused, so the rows before it are learned and counted first:
  // only the first row of learn_classes() can be one.
  bool is_new_class(const Batch& batch, std::size_t row);
  // Adds the class of a row and returns the row's prediction without that class.
  Prediction meet_class(const Features& x, const std::string& text);
  // Space for the scores of `n` rows; empty if they are not needed.
  std::span<float> room_for_scores(std::size_t n);
  // Calibrates with the scores of the first pass. In later passes the rows are not new: only the size of their scores
  // is recorded.
  void calibrate(std::span<const float> scores, const ClassId* truth, const float* row_weights, std::size_t n);

  // --- batch_checks.cpp ---
  // Throws Error for a batch whose labels or targets cannot be learned; `asking`: some may be absent.
  void check_labels(const Batch& batch, bool asking);

  // --- model_start.cpp ---
  // Decides what the options leave to the data and makes scalers and learner. `rows` is the head; the targets are empty
  // except in regression. `highest` is the index that their dimension comes from. `schema` is that of records, or null.
  void start(const Rows& rows, std::span<const std::uint32_t> row_labels, std::span<const float> targets,
             const HighestIndex& highest, const Schema* schema = nullptr);
  Labels labels_with(std::span<const std::uint32_t> row_labels) const;

  // --- model_grow.cpp ---
  // Makes room for more features or classes. Where the option `memory` does not allow them with the present budget, the
  // budget is lowered. Throws Error, having changed nothing, where even that does not help.
  void grow(std::uint32_t dimension, std::uint32_t class_count, const HighestIndex& highest = {});
  // Empty if the budget need not be lowered.
  std::optional<Options> options_with_lower_budget(const Shape& shape, const HighestIndex& highest) const;
  void lower_budget(const Options& lower, const Shape& shape);
  void add_class(const std::string& text);

  // --- model_notices.cpp ---
  // Notes what a model with a shared start leaves out of these rows, or computes differently.
  void notice_start(const Rows& rows);
  void notice_new_labels();
  void notice_full_budget();

  // --- model_single.cpp ---
  // Model::learn() of one example. `label` is an id of `singles`.
  void learn_one(std::span<const float> x, std::uint32_t label, std::optional<float> number, float weight);
  void learn_row();    // of `singles`, as a batch
  void start_again();  // with all rows that `singles` keeps
  void end_keeping();  // the kept rows are the first rows, as if they had come in one batch

  // --- model_metric.cpp ---
  // With the option `metric`: when it is time for a new metric, the scaler and everything that was scaled change to it.
  // This comes before the first row after that time, so that the division into batches does not matter.
  void learn_metric();
  std::uint64_t rows_to_new_metric() const;  // 0: now

  // --- model_sample.cpp ---
  // At the start; for rows that were learned, the first of which is row `at` of the batch; at the end of a pass.
  void start_sample();
  void sample_rows(const Rows& raw, const Batch& batch, std::size_t at);
  void end_pass();
  void review_sample();
  std::vector<float> scores_of_sample() const;  // empty without probabilities
  void calibrate_again(std::span<const float> scores);

  // --- model_query.cpp ---
  // With queries: `raw` are the rows as they are in the data. Returns how many were taken.
  std::size_t learn_asking(const Rows& raw, const Batch& batch, std::size_t at, const Oracle& oracle, Prediction* out);
  bool take_and_ask(const Rows& raw, const Rows& rows, const Batch& batch, std::size_t at, const Oracle& oracle,
                    Prediction* out, std::size_t& taken);
  std::span<const float> score_ahead(const Rows& rows, std::size_t i, std::size_t& scored);
  void judge(const Prediction& prediction, std::uint32_t label);
  bool ask(const Oracle& oracle);
  void learn_answer(const std::string& text);

  // --- model_predict.cpp ---
  // The scores of scaled rows, outputs() per row, in the units of the target for regression.
  void scores_of(const Rows& scaled_rows, std::span<float> out) const;
  // The number of nonzero values of features that the model does not have.
  std::uint64_t ignored_values(const Rows& rows) const;

  // --- what options and counters say ---
  // Whether this is the first pass, in which every row is new to the model.
  bool is_first_pass() const { return position.pass == 0; }
  // Whether not every label of the stream so far and to come is learned.
  bool asks() const {
    return !query.takes_all() || (task == TaskKind::classify && progress.labels < progress.examples);
  }
  std::optional<std::uint32_t> numbers() const {  // of records
    return columns && columns->schema ? std::optional(columns->schema->numbers) : std::nullopt;
  }
  Scaler::Metric metric() const { return learns_metric(requested) ? Scaler::Metric::learned : Scaler::Metric::none; }
  Storage storage() const { return storage_named(options.text("storage")); }  // once learning has started
  bool scales_targets() const { return requested.has("target-scale") && requested.text("target-scale") != "none"; }
};

// The way from a Model to its parts, for this folder alone. Everyone else uses model_access.hpp.
struct ModelAccess {
  using State = Model::State;

  static State& state(Model& model) { return *model.state_; }
  static const State& state(const Model& model) { return *model.state_; }
  static Model make(std::unique_ptr<State> state) { return Model(std::move(state)); }
};

}  // namespace kinglet
