// A model: everything that is needed to predict and to go on learning. Options, label texts, scaler, learner (with its
// random state) and counters travel together, in memory and in the file (docs/model-format.md).
//
//   kinglet::Model model({{"algo", "bpegasos"}, {"budget", "500"}});
//   kinglet::Batch batch;
//   while (source->next(batch)) model.learn(batch);
//   model.save("model.kinglet");
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kinglet/learner.hpp"
#include "kinglet/options.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

// How well the model predicted each example before it learned it (progressive validation).
struct Progress {
  std::uint64_t examples = 0;
  std::uint64_t mistakes = 0;
  double online_error() const {
    return examples == 0 ? 0 : static_cast<double>(mistakes) / static_cast<double>(examples);
  }
};

// Where a training run stands in its data; saved so that a killed run can go on (train --resume).
struct Position {
  std::uint64_t pass = 0;  // passes completed
  std::uint64_t row = 0;   // rows of the current pass that were learned
};

class Model {
 public:
  explicit Model(const Options& options);
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  // Predicts and then learns each row in order; `before`, when given, receives the predictions made before learning.
  // The first batch decides what the options leave to the data: the first rows give the initial scaling, gamma
  // (median heuristic), the storage form, the budget for a memory limit, and the classes in sorted order.
  void learn(const Batch& batch, std::vector<Prediction>* before = nullptr);
  void end_pass();  // scaling statistics hold from the end of the first pass on
  void set_position(const Position& position);

  // Labels of the batch need not be known. `threads` 0: all cores.
  void predict(const Batch& batch, std::vector<Prediction>& out, unsigned threads = 1) const;
  // All scores, outputs() per row.
  void scores(const Batch& batch, std::vector<float>& out, unsigned threads = 1) const;

  // The texts of the classes, by class id.
  std::span<const std::string> labels() const;
  // Class ids of the batch's labels; kNoClass where a label is absent or unknown to the model. Call it for every
  // batch of a source in order (label ids of a source are first defined in some batch).
  class LabelMap {
   public:
    explicit LabelMap(const Model& model) : model_(&model) {}
    std::span<const ClassId> operator()(const Batch& batch);

   private:
    const Model* model_;
    std::vector<ClassId> of_source_;
    std::vector<ClassId> rows_;
  };
  // A new source follows: its label ids start afresh.
  void begin_source();

  const Options& options() const;  // complete, with `auto` values resolved once learning has started
  const Progress& progress() const;
  Position position() const;
  Facts facts() const;
  std::size_t outputs() const;
  std::uint32_t dimension() const;
  const Learner& learner() const;

  // The file is written to a temporary neighbour, synced and renamed: a reader sees the old file or the new one.
  void save(const std::filesystem::path& path) const;
  static Model load(const std::filesystem::path& path);
  std::string serialize() const;
  static Model deserialize(std::string_view bytes, const std::string& name);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace kinglet
