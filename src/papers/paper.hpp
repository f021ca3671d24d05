// Reproduces published results. An experiment is a list of cells: a learner on a data set, with the published number. A
// cell is run several times, on shuffles that depend only on the number of the run. Tables compare every cell with the
// paper. Figures plot cells along an axis; the paper's statements about them are checked as claims.
// Each file src/papers/experiments/<name>.cpp declares one experiment, as each file in src/rules declares one rule.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinglet/options.hpp"
#include "lab/statistics.hpp"
#include "lab/trial.hpp"
#include "papers/paper_data.hpp"
#include "papers/paper_settings.hpp"

namespace kinglet {

// The number that a cell takes from a trial.
enum class Measure {
  test_accuracy,
  test_error,
  online_accuracy,
  online_error,
  support_vectors,
  kernel_values,
  updates,
  labels,
  gradient_error,  // LearnerStats::maintenance_loss as defined in the BSGD paper
  classes,         // number of classes that the support vectors of a small model stand for
  seconds
};

bool is_share(Measure measure);    // shown in percent
int decimals_of(Measure measure);  // number of decimals in the papers
bool higher_is_better(Measure measure);
std::string_view measure_name(Measure measure);

// A published number: accuracies and errors are in percent. NaN: not given.
struct Published {
  double value = std::numeric_limits<double>::quiet_NaN();
  double deviation = std::numeric_limits<double>::quiet_NaN();
  double support_vectors = std::numeric_limits<double>::quiet_NaN();
};

struct PaperCell {
  std::string row;         // the learner as the paper names it
  std::string column;      // the data set, or the position on the x axis
  std::string variant;     // such as "B = 100"; empty if there is only one
  std::string set;         // name of the data set in paper_data.hpp
  Options options;         // options that the paper states
  PaperSettings settings;  // options that the paper chose by cross-validation but does not print
  Measure measure = Measure::test_accuracy;
  Published paper;
  double x = 0;  // in figures: position on the x axis
  std::uint64_t passes = 1;
  std::uint64_t rows = 0;     // number of rows to learn; 0: all
  std::size_t most_runs = 0;  // upper limit for runs that take minutes; 0: no limit
  // False: not the paper's protocol, such as a row called "ours". The published number is shown, but not compared.
  bool compared = true;
  // An option whose value is searched on the first run until the support vectors number `budget`; empty: none.
  std::string searched{};
  // Values of an option to choose from, such as "eta=1": one of them is in `settings`, or the cell is not run.
  std::vector<std::string> choices{};
};

// How our mean compares with the published one, in units of the paper's deviation (or of ours, if the paper gives
// none):
//   within     at most one deviation away
//   better, short_of   more than one deviation away
//   idle       shows nothing: as good as always predicting the most frequent class, up to our deviation; or better than
//              published although worse than that. It is short_of if the published result does beat the most frequent class
//              by more than its deviation
//   none       there is no published number or no result
enum class Verdict { none, within, better, short_of, idle };
std::string_view verdict_name(Verdict verdict);

// A cell that is better by more than this many deviations is not the paper's experiment, whatever its verdict: it
// carries its reason.
inline constexpr double kFarDeviations = 5;

struct CellResult {
  PaperCell cell;
  std::vector<double> values;                    // one per run, in the units of Published; empty: not measured yet
  std::map<std::string, std::size_t> revisions;  // number of runs by the revision of the code that made them
  Summary ours;
  Summary support_vectors;
  Summary seconds;
  double searched =
      std::numeric_limits<double>::quiet_NaN();  // the value found for cell.searched; NaN: none, or not kept
  double baseline = std::numeric_limits<double>::quiet_NaN();  // of the majority class, in the units of the measure
  Verdict verdict = Verdict::none;
  double deviations = std::numeric_limits<double>::quiet_NaN();  // (ours − paper)/deviation; above 0 is better
  std::string reason;                                            // of a far better one; empty if it is not known
  bool is_far() const { return deviations > kFarDeviations; }
  Message problem;
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

// A statement of the paper, and whether our numbers agree with it.
struct Claim {
  std::string text;
  bool holds = false;
  std::string evidence;
  // False: shown without a verdict, because it is a finding of ours or the data differ from the paper's.
  bool judged = true;
};

struct PaperResult {
  std::vector<CellResult> cells;
  std::vector<PaperFigure> figures;
  std::vector<Claim> claims;
  std::vector<std::string> missing;  // data sets that were not found
  std::size_t outdated = 0;          // cells whose kept runs another version of the program or of the data made
  bool stopped = false;

