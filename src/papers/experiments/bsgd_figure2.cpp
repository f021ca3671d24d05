// BSGD, figure 2: a larger budget brings BPegasos close to Pegasos without one, on letter and on covertype.
#include <fmt/format.h>

#include "papers/paper.hpp"
#include "papers/paper_settings.hpp"

namespace kinglet::papers {
namespace bsgd_figure2_cells {

std::vector<PaperCell> cells(bool quick) {
  std::vector<PaperCell> list;
  for (const char* set : {"letter", "covertype"}) {
    for (const int budget : {100, 200, 500, 1000, 2000, 4000}) {
      if (quick && budget > 500) continue;
      PaperCell cell{.row = "BPegasos+merge", .column = set, .variant = set, .set = set};
      cell.options = {{"algo", "bpegasos"}, {"budget", std::to_string(budget)}};
      cell.settings = paper_settings("bsgd", cell.row, set, "500");
      cell.x = budget;
      list.push_back(std::move(cell));
    }
    // Pegasos without a budget, for comparison.
    PaperCell cell{.row = "Pegasos", .column = set, .variant = set, .set = set};
    cell.options = {{"algo", "pegasos"}};
    cell.settings = paper_settings("bsgd", "BPegasos+merge", set, "500");
    cell.x = quick ? 500 : 4000;
    cell.rows = 100'000;  // all rows of covertype would take more than twenty minutes
    cell.most_runs = 1;
    list.push_back(std::move(cell));
  }
  return list;
}

void conclude(PaperResult& result) {
  for (const char* set : {"letter", "covertype"}) {
    PaperFigure figure{.title = fmt::format("Accuracy of BPegasos+merge against its budget, {}", set),
                       .x_name = "budget",
                       .y_name = "test accuracy %",
                       .log_x = true,
                       .series = {series_of(result, "BPegasos+merge", set, "BPegasos+merge"),
                                  series_of(result, "Pegasos", set, "Pegasos, no budget")}};
    const auto& points = figure.series[0].points;
    if (is_measured(result, "BPegasos+merge", set) && points.size() >= 2) {
      result.claims.push_back({fmt::format("on {} the accuracy rises with the budget", set),
                               points.back().y.mean > points.front().y.mean,
                               fmt::format("{:.2f} % with {:.0f} vectors, {:.2f} % with {:.0f}", points.front().y.mean,
                                           points.front().x, points.back().y.mean, points.back().x)});
    }
    result.figures.push_back(std::move(figure));
  }
}

}  // namespace bsgd_figure2_cells

extern const PaperExperiment bsgd_figure2;
const PaperExperiment bsgd_figure2{
    .name = "bsgd-figure2",
    .title = "Accuracy against the budget",
    .source = "Wang, Crammer, Vucetic: Breaking the Curse of Kernelization, JMLR 13 (2012), figure 2",
    .protocol =
        "BPegasos with merging, one pass, five runs; one run of Pegasos without a budget on at most 100,000 rows.",
    .runs = 5,
    .cells = bsgd_figure2_cells::cells,
    .conclude = bsgd_figure2_cells::conclude};

}  // namespace kinglet::papers
