// What a Model is made of. Learning (model.cpp), the decisions that the first rows make (model_start.cpp) and the file
// (model_io.cpp) share it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "kinglet/model.hpp"
#include "learn/fingerprint.hpp"
#include "learn/labels.hpp"
#include "learn/row_buffer.hpp"
#include "learn/scaler.hpp"

namespace kinglet {

struct Model::State {
  Options asked;    // complete, `auto` left as it was
  Options options;  // with `auto` resolved once learning has started
  TaskKind task;
  Labels labels;
  std::optional<Scaler> scaler;  // these two once learning has started
  std::unique_ptr<Learner> learner;
  std::vector<float> class_weights;  // by class id; empty: all 1
  Progress progress;
  Position position;
  std::optional<int> index_base;
  Fingerprint beginning;  // of the first rows that were learned
  SourceLabels source;    // not saved: another source has other ids

  // Reused from batch to batch.
  RowBuffer buffer;
  std::vector<ClassId> classes;
  std::vector<float> weights;
  std::vector<Prediction> before;

  explicit State(const Options& given);

  // Throws Error for a batch whose labels or targets cannot be learned.
  void check_labels(const Batch& batch);

  // Decides what the options leave to the data and makes scaler and learner. `rows` is the head.
  void start(const Rows& rows, std::span<const std::uint32_t> row_labels);
  Labels labels_with(std::span<const std::uint32_t> row_labels) const;

  // Rows [begin, end) of the batch; those of the head were counted by the scaler before.
  void learn_rows(const Batch& batch, std::size_t begin, std::size_t end, bool is_head, Prediction* out);
  // The three tasks: scaled rows, of which the first is row `at` of the batch.
  void learn_classes(const Rows& rows, const Batch& batch, std::size_t at, Prediction* out);
  void learn_numbers(const Rows& rows, const Batch& batch, std::size_t at, Prediction* out);
  void learn_normal(const Rows& rows, const Batch& batch, std::size_t at, Prediction* out);
  void learn_known(const Rows& rows, std::size_t begin, std::size_t end, const float* row_weights, Prediction* out);
  Prediction meet_class(const Features& x, const std::string& text);
  template <class Take>
  std::uint64_t score(const Batch& batch, unsigned threads, const Take& take) const;
  void weigh_classes();
  void grow(std::uint32_t dimension, std::uint32_t class_count);
};

// Throws Error when a learner of these options and shape would take more than `limit` bytes (0: what the machine has).
void require_memory(const Options& options, const Shape& shape, std::uint64_t limit);

}  // namespace kinglet
