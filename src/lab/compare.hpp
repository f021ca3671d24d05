// Learners side by side: the same data, the same shuffles, the same splits for each, so that differences are theirs.
//
// One trial is a contestant on one shuffle (with test data) or on one fold of one shuffle (cross-validation). Without
// either, progressive validation judges. Each contestant is compared with the best one by a paired t-test over trials.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinglet/options.hpp"
#include "lab/dataset.hpp"
#include "lab/statistics.hpp"
#include "lab/trial.hpp"

namespace kinglet {

struct Contestant {
  std::string algorithm;
  std::optional<std::uint64_t> budget;  // none: the learner has no budget
  Options options;
  std::vector<std::string> left_out;  // shared options that this learner does not take
  Options found{};                    // what tune_contestants added to the options
  std::string problem{};              // why it cannot take part, in one line; empty: it can
};

// The algorithms that are meant by such names; "all", or "budgeted": those with a budget. Error for one that is not there.
std::vector<std::string> algorithm_names(const std::vector<std::string>& asked);

// One contestant for each algorithm and budget; a learner without a budget stands there once. `shared` holds options
// for all, of which each takes those that it has. Error for an algorithm that does not exist, for an option that nobody
// takes, and where all of them have a problem.
std::vector<Contestant> contestants(const std::vector<std::string>& algorithms,
                                    const std::vector<std::uint64_t>& budgets, const Options& shared);

struct ComparePlan {
  std::shared_ptr<const Dataset> data;
  std::shared_ptr<const Dataset> test;  // null: folds, or progressive validation
  std::size_t folds = 0;                // 0: none
  std::size_t runs = 5;
  std::uint64_t passes = 1;
  std::uint64_t seed = 1;  // run r shuffles by seed + r, and learners draw by it
  bool in_order = false;   // rows stay as they are; runs differ in what learners draw
  unsigned threads = 0;
};

// Gives each contestant the settings that `tune` finds on the rows that the first trial learns, as far as they are not
// given. `next` is called before each.
void tune_contestants(std::vector<Contestant>& contestants, const ComparePlan& plan,
                      const std::function<void(const Contestant&)>& next = {},
                      const std::function<bool()>& stopped = {});

// What a contestant's trials came to. Scores are accuracies, or RMSE where numbers are learned.
struct Standing {
  std::size_t contestant = 0;
  std::vector<std::size_t> trials;    // which ones: run · folds + fold
  std::vector<double> scores;         // by trial; of progressive validation where there is no test part
  std::vector<double> online_errors;  // by trial; error, or RMSE; NaN of what learns at the end of a pass
  std::vector<double> seconds;
  std::vector<double> support_vectors;
  std::vector<double> memory_bytes;
  std::string problem;      // why it has no scores
  std::optional<double> p;  // of being as good as the best; none for the best itself, or below two trials
};

struct Comparison {
  bool regression = false;
  bool progressive = false;                         // scores are of progressive validation
  bool stopped = false;                             // only trials that every contestant has finished are counted
  std::size_t trials = 0;                           // of each contestant
  double baseline = 0;                              // score of the majority class or of the mean, averaged over trials
  std::vector<Standing> standings;                  // best first; those with a problem last
  std::vector<std::vector<TrialOutcome>> outcomes;  // by contestant, by trial
};

// `done` is called after each trial with what is known so far.
Comparison compare(const std::vector<Contestant>& contestants, const ComparePlan& plan,
                   const std::function<void(const Comparison&, std::size_t done, std::size_t total)>& done = {},
                   const std::function<bool()>& stopped = {});

}  // namespace kinglet
