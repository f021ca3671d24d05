// BSGD, figures 4 and 5: accuracy along the stream, for removal, projection and merging and for other budgeted
// learners.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "papers/paper.hpp"
#include "papers/paper_settings.hpp"
#include "papers/significant.hpp"

namespace kinglet::papers {
namespace bsgd_figure5_cells {

struct Line {
  const char* row;  // of table 3
  const char* options;
  const char* like;  // the row of table 3 whose settings are used, if it is another
  const char* set;   // run only on this data set; null: on all
  std::uint64_t
      longest;  // where the paper stopped it; 0: at the end of the stream, or at Stream::stopped without a budget
  std::uint64_t slow;  // longer streams than this take minutes, so they have one run; 0: none
};

// Figure 4 compares the first with learners without a budget and with other budgeted ones, figure 5 the first three.
constexpr Line kLines[] = {{"BPegasos+merge", "algo=bpegasos budget=100", "", nullptr, 0, 0},
                           {"BPegasos+project", "update=pegasos maintain=project budget=100", "", nullptr, 0, 0},
                           {"BPegasos+remove", "update=pegasos maintain=smallest budget=100", "", nullptr, 0, 0},
                           {"MP+stop", "update=mp maintain=stop eta=1 budget=100", "", nullptr, 0, 0},
                           {"MP+random", "update=mp maintain=random eta=1 budget=100", "", nullptr, 0, 0},
                           {"Projectron++", "algo=projectron++ margin=0 budget=100", "", nullptr, 0, 0},
                           {"BMP+merge", "algo=bmp eta=1 budget=100", "", nullptr, 0, 0},
                           {"Pegasos", "algo=pegasos", "BPegasos+merge", nullptr, 0, 300'000},
                           {"TVM", "algo=tvm budget=100", "", "checkerboard", 0, 1'000'000},
                           {"IDSVM", "algo=idsvm", "", "checkerboard", 51'000, 30'000}};

struct Stream {
  const char* set;
  std::uint64_t stopped;  // where the paper stopped Pegasos
  std::vector<std::uint64_t> lengths;
};

const std::vector<Stream>& streams() {
  static const std::vector<Stream> list = {
      {"checkerboard",
       916'000,
       {100, 1'000, 3'000, 10'000, 30'000, 51'000, 100'000, 300'000, 916'000, 2'000'000, 10'000'000}},
      {"waveform", 192'000, {100, 1'000, 3'000, 10'000, 30'000, 100'000, 192'000, 300'000, 1'000'000, 2'000'000}},
      {"covertype", 136'000, {100, 1'000, 3'000, 10'000, 30'000, 100'000, 136'000, 300'000, 500'000}}};
  return list;
}

PaperCell cell_of(const Line& line, const Stream& stream, std::uint64_t rows) {
  PaperCell cell{.row = line.row, .column = stream.set, .variant = stream.set, .set = stream.set};
  const bool is_projectron = std::string_view(line.row) == "Projectron++";
  cell.options = options_of(line.options);
  if (is_projectron) cell.searched = "threshold";
  if (is_projectron && std::string_view(stream.set) != "checkerboard") cell.options.set("project-on", "class");
  const std::string like = line.like;
  cell.settings = paper_settings("bsgd", like.empty() ? line.row : like, stream.set, "100");
  cell.x = static_cast<double>(rows);
  cell.rows = rows;
  if (line.slow > 0 && rows > line.slow) cell.most_runs = 1;
  return cell;
}

std::vector<PaperCell> cells(bool quick) {
  std::vector<PaperCell> list;
  for (const Line& line : kLines) {
    for (const Stream& stream : streams()) {
      if (line.set != nullptr && stream.set != std::string_view(line.set)) continue;
      const std::uint64_t stopped = std::string_view(line.row) == "Pegasos" ? stream.stopped : line.longest;
      for (const std::uint64_t rows : stream.lengths) {
        if ((stopped > 0 && rows > stopped) || (quick && rows > 1000)) continue;
        list.push_back(cell_of(line, stream, rows));
      }
    }
  }
  return list;
}

// The accuracy along a stream; no points if not all have been measured.
std::vector<PaperPoint> curve_of(const PaperResult& result, std::string_view row, const char* stream) {
  if (!is_measured(result, row, stream)) return {};
  return series_of(result, row, stream, "").points;
}

Summary last_of(const PaperResult& result, std::string_view row, const char* stream) {
  const std::vector<PaperPoint> points = curve_of(result, row, stream);
  return points.empty() ? Summary() : points.back().y;
}

// The accuracy after `rows` examples.
Summary after(const PaperResult& result, std::string_view row, const char* stream, std::uint64_t rows) {
  for (const PaperPoint& point : series_of(result, row, stream, "").points) {
    if (point.x == static_cast<double>(rows)) return point.y;
  }
  return {};
}

// Adds a claim that one number is larger than another unless one of them has not been measured.
void claim_above(PaperResult& result, std::string text, const Summary& larger, const Summary& smaller) {
  if (larger.count == 0 || smaller.count == 0) return;
  result.claims.push_back(
      {std::move(text), larger.mean > smaller.mean, fmt::format("{:.2f} against {:.2f} %", larger.mean, smaller.mean)});
}

// The same, by more than both deviations together.
void claim_significant(PaperResult& result, std::string text, const Summary& larger, const Summary& smaller) {
  if (larger.count == 0 || smaller.count == 0) return;
  result.claims.push_back({std::move(text), is_significant(larger, smaller),
                           fmt::format("{:.2f} ± {:.2f} against {:.2f} ± {:.2f} %", larger.mean, larger.deviation,
                                       smaller.mean, smaller.deviation)});
}

void claim_consistent(PaperResult& result, const char* row, const char* stream) {
  const std::vector<PaperPoint> points = curve_of(result, row, stream);
  if (points.size() < 2) return;
  std::vector<std::string> drops;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].y.mean > points[i - 1].y.mean) continue;
    drops.push_back(fmt::format("from {:.2f} to {:.2f} % after {:.0f} examples", points[i - 1].y.mean, points[i].y.mean,
                                points[i].x));
  }
  const std::string evidence = drops.empty() ? "at every length" : fmt::format("not {}", fmt::join(drops, ", "));
  result.claims.push_back({fmt::format("on {} the accuracy of {} increases consistently with the stream", stream, row),
                           drops.empty(), evidence});
}

// Of two learners at the lengths that both have learned: at how many a test is true.
void claim_lengths(PaperResult& result, std::string text, const char* row, const char* other, const char* stream,
                   bool in_all, bool (*test)(double, double)) {
  std::size_t holds = 0, all = 0;
  for (const PaperPoint& point : curve_of(result, row, stream)) {
    const Summary compared = after(result, other, stream, static_cast<std::uint64_t>(point.x));
    if (compared.count == 0) continue;
    ++all;
    holds += test(point.y.mean, compared.mean) ? 1 : 0;
  }
  if (all == 0 || !is_measured(result, other, stream)) return;
  result.claims.push_back(
      {std::move(text), in_all ? holds == all : 2 * holds > all, fmt::format("at {} of {} lengths", holds, all)});
}

// "Fluctuates around a very small value close to that achieved by training on 100 initial examples."
void claim_no_progress(PaperResult& result, const char* stream) {
  constexpr double kClose = 5;  // points
  const std::vector<PaperPoint> points = curve_of(result, "BPegasos+remove", stream);
  if (points.empty()) return;
  double least = points.front().y.mean, most = least;
  for (const PaperPoint& point : points) {
    least = std::min(least, point.y.mean);
    most = std::max(most, point.y.mean);
  }
  const double start = points.front().y.mean;
  result.claims.push_back({fmt::format("on {} removal stays within 5 points of what 100 examples give", stream),
                           most - start <= kClose && start - least <= kClose,
                           fmt::format("{:.2f} to {:.2f} %; {:.2f} % after 100", least, most, start)});
}

void conclude_figure4(PaperResult& result) {
  for (const Stream& stream : streams()) claim_consistent(result, "BPegasos+merge", stream.set);
  claim_lengths(result, "on checkerboard merging closely follows Pegasos (within 1 point)", "BPegasos+merge", "Pegasos",
                "checkerboard", true, [](double a, double b) { return std::abs(a - b) <= 1; });
  claim_above(result, "on checkerboard merging surpasses Pegasos after it was stopped",
              last_of(result, "BPegasos+merge", "checkerboard"), last_of(result, "Pegasos", "checkerboard"));
  for (const char* exact : {"TVM", "IDSVM"}) {
    claim_above(result, fmt::format("on checkerboard {} is ahead of merging at first", exact),
                after(result, exact, "checkerboard", 1'000), after(result, "BPegasos+merge", "checkerboard", 1'000));
    claim_above(result, fmt::format("on checkerboard merging surpasses {} later", exact),
                last_of(result, "BPegasos+merge", "checkerboard"), last_of(result, exact, "checkerboard"));
  }
  claim_lengths(result, "on waveform the accuracy of merging grows faster than that of Pegasos without a budget",
                "BPegasos+merge", "Pegasos", "waveform", false, [](double a, double b) { return a > b; });
  claim_significant(result, "on covertype merging significantly trails Pegasos without a budget (136,000 examples)",
                    after(result, "Pegasos", "covertype", 136'000),
                    after(result, "BPegasos+merge", "covertype", 136'000));
}

void conclude_figure5(PaperResult& result) {
  for (const Stream& stream : streams()) {
    const Summary merge = last_of(result, "BPegasos+merge", stream.set);
    const Summary project = last_of(result, "BPegasos+project", stream.set);
    const Summary remove = last_of(result, "BPegasos+remove", stream.set);
    if (merge.count == 0 || project.count == 0 || remove.count == 0) continue;
    result.claims.push_back(
        {fmt::format("on {} removal is inferior to projection and merging", stream.set),
         remove.mean < merge.mean && remove.mean < project.mean,
         fmt::format("{:.2f} % against {:.2f} and {:.2f} %", remove.mean, project.mean, merge.mean)});
  }
  claim_above(result, "on checkerboard the accuracy of removal drops after an initial increase",
              after(result, "BPegasos+remove", "checkerboard", 10'000),
              last_of(result, "BPegasos+remove", "checkerboard"));
  for (const char* stream : {"waveform", "covertype"}) claim_no_progress(result, stream);
  for (const Stream& stream : streams()) claim_consistent(result, "BPegasos+project", stream.set);
  claim_significant(result, "on waveform merging significantly outperforms projection",
                    last_of(result, "BPegasos+merge", "waveform"), last_of(result, "BPegasos+project", "waveform"));
}

void conclude(PaperResult& result) {
  for (const Stream& stream : streams()) {
    PaperFigure figure{.title = fmt::format("Accuracy along the stream, {}, B = 100", stream.set),
                       .x_name = "examples",
                       .y_name = "test accuracy %",
                       .log_x = true,
                       .series = {}};
    for (const Line& line : kLines) {
      PaperSeries series = series_of(result, line.row, stream.set, line.row);
      if (!series.points.empty()) figure.series.push_back(std::move(series));
    }
    if (figure.series.empty()) continue;
    result.figures.push_back(std::move(figure));
  }
  conclude_figure4(result);
  conclude_figure5(result);
}

}  // namespace bsgd_figure5_cells

extern const PaperExperiment bsgd_figure5;
const PaperExperiment bsgd_figure5{
    .name = "bsgd-figure5",
    .title = "Accuracy along the stream",
    .source = "Wang, Crammer, Vucetic: Breaking the Curse of Kernelization, JMLR 13 (2012), figures 4 and 5",
    .protocol =
        "B = 100, one pass over streams of increasing length; accuracy on new rows; three runs, one of Pegasos and TVM "
        "beyond 300,000 and a million rows and of IDSVM beyond 30,000. Pegasos and IDSVM (C = 10, gamma = 8) end where "
        "the paper stopped them. IDSVM and TVM learn two classes only. The threshold of Projectron++ is searched for "
        "each length.",
    .runs = 3,
    .cells = bsgd_figure5_cells::cells,
    .conclude = bsgd_figure5_cells::conclude};

}  // namespace kinglet::papers
