// The registry: every update rule, budget rule, whole learner, kernel and preset, each declared once with its options,
// one-line summary, formula, cost and paper. The command's help, the docs' tables, the model file and the Python
// signatures come from here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinglet/options.hpp"

namespace kinglet {

// The fields that all kinds of entries share.
struct Entry {
  std::string name{};
  std::string summary{};  // one line, no full stop
  std::string formula{};  // plain text, as in the file that implements it
  std::string paper{};
  std::string cost{};  // per example or per maintenance step, with B, d, C
  Message use{};       // when to use it: one or two sentences
  std::vector<OptionSpec> options{};
};

// A named algorithm (`algo`): either an update rule combined with a budget rule, or a whole learner, which has neither.
// `settings` replace the defaults of the rules' or the learner's own options.
struct Algorithm {
  std::string name{};
  std::string update{};
  std::string maintain{};
  std::string learner{};  // the whole learner; empty: `update` and `maintain` name the rules
  std::string summary{};
  std::string paper{};
  Options settings{};
  std::string cost{};     // per update, with B, d, C; scoring an example takes O(B d) besides
  Options default_for{};  // the options that make this the default algorithm; empty: none do
};

std::span<const Entry* const> update_rules();
std::span<const Entry* const> budget_rules();
std::span<const Entry* const> whole_learners();
std::span<const Entry* const> kernels();
std::span<const Algorithm> algorithms();

// Options that belong to no single rule, whole learner or kernel: algo, task, budget, memory, kernel, scale, …, seed.
// Also `update` and `maintain`, which select the rules; whole learners have none.
std::span<const OptionSpec> common_options();

// Every option of the registry once, in a good order for a help text. Where parts share a name, `spec` is that of the
// first; the texts below say what differs in others.
struct ListedOption {
  OptionSpec spec{};
  std::vector<std::string> users{};  // the rules, kernels and algorithms (of whole learners) that take it; empty: all
  std::string task{};                // the task that has it; empty: all
  Message help{};                    // with other meanings: "…; krls: …"
  std::string ranges{};              // "≥ 0; pegasos: > 0"
  Message defaults{};                // "1; nogd: 0.2"
};
std::span<const ListedOption> all_options();

// The name that help and messages show for an option, and the one that Options and model files have. Where both are the
// same, or the option is unknown, the name itself.
std::string shown_name(std::string_view name);
std::string option_key(std::string_view shown);
// The same options with every name as in model files. Throws Error where an option is given under both of its names.
Options with_keys(const Options& given);

// Checks `given` and fills in the defaults: the algorithm's rules, then the rules' and the kernel's own options. An
// unknown name, a value out of range, an option that the chosen parts do not take, or parts that do not go together
// throw Error with the reason.
Options complete_options(const Options& given);

// What complete options amount to: the preset that has these rules, the one of `algo` first, or else "norma +
// smallest".
std::string algorithm_name(const Options& complete);

// Whether the learner of complete options keeps examples, so that a second pass over the same data would count them
// twice.
bool keeps_examples(const Options& complete);
// Whether models with complete options that learned from one start add up (kinglet/mix.hpp).
bool adds_up(const Options& complete);
// The default algorithm of a start for a task: one whose models add up, or else the default of the task.
std::string default_start_algorithm(const std::string& task);
// How many passes over so many rows are a good choice where time does not matter: one from 50,000 rows on, up to 20 for
// fewer rows, and always one for a learner that keeps examples.
std::uint64_t default_passes(const Options& complete, std::uint64_t rows);

// Advice about complete options that are allowed but work badly.
std::vector<Message> advice(const Options& complete);

// Some rules make use of the number of examples to come, and have an option for it. wants_stream_length: whether the
// options given leave that open; it throws Error for options that cannot be. with_stream_length: the options with the
// number filled in where it is wanted.
bool wants_stream_length(const Options& given);
Options with_stream_length(Options given, std::uint64_t examples);
// What complete options say about it; nothing where they do not, or make no use of it.
struct StreamLength {
  OptionMention option{};
  std::uint64_t examples = 0;
  std::string if_exceeded{};  // what may happen when more examples come, as a clause
};
std::optional<StreamLength> stream_length(const Options& complete);

}  // namespace kinglet
