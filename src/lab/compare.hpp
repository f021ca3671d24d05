// Compares learners on the same data, shuffles and splits.
//
// A trial is one contestant on one shuffle (with test data) or on one fold of a shuffle (cross-validation). Without
// test data and folds, progressive validation is used. A paired t-test over the trials compares each contestant with
// the best.
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
  std::optional<std::uint64_t> budget;  // nullopt: the learner has no budget
  Options options;
  std::vector<std::string> left_out;  // shared options that this learner does not have
  Options found{};                    // options found by tune_contestants
  Message problem{};                  // why it cannot take part, in one line; empty: no problem
};

// Expands a list of algorithm names, in which "all" means all algorithms and "budgeted" those with a budget. Throws
// Error for unknown names.
std::vector<std::string> algorithm_names(const std::vector<std::string>& asked);

// One contestant for each algorithm and budget, or one for an algorithm without a budget. Each contestant uses those of
// the `given` options that it has. Throws Error for an unknown algorithm, for an option that no contestant has, and if
// all contestants have a problem.
std::vector<Contestant> contestants(const std::vector<std::string>& algorithms,
                                    const std::vector<std::uint64_t>& budgets, const Options& given);

struct ComparePlan {
  std::shared_ptr<const Dataset> data;
  std::shared_ptr<const Dataset> test;  // null: use folds or progressive validation
  std::size_t folds = 0;                // 0: none
  std::size_t runs = 5;
  std::uint64_t passes = 1;
  std::uint64_t seed = 1;  // run r uses seed + r for the shuffle and for the learners
  bool in_order = false;   // do not shuffle; runs differ only in the seeds of the learners
  unsigned threads = 0;
};

// Gives the number of training examples to the contestants that need the length of the stream and were not given it. To
// be called before the contestants are tuned or compared.
void fill_stream_lengths(std::vector<Contestant>& contestants, const ComparePlan& plan);

// Tunes each contestant on the training rows of the first trial. Options that are given are not changed. `next` is
// called before each contestant.
void tune_contestants(std::vector<Contestant>& contestants, const ComparePlan& plan,
                      const std::function<void(const Contestant&)>& next = {},
                      const std::function<bool()>& stopped = {});

// The results of one contestant. Scores are accuracies, or RMSE in regression.
struct Standing {
  std::size_t contestant = 0;
  std::vector<std::size_t> trials;    // numbers of its trials: run · folds + fold
  std::vector<double> scores;         // by trial; from progressive validation if there are no test rows
  std::vector<double> online_errors;  // by trial; error or RMSE; NaN for learners that learn at the end of a pass
  std::vector<double> seconds;
  std::vector<double> support_vectors;
  std::vector<double> memory_bytes;
  Message problem;          // why it has no scores
  std::optional<double> p;  // p-value of being as good as the best; nullopt for the best itself, or below two trials
};

struct Comparison {
  bool regression = false;
  bool progressive = false;                         // scores come from progressive validation
  bool stopped = false;                             // if so, only trials that all contestants have finished count
  std::size_t trials = 0;                           // per contestant
  double baseline = 0;                              // score of the majority class or of the mean, averaged over trials
  std::vector<Standing> standings;                  // best first; those with a problem last
  std::vector<std::vector<TrialOutcome>> outcomes;  // by contestant, by trial
};

// `done` is called after each trial with the results so far.
Comparison compare(const std::vector<Contestant>& contestants, const ComparePlan& plan,
                   const std::function<void(const Comparison&, std::size_t done, std::size_t total)>& done = {},
                   const std::function<bool()>& stopped = {});

}  // namespace kinglet
