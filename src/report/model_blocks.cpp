#include "report/model_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "lab/latency.hpp"
#include "report/block_parts.hpp"

namespace kinglet::report {
namespace {

constexpr std::size_t kMostImportances = 20;

}  // namespace

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
