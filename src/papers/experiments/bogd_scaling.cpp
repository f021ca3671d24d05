// BOGD, table 2: which scaling of the features gives the published mistakes of the perceptron, which has no parameters.
#include "papers/experiments/nearest_cell.hpp"
#include "papers/paper.hpp"

namespace kinglet::papers {
namespace bogd_scaling_cells {

struct Set {
  const char* name;
  Published paper;
};
constexpr Set kSets[] = {
    {"german", {34.81, 1.017, 348}}, {"spambase", {24.96, .460, 1148}}, {"magic04", {27.09, .326, 5153}}};

struct Scaling {
  const char* row;
  const char* suffix;  // of the name of the data set
};
constexpr Scaling kScalings[] = {
    {"as they are", ""}, {"mean 0, deviation 1", "-standard"}, {"to [-1, 1]", "-minus-one-to-one"}};

std::vector<PaperCell> cells(bool) {
  std::vector<PaperCell> list;
  for (const Set& set : kSets) {
    for (const Scaling& scaling : kScalings) {
      PaperCell cell{
          .row = scaling.row, .column = set.name, .variant = {}, .set = set.name + std::string(scaling.suffix)};
      cell.options = {{"algo", "perceptron"}, {"gamma", "0.0078125"}};
      cell.measure = Measure::online_error;
      cell.paper = set.paper;
      cell.compared = false;
      list.push_back(std::move(cell));
    }
  }
  return list;
}

void conclude(PaperResult& result) {
  for (const Set& set : kSets) note_scaling(result, set.name);
}

}  // namespace bogd_scaling_cells

extern const PaperExperiment bogd_scaling;
const PaperExperiment bogd_scaling{
    .name = "bogd-scaling",
    .title = "How the features of BOGD's streams were scaled",
    .source = "Zhao, Wang, Wu, Jin, Hoi: Fast Bounded Online Gradient Descent Algorithms, ICML (2012), table 2",
    .protocol =
        "Progressive error of the perceptron over one pass of a shuffle; twenty runs; Gaussian kernel of width 8.",
    .runs = 20,
    .cells = bogd_scaling_cells::cells,
    .conclude = bogd_scaling_cells::conclude};

}  // namespace kinglet::papers
