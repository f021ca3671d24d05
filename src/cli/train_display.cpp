#include "cli/train_display.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "cli/describe.hpp"
#include "cli/flag_text.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/schema_text.hpp"
#include "core/fail_at.hpp"
#include "core/number.hpp"
#include "model/model_access.hpp"

namespace kinglet::cli {
namespace {

std::vector<Column> progress_columns(TaskKind task, bool asks) {
  const std::string error = error_name(task);
  std::vector<Column> columns = {{.title = "examples", .width = 13},
                                 {.title = "recent " + error, .width = 12},
                                 {.title = "overall " + error, .width = 13},
                                 {.title = "support vectors"},
                                 {.title = "examples/s", .width = 11}};
  if (asks) columns.insert(columns.begin() + 1, {.title = "labels", .width = 9});
  return columns;
}

std::string task_text(const Model& model) {
  if (model.task() == TaskKind::regress) return "regression";
  if (model.task() == TaskKind::novelty) return "novelty detection";
  return plural(model.stats().classes, "class", "classes");
}

std::string progress_header(const Model& model, const std::vector<Column>& columns) {
  const LearnerStats stats = model.stats();
  Row titles;
  for (const Column& column : columns) titles.push_back(column.title);
  const std::string size = stats.budget > 0 ? plural(stats.budget, "support vector") : "no budget";
  return fmt::format("learner memory {}: {}, {}, {}\n\n", bytes_text(stats.memory_bytes), size,
                     plural(stats.dimension, "feature"), task_text(model)) +
         format_row(columns, titles);
}

std::string online_error(const Model& model) {
  const Progress& progress = model.progress();
  const double error = model.task() == TaskKind::regress ? progress.online_rmse() : progress.online_error();
  return error_name(model.task()) + " " + error_text(model.task(), error);
}

// The share of all passes that is done.
std::optional<double> done_share(const Source& source, const Model& model, std::uint64_t passes) {
  const auto share = source.progress();
  if (!share) return std::nullopt;
  return (static_cast<double>(position_of(model).pass) + *share) / static_cast<double>(passes);
}

// What to do about data sorted by class.
std::string remedy_for_order(const TrainFlags& flags, const Source& source) {
  if (flags.shuffle == "all") return "";
  if (!flags.shuffle.empty()) return "; give --shuffle more rows";
  return source.can_rewind() ? "; use --shuffle all" : "; use --shuffle N, with more rows than a run has";
}

// Whether there are many labels, all of them are numbers and some are not whole.
bool are_fractions(std::span<const std::string> labels) {
  constexpr std::size_t kMany = 20;
  bool has_fraction = false;
  for (const std::string& label : labels) {
    double number = 0;
    if (!read_number(label, number)) return false;
    has_fraction |= number != std::floor(number);
  }
  return has_fraction && labels.size() > kMany;
}

}  // namespace

TrainDisplay::TrainDisplay(const TrainFlags& flags, const Model& model, const Source& source)
    : flags_(flags),
      model_(model),
      source_(source),
      asks_(model.asks_for_labels() || !flags.query_out.empty()),
      columns_(progress_columns(model.task(), asks_)),
      bar_(!flags.quiet),
      before_(model.progress().examples) {}

void TrainDisplay::header() {
  started_ = true;
  if (flags_.quiet) return;
  const Columns* const columns = model_.columns().get();
  print_error(schema_text(columns));
  if (columns != nullptr && before_ == 0) {
    for (const Message& text : columns->notes) note(flag_text(text));
  }
  print_error(progress_header(model_, columns_));
}

// A label of its own in nearly every row is a number of the row, or another column that is no label. Many classes that
// are fractions are numbers to predict.
void TrainDisplay::doubt_label() {
  if (are_fractions(model_.labels())) {
    tell(fmt::format("the label has {} classes, all of them numbers; to predict numbers, use --task regress",
                     count_text(model_.labels().size())));
  }
  constexpr std::uint64_t kEnough = 128;
  const auto columns = model_.columns();
  const std::uint64_t rows = model_.progress().examples;
  const std::uint64_t classes = model_.labels().size();
  if (flags_.data.label_column || !columns || !columns->label || rows < kEnough || 10 * classes < 9 * rows) return;
  const std::string name = columns->features.empty() ? "" : fmt::format(" '{}'", printable(*columns->label));
  tell(fmt::format("the label{} has {} classes in {} rows; --label-column names another column", name,
                   count_text(classes), count_text(rows)));
}

void TrainDisplay::tell(const std::string& text) {
  if (flags_.quiet) return;
  bar_.erase();
  note(text);
}

// The first rows decide about scaling and more, so learning begins when all of them are there.
void TrainDisplay::waiting(std::optional<std::uint64_t> rows) {
  constexpr auto kSoon = std::chrono::seconds(2);
  constexpr auto kLater = std::chrono::seconds(10);
  const auto now = std::chrono::steady_clock::now();
  if (started_ || !rows || now - begin_ < kSoon) return;
  if (rows_told_ && (*rows_told_ == *rows || now - told_ < kLater)) return;
  tell(fmt::format("waiting for the first {} rows: {} so far", count_text(kBatchRows), count_text(*rows)));
  rows_told_ = rows;
  told_ = now;
}

void TrainDisplay::sorted(const LabelOrder& order) {
  tell(fmt::format(
      "{}: the first {} examples come in only {} runs of the same label; a pass over data sorted by class "
      "forgets the classes that came first{}",
      source_.name(), count_text(order.rows()), count_text(order.runs()), remedy_for_order(flags_, source_)));
}

void TrainDisplay::batch() {
  tell_skipped();
  bar();
}

void TrainDisplay::tell_skipped() {
  if (flags_.data.skip_bad == 0) return;
  const SkippedRows skipped = source_.skipped();
  for (; skipped_shown_ < skipped.first.size(); ++skipped_shown_) {
    tell("skipped a bad row: " + flag_text(skipped.first[skipped_shown_]));
  }
}

void TrainDisplay::line(const ProgressLine& line) {
  if (flags_.quiet) return;
  bar_.erase();
  print_error(row(line));
}

void TrainDisplay::drift(const DriftAlarm& alarm) {
  if (flags_.quiet) return;
  bar_.erase();
  const std::string name = error_name(model_.task());
  print_error(fmt::format("{:>13}  drift since about {}: recent {} {}, usually {}\n", count_text(alarm.at),
                          count_text(alarm.since), name, error_text(model_.task(), alarm.recent_error),
                          error_text(model_.task(), alarm.usual_error)));
}

void TrainDisplay::notice(const Message& text) { tell(flag_text(text)); }

std::string TrainDisplay::row(const ProgressLine& line) const {
  const auto error = [&](double value) {
    return model_.stats().learns_at_end ? "–" : error_text(model_.task(), value);
  };
  Row cells = {count_text(line.examples), error(line.error_since), error(line.error_so_far),
               line.support_vectors ? count_text(*line.support_vectors) : "",
               line.examples_per_second ? short_text(*line.examples_per_second) : ""};
  if (asks_) cells.insert(cells.begin() + 1, line.labels ? count_text(*line.labels) : "");
  return format_row(columns_, cells);
}

void TrainDisplay::bar() {
  if (!bar_.due()) return;
  const LearnerStats stats = model_.stats();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
  const std::uint64_t examples = model_.progress().examples;
  bar_.draw({.done = done_share(source_, model_, flags_.passes),
             .examples = examples,
             .examples_per_second = static_cast<double>(examples - before_) / spent.count(),
             .error = online_error(model_),
             .support_vectors = stats.support_vectors,
             .memory_bytes = stats.memory_bytes});
}

}  // namespace kinglet::cli
