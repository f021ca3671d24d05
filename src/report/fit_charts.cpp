// Charts of the predictions of a regression: against the true values, and what is left of them.
#include <fmt/format.h>

#include <algorithm>

#include "report/block_parts.hpp"
#include "report/model_blocks.hpp"

namespace kinglet::report {
namespace {

struct Fitted {
  double truth = 0;
  double predicted = 0;
};

std::vector<Fitted> fitted(const Model& model, const SampledExamples& sample) {
  std::vector<Fitted> pairs;
  for (std::size_t i = 0; i < sample.rows.size(); ++i) {
    const auto& row = sample.rows[i];
    const Predictions out = model.predict(rows_of(row, static_cast<std::uint32_t>(row.size())));
    pairs.push_back({static_cast<double>(sample.targets[i]), static_cast<double>(out.rows[0].score)});
  }
  return pairs;
}

// The points inside the plot; the caption says how many are not.
Series dots_within(const Range& x, const Range& y, const std::vector<Point>& points, std::string& caption) {
  Series dots{.name = "examples", .drawn = Drawn::dots, .faint = true, .colour = 0};
  for (const Point& each : points) {
    if (holds(x, each.x) && holds(y, each.y)) dots.points.push_back(each);
  }
  if (const std::size_t missing = points.size() - dots.points.size(); missing > 0) {
    caption += fmt::format(" {} far away {} not shown.", missing, missing == 1 ? "is" : "are");
  }
  return dots;
}

}  // namespace

Chart fit_chart(const Model& model, const SampledExamples& sample, const std::string& what) {
  std::vector<double> seen;
  std::vector<Point> points;
  for (const Fitted& pair : fitted(model, sample)) {
    seen.insert(seen.end(), {pair.truth, pair.predicted});
    points.push_back({.x = pair.truth, .y = pair.predicted});
  }
  const Range range = range_of_all(std::move(seen));
  Chart chart{.title = "Predicted against true values",
              .caption = fmt::format("Predictions of the finished model for a random sample of {} {}.",
                                     sample.rows.size(), what),
              .x = {.label = "true", .least = range.low, .most = range.high},
              .y = {.label = "predicted", .least = range.low, .most = range.high},
              .square = true};
  Series ideal{.name = "ideal", .dash = 1, .colour = 7};
  ideal.points = {{.x = range.low, .y = range.low}, {.x = range.high, .y = range.high}};
  chart.series = {dots_within(range, range, points, chart.caption), std::move(ideal)};
  return chart;
}

Chart residual_chart(const Model& model, const SampledExamples& sample, const std::string& what) {
  std::vector<double> predictions;
  std::vector<double> residuals;
  std::vector<Point> points;
  for (const Fitted& pair : fitted(model, sample)) {
    predictions.push_back(pair.predicted);
    residuals.push_back(pair.truth - pair.predicted);
    points.push_back({.x = pair.predicted, .y = pair.truth - pair.predicted});
  }
  const Range x = range_of_all(std::move(predictions));
  const Range y = range_of_all(std::move(residuals));
  Chart chart{
      .title = "Residuals",
      .caption = fmt::format("True minus predicted value, for the same {}. A good model leaves no pattern.", what),
      .x = {.label = "predicted", .least = x.low, .most = x.high},
      .y = {.label = "residual", .least = std::min(y.low, 0.0), .most = std::max(y.high, 0.0)},
      .references = {{"no error", 0}},
      .square = true};
  chart.series = {dots_within(x, y, points, chart.caption)};
  return chart;
}

}  // namespace kinglet::report
