#include "report/model_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "lab/latency.hpp"
#include "rules/update_rule.hpp"

namespace kinglet::report {
namespace {

constexpr std::size_t kMostClasses = 60;  // of a readable heat map
constexpr std::size_t kMostMistakes = 15;
constexpr std::size_t kMostListed = 30;  // classes of a table
constexpr double kFarAway = 3;           // a plot shows all points unless that makes it so many times as large
constexpr std::size_t kMapSide = 200;
constexpr std::size_t kMostVectors = 2000;  // on a map
constexpr std::size_t kMostPictures = 120;
constexpr std::size_t kMostImportances = 20;

std::string feature_name(const std::vector<std::string>& names, std::size_t i) {
  return i < names.size() ? names[i] : fmt::format("feature {}", i + 1);
}

// The range of most values, with a margin around it.
struct Range {
  double low = 0;
  double high = 1;
};

Range widened(const Range& range) {
  const double room = range.high > range.low ? 0.05 * (range.high - range.low) : 0.5;
  return {range.low - room, range.high + room};
}

Range range_of(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return {};
  std::ranges::sort(values);
  return widened({percentile(values, 0.005), percentile(values, 0.995)});
}

// The range of all values, or of most of them if a few are far away.
Range range_of_all(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return {};
  const auto [least, most] = std::ranges::minmax(values);
  const Range all = widened({least, most});
  const Range usual = range_of(std::move(values));
  return all.high - all.low <= kFarAway * (usual.high - usual.low) ? all : usual;
}

bool holds(const Range& range, double value) { return value >= range.low && value <= range.high; }

Range range_of(const SampledExamples& sample, std::size_t feature) {
  std::vector<double> values;
  for (const auto& row : sample.rows) values.push_back(feature < row.size() ? static_cast<double>(row[feature]) : 0.0);
  return range_of(std::move(values));
}

// The class that a support vector supports; −1 for regression.
int class_of(const SupportVector& vector, TaskKind task) {
  if (task == TaskKind::regress || vector.coefficients.empty()) return -1;
  if (vector.coefficients.size() == 1) return vector.coefficients[0] >= 0 ? 1 : 0;
  const auto most = std::ranges::max_element(vector.coefficients);
  return static_cast<int>(most - vector.coefficients.begin());
}

double coefficient_of(const SupportVector& vector) {
  return vector.coefficients.size() == 1 ? vector.coefficients[0] : vector.weight();
}

std::vector<std::string> class_names(const Model& model) {
  if (model.task() == TaskKind::novelty) return {"novel", "normal"};
  return {model.labels().begin(), model.labels().end()};
}

// A batch of dense rows without labels.
Batch rows_of(std::vector<float> values, std::uint32_t dimension) {
  Batch batch;
  batch.dimension = dimension;
  batch.labels.assign(values.size() / dimension, kNoLabel);
  batch.values = std::move(values);
  return batch;
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

// --- features --------------------------------------------------------------------------------------------------------

std::vector<std::size_t> most_important(std::span<const double> importances, std::size_t most) {
  std::vector<std::size_t> order(importances.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t k) { return importances[k]; });
  order.resize(std::min(order.size(), most));
  return order;
}

Bars importance_bars(const Model& model, const std::vector<std::string>& names) {
  const std::vector<double> importances = model.feature_importances();
  Bars bars{.title = "Feature importances",
            .caption = "How much the learned metric stretches each feature (w²), as a share of all.",
            .axis = {.label = "importance", .unit = Unit::share, .least = 0}};
  for (const std::size_t k : most_important(importances, kMostImportances)) {
    bars.bars.push_back({.name = feature_name(names, k), .value = importances[k]});
  }
  if (importances.size() > kMostImportances) {
    bars.caption += fmt::format(" The {} largest of {}.", kMostImportances, importances.size());
  }
  return bars;
}

// --- predictions -----------------------------------------------------------------------------------------------------

namespace {

// Counts of a confusion matrix, row by row.
struct Matrix {
  std::span<const std::uint64_t> counts;
  std::size_t n = 0;

