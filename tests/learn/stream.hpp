// Labelled examples for the tests of models. Like a source, a Stream returns them in batches, dense or sparse. The text
// of a label is in the first batch that uses it.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/learner.hpp"
#include "core/random.hpp"
#include "kinglet/source.hpp"
#include "learn/rows_of.hpp"

namespace kinglet {

struct LabelledTable {
  Table x;
  std::vector<std::string> y;
};

// One Gaussian cloud for each label, with different centres.
inline LabelledTable clouds(std::size_t rows, std::size_t dimension, std::vector<std::string> labels,
                            std::uint64_t seed = 1, double zeros = 0) {
  Random random(seed);
  LabelledTable table;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t label = random.below(labels.size());
    std::vector<float> x(dimension);
    for (std::size_t f = 0; f < dimension; ++f) {
      if (random.coin(zeros)) continue;
      const double center = (f + label) % labels.size() == 0 ? 3 : 0;
      x[f] = static_cast<float>(center + random.normal());
    }
    table.x.push_back(std::move(x));
    table.y.push_back(labels[label]);
  }
  return table;
}

class Stream {
 public:
  explicit Stream(const LabelledTable& table, bool sparse = false) : table_(&table), sparse_(sparse) {}

  bool at_end() const { return at_ == table_->x.size(); }

  // The next `rows` rows, or fewer at the end.
  Batch next(std::size_t rows) {
    Batch batch;
    batch.sparse = sparse_;
    rows = std::min(rows, table_->x.size() - at_);
    if (sparse_) batch.offsets.push_back(0);
    for (std::size_t i = at_; i < at_ + rows; ++i) {
      add_features(table_->x[i], batch);
      batch.labels.push_back(label_id(table_->y[i], batch));
    }
    batch.dimension = dimension_;
    at_ += rows;
    return batch;
  }

 private:
  void add_features(const std::vector<float>& x, Batch& batch) {
    if (!sparse_) {
      dimension_ = static_cast<std::uint32_t>(x.size());
      batch.values.insert(batch.values.end(), x.begin(), x.end());
      return;
    }
    for (std::uint32_t f = 0; f < x.size(); ++f) {
      if (x[f] == 0) continue;
      batch.indices.push_back(f);
      batch.values.push_back(x[f]);
      dimension_ = std::max(dimension_, f + 1);
    }
    batch.offsets.push_back(batch.values.size());
  }
  std::uint32_t label_id(const std::string& text, Batch& batch) {
    if (text.empty()) return kNoLabel;
    const auto [place, is_new] = ids_.try_emplace(text, static_cast<std::uint32_t>(ids_.size()));
    if (is_new) batch.new_labels.push_back(text);
    return place->second;
  }

  const LabelledTable* table_;
  bool sparse_;
  std::size_t at_ = 0;
  std::uint32_t dimension_ = 0;
  std::unordered_map<std::string, std::uint32_t> ids_;
};

// The following functions turn a batch into one for another task: without labels (novelty detection), or with a smooth
// function of the features as target (regression).
inline Batch without_labels(Batch batch) {
  std::ranges::fill(batch.labels, kNoLabel);
  batch.new_labels.clear();
  return batch;
}

inline double number_for(const Features& x) {
  double sum = 2;
  for (std::uint32_t k = 0; k < x.count; ++k) {
    const std::uint32_t feature = x.is_sparse() ? x.indices[k] : k;
    sum += std::sin(static_cast<double>(x.values[k]) + feature) - std::sin(static_cast<double>(feature));
  }
  return sum;
}

inline Batch with_numbers(Batch batch) {
  batch = without_labels(std::move(batch));
  const Rows rows = batch.features();
  for (std::size_t i = 0; i < rows.count; ++i) batch.targets.push_back(static_cast<float>(number_for(rows[i])));
  return batch;
}

inline Batch for_task(Batch batch, TaskKind task) {
  if (task == TaskKind::classify) return batch;
  return task == TaskKind::regress ? with_numbers(std::move(batch)) : without_labels(std::move(batch));
}

// All rows as one batch.
inline Batch one_batch(const LabelledTable& table, bool sparse = false) {
  return Stream(table, sparse).next(table.x.size());
}

}  // namespace kinglet
