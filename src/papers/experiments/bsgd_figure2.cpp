// BSGD, figure 2: a larger budget brings BPegasos close to Pegasos without one, on letter and on covertype.
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "papers/paper.hpp"
#include "papers/paper_settings.hpp"
#include "papers/significant.hpp"

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

// The last point of a series that has been measured; nullopt if one of its points has not.
std::optional<PaperPoint> last_of(const PaperResult& result, const char* row, const char* set) {
  const PaperSeries series = series_of(result, row, set, "");
  if (series.points.empty() || !is_measured(result, row, set)) return std::nullopt;
  return series.points.back();
}

// "The accuracy of BPegasos+merge approaches that of Pegasos as the larger budget is used." Near: within one point.
constexpr double kNear = 1;

void conclude_letter(PaperResult& result) {
  const auto merge = last_of(result, "BPegasos+merge", "letter"), plain = last_of(result, "Pegasos", "letter");
  if (!merge || !plain) return;
  result.claims.push_back(
      {"on letter the accuracy approaches that of Pegasos (within 1 point)",
       std::abs(merge->y.mean - plain->y.mean) <= kNear,
       fmt::format("{:.2f} % with {:.0f} vectors, {:.2f} % without a budget", merge->y.mean, merge->x, plain->y.mean)});
}

// "Covertype could benefit from a much larger budget": the accuracy still grows with the largest budgets.
void conclude_covertype(PaperResult& result) {
  if (!last_of(result, "BPegasos+merge", "covertype")) return;
  const auto points = series_of(result, "BPegasos+merge", "covertype", "").points;
  if (points.size() < 2) return;
  const PaperPoint &before = points[points.size() - 2], &last = points.back();
  result.claims.push_back(
      {"on covertype a larger budget would be better: the accuracy grows up to the largest",
       is_significant(last.y, before.y),
       fmt::format("{:.2f} ± {:.2f} % with {:.0f} vectors, {:.2f} ± {:.2f} % with {:.0f}", before.y.mean,
                   before.y.deviation, before.x, last.y.mean, last.y.deviation, last.x)});
}

void conclude(PaperResult& result) {
  for (const char* set : {"letter", "covertype"}) {
    PaperFigure figure{.title = fmt::format("Accuracy of BPegasos+merge against its budget, {}", set),
                       .x_name = "budget",
                       .y_name = "test accuracy %",
                       .log_x = true,
                       .series = {series_of(result, "BPegasos+merge", set, "BPegasos+merge"),
                                  series_of(result, "Pegasos", set, "Pegasos, no budget")}};
    result.figures.push_back(std::move(figure));
  }
  conclude_letter(result);
  conclude_covertype(result);
}

}  // namespace bsgd_figure2_cells

extern const PaperExperiment bsgd_figure2;
const PaperExperiment bsgd_figure2{
    .name = "bsgd-figure2",
    .title = "Accuracy against the budget",
    .source = "Wang, Crammer, Vucetic: Breaking the Curse of Kernelization, JMLR 13 (2012), figure 2",
    .protocol =
        "BPegasos with merging, one pass, five runs, with the settings for B = 500 for all budgets; one run of Pegasos "
        "without a budget on at most 100,000 rows, with the same settings.",
    .runs = 5,
    .cells = bsgd_figure2_cells::cells,
    .conclude = bsgd_figure2_cells::conclude};

}  // namespace kinglet::papers
