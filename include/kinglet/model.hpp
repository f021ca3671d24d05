// A model: everything that is needed to predict and to go on learning. Options, label texts, scaler, learner (with its
// random state) and counters travel together, in memory and in the file (docs/model-format.md).
//
//   kinglet::Model model({{"algo", "bpegasos"}, {"budget", "500"}});
//   kinglet::Batch batch;
//   while (source->next(batch)) model.learn(batch);
//   model.end_pass();
//   model.save("model.kinglet");
//
// What is learned is the option `task`. Classes have texts for labels, any number of them. Regression learns from
// Batch::targets, as they stand in the data: nothing about them is scaled, so `epsilon` and step sizes are in their units.
// Novelty detection learns what is normal from every row, whatever its label; it predicts 1 (normal) or -1 (novel), and
// labels, where there are any, are only compared with that.
//
// With the option `query` the labels of some examples only are learned, up to `query-budget` of them (active learning):
// the model asks for those that it is not certain about. By default it asks the data, which then need labels only there;
// an Oracle is anybody else who knows them.
//
// With the option `proba` a model of classes learns along the stream how far its scores can be trusted, and gives
// probabilities (src/model/calibration.hpp).
//
// One thread at a time may change a model; any number may predict with it while nobody does.
#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinglet/learner.hpp"
#include "kinglet/options.hpp"
#include "kinglet/reliability.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

// How well the model predicted each example before it learned it (progressive validation).
struct Progress {
  std::uint64_t examples = 0;
  std::uint64_t mistakes = 0;    // classes and novelty
  std::uint64_t labels = 0;      // classes: how many labels were learned; fewer than examples where `query` says so
  std::uint64_t unlabelled = 0;  // examples that no label was known of: neither right nor wrong
  double squared_error = 0;      // regression: sums over all examples
  double absolute_error = 0;

  std::uint64_t judged() const { return examples - unlabelled; }
  double online_error() const { return mean(static_cast<double>(mistakes)); }
  double online_rmse() const { return std::sqrt(mean(squared_error)); }
  double online_mae() const { return mean(absolute_error); }

 private:
  double mean(double sum) const { return judged() == 0 ? 0 : sum / static_cast<double>(judged()); }
};

// An example whose label is asked for.
struct Query {
  std::uint64_t example = 0;           // which one, from 1
  Prediction prediction;               // what the model makes of it
  double certainty = 0;                // Learner::certainty
  Features x;                          // as it stands in the data, unscaled
  const std::string* label = nullptr;  // where the data have one
};

// Answers a query with the label. No answer ends learning there for now, and the same query comes first when it goes on.
using Oracle = std::function<std::optional<std::string>(const Query&)>;

// The oracle of data that have labels; Error for an example without one.
std::optional<std::string> label_in_data(const Query& query);

struct FlatModel;  // src/learn/flat_model.hpp: a model in plain numbers

// Where a training run stands in its data; saved so that a killed run can go on (train --resume).
struct Position {
  std::uint64_t pass = 0;  // passes completed
  std::uint64_t row = 0;   // rows of the current pass that were learned
};

class Model {
 public:
  // Throws Error when the options are not right (registry.hpp: complete_options()).
  explicit Model(const Options& options);
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  // Predicts and then learns each row in order; `before`, when given, receives the predictions made before learning.
  // The first batch decides what the options leave to the data: its rows, up to kBatchRows of them, give the initial
  // scaling, gamma (median heuristic), the storage form, the budget for a memory limit, and the classes in sorted
  // order. After that it makes no difference how rows are cut into batches. A class that appears later is taken in where
  // it appears, a feature likewise. Throws Error for a row without a label (novelty: with another label than 1 or -1), a
  // bad weight or an infinite value, before anything of the batch is learned.
  // With `query`, or with an oracle, rows need no label; label_in_data is asked where no oracle is given. False: it gave
  // no answer. Then the rows up to the one in question were taken (position() and the length of `before` tell how many),
  // and the next call, with the rest of the rows or with none, asks for that one again before it goes on.
  bool learn(const Batch& batch, std::vector<Prediction>* before = nullptr, const Oracle& oracle = {});
  void end_pass();  // scaling statistics hold from the end of the first pass on
  void set_position(const Position& position);

