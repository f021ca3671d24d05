// The registry: every update rule, budget rule, dual learner, kernel and preset, each declared once with its options, one-line
// summary, formula, cost and paper. The command's help, the docs' tables, the model file and later the Python
// signatures come from here.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinglet/options.hpp"

namespace kinglet {

// What the entries of all kinds have in common.
struct Entry {
  std::string name{};
  std::string summary{};  // one line, no full stop
  std::string formula{};  // plain text, as in the file that implements it
  std::string paper{};
  std::string cost{};  // per example or per maintenance step, with B, d, C
  std::string use{};   // when to use it: one or two sentences
  std::vector<OptionSpec> options{};
};

// A named point of the grid, an update rule with a budget rule; or a dual learner, which has neither. Defaults of options
// that differ from the parts' own are its settings.
struct Algorithm {
  std::string name{};
  std::string update{};
  std::string maintain{};
  std::string dual{};  // the dual learner; empty: a point of the grid
  std::string summary{};
  std::string paper{};
  Options settings{};
  std::string cost{};  // per update, with B, d, C; scoring an example takes O(B d) besides
};

std::span<const Entry* const> update_rules();
std::span<const Entry* const> budget_rules();
std::span<const Entry* const> dual_learners();
std::span<const Entry* const> kernels();
std::span<const Algorithm> algorithms();

// Options that every learner has: algo, update, maintain, budget, memory, kernel, gamma, …, scale, seed.
std::span<const OptionSpec> common_options();

// Every option of the registry once, in a good order for a help text. Where two rules share a name, the first wins;
// `users` tells which parts take it (empty: all).
struct ListedOption {
  OptionSpec spec{};
  std::vector<std::string> users{};
};
std::vector<ListedOption> all_options();

// Checks `given` and fills in the defaults: the algorithm's rules, then the rules' and the kernel's own options. An
// unknown name, a value out of range, an option that the chosen parts do not take, or parts that do not go together
// throw Error with the reason.
Options complete_options(const Options& given);

// What complete options amount to: the preset that has these rules, the one of `algo` first, or else "norma + smallest".
std::string algorithm_name(const Options& complete);

// Whether the learner of complete options keeps examples, so that a second pass over the same data would count them twice.
bool keeps_examples(const Options& complete);

}  // namespace kinglet
