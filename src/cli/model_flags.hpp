// What predict, eval and the test of train share: opening a model, and data that may not fit it.
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
Model load_model(const ModelFlags& flags);

// Throws Error for dense rows that are shorter than those of training: each feature would be taken for its neighbour.
void require_fitting(const Model& model, const Source& source, const Batch& batch);

// Says that values were left out, because training never saw their features.
void note_ignored(const Model& model, const Source& source);

}  // namespace kinglet::cli
