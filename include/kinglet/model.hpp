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
// One thread at a time may change a model; any number may predict with it while nobody does.
#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinglet/learner.hpp"
#include "kinglet/options.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

// How well the model predicted each example before it learned it (progressive validation).
struct Progress {
  std::uint64_t examples = 0;
  std::uint64_t mistakes = 0;  // classes and novelty
  double squared_error = 0;    // regression: sums over all examples
  double absolute_error = 0;

  double online_error() const { return mean(static_cast<double>(mistakes)); }
  double online_rmse() const { return std::sqrt(mean(squared_error)); }
  double online_mae() const { return mean(absolute_error); }

 private:
  double mean(double sum) const { return examples == 0 ? 0 : sum / static_cast<double>(examples); }
};

// Where a training run stands in its data; saved so that a killed run can go on (train --resume).
struct Position {
  std::uint64_t pass = 0;  // passes completed
  std::uint64_t row = 0;   // rows of the current pass that were learned
};

class Model {
 public:
  // Throws Error when the options are not right (registry.hpp: complete()).
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
  void learn(const Batch& batch, std::vector<Prediction>* before = nullptr);
  void end_pass();  // scaling statistics hold from the end of the first pass on
  void set_position(const Position& position);

  // Labels of the batch need not be known. `threads` 0: all cores; the result does not depend on it. Both return how
  // many values were left out because their features lie beyond dimension(): training never saw them.
  std::uint64_t predict(const Batch& batch, std::vector<Prediction>& out, unsigned threads = 1) const;
  // All scores, outputs() per row.
  std::uint64_t scores(const Batch& batch, std::vector<float>& out, unsigned threads = 1) const;

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
  // A new source follows: its label ids start afresh.
  void begin_source();

  TaskKind task() const;
  const Options& options() const;  // complete, with `auto` values resolved once learning has started
  const Options& asked() const;    // complete, with `auto` values left as they were
  const Progress& progress() const;
  Position position() const;  // learn() and end_pass() move it on
  Facts facts() const;
  std::size_t outputs() const;
  std::uint32_t dimension() const;  // 0 before learning has started
  // What the indices of the LIBSVM data count from that the model learned first: data to predict count alike.
  std::optional<int> index_base() const;
  // Whether a source whose first batch this is begins with the rows that the model learned first (at most 64 of them are
  // compared). True where that is not known.
  bool began_with(const Batch& first) const;
  bool has_learner() const;        // whether learning has started
  const Learner& learner() const;  // only once it has

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