  std::size_t judged() const;  // cells that count: within, better or short
  std::size_t claims_judged() const;
  std::size_t claims_that_hold() const;  // of those that are judged
  std::size_t count(Verdict verdict) const;
};

struct PaperPlan {
  std::string data_folder;
  bool quick = false;    // small parts of the data and few runs, to see that everything works; no verdicts
  std::size_t runs = 0;  // 0: as in the paper
  unsigned threads = 0;
  std::vector<std::string> rows;  // only these; empty: all
  std::vector<std::string> sets;
  std::string keep;        // folder in which finished trials are kept and looked for (trial_store.hpp); empty: none
  std::string revision;    // of the source code, noted with the trials that are kept
  bool only_kept = false;  // run nothing, and take the kept trials without comparing their probe; needs no data
};

struct PaperExperiment {
  std::string name;  // "bsgd-table3"
  std::string title;
  std::string source;    // the paper, and which table or figure
  std::string protocol;  // how it is measured, in a few sentences
  std::size_t runs = 1;
  std::vector<PaperCell> (*cells)(bool quick) = nullptr;
  void (*conclude)(PaperResult& result) = nullptr;  // figures and claims; may be null
};

std::span<const PaperExperiment* const> paper_experiments();
const PaperExperiment& paper_experiment(std::string_view name);  // throws Error if there is none of that name

// Whether the rows on which settings are chosen are also evaluated: no (there is a test file, or data are drawn anew),
// in part (test rows are drawn from the same file in each run, or from letter, whose settings were chosen on 15,000
// rows that include 2,897 of the 4,000 test rows), or yes (the same rows in another order).
std::string_view evaluates_tuned_rows(const PaperCell& cell);

// False: its choice has not been made, so it cannot be run.
bool is_settled(const PaperCell& cell);

// The number of runs of a cell in full.
std::size_t runs_of(const PaperExperiment& experiment, const PaperCell& cell);

// `done` is called after each trial.
PaperResult run_paper(const PaperExperiment& experiment, const PaperPlan& plan,
                      const std::function<void(std::size_t done, std::size_t total)>& done = {},
                      const std::function<bool()>& stopped = {});

// The settings that `kinglet tune` finds for one cell on the training rows of the first run.
struct FoundSettings {
  std::string row;
  std::string set;
  std::string budget;  // empty: no budget
  Options searched;
  std::optional<double> error;
};

// Tunes every cell that has something to tune. `found` is called after each.
void tune_paper(const PaperExperiment& experiment, const PaperPlan& plan,
                const std::function<void(const FoundSettings&)>& found, const std::function<bool()>& stopped = {});

// For `conclude`: the measured cells of one row and variant along x.
PaperSeries series_of(const PaperResult& result, std::string_view row, std::string_view variant, std::string name);
// Whether every cell of one row and variant has been measured, so that its claims can be judged.
bool is_measured(const PaperResult& result, std::string_view row, std::string_view variant);
// The first such cell that has been measured; nullptr if there is none.
const CellResult* find_cell(const PaperResult& result, std::string_view row, std::string_view column,
                            std::string_view variant = {});

// "algo=bpegasos gamma=0.5 lambda=1e-4" as options.
Options options_of(std::string_view words);

}  // namespace kinglet
