// What `train` shows on standard error while it runs.
#include "cli/train_display.hpp"

#include <fmt/format.h>

#include <vector>

#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"

namespace kinglet::cli {
namespace {

const std::vector<Column>& progress_columns() {
  static const std::vector<Column> columns = {{.title = "examples", .width = 13},
                                              {.title = "error since"},
                                              {.title = "error so far"},
                                              {.title = "support vectors"},
                                              {.title = "examples/s", .width = 11}};
  return columns;
}

std::string progress_row(const ProgressLine& line) {
  return format_row(progress_columns(),
                    {count_text(line.examples), fraction_text(line.error_since), fraction_text(line.error_so_far),
                     line.support_vectors ? count_text(*line.support_vectors) : "",
                     line.examples_per_second ? short_text(*line.examples_per_second) : ""});
}

std::string progress_header(const Model& model) {
  const Facts facts = model.facts();
  Row titles;
  for (const Column& column : progress_columns()) titles.push_back(column.title);
  const std::string size = facts.budget > 0 ? plural(facts.budget, "support vector") : "no budget";
  return fmt::format("learner memory {}: {}, {}, {}\n\n", bytes_text(facts.memory_bytes), size,
                     plural(facts.dimension, "feature"), plural(facts.classes, "class", "classes")) +
         format_row(progress_columns(), titles);
}

// How much of all passes is done.
std::optional<double> done_share(const Source& source, const Model& model, std::uint64_t passes) {
  const auto share = source.progress();
  if (!share) return std::nullopt;
  return (static_cast<double>(model.position().pass) + *share) / static_cast<double>(passes);
}

}  // namespace

TrainDisplay::TrainDisplay(const TrainFlags& flags, const Model& model, const Source& source)
    : flags_(flags), model_(model), source_(source), bar_(!flags.quiet), before_(model.progress().examples) {}

void TrainDisplay::header() const {
  if (!flags_.quiet) print_error(progress_header(model_));
}

void TrainDisplay::line(const ProgressLine& line) {
  if (flags_.quiet) return;
  bar_.erase();
  print_error(progress_row(line));
}

void TrainDisplay::bar() {
  if (!bar_.due()) return;
  const Facts facts = model_.facts();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
  const std::uint64_t examples = model_.progress().examples;
  bar_.draw({.done = done_share(source_, model_, flags_.passes),
             .examples = examples,
             .examples_per_second = static_cast<double>(examples - before_) / spent.count(),
             .error = model_.progress().online_error(),
             .support_vectors = facts.support_vectors,
             .memory_bytes = facts.memory_bytes});
}

}  // namespace kinglet::cli
