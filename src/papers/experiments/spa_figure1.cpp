// SPA, figure 1: the effect of alpha and beta on support vectors, time and accuracy on a9a.
#include <fmt/format.h>

#include "papers/paper.hpp"

namespace kinglet::papers {
namespace spa_figure1_cells {

constexpr const char* kAlphas[] = {"0.1", "0.5", "1", "1.5", "2", "3"};
constexpr const char* kBetas[] = {"2.5", "5", "10", "20", "40"};

struct Panel {
  Measure measure;
  const char* row;
};

constexpr Panel kPanels[] = {{Measure::support_vectors, "support vectors"},
                             {Measure::seconds, "seconds"},
                             {Measure::online_accuracy, "online accuracy %"}};

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
  const PaperFigure& vectors = result.figures[0];
  const PaperFigure& accuracy = result.figures[2];
  const auto at = [](const PaperSeries& series, std::size_t i) { return series.points[i].y.mean; };
  const PaperSeries& some = vectors.series[1];
  result.claims.push_back({"more support vectors with a larger alpha", at(some, 0) < at(some, 2),
                           fmt::format("{:.0f} at 0.1, {:.0f} at 1 (beta 5)", at(some, 0), at(some, 2))});
  result.claims.push_back(
      {"fewer support vectors with a larger beta", at(vectors.series[0], 2) > at(vectors.series[4], 2),
       fmt::format("{:.0f} at 2.5, {:.0f} at 40 (alpha 1)", at(vectors.series[0], 2), at(vectors.series[4], 2))});
  result.claims.push_back(
      {"worse accuracy with a larger beta", at(accuracy.series[0], 2) > at(accuracy.series[4], 2),
       fmt::format("{:.2f} % at 2.5, {:.2f} % at 40 (alpha 1)", at(accuracy.series[0], 2), at(accuracy.series[4], 2))});
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
