// Blocks of models with one or two features: the learned function, the decision map.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/block_parts.hpp"
#include "report/model_blocks.hpp"
#include "rules/update_rule.hpp"

namespace kinglet::report {
namespace {

constexpr std::size_t kMapSide = 200;
constexpr std::size_t kMostVectors = 2000;  // on a map

Range range_of_feature(const SampledExamples& sample, std::size_t feature) {
  std::vector<double> values;
  for (const auto& row : sample.rows) values.push_back(feature < row.size() ? static_cast<double>(row[feature]) : 0.0);
  return range_of(std::move(values));
}

double at(const Range& range, std::size_t i, std::size_t n) {
  return range.low + (range.high - range.low) * (static_cast<double>(i) + 0.5) / static_cast<double>(n);
}

Batch grid(const Range& x, const Range& y) {
  std::vector<float> places;
  places.reserve(2 * kMapSide * kMapSide);
  for (std::size_t row = 0; row < kMapSide; ++row) {
    for (std::size_t column = 0; column < kMapSide; ++column) {
      places.push_back(static_cast<float>(at(x, column, kMapSide)));
      places.push_back(static_cast<float>(at(y, row, kMapSide)));
    }
  }
  return rows_of(std::move(places), 2);
}

// Round numbers between the least and the greatest score: the contour lines of a regression map.
std::vector<double> levels_between(const std::vector<float>& scores) {
  const auto [least, most] = std::ranges::minmax(scores);
  const double span = static_cast<double>(most) - static_cast<double>(least);
  if (!(span > 0)) return {};
  double step = std::pow(10.0, std::floor(std::log10(span / 4)));
  if (span / step > 20) step *= 5;
  if (span / step > 10) step *= 2;
  std::vector<double> levels;
  for (double level = std::ceil(static_cast<double>(least) / step) * step; level < static_cast<double>(most);
       level += step) {
    levels.push_back(level);
  }
  return levels;
}

// The margin lines at ±1 make no sense for rules that learn from mistakes only.
std::vector<double> levels_of(const Model& model, const std::vector<float>& scores) {
  if (model.task() == TaskKind::regress) return levels_between(scores);
  const Options& options = model.options();
  const bool has_no_margin = options.has("update") && update_rule_entry(options.text("update")).learns_mistakes_only();
  if (model.task() == TaskKind::novelty || has_no_margin) return {0};
  return {-1, 0, 1};
}

std::string map_caption(const Model& model, const DecisionMap& map) {
  std::string text = model.task() == TaskKind::regress ? "The predicted number at each point."
                     : map.classes.empty()             ? "The line is the decision boundary; the colour is deeper the "
                                                         "farther the score is from 0."
                                                       : "The predicted class at each point.";
  if (model.task() != TaskKind::regress && map.levels.size() > 1)
    text += " Dashed lines are the margins, where the score is 1 or −1.";
  text += fmt::format(" Dots: a random sample of {} examples.", map.examples.size());
  const std::size_t vectors = model.stats().support_vectors;
  const std::string which = map.support.size() < vectors
                                ? fmt::format("the {} of {} with the largest coefficients", map.support.size(), vectors)
                                : "all";
  return text + fmt::format(" Rings: support vectors ({}), larger for larger coefficients.", which);
}

}  // namespace

DecisionMap decision_map(const Model& model, const SampledExamples& sample, const std::vector<std::string>& names) {
  const Range x = range_of_feature(sample, 0);
  const Range y = range_of_feature(sample, 1);
  DecisionMap map{.title = "Decision map",
                  .x = feature_name(names, 0),
                  .y = feature_name(names, 1),
                  .left = x.low,
                  .right = x.high,
                  .bottom = y.low,
                  .top = y.high,
                  .width = kMapSide,
                  .height = kMapSide,
                  .labels = class_names(model)};
  const Batch places = grid(x, y);
  if (model.outputs() == 1) {
    map.scores = model.scores(places, 0).values;
  } else {
    for (const Prediction& prediction : model.predict(places, 0).rows)
      map.classes.push_back(static_cast<std::uint16_t>(prediction.label));
  }
  map.levels = map.classes.empty() ? levels_of(model, map.scores) : std::vector<double>{};
  std::erase_if(map.levels, [&](double level) {  // contour lines outside the range of the map
    const auto [least, most] = std::ranges::minmax(map.scores);
    return level < static_cast<double>(least) || level > static_cast<double>(most);
  });
  for (std::size_t i = 0; i < sample.rows.size(); ++i) {
    const auto& row = sample.rows[i];
    const int of_class = sample.classes[i] == kNoClass ? -1 : static_cast<int>(sample.classes[i]);
    map.examples.push_back({.x = row.empty() ? 0.0 : static_cast<double>(row[0]),
                            .y = row.size() < 2 ? 0.0 : static_cast<double>(row[1]),
                            .of_class = of_class});
  }
  for (const SupportVector& vector : model.support_vectors(kMostVectors)) {
    map.support.push_back({.x = static_cast<double>(vector.x[0]),
                           .y = static_cast<double>(vector.x[1]),
                           .of_class = class_of(vector, model.task()),
                           .coefficient = coefficient_of(vector)});
  }
  map.caption = map_caption(model, map);
  return map;
}

Chart function_chart(const Model& model, const SampledExamples& sample, const std::vector<std::string>& names) {
  const Range x = range_of_feature(sample, 0);
  std::vector<float> places;
  for (std::size_t i = 0; i < kMapSide; ++i) places.push_back(static_cast<float>(at(x, i, kMapSide)));
  const Batch batch = rows_of(places, 1);
  const std::vector<float> values = model.scores(batch, 0).values;
  Series examples{.name = "examples", .drawn = Drawn::dots, .faint = true, .colour = 7};
  for (std::size_t i = 0; i < sample.rows.size(); ++i) {
    const double place = sample.rows[i].empty() ? 0.0 : static_cast<double>(sample.rows[i][0]);
    if (holds(x, place)) examples.points.push_back({.x = place, .y = static_cast<double>(sample.targets[i])});
  }
  Series learned{.name = "model", .colour = 0};
  for (std::size_t i = 0; i < kMapSide; ++i) {
    learned.points.push_back({.x = static_cast<double>(places[i]), .y = static_cast<double>(values[i])});
  }
  return {.title = "The learned function",
          .x = {.label = feature_name(names, 0), .least = x.low, .most = x.high},
          .y = {.label = "number"},
          .series = {std::move(examples), std::move(learned)},
          .wide = true};
}

}  // namespace kinglet::report
