// The options of the learners as flags of train, compare and tune, made from the registry.
#pragma once

#include <string>
#include <string_view>

#include "kinglet/options.hpp"

namespace CLI {
class App;
}

namespace kinglet::cli {

// The help of --algo where it takes a list, with the default of each task.
std::string several_algorithms_help();

// Declares one flag for every option of the registry. Parsing stores the given ones in `given`, which must outlive it.
// A command with a default algorithm of its own describes --algo itself; empty: as the registry does.
void add_learner_flags(CLI::App& app, Options& given, const std::string& algorithm_help = {});

// The flags of active learning, which only train has: not listed, and refused with a reason.
void hide_query_flags(CLI::App& app);
void refuse_query_flags(const Options& given, std::string_view reason);

// Throws Error unless every option in `given` has the same value in `kept`, the options that `model` was trained with.
// `flag` is the flag that named the model: --resume or --from.
void require_same_options(const Options& given, const Options& kept, const std::string& model, std::string_view flag);

}  // namespace kinglet::cli
