// Blocks that show a model and how it predicts.
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

// A matrix of labels² counts (row: the true class), or, where classes are too many for one, a table of the mistakes that
// are made most often.
Block confusion_block(std::string title, std::string caption, std::vector<std::string> labels,
                      std::vector<std::uint64_t> counts);
// Precision and recall of each class, from such counts.
Table class_table(const std::vector<std::string>& labels, std::span<const std::uint64_t> counts);

// Probabilities against what came true, bin by bin; on the diagonal they can be taken at their word. `what` they are
// probabilities of: "class 1", "the predicted class".
Chart reliability_chart(const Reliability& reliability, std::string title, const std::string& what);

// Two features: the boundary, or the regions of more classes, with examples and support vectors. `names` are of the
// features, where they have any.
DecisionMap decision_map(const Model& model, const SampledExamples& sample, const std::vector<std::string>& names);
// Regression from one feature: f, examples and support vectors.
Chart function_chart(const Model& model, const SampledExamples& sample, const std::vector<std::string>& names);
// Regression: predictions against the numbers that were to be predicted.
Chart fit_chart(const Model& model, const SampledExamples& sample);

struct PictureSize {
  std::size_t width = 0;
  std::size_t height = 0;
};
// What size pictures of so many pixels probably have: square ones of at least 8 × 8. From 256 pixels on a part of the last
// row may be missing, as in sparse files whose last pixels are empty. Nothing where it is no picture.
std::optional<PictureSize> guess_picture_size(std::uint32_t dimension);
// The support vectors that weigh most as pictures, class by class.
Gallery support_gallery(const Model& model, const PictureSize& size);

// How long single examples took: a curve over the percentiles for each kind of times.
struct Times {
  std::string name;
  std::vector<double> seconds;
};
Chart latency_chart(std::vector<Times> times);
Table latency_table(std::vector<Times> times);

}  // namespace kinglet::report