  // Labels of the batch need not be known. `threads` 0: all cores; the result does not depend on it. Both return how
  // many values were left out because their features lie beyond dimension(): training never saw them.
  std::uint64_t predict(const Batch& batch, std::vector<Prediction>& out, unsigned threads = 1) const;
  // All scores, outputs() per row.
  std::uint64_t scores(const Batch& batch, std::vector<float>& out, unsigned threads = 1) const;
  // Probabilities of all classes, labels().size() per row, that sum to 1. The class that predict() names has the highest
  // one, and no other has as much. Error for a model without the option `proba`.
  std::uint64_t probabilities(const Batch& batch, std::vector<float>& out, unsigned threads = 1) const;
  bool gives_probabilities() const;
  // Those that go with the scores of one row, as scores() gives them; `out` has a place for each label.
  void probabilities_of(std::span<const float> scores, std::span<float> out) const;
  // Of the probabilities that rows had before they were learned, as long as none of them had been seen before: those of
  // the first pass. Empty without the option `proba`.
  const Reliability& online_reliability() const;

  // The texts of the classes, by class id. Regression has none; novelty has -1 and 1.
  std::span<const std::string> labels() const;
  // Class ids of the batch's labels; kNoClass where a label is absent or unknown to the model. For novelty a row
  // without a label is normal. Call it for every batch of a source in order (label ids of a source are first defined in
  // some batch).
  class LabelMap {
   public:
    explicit LabelMap(const Model& model) : model_(&model) {}
    std::span<const ClassId> operator()(const Batch& batch);

   private:
    const Model* model_;
    std::vector<std::string> texts_;  // of the source's label ids
    std::vector<ClassId> classes_;    // likewise
    std::vector<ClassId> rows_;
  };
  // Classes that will come, whether or not the first rows have them: their ids follow those that are known already, in
  // this order.
  void expect_classes(std::span<const std::string> texts);
  // A new source follows: its label ids start afresh.
  void begin_source();

  TaskKind task() const;
  const Options& options() const;            // complete, with `auto` values resolved once learning has started
  const Options& requested_options() const;  // complete, with `auto` values left as they were
  const Progress& progress() const;
  bool asks_for_labels() const;  // `query` leaves labels out, or an oracle has
  Position position() const;     // learn() and end_pass() move it on
  LearnerStats stats() const;
  std::size_t outputs() const;
  std::uint32_t dimension() const;  // 0 before learning has started
  // What the indices of the LIBSVM data count from that the model learned first: data to predict count alike.
  std::optional<int> index_base() const;
  // Whether a source whose first batch this is begins with the rows that the model learned first (at most 64 of them are
  // compared). True where that is not known.
  bool began_with(const Batch& first) const;
  bool has_learner() const;        // whether learning has started
  const Learner& learner() const;  // only once it has
  // Those that weigh most, the heaviest first, with features as they stand in the data (scaling is undone).
  std::vector<SupportVector> support_vectors(std::size_t most) const;

  // What it predicts with, in plain numbers. Error while fewer than two classes are known or nothing was learned.
  FlatModel flatten() const;
  // A model that predicts with these functions and does not learn.
  static Model fixed(const FlatModel& plain);

  // The file is written to a temporary neighbour, synced and renamed: a reader sees the old file or the new one.
  void save(const std::filesystem::path& path) const;
  static Model load(const std::filesystem::path& path);
  std::string serialize() const;
  // `name` is for messages. A model that would need more than `memory_limit` bytes (0: than the machine has) is an
  // Error, as is anything that serialize() did not write.
  static Model deserialize(std::string_view bytes, const std::string& name, std::uint64_t memory_limit = 0);

 private:
  struct State;
  explicit Model(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace kinglet
