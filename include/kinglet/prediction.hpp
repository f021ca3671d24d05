// What a model predicts: for one example (Answer), and for the rows of a batch (Prediction, RowValues).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kinglet/example.hpp"

namespace kinglet {

// What a model learns (the option `task`): classes, numbers, or which examples are normal.
enum class TaskKind { classify, regress, novelty };

// The prediction for one row.
struct Prediction {
  ClassId label = kNoClass;  // a place in Model::labels(); kNoClass for regression, and before the first class is known
  // Two classes: f(x), positive for class 1. More classes: the score of the predicted class. Regression: the predicted
  // number. Novelty: positive for normal, negative for novel.
  float score = 0;
};

// The prediction for one example, with the class as text.
struct Answer {
  std::string label;                 // the predicted class; empty for regression, and before anything was learned
  ClassId class_id = kNoClass;       // its place in Model::labels()
  float score = 0;                   // as in Prediction
  std::optional<float> probability;  // of the predicted class, for a model with the option `proba`

  float number() const { return score; }  // regression: the predicted number
};

// The predictions for the rows of a batch.
struct Predictions {
  std::vector<Prediction> rows;
  // Values that were left out because the model has never learned their features (their index is ≥ dimension()).
  std::uint64_t ignored_values = 0;
};

// Several values for each row of a batch: scores, or probabilities.
struct RowValues {
  std::vector<float> values;         // row after row
  std::size_t width = 0;             // values per row
  std::uint64_t ignored_values = 0;  // as in Predictions

  std::span<const float> operator[](std::size_t row) const {
    return std::span<const float>(values).subspan(row * width, width);
  }
};

}  // namespace kinglet
