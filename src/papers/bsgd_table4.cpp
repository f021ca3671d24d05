// BSGD, table 4: what the three ways of staying inside the budget lose on the checkerboard, with the same settings.
#include "lab/paper.hpp"

namespace kinglet::papers {
namespace {

struct Line {
  const char* row;
  const char* maintain;
  Published small;
  Published large;
};

constexpr Line kLines[] = {{"BPegasos+remove", "smallest", {79.19, 3.05}, {90.32, .40}},
                           {"BPegasos+project", "project", {99.25, .06}, {99.66, .10}},
                           {"BPegasos+merge", "merge", {99.55, .14}, {99.74, .08}}};

// The paper's width 0.0625 is that of exp(−‖x − x′‖²/(2·0.0625)).
std::vector<PaperCell> cells(bool) {
  std::vector<PaperCell> list;
  for (const Line& line : kLines) {
    for (const char* budget : {"100", "500"}) {
      PaperCell cell{.row = line.row,
                     .column = "checkerboard",
                     .variant = std::string("B = ") + budget,
                     .set = "checkerboard",
                     .options = options_of("update=pegasos lambda=1e-4 gamma=8")};
      cell.options.set("maintain", line.maintain);
      cell.options.set("budget", budget);
      cell.paper = std::string_view(budget) == "100" ? line.small : line.large;
      list.push_back(std::move(cell));
    }
  }
  return list;
}

}  // namespace

extern const PaperExperiment bsgd_table4;
const PaperExperiment bsgd_table4{
    .name = "bsgd-table4",
    .title = "Removal, projection and merging on ten million examples",
    .source = "Wang, Crammer, Vucetic: Breaking the Curse of Kernelization, JMLR 13 (2012), table 4",
    .protocol = "One pass over the checkerboard, lambda 1e-4, gamma 8; accuracy on 10,000 fresh rows, five runs.",
    .runs = 5,
    .cells = cells};

}  // namespace kinglet::papers
