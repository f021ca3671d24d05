// Loading a model and checking that data fit it, for predict, eval and train --test.
#pragma once

#include <cstdint>
#include <string>

#include "kinglet/model.hpp"
#include "kinglet/source.hpp"

namespace CLI {
class App;
}

namespace kinglet::cli {

struct ModelFlags {
  std::string model;
  std::uint64_t threads = 0;  // 0: all cores
};

void add_model_flags(CLI::App& app, ModelFlags& flags);
void add_threads_flag(CLI::App& app, std::uint64_t& threads);
void add_quiet_flag(CLI::App& app, bool& quiet);
Model load_model(const ModelFlags& flags);

// Throws Error for dense rows that have fewer features than the training data.
void require_fitting(const Model& model, const Source& source, const Batch& batch);

// Notes that the model ignores features which the training data did not have.
void note_ignored(const Model& model, const Source& source);

}  // namespace kinglet::cli
