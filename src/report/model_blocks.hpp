// Report blocks that show a model and its predictions. Classes are in class_blocks.cpp, maps in map_blocks.cpp, charts
// of regressions in fit_charts.cpp, pictures in support_gallery.cpp, and the others in model_blocks.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kinglet/model.hpp"
#include "lab/stream_record.hpp"
#include "report/report.hpp"

namespace kinglet::report {

// The confusion matrix (row: the true class). Many classes are ordered by their recall, the worst first; of very many,
// the best ones are shown together.
Confusion confusion_block(std::string title, std::string caption, std::vector<std::string> labels,
                          std::vector<std::uint64_t> counts);
// Precision and recall of each class, from the counts of a confusion matrix, the worst recall first if there are many.
Table class_table(const std::vector<std::string>& labels, std::span<const std::uint64_t> counts);
// The most frequent mistakes; for many classes.
Table mistake_table(const std::vector<std::string>& labels, std::span<const std::uint64_t> counts);
// From so many classes on the matrix is a heat map, ordered by recall.
inline constexpr std::size_t kManyClasses = 13;

// Predicted probabilities against observed frequencies, in bins; calibrated ones lie on the diagonal. `what` names the
// event: "class 1", "the predicted class".
Chart reliability_chart(const Reliability& reliability, std::string title, const std::string& what);

// The features with the largest importances, at most so many, the largest first; ties in their order.
std::vector<std::size_t> most_important(std::span<const double> importances, std::size_t most);
// For a model that learned its metric: how much the most important features matter.
Bars importance_bars(const Model& model, const std::vector<std::string>& names);

// For two features: the decision boundary, or the regions of the classes, with examples and support vectors. `names`
// are the names of the features, and may be empty.
DecisionMap decision_map(const Model& model, const SampledExamples& sample, const std::vector<std::string>& names);
// Regression with one feature: f and the examples.
Chart function_chart(const Model& model, const SampledExamples& sample, const std::vector<std::string>& names);
// Regression: predicted against true values, and what is left of them (true − predicted). `what` the sample is of:
// "training examples". Points far away from most others are left out, and the captions say so.
Chart fit_chart(const Model& model, const SampledExamples& sample, const std::string& what);
Chart residual_chart(const Model& model, const SampledExamples& sample, const std::string& what);

struct PictureSize {
  std::size_t width = 0;
  std::size_t height = 0;
};
// Guesses the size of square pictures of at least 8 × 8 from the number of features. From 256 features on, part of the
// last row may be missing, as in sparse files whose last pixels are always 0. Nullopt if it is no square.
std::optional<PictureSize> guess_picture_size(std::uint32_t dimension);
// The support vectors with the largest coefficients as pictures, class by class.
Gallery support_gallery(const Model& model, const PictureSize& size);

// The times of single examples: one curve over the percentiles for each kind.
struct Times {
  std::string name;
  std::vector<double> seconds;
};
Chart latency_chart(std::vector<Times> times);
Table latency_table(std::vector<Times> times);

}  // namespace kinglet::report
