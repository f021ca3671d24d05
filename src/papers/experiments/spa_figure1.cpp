// SPA, figure 1: the effect of alpha and beta on support vectors, time and accuracy on a9a.
#include <fmt/format.h>

#include <cmath>

#include "papers/paper.hpp"

namespace kinglet::papers {
namespace spa_figure1_cells {

constexpr const char* kAlphas[] = {"0.1", "0.5", "1", "1.5", "2", "3"};
constexpr const char* kBetas[] = {"2.5", "5", "10", "20", "40"};

struct Panel {
  Measure measure;
  const char* row;
  const char* more;  // how the paper says that it grows, and that it shrinks
  const char* less;
};

constexpr Panel kPanels[] = {
    {Measure::support_vectors, "support vectors", "more support vectors", "fewer support vectors"},
    {Measure::seconds, "seconds", "longer time", "shorter time"},
    {Measure::online_accuracy, "online accuracy %", "better accuracy", "worse accuracy"}};
constexpr std::size_t kAccuracy = 2;

std::vector<PaperCell> cells(bool) {
  std::vector<PaperCell> list;
  for (const Panel& panel : kPanels) {
    for (const char* beta : kBetas) {
      for (const char* alpha : kAlphas) {
        if (std::stod(alpha) > std::stod(beta)) continue;  // min(alpha, loss)/beta is a probability
        PaperCell cell{.row = panel.row, .column = "a9a", .variant = beta, .set = "a9a-stream"};
        cell.options = {{"update", "spa"}, {"maintain", "none"}, {"output", "average"}, {"gamma", "0.4"},
                        {"alpha", alpha},  {"beta", beta},       {"scale", "none"}};
        cell.measure = panel.measure;
        cell.x = std::stod(alpha);
        list.push_back(std::move(cell));
      }
    }
  }
  return list;
}

struct Value {
  double mean = 0, deviation = 0;
  std::string text;
};

// A point of a figure; both curves and points are in the order of kBetas and kAlphas.
Value value_at(const PaperResult& result, std::size_t panel, std::size_t beta, std::size_t alpha) {
  const PaperPoint& point = result.figures[panel].series[beta].points[alpha];
  return {.mean = point.y.mean,
          .deviation = point.y.deviation,
          .text = fmt::format("{:.{}f} at alpha = {}, beta = {}", point.y.mean, decimals_of(kPanels[panel].measure),
                              kAlphas[alpha], kBetas[beta])};
}

void conclude(PaperResult& result) {
  for (const Panel& panel : kPanels) {
    PaperFigure figure{.title = std::string("SPA on a9a: ") + panel.row,
                       .x_name = "alpha",
                       .y_name = panel.row,
                       .log_x = false,
                       .series = {}};
    for (const char* beta : kBetas) {
      PaperSeries series = series_of(result, panel.row, beta, std::string("beta = ") + beta);
      if (!series.points.empty()) figure.series.push_back(std::move(series));
    }
    if (figure.series.empty()) continue;
    result.figures.push_back(std::move(figure));
  }
  for (const Panel& panel : kPanels) {
    for (const char* beta : kBetas) {
      if (!is_measured(result, panel.row, beta)) return;
    }
  }
  if (result.figures.size() < std::size(kPanels)) return;
  // With beta = 5 the accuracy is best weighed against the size; a larger alpha than 1.5 should change little.
  constexpr std::size_t kBeta5 = 1, kSmallest = 0, kOne = 2, kOneAndHalf = 3, kLargest = 5;
  constexpr std::size_t kBeta2 = 0, kBeta40 = 4;
  const auto claim = [&](std::string text, bool holds, const Value& a, const Value& b) {
    result.claims.push_back({std::move(text), holds, fmt::format("{} and {}", a.text, b.text)});
  };
  const auto at = [&](std::size_t panel, std::size_t beta, std::size_t alpha) {
    return value_at(result, panel, beta, alpha);
  };
  for (std::size_t panel = 0; panel < std::size(kPanels); ++panel) {
    const Value low = at(panel, kBeta5, kSmallest), high = at(panel, kBeta5, kOne);
    claim(fmt::format("{} with a larger alpha", kPanels[panel].more), low.mean < high.mean, low, high);
  }
  for (std::size_t panel = 0; panel < std::size(kPanels); ++panel) {
    const Value low = at(panel, kBeta2, kOne), high = at(panel, kBeta40, kOne);
    claim(fmt::format("{} with a larger beta", kPanels[panel].less), low.mean > high.mean, low, high);
  }
  const Value enough = at(kAccuracy, kBeta5, kOneAndHalf), most = at(kAccuracy, kBeta5, kLargest);
  claim("above 1.5, alpha hardly changes the accuracy (by less than both deviations)",
        std::abs(most.mean - enough.mean) <= most.deviation + enough.deviation, enough, most);
}

}  // namespace spa_figure1_cells

extern const PaperExperiment spa_figure1;
const PaperExperiment spa_figure1{
    .name = "spa-figure1",
    .title = "The effect of alpha and beta",
    .source = "Lu, Zhao, Hoi: Online Sparse Passive Aggressive Learning with Kernels, SDM (2016), figure 1",
    .protocol =
        "One pass over a shuffle of a9a, Gaussian kernel with gamma 0.4, predictions of the running average; five "
        "runs.",
    .runs = 5,
    .cells = spa_figure1_cells::cells,
    .conclude = spa_figure1_cells::conclude};

}  // namespace kinglet::papers
