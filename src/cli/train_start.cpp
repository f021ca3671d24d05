// Starting a run of `train`, or going on with one.
#include "cli/train_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "cli/data_flags.hpp"
#include "cli/learner_flags.hpp"
#include "cli/numbers.hpp"
#include "cli/passes.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "learn/registry_entries.hpp"
#include "model/model_access.hpp"
#include "simd/isa.hpp"

namespace kinglet::cli {
namespace {

// Loads a model to go on with; the options given must not contradict its own. `flag` is --resume or --from.
Model load_to_learn(const std::string& path, std::string_view flag, TrainFlags& flags) {
  Model model = Model::load(path);
  if (model.stats().only_predicts) {
    throw Error(fmt::format("{}: {}", path, why_only_predicting(model.requested_options())));
  }
  Options& given = flags.learner;
  if (const auto length = stream_length(model.requested_options())) given = with_stream_length(given, length->examples);
  complete_options(given);  // reports options that are wrong in any run
  require_same_options(flags.learner, model.requested_options(), path, flag);
  settle_passes(flags, model.options());
  say(flags, fmt::format("continuing from {} after {}", path, plural(model.progress().examples, "example")));
  return model;
}

// Models of one start are computed alike, bit for bit, where the machine can and nobody says otherwise.
void use_isa_of_start(const Model& model) {
  const std::string isa = isa_of_start(model);
  const char* const wanted = std::getenv("KINGLET_ISA");
  if (isa.empty() || (wanted != nullptr && *wanted != '\0')) return;
  const auto known = simd::available_isas();
  if (std::ranges::find(known, isa) != known.end()) simd::use_isa(isa);
}

// Whether the query rule asks for some rows only.
bool chooses_rows(const Options& options) {
  return options.text("query") != "all" || options.integer("query-budget") > 0;
}

}  // namespace

void open_checkpoint(const TrainFlags& flags, std::optional<CheckpointFolder>& folder) {
  if (flags.checkpoint.empty()) return;
  folder.emplace(flags.checkpoint);
  if (folder->has_checkpoint() && !flags.resume && !flags.restart) {
    throw Error(fmt::format("{} is there already: give --resume to continue its run, or --restart to discard it",
                            folder->checkpoint()));
  }
}

Model start_model(TrainFlags& flags, const CheckpointFolder* folder) {
  flags.data.labels_may_be_absent = has_labeller(flags);
  if (flags.resume && folder->has_checkpoint()) {
    if (!flags.from.empty()) say(flags, "--from is not read again: the checkpoint goes on");
    return load_to_learn(folder->checkpoint(), "--resume", flags);
  }
  if (flags.resume) say(flags, folder->checkpoint() + " does not exist yet: starting from the beginning");
  if (!flags.from.empty()) {
    Model model = load_to_learn(flags.from, "--from", flags);
    use_isa_of_start(model);
    begin_other_data(model);
    return model;
  }
  if (flags.auto_passes) settle_passes(flags, complete_options(with_stream_length(flags.learner, 1)));
  fill_stream_length(flags);
  return Model(flags.learner);
}

void fit_flags(TrainFlags& flags, const Model& model) {
  flags.data.threads = threads_of(flags);
  if (has_labeller(flags) && model.task() != TaskKind::classify) {
    throw Error("--query-out works with --task classify only");
  }
  if (has_labeller(flags) && flags.delay > 0 && chooses_rows(model.options())) {
    throw Error("--delay: with --query-out it asks for the label of every row; leave --query and --query-budget out");
  }
  flags.data.labels_may_be_absent = has_labeller(flags) || model.asks_for_labels();
  flags.data.skip_unlabelled = !flags.data.labels_may_be_absent;
  if (!flags.shuffle.empty()) flags.data.shuffle = shuffle_options(flags, model);
}

std::unique_ptr<Source> open_to_learn(const TrainFlags& flags, const Model& model) {
  DataFlags learned = flags.data;
  fit_to_learn(model, learned);
  auto source = open_data(learned.data, learned);
  check_passes(flags, model, *source);
  return source;
}

}  // namespace kinglet::cli
