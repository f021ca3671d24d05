// Loading a model and checking that data fit it, for predict, eval and train --test.
#include "cli/model_flags.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/help.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "kinglet/error.hpp"
#include "model/model_access.hpp"

namespace kinglet::cli {
namespace {

constexpr std::uint64_t kMostThreads = 1024;

}  // namespace

void add_model_flags(CLI::App& app, ModelFlags& flags) {
  app.add_option("-m,--model", flags.model, "model file")->type_name("MODEL")->group(kMainSection);
  add_threads_flag(app, flags.threads);
}

void add_threads_flag(CLI::App& app, std::uint64_t& threads) {
  add_count(app, "--threads", threads, {0, kMostThreads},
            "number of threads; it does not change the result [0: one per core]")
      ->group(kRunSection);
}

void add_quiet_flag(CLI::App& app, bool& quiet) {
  app.add_flag("--quiet", quiet, "print only the result and errors")->group(kRunSection);
}

Model load_model(const ModelFlags& flags) {
  Model model = Model::load(flags.model);
  const bool knows_classes = model.task() != TaskKind::classify || !model.labels().empty();
  if (start_of(model) && model.progress().examples == 0) {
    throw Error(fmt::format("{} is a start, which has learned nothing: let it learn with kinglet train DATA --from {}",
                            flags.model, flags.model));
  }
  if (!model.has_learned() || !knows_classes) throw Error(fmt::format("{} has learned nothing yet", flags.model));
  return model;
}

void require_fitting(const Model& model, const Source& source, const Batch& batch) {
  if (batch.sparse || batch.dimension >= model.dimension()) return;
  throw Error(fmt::format("{} has {}, but the model was trained with {}", source.name(),
                          plural(batch.dimension, "feature"), count_text(model.dimension())));
}

void note_ignored(const Model& model, const Source& source) {
  note(fmt::format("{}: ignoring features beyond the {} that the model was trained with", source.name(),
                   count_text(model.dimension())));
}

}  // namespace kinglet::cli
