// BSGD, figures 4 and 5: accuracy along the stream, for removal, projection and merging and for other budgeted learners.
#include <fmt/format.h>

#include "papers/paper.hpp"
#include "papers/paper_settings.hpp"

namespace kinglet::papers {
namespace bsgd_figure5_cells {

struct Line {
  const char* row;
  const char* options;
  const char* like;       // the row of table 3 whose settings are used
  const char* set;        // run only on this data set; null: on all
  std::uint64_t longest;  // longest stream to run on, as longer ones take too long; 0: no limit
};

constexpr Line kLines[] = {
    {"BPegasos+merge", "algo=bpegasos budget=100", "BPegasos+merge", nullptr, 0},
    {"BPegasos+project", "update=pegasos maintain=project budget=100", "BPegasos+project", nullptr, 0},
    {"BPegasos+remove", "update=pegasos maintain=smallest budget=100", "BPegasos+remove", nullptr, 0},
    {"MP+random", "update=mp maintain=random budget=100", "MP+random", nullptr, 0},
    {"BMP+merge", "algo=bmp budget=100", "BMP+merge", nullptr, 0},
    {"Pegasos", "algo=pegasos", "BPegasos+merge", nullptr, 100'000},
    {"TVM", "algo=tvm budget=100", "TVM", "checkerboard", 100'000}};

struct Stream {
  const char* set;
  std::uint64_t longest;
};

constexpr Stream kStreams[] = {{"checkerboard", 10'000'000}, {"waveform", 2'000'000}, {"covertype", 500'000}};

std::vector<PaperCell> cells(bool quick) {
  std::vector<PaperCell> list;
  for (const Line& line : kLines) {
    for (const Stream& stream : kStreams) {
      if (line.set != nullptr && stream.set != std::string_view(line.set)) continue;
      for (const std::uint64_t rows :
           {1'000, 3'000, 10'000, 30'000, 100'000, 300'000, 1'000'000, 2'000'000, 10'000'000}) {
        const bool fits = rows <= stream.longest && (line.longest == 0 || rows <= line.longest);
        if (!fits || (quick && rows > 1000)) continue;
        PaperCell cell{.row = line.row, .column = stream.set, .variant = stream.set, .set = stream.set};
        cell.options = options_of(line.options);
        cell.settings = paper_settings("bsgd", line.like, stream.set, "100");
        cell.x = static_cast<double>(rows);
        cell.rows = rows;
        if (rows > 1'000'000) cell.most_runs = 1;
        list.push_back(std::move(cell));
      }
    }
  }
  return list;
}

void conclude(PaperResult& result) {
  for (const Stream& stream : kStreams) {
    PaperFigure figure{.title = fmt::format("Accuracy along the stream, {}, B = 100", stream.set),
                       .x_name = "examples",
                       .y_name = "test accuracy %",
                       .log_x = true,
                       .series = {}};
    for (const Line& line : kLines) {
      PaperSeries series = series_of(result, line.row, stream.set, line.row);
      if (!series.points.empty()) figure.series.push_back(std::move(series));
    }
    if (figure.series.size() < 3) continue;
    const auto last = [&](std::size_t i) { return figure.series[i].points.back().y.mean; };
    result.claims.push_back({fmt::format("on {} removal is inferior to projection and merging", stream.set),
                             last(2) < last(0) && last(2) < last(1),
                             fmt::format("{:.2f} % against {:.2f} and {:.2f} %", last(2), last(1), last(0))});
    result.figures.push_back(std::move(figure));
  }
}

}  // namespace bsgd_figure5_cells

extern const PaperExperiment bsgd_figure5;
const PaperExperiment bsgd_figure5{
    .name = "bsgd-figure5",
    .title = "Accuracy along the stream",
    .source = "Wang, Crammer, Vucetic: Breaking the Curse of Kernelization, JMLR 13 (2012), figures 4 and 5",
    .protocol =
        "B = 100, one pass over streams of increasing length; accuracy on new rows; three runs (one beyond a million "
        "rows). Pegasos and TVM stop at 100,000 rows.",
    .runs = 3,
    .cells = bsgd_figure5_cells::cells,
    .conclude = bsgd_figure5_cells::conclude};

}  // namespace kinglet::papers