  std::uint64_t at(std::size_t truth, std::size_t predicted) const { return counts[truth * n + predicted]; }
  std::uint64_t actual(std::size_t c) const {
    std::uint64_t sum = 0;
    for (std::size_t other = 0; other < n; ++other) sum += at(c, other);
    return sum;
  }
  std::uint64_t predicted(std::size_t c) const {
    std::uint64_t sum = 0;
    for (std::size_t other = 0; other < n; ++other) sum += at(other, c);
    return sum;
  }
  double recall(std::size_t c) const {  // unknown without examples
    const std::uint64_t all = actual(c);
    return all == 0 ? kUnknown : static_cast<double>(at(c, c)) / static_cast<double>(all);
  }
};

// The classes in their order or, if there are many, by their recall: the worst first, those without examples last.
std::vector<std::size_t> order_of_classes(const Matrix& matrix) {
  std::vector<std::size_t> order(matrix.n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (matrix.n < kManyClasses) return order;
  std::vector<double> recalls;
  for (std::size_t c = 0; c < matrix.n; ++c) {
    const double recall = matrix.recall(c);
    recalls.push_back(std::isnan(recall) ? 2 : recall);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t c) { return recalls[c]; });
  return order;
}

// The matrix of the classes in this order; those from `most` on are one class, the last.
std::vector<std::uint64_t> ordered_counts(const Matrix& matrix, const std::vector<std::size_t>& order,
                                          std::size_t most) {
  const bool joins = order.size() > most;
  const std::size_t n = joins ? most + 1 : order.size();
  std::vector<std::uint64_t> counts(n * n, 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) {
      counts[std::min(i, n - 1) * n + std::min(j, n - 1)] += matrix.at(order[i], order[j]);
    }
  }
  return counts;
}

}  // namespace

Confusion confusion_block(std::string title, std::string caption, std::vector<std::string> labels,
                          std::vector<std::uint64_t> counts) {
  Confusion block{.title = std::move(title), .caption = std::move(caption)};
  const Matrix matrix{counts, labels.size()};
  if (matrix.n < kManyClasses) {
    block.labels = std::move(labels);
    block.counts = std::move(counts);
    return block;
  }
  const std::vector<std::size_t> order = order_of_classes(matrix);
  block.wide = true;
  block.counts = ordered_counts(matrix, order, kMostClasses);
  for (std::size_t i = 0; i < std::min(order.size(), kMostClasses); ++i) {
    block.labels.push_back(labels[order[i]]);
    block.recalls.push_back(matrix.recall(order[i]));
  }
  block.caption += " The class with the worst recall (right) comes first.";
  if (order.size() > kMostClasses) {
    block.labels.push_back(fmt::format("{} others", order.size() - kMostClasses));
    block.recalls.push_back(kUnknown);
    block.caption += " Classes with better recall are shown together.";
  }
  return block;
}

Table mistake_table(const std::vector<std::string>& labels, std::span<const std::uint64_t> counts) {
  const std::size_t n = labels.size();
  std::vector<std::size_t> mistakes;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (i / n != i % n && counts[i] > 0) mistakes.push_back(i);
  }
  std::ranges::stable_sort(mistakes, [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  mistakes.resize(std::min(mistakes.size(), kMostMistakes));
  Table table{.title = "Most frequent mistakes",
              .columns = {{"true class", false}, {"predicted class", false}, {"examples"}},
              .wide = false};
  for (const std::size_t i : mistakes) {
    table.rows.push_back({.cells = {words(labels[i / n]), words(labels[i % n]), count(counts[i])}});
  }
  return table;
}

Table class_table(const std::vector<std::string>& labels, std::span<const std::uint64_t> counts) {
  const Matrix matrix{counts, labels.size()};
  Table table{.title = "By class",
              .caption =
                  "Precision: the share of the predictions of this class that are right. Recall: the share of "
                  "its examples that are found.",
              .columns = {{"class", false}, {"examples"}, {"precision %"}, {"recall %"}},
              .wide = false};
  std::vector<std::size_t> order = order_of_classes(matrix);
  if (order.size() > kMostListed) {
    order.resize(kMostListed);
    table.caption += fmt::format(" The {} classes of {} with the worst recall.", kMostListed, matrix.n);
  }
  for (const std::size_t c : order) {
    const double right = 100 * static_cast<double>(matrix.at(c, c));  // divided by 0: unknown
    table.rows.push_back(
        {.cells = {words(labels[c]), count(matrix.actual(c)),
                   number(right / static_cast<double>(matrix.predicted(c)), 1), number(100 * matrix.recall(c), 1)}});
  }
  return table;
}

DecisionMap decision_map(const Model& model, const SampledExamples& sample, const std::vector<std::string>& names) {
  const Range x = range_of(sample, 0);
  const Range y = range_of(sample, 1);
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
  const Range x = range_of(sample, 0);
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

Chart reliability_chart(const Reliability& reliability, std::string title, const std::string& what) {
  Series bins{.name = "bins", .drawn = Drawn::line_and_dots};
  for (const Reliability::Bin& bin : reliability.bins) {
    if (bin.examples == 0) continue;
    const double share = bin.share();
    const double deviation = std::sqrt(share * (1 - share) / static_cast<double>(bin.examples));
    bins.points.push_back(point(bin.mean(), share, deviation, fmt::format("{} examples", bin.examples)));
  }
  Series ideal{.name = "ideal", .points = {{.x = 0, .y = 0}, {.x = 1, .y = 1}}, .dash = 1, .colour = 7};
  return {.title = std::move(title),
          .caption = fmt::format("Predicted probability of {} against the observed frequency, in ten bins of equal "
                                 "width. The band is one standard deviation.",
                                 what),
          .x = {.label = "probability", .unit = Unit::share, .least = 0, .most = 1},
          .y = {.label = "observed frequency", .unit = Unit::share, .least = 0, .most = 1},
          .series = {std::move(bins), std::move(ideal)}};
}

// --- pictures --------------------------------------------------------------------------------------------------------

std::optional<PictureSize> guess_picture_size(std::uint32_t dimension) {
  const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(dimension))));
  const std::size_t missing = side * side - dimension;
  if (dimension < 64 || missing >= side || (missing > 0 && dimension < 256)) return std::nullopt;
  return PictureSize{side, side};
}

