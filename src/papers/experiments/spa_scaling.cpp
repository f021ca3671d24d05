// SPA, table 2: which scaling of the features gives the published numbers of learners that have no parameters to
// choose.
#include "papers/experiments/nearest_cell.hpp"
#include "papers/paper.hpp"

namespace kinglet::papers {
namespace spa_scaling_cells {

struct Scaling {
  const char* row;
  const char* set;
};

struct Column {
  const char* name;
  const char* options;
  Published paper;
  std::vector<Scaling> scalings;  // the first is the one that the tables use
};

const std::vector<Column>& columns() {
  static const std::vector<Scaling> of_covtype = {{"to [0, 1]", "covtype-stream"},
                                                  {"to [-1, 1]", "covtype-minus-one-to-one"}};
  static const std::vector<Column> list = {
      {"a9a, perceptron",
       "algo=perceptron",
       {79.40, .11, 9900},
       {{"as they are", "a9a-stream"}, {"mean 0, deviation 1", "a9a-stream-standard"}}},
      {"codrna, perceptron",
       "algo=perceptron",
       {90.79, .09, 5400},
       {{"to [-1, 1]", "cod-rna-scaled"}, {"to [0, 1]", "cod-rna-zero-to-one"}, {"as they are", "cod-rna-stream"}}},
      {"covtype, RBP", "algo=rbp budget=1510", {65.63, .23}, of_covtype},
      {"covtype, Forgetron", "algo=forgetron budget=1510", {65.33, .22}, of_covtype}};
  return list;
}

std::vector<PaperCell> cells(bool) {
  std::vector<PaperCell> list;
  for (const Column& column : columns()) {
    for (const Scaling& scaling : column.scalings) {
      PaperCell cell{.row = scaling.row, .column = column.name, .variant = {}, .set = scaling.set};
      cell.options = options_of(column.options);
      cell.options.set("gamma", "0.4");
      cell.measure = Measure::online_accuracy;
      cell.paper = column.paper;
      cell.compared = false;
      list.push_back(std::move(cell));
    }
  }
  return list;
}

void conclude(PaperResult& result) {
  for (const Column& column : columns()) note_scaling(result, column.name);
}

}  // namespace spa_scaling_cells

extern const PaperExperiment spa_scaling;
const PaperExperiment spa_scaling{
    .name = "spa-scaling",
    .title = "How the features of SPA's streams were scaled",
    .source = "Lu, Zhao, Hoi: Online Sparse Passive Aggressive Learning with Kernels, SDM (2016), table 2",
    .protocol =
        "Progressive accuracy of learners without parameters over one pass of a shuffle; three runs; Gaussian kernel "
        "with gamma 0.4.",
    .runs = 3,
    .cells = spa_scaling_cells::cells,
    .conclude = spa_scaling_cells::conclude};

}  // namespace kinglet::papers
