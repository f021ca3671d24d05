// BSGD, figure 6: training time against the length of the stream, for merging and projection at two budgets.
#include <fmt/format.h>

#include <cmath>

#include "papers/paper.hpp"

namespace kinglet::papers {
namespace bsgd_figure6_cells {

constexpr const char* kRules[] = {"merge", "project"};
constexpr const char* kBudgets[] = {"100", "500"};
constexpr const char* kSettings = "update=pegasos lambda=1e-4 gamma=8";

PaperCell time_of(const std::string& row, const std::string& variant, std::uint64_t rows) {
  PaperCell cell{.row = row,
                 .column = "checkerboard",
                 .variant = variant,
                 .set = "checkerboard",
                 .options = options_of(kSettings),
                 .measure = Measure::seconds};
  cell.x = static_cast<double>(rows);
  cell.rows = rows;
  cell.most_runs = rows > 1'000'000 ? 1 : 0;
  return cell;
}

std::vector<PaperCell> cells(bool quick) {
  std::vector<PaperCell> list;
  for (const std::uint64_t rows : {10'000, 30'000, 100'000, 300'000, 1'000'000}) {
    list.push_back(time_of("Pegasos", "no budget", quick ? rows / 1'000 : rows));
    list.back().options.set("maintain", "none");
  }
  for (const char* rule : kRules) {
    for (const char* budget : kBudgets) {
      for (const std::uint64_t rows : {100'000, 300'000, 1'000'000, 3'000'000, 10'000'000}) {
        list.push_back(
            time_of(std::string("BPegasos+") + rule, std::string("B = ") + budget, quick ? rows / 1'000 : rows));
        list.back().options.set("maintain", rule);
        list.back().options.set("budget", budget);
      }
    }
  }
  return list;
}

// The exponent p in time ~ length^p, from the two longest streams.
double growth(const PaperSeries& series) {
  const auto& a = series.points[series.points.size() - 2];
  const auto& b = series.points.back();
  return std::log(b.y.mean / a.y.mean) / std::log(b.x / a.x);
}

void conclude(PaperResult& result) {
  PaperFigure figure{.title = "Training time along the stream, checkerboard",
                     .x_name = "examples",
                     .y_name = "seconds of processor time",
                     .log_x = true,
                     .series = {}};
  for (const char* rule : kRules) {
    for (const char* budget : kBudgets) {
      const std::string row = std::string("BPegasos+") + rule;
      PaperSeries series = series_of(result, row, std::string("B = ") + budget, row + ", B = " + budget);
      if (series.points.size() < 2 || !is_measured(result, row, std::string("B = ") + budget)) continue;
      const double power = growth(series);
      result.claims.push_back({fmt::format("{}: the time grows linearly with the stream", series.name),
                               power > 0.8 && power < 1.2, fmt::format("power {:.2f}", power)});
      figure.series.push_back(std::move(series));
    }
  }
  if (figure.series.size() == 4) {
    const auto ratio = [&](std::size_t small) {
      return figure.series[small + 1].points.back().y.mean / figure.series[small].points.back().y.mean;
    };
    result.claims.push_back({"projection grows faster with the budget than merging", ratio(2) > ratio(0),
                             fmt::format("500 against 100 vectors: {:.1f} × and {:.1f} ×", ratio(2), ratio(0))});
  }
  PaperSeries plain = series_of(result, "Pegasos", "no budget", "Pegasos, no budget");
  if (plain.points.size() >= 2 && is_measured(result, "Pegasos", "no budget")) {
    const double power = growth(plain);
    result.claims.push_back({"Pegasos without a budget grows faster than linearly", power > 1.2,
                             fmt::format("power {:.2f} between the two longest", power)});
    figure.series.push_back(std::move(plain));
  }
  result.figures.push_back(std::move(figure));
}

}  // namespace bsgd_figure6_cells

extern const PaperExperiment bsgd_figure6;
const PaperExperiment bsgd_figure6{
    .name = "bsgd-figure6",
    .title = "Training time along the stream",
    .source = "Wang, Crammer, Vucetic: Breaking the Curse of Kernelization, JMLR 13 (2012), figure 6",
    .protocol =
        "Processor time of one pass over the checkerboard, lambda 1e-4, gamma 8; three runs (one beyond a million "
        "rows).",
    .runs = 3,
    .cells = bsgd_figure6_cells::cells,
    .conclude = bsgd_figure6_cells::conclude};

}  // namespace kinglet::papers