Gallery support_gallery(const Model& model, const PictureSize& size) {
  std::vector<SupportVector> vectors = model.support_vectors(kMostPictures);
  const TaskKind task = model.task();
  std::ranges::stable_sort(vectors, {}, [&](const SupportVector& vector) { return class_of(vector, task); });
  std::vector<double> values;
  for (SupportVector& vector : vectors) {
    vector.x.resize(size.width * size.height, 0);
    values.insert(values.end(), vector.x.begin(), vector.x.end());
  }
  std::ranges::sort(values);
  const auto low = static_cast<float>(values.empty() ? 0 : percentile(values, 0.01));
  const auto high = static_cast<float>(values.empty() ? 1 : percentile(values, 0.995));
  const std::vector<std::string> names = class_names(model);
  Gallery gallery{.title = "Support vectors", .width = size.width, .height = size.height};
  for (const SupportVector& vector : vectors) {
    const int of_class = class_of(vector, task);
    gallery.pictures.push_back({.pixels = grey(vector.x, low, high),
                                .name = of_class < 0 ? "" : names[static_cast<std::size_t>(of_class)],
                                .detail = fmt::format("{:.3g}", coefficient_of(vector))});
  }
  const std::size_t all = model.stats().support_vectors;
  gallery.caption =
      fmt::format("{} as pictures of {} × {} pixels, with the class that each supports and {}.",
                  all > vectors.size() ? fmt::format("The {} of {} with the largest coefficients", vectors.size(), all)
                                       : fmt::format("All {}", all),
                  size.width, size.height, model.outputs() == 1 ? "its coefficient" : "the norm of its coefficients");
  return gallery;
}

// --- times -----------------------------------------------------------------------------------------------------------

Chart latency_chart(std::vector<Times> times) {
  Chart chart{.title = "Latency of one example",
              .caption = "The curve shows the time that this share of examples did not exceed.",
              .x = {.label = "share of examples", .unit = Unit::share, .least = 0, .most = 1},
              .y = {.label = "time", .unit = Unit::seconds, .scale = Scale::log}};
  for (Times& kind : times) {
    std::ranges::sort(kind.seconds);
    Series series{.name = kind.name};
    for (int step = 1; step <= 100; ++step) {
      const double share = step == 100 ? 0.999 : 0.01 * step;
      series.points.push_back({.x = share, .y = percentile(kind.seconds, share)});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Table latency_table(std::vector<Times> times) {
  constexpr double kShares[] = {0.5, 0.9, 0.99, 0.999, 1};
  Table table{.title = "Latency percentiles, in microseconds", .columns = {{"", false}, {"samples"}}, .wide = false};
  for (const double share : kShares) {
    table.columns.push_back({share == 1 ? "maximum" : fmt::format("{:g} %", 100 * share)});
  }
  for (Times& kind : times) {
    std::ranges::sort(kind.seconds);
    Row row{.cells = {words(kind.name), count(kind.seconds.size())}};
    for (const double share : kShares) {
      const double micros = 1e6 * percentile(kind.seconds, share);
      row.cells.push_back(number(micros, micros < 10 ? 2 : micros < 100 ? 1 : 0));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace kinglet::report
