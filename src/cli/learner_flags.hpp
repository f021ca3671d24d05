// The options of the learners as flags of train, compare and tune, made from the registry.
#pragma once

#include <string>
#include <string_view>

#include "kinglet/options.hpp"

namespace CLI {
class App;
}

namespace kinglet::cli {

// The help of --algo where it takes a list; the default follows.
inline constexpr const char* kAlgorithmsHelp =
    "comma-separated algorithms, budgeted (all that have a budget) or all; kinglet algorithms lists them";

// Declares one flag for every option of the registry. Parsing stores the given ones in `given`, which must outlive it. A command
// with a default algorithm of its own describes --algo itself; empty: as the registry does.
void add_learner_flags(CLI::App& app, Options& given, const std::string& algorithm_help = {});

// Throws Error unless every option in `given` has the same value in `kept`, the options that `model` was trained with.
// `flag` is the flag that named the model: --resume or --from.
void require_same_options(const Options& given, const Options& kept, const std::string& model, std::string_view flag);

}  // namespace kinglet::cli
