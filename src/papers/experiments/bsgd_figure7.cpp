// BSGD, figure 7: which digits the ten support vectors of projection and of merging stand for, on usps.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "papers/paper.hpp"
#include "papers/paper_settings.hpp"

namespace kinglet::papers {
namespace bsgd_figure7_cells {

constexpr double kDigits = 10;

struct Line {
  const char* row;
  const char* maintain;
};
constexpr Line kLines[] = {{"BPegasos+project", "project"}, {"BPegasos+merge", "merge"}};

struct Column {
  const char* name;
  Measure measure;
};
constexpr Column kColumns[] = {{"digits", Measure::classes}, {"test accuracy %", Measure::test_accuracy}};

std::vector<PaperCell> cells(bool) {
  std::vector<PaperCell> list;
  for (const Line& line : kLines) {
    for (const Column& column : kColumns) {
      PaperCell cell{.row = line.row, .column = "usps", .variant = column.name, .set = "usps"};
      cell.options = {{"update", "pegasos"}, {"maintain", line.maintain}, {"budget", "10"}};
      cell.settings = paper_settings("bsgd", line.row, "usps", "10");
      cell.measure = column.measure;
      list.push_back(std::move(cell));
    }
  }
  return list;
}

void conclude(PaperResult& result) {
  const CellResult* project = find_cell(result, kLines[0].row, "usps", kColumns[0].name);
  const CellResult* merge = find_cell(result, kLines[1].row, "usps", kColumns[0].name);
  if (project == nullptr || merge == nullptr) return;
  const auto all_digits = [](double digits) { return digits == kDigits; };
  result.claims.push_back({"the vectors that merging makes represent all ten digits in every run",
                           std::ranges::all_of(merge->values, all_digits),
                           fmt::format("{} digits in the runs", fmt::join(merge->values, ", "))});
  result.claims.push_back({"the vectors that projection keeps do not",
                           std::ranges::none_of(project->values, all_digits),
                           fmt::format("{} digits in the runs", fmt::join(project->values, ", "))});
}

}  // namespace bsgd_figure7_cells

extern const PaperExperiment bsgd_figure7;
const PaperExperiment bsgd_figure7{
    .name = "bsgd-figure7",
    .title = "The digits that ten support vectors stand for",
    .source = "Wang, Crammer, Vucetic: Breaking the Curse of Kernelization, JMLR 13 (2012), figure 7",
    .protocol =
        "BPegasos with B = 10 on usps, one pass, three runs. A vector stands for the class in "
        "which its coefficient is the largest.",
    .runs = 3,
    .cells = bsgd_figure7_cells::cells,
    .conclude = bsgd_figure7_cells::conclude};

}  // namespace kinglet::papers
