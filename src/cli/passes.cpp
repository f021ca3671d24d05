#include "cli/passes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/numbers.hpp"
#include "core/option_texts.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "model/memory.hpp"
#include "model/model_access.hpp"

namespace kinglet::cli {
namespace {

std::optional<std::uint64_t> rows_to_learn(const TrainFlags& flags, const Options& complete) {
  DataFlags data = flags.data;
  data.numeric_labels = task_kind(complete) == TaskKind::regress;
  return count_rows(data.data, data);
}

}  // namespace

void add_passes_flag(CLI::App& app, TrainFlags& flags, const std::string& group) {
  const auto set = [&flags](const std::string& text) {
    flags.auto_passes = text == "auto";
    if (!flags.auto_passes) flags.passes = checked_count("--passes", text, {1, kMostExamples});
  };
  app.add_option_function<std::string>("--passes", set,
                                       "passes over the data; auto: 1 to 20, fewer for larger data [1]")
      ->type_name("N|auto")
      ->group(group);
}

void add_shuffle_flag(CLI::App& app, TrainFlags& flags, const std::string& group) {
  app.add_option("--shuffle", flags.shuffle,
                 "learn the rows in random order, a new one in each pass: all keeps all rows in memory; N, also for "
                 "streams, keeps N rows and mixes runs of a class that are much shorter than that [order of DATA]")
      ->type_name("N|all")
      ->group(group);
}

void settle_passes(TrainFlags& flags, const Options& complete) {
  if (!flags.auto_passes || keeps_examples(complete)) return;
  const auto rows = rows_to_learn(flags, complete);
  if (!rows) {
    throw Error(fmt::format("--passes auto: the number of rows of {} is not known; give the number of passes",
                            flags.data.data));
  }
  flags.passes = default_passes(complete, *rows);
}

void fill_stream_length(TrainFlags& flags) {
  Options& given = flags.learner;
  if (!wants_stream_length(given)) return;
  const Options full =
      complete_options(with_stream_length(given, 1));  // reports wrong options before all the data are read
  const auto rows = rows_to_learn(flags, full);
  if (!rows) return;
  const double length = static_cast<double>(*rows) * static_cast<double>(flags.passes);
  given = with_stream_length(given, static_cast<std::uint64_t>(std::min(length, static_cast<double>(kMostExamples))));
}

ShuffleOptions shuffle_options(const TrainFlags& flags, const Model& model) {
  ShuffleOptions options;
  options.seed = static_cast<std::uint64_t>(model.options().integer("seed"));
  options.memory_limit = machine_memory() / 2;
  if (flags.shuffle == "all") return options;
  const auto rows = parse_count(flags.shuffle);
  if (!rows || *rows == 0) {
    throw Error(fmt::format("--shuffle must be all or the number of rows to keep, not '{}'", flags.shuffle));
  }
  options.rows = *rows;
  return options;
}

void check_passes(const TrainFlags& flags, const Model& model, const Source& source) {
  if (flags.shuffle == "all") {  // only if there is an end; and a pipe should not be kept in memory as a whole
    require_end(flags.data.data, source);
    if (!source.can_rewind()) {
      throw Error(fmt::format(
          "--shuffle all needs a file, but {} can be read only once; give --shuffle N to keep N rows", source.name()));
    }
  }
  if (flags.passes > 1 && keeps_examples(model.options())) {
    throw Error(fmt::format("--passes {}: {} keeps all examples, so another pass would count them twice", flags.passes,
                            model.options().text("algo")));
  }
  if (flags.passes > 1 && !source.can_rewind()) {
    throw Error(fmt::format("--passes {}: {} can be read only once; save the data to a file first", flags.passes,
                            source.name()));
  }
}

std::string passes_text(const TrainFlags& flags, const Model& model) {
  if (flags.passes == 1 && !flags.auto_passes && flags.shuffle.empty()) return {};
  const std::uint64_t completed = std::min(position_of(model).pass, flags.passes);
  std::string text = count_text(flags.passes) + (flags.auto_passes ? " (auto)" : "");
  if (completed < flags.passes) text = fmt::format("{} of {}", completed, text);
  if (flags.shuffle.empty()) return text + ", in the order of the data";
  text += flags.passes > 1 ? ", each in a new random order" : ", in random order";
  return flags.shuffle == "all" ? text : fmt::format("{} through a buffer of {} rows", text, flags.shuffle);
}

}  // namespace kinglet::cli
