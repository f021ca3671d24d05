// SPA, table 3: test accuracy of the last and of the averaged classifier.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "papers/experiments/claim_on.hpp"
#include "papers/experiments/spa_cells.hpp"

namespace kinglet::papers {
namespace spa_table3_cells {

// The data of KDD Cup 2008 are not available.
constexpr SpaSet kSets[] = {{"a9a", "a9a", "2079", "alpha=1 beta=5"},
                            {"cod-rna", "codrna", "2386", "alpha=1 beta=5"},
                            {"w7a", "w7a", "3710", "alpha=1 beta=5"}};
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

const std::vector<SpaLine>& lines() {
  static const std::vector<SpaLine> list = {
      {"LIBSVM", "algo=svm", false, {{85.04, kNone, 11500}, {96.67, kNone, 8000}, {98.31, kNone, 8000}}},
      {"Pegasos", "algo=pegasos", false, {{84.66, .21, 11000}, {95.63, .43, 12200}, {97.56, .01, 24700}}},
      {"BOGD", "algo=bogd", true, {{82.49, 1.22, 2079}, {92.10, 1.32, 2386}, {97.05, .01, 3710}}},
      {"BPA-S", "algo=bpa-s", true, {{82.11, .83, 2079}, {93.12, 2.01, 2386}, {97.75, .40, 3710}}},
      {"OSKL-last", "algo=oskl output=last", false, {{80.17, 3.91, 2073}, {94.15, 1.66, 2410}, {97.92, .20, 3726}}},
      {"OSKL-avg", "algo=oskl output=average", false, {{84.91, .13, 2073}, {95.67, .13, 2410}, {97.94, .07, 3726}}},
      {"SPA-last",
       "update=spa maintain=none output=last",
       false,
       {{82.97, 2.59, 2079}, {91.23, 3.40, 2386}, {97.49, 2.05, 3710}}},
      {"SPA-avg",
       "update=spa maintain=none output=average",
       false,
       {{84.88, .10, 2079}, {96.05, .09, 2386}, {97.97, .04, 3710}}},
  };
  return list;
}

std::vector<PaperCell> cells(bool) {
  std::vector<PaperCell> list;
  for (const SpaLine& line : lines()) {
    for (std::size_t i = 0; i < std::size(kSets); ++i) list.push_back(spa_cell(line, kSets[i], line.values[i]));
  }
  return list;
}

// Whether a statement about learners is true, for each set that can be compared; empty if one has not been measured.
std::vector<Tested> on_sets(const PaperResult& result, const std::vector<const char*>& rows,
                            bool (*statement)(const std::vector<const CellResult*>& learners)) {
  std::vector<Tested> list;
  for (const SpaSet& set : kSets) {
    if (!paper_set(set.name).comparable) continue;
    const auto learners = results_of(result, set, rows);
    if (learners.empty()) return {};
    list.push_back({set.column, statement(learners)});
  }
  return list;
}

bool is_first_most_accurate(const std::vector<const CellResult*>& learners) {
  return *std::ranges::max_element(learners, {}, accuracy_of) == learners.front();
}
bool is_first_fastest(const std::vector<const CellResult*>& learners) {
  return *std::ranges::min_element(learners, {}, seconds_of) == learners.front();
}
bool is_first_steadiest(const std::vector<const CellResult*>& learners) {
  const auto deviation = [](const CellResult* of) { return of->ours.deviation; };
  return *std::ranges::min_element(learners, {}, deviation) == learners.front();
}

void claim_accuracy(PaperResult& result) {
  const auto claim_on_all = [&](std::string text, const std::vector<Tested>& tested) {
    claim_on(result, std::move(text), tested.size(), tested);
  };
  const std::vector<const char*> bounded = {"SPA-avg", "BOGD", "BPA-S", "OSKL-last", "OSKL-avg", "SPA-last"};
  claim_on_all("LIBSVM is always the most accurate",
               on_sets(result, {"LIBSVM", "Pegasos", "BOGD", "BPA-S", "OSKL-last", "OSKL-avg", "SPA-last", "SPA-avg"},
                       is_first_most_accurate));
  claim_on_all("SPA-avg is the most accurate of the learners with a budget",
               on_sets(result, bounded, is_first_most_accurate));
  claim_on_all("SPA-avg is more accurate than Pegasos",
               on_sets(result, {"SPA-avg", "Pegasos"}, is_first_most_accurate));
  const auto steadiest = on_sets(result, {"SPA-avg", "BOGD", "BPA-S", "SPA-last"}, is_first_steadiest);
  claim_on(result, "BOGD, BPA-S and SPA-last deviate more than SPA-avg on most data sets", most_of(steadiest.size()),
           steadiest);
  claim_on_all("SPA is the fastest of all",
               on_sets(result, {"SPA-avg", "LIBSVM", "Pegasos", "BOGD", "BPA-S", "OSKL-avg"}, is_first_fastest));
}

// The paper: about 20 to 30 times as fast as LIBSVM, and about 5 times as fast as Pegasos. At least half of that will
// do, because the programs are others.
void claim_times(PaperResult& result) {
  for (const auto& [slow, times] : {std::pair("LIBSVM", 20.0), std::pair("Pegasos", 5.0)}) {
    std::vector<std::string> ratios;
    bool holds = true;
    for (const SpaSet& set : kSets) {
      if (!paper_set(set.name).comparable) continue;
      const auto learners = results_of(result, set, {slow, "SPA-avg"});
      if (learners.empty()) return;
      const double ratio = seconds_of(learners[0]) / seconds_of(learners[1]);
      holds &= ratio >= times / 2;
      ratios.push_back(fmt::format("{:.1f} times on {}", ratio, set.column));
    }
    result.claims.push_back({fmt::format("SPA trains about {:.0f} times as fast as {}, or faster", times, slow), holds,
                             fmt::format("{}", fmt::join(ratios, ", "))});
  }
}

void conclude(PaperResult& result) {
  claim_accuracy(result);
  claim_times(result);
}

}  // namespace spa_table3_cells

extern const PaperExperiment spa_table3;
const PaperExperiment spa_table3{
    .name = "spa-table3",
    .title = "Test accuracy of the last and of the averaged classifier",
    .source = "Lu, Zhao, Hoi: Online Sparse Passive Aggressive Learning with Kernels, SDM (2016), table 3",
    .protocol =
        "One pass over a shuffle of the training rows, accuracy on the test rows; five runs. codrna is scaled to [-1, "
        "1], the others are not scaled. As the paper says, all learners of a data set have the same gamma, a power of "
        "two: the one with which SPA keeps about as many support vectors as in the paper (w7a: 1; a9a: 1/32, better "
        "than 1/16 on held-out rows). The other settings are from the paper's grid, chosen on held-out fifths of the "
        "training rows (LIBSVM: after learning 8,000 of them); G of OSKL is chosen to give the paper's number of "
        "support vectors. codrna, which is not compared, has settings of ours. Without the data of KDD Cup 2008, "
        "which are not available.",
    .runs = 5,
    .cells = spa_table3_cells::cells,
    .conclude = spa_table3_cells::conclude};

}  // namespace kinglet::papers
