// What papers published, and our numbers beside it. An experiment is a list of cells, each a learner on a data set with
// the number that the paper prints for it; a cell is run several times, on shuffles that depend on the run alone. Tables
// compare every cell with the paper; figures are drawn from cells along an axis, and what the paper says of them are
// claims that hold or do not.
//
//   src/papers/experiments/<name>.cpp declares one experiment each, as src/rules declares rules.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinglet/options.hpp"
#include "lab/statistics.hpp"
#include "lab/trial.hpp"
#include "papers/paper_data.hpp"

namespace kinglet {

// What is read off a trial.
enum class Measure {
  test_accuracy,
  test_error,
  online_accuracy,
  online_error,
  support_vectors,
  kernel_values,
  updates,
  labels,
  gradient_error,  // LearnerStats::maintenance_loss as BSGD counts it
  seconds
};

bool is_share(Measure measure);    // shown in per cent
int decimals_of(Measure measure);  // as the papers print it
bool higher_is_better(Measure measure);
std::string_view measure_name(Measure measure);

// As printed: accuracies and errors in per cent. NaN: not given.
struct Published {
  double value = std::numeric_limits<double>::quiet_NaN();
  double deviation = std::numeric_limits<double>::quiet_NaN();
  double support_vectors = std::numeric_limits<double>::quiet_NaN();
};

struct PaperCell {
  std::string row;      // the learner as the paper names it
  std::string column;   // the data set, or the place on the x axis
  std::string variant;  // "B = 100"; empty where there is only one
  std::string set;      // of paper_data.hpp
  Options options;      // as the paper states them
  Options settings;     // what it chose by cross-validation and does not print (papers/paper_settings.hpp)
  Measure measure = Measure::test_accuracy;
  Published paper;
  double x = 0;  // figures: where on the axis
  std::uint64_t passes = 1;
  std::uint64_t rows = 0;     // learn only so many; 0: all
  std::size_t most_runs = 0;  // where one takes minutes; 0: as many as the others
};

// By the paper's deviation. `within_ours`: worse by more than that, but not by more than one of ours. Where a paper shuffles
// data that were drawn once, its deviation says little of another draw; ours, with data drawn anew for each run, does.
// none: the paper gives no number, or there is no result.
enum class Verdict { none, better, match, within_ours, short_of };
std::string_view verdict_name(Verdict verdict);

struct CellResult {
  PaperCell cell;
  std::vector<double> values;  // by run, in the units of Published
  Summary ours;
  Summary support_vectors;
  Summary seconds;
  double baseline = std::numeric_limits<double>::quiet_NaN();  // of the majority class, in the units of the measure
  Verdict verdict = Verdict::none;
  double deviations = std::numeric_limits<double>::quiet_NaN();  // (ours − paper)/deviation; above 0 is better
  std::string problem;
};

struct PaperPoint {
  double x = 0;
  Summary y;
};
struct PaperSeries {
  std::string name;
  std::vector<PaperPoint> points;
};
struct PaperFigure {
  std::string title;
  std::string x_name;
  std::string y_name;
  bool log_x = false;
  std::vector<PaperSeries> series;
};

// A sentence of the paper, and whether our numbers agree.
struct Claim {
  std::string text;
  bool holds = false;
  std::string evidence;
};

struct PaperResult {
  std::vector<CellResult> cells;
  std::vector<PaperFigure> figures;
  std::vector<Claim> claims;
  std::vector<std::string> missing;  // sets whose data are not there
  bool stopped = false;

  std::size_t judged() const;  // cells with a verdict
  std::size_t good() const;    // better, or within one deviation of the paper
  std::size_t count(Verdict verdict) const;
};

struct PaperPlan {
  std::string data_folder;
  bool quick = false;    // small parts of the data, few runs: does it work, not: is it right
  std::size_t runs = 0;  // 0: as the paper
  unsigned threads = 0;
  std::vector<std::string> rows;  // only these; empty: all
  std::vector<std::string> sets;
};

struct PaperExperiment {
  std::string name;  // "bsgd-table3"
  std::string title;
  std::string source;    // paper and place
  std::string protocol;  // how it is measured, in a few sentences
  std::size_t runs = 1;
  std::vector<PaperCell> (*cells)(bool quick) = nullptr;
  void (*conclude)(PaperResult& result) = nullptr;  // figures and claims; may be null
};

std::span<const PaperExperiment* const> paper_experiments();
const PaperExperiment& paper_experiment(std::string_view name);  // Error with what there is

// `done` is called as each trial ends.
PaperResult run_paper(const PaperExperiment& experiment, const PaperPlan& plan,
                      const std::function<void(std::size_t done, std::size_t total)>& done = {},
                      const std::function<bool()>& stopped = {});

// What `kinglet tune` finds for one cell on the training rows of the first run.
struct FoundSettings {
  std::string row;
  std::string set;
  std::string budget;  // empty: the learner has none
  Options searched;
  std::optional<double> error;
};

// For every cell whose learner leaves something to choose; `found` is called as each is known.
void tune_paper(const PaperExperiment& experiment, const PaperPlan& plan,
                const std::function<void(const FoundSettings&)>& found, const std::function<bool()>& stopped = {});

// For `conclude`: the cells of one row and variant along x.
PaperSeries series_of(const PaperResult& result, std::string_view row, std::string_view variant, std::string name);
const CellResult* find_cell(const PaperResult& result, std::string_view row, std::string_view column,
                            std::string_view variant = {});

// "algo=bpegasos gamma=0.5 lambda=1e-4" as options.
Options options_of(std::string_view words);

}  // namespace kinglet
