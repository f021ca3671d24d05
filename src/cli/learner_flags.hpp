// The learner's options as flags of `train`, made from the registry.
#pragma once

#include "kinglet/options.hpp"

namespace CLI {
class App;
}

namespace kinglet::cli {

// Declares one flag for every option of the registry; those given end up in `given`, which must outlive the parsing.
void add_learner_flags(CLI::App& app, Options& given);

// Throws Error unless every option in `given` has the same value in `kept`, the options a checkpoint began with.
void require_same_options(const Options& given, const Options& kept, const std::string& checkpoint);

}  // namespace kinglet::cli
