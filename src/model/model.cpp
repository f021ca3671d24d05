// Model: passes rows and labels from batches through the scaler to the learner.
#include "kinglet/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "core/assert.hpp"
#include "core/compose.hpp"
#include "core/option_texts.hpp"
#include "core/parallel.hpp"
#include "core/state.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"
#include "learn/registry_entries.hpp"
#include "model/memory.hpp"
#include "model/model_state.hpp"
#include "records/schema.hpp"
#include "simd/isa.hpp"

namespace kinglet {
namespace {

constexpr ClassId kNormal = 1;  // in novelty detection: the class of normal rows

// --- checks ----------------------------------------------------------------------------------------------------------

void check_indices(const Rows& rows) {
  std::uint32_t highest = 0;
  const std::uint64_t end = rows.offsets[rows.count];
  for (std::uint64_t k = rows.offsets[0]; k < end; ++k) highest = std::max(highest, rows.indices[k]);
  if (end > rows.offsets[0] && highest >= rows.dimension) {
    throw Error(fmt::format("a sparse batch has feature {}, beyond its dimension {}", highest, rows.dimension));
  }
}

// Checks that the parts of borrowed memory are consistent; the memory itself cannot be checked.
void check_borrowed(const Batch& batch) {
  const Rows& rows = batch.borrowed;
  if (rows.count != batch.rows()) {
    throw Error(fmt::format("the batch borrows {} rows but has {} labels", rows.count, batch.rows()));
  }
  if (!rows.is_sparse()) {
    if (rows.stride < rows.dimension) throw Error("the borrowed rows of the batch overlap");
    return;
  }
  if (!std::is_sorted(rows.offsets, rows.offsets + rows.count + 1)) {
    throw Error("the offsets of the sparse batch decrease");
  }
  check_indices(rows);
}

void check_form(const Batch& batch) {
  if (batch.borrows()) return check_borrowed(batch);
  if (!batch.sparse) {
    if (batch.values.size() != batch.rows() * batch.dimension) {
      throw Error(fmt::format("a batch of {} rows with {} features needs {} values, not {}", batch.rows(),
                              batch.dimension, batch.rows() * batch.dimension, batch.values.size()));
    }
    return;
  }
  const bool whole = batch.offsets.size() == batch.rows() + 1 && batch.offsets.front() == 0 &&
                     batch.offsets.back() == batch.values.size() && batch.indices.size() == batch.values.size() &&
                     std::is_sorted(batch.offsets.begin(), batch.offsets.end());
  if (!whole) throw Error("the offsets, indices and values of the sparse batch are inconsistent");
  check_indices(batch.features());
}

// Calls call(first row, rows, values) for each run of contiguous values.
template <class Call>
void for_each_run(const Rows& rows, const Call& call) {
  if (rows.is_sparse()) {
    call(0, rows.count, std::span(rows.values + rows.offsets[0], rows.offsets[rows.count] - rows.offsets[0]));
  } else if (rows.stride == rows.dimension) {
    call(0, rows.count, std::span(rows.values, rows.count * rows.dimension));
  } else {
    for (std::size_t i = 0; i < rows.count; ++i) {
      call(i, 1, std::span(rows.values + i * rows.stride, rows.dimension));
    }
  }
}

bool any_special(std::span<const float> values) {
  constexpr std::int32_t kExponent = 0x7F800000;
  std::int32_t special = 0;
  for (const float value : values) {
    special |= (std::bit_cast<std::int32_t>(value) & kExponent) == kExponent ? 1 : 0;
  }
  return special != 0;
}

void refuse_infinite(const Rows& rows, std::size_t begin, std::size_t n) {
  for (std::size_t i = begin; i < begin + n; ++i) {
    const Features x = rows[i];
    const float* const found = std::find_if(x.values, x.values + x.count, [](float v) { return std::isinf(v); });
    if (found == x.values + x.count) continue;
    const auto at = static_cast<std::uint32_t>(found - x.values);
    throw Error(fmt::format("row {} of the batch has an infinite value in feature {}", i + 1,
                            (x.is_sparse() ? x.indices[at] : at) + 1));
  }
}

// NaN is a missing value, but an infinite value would make all statistics useless.
void check_values(const Rows& rows) {
  for_each_run(rows, [&](std::size_t begin, std::size_t n, std::span<const float> values) {
    if (any_special(values)) refuse_infinite(rows, begin, n);
  });
}

// `rows_before` is for the messages.
void check_targets(const Batch& batch, std::uint64_t rows_before) {
  if (batch.targets.empty()) {
    throw Error(compose("example {} has no number for a label: {} needs one for every example", rows_before + 1,
                        option("task", "regress")));
  }
  if (batch.targets.size() != batch.rows()) throw Error("a batch must have one target per row, or none at all");
  const auto bad = std::ranges::find_if_not(batch.targets, [](float y) { return std::isfinite(y); });
  if (bad == batch.targets.end()) return;
  throw Error(compose("example {} has the label {}: {} needs a finite number",
                      rows_before + static_cast<std::uint64_t>(bad - batch.targets.begin()) + 1, *bad,
                      option("task", "regress")));
}

[[noreturn]] void refuse_novelty_label(std::uint64_t example, std::string_view label) {
  throw Error(compose("example {} has the label '{}': {} knows 1 (normal) and -1 (novel)", example, label,
                      option("task", "novelty")));
}

void check_weights(const Batch& batch, std::uint64_t row) {
  if (batch.weights.empty()) return;
  if (batch.weights.size() != batch.rows()) throw Error("a batch must have one weight per row, or none at all");
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    if (batch.weights[i] >= 0 && std::isfinite(batch.weights[i])) continue;
    throw Error(
        fmt::format("example {} has the weight {}: a weight must be a number ≥ 0", row + i + 1, batch.weights[i]));
  }
}

// --- scoring in threads ----------------------------------------------------------------------------------------------

// Rows are scored in pieces of this size, regardless of the number of threads, so that threads cannot change the result.
constexpr std::size_t kPiece = 64;

// Calls work(begin, n) for every piece of `rows`, on as many threads as are allowed and worth while.
template <class Work>
void in_pieces(std::size_t rows, unsigned threads, double cost_per_row, const Work& work) {
  const std::size_t useful = useful_threads(static_cast<double>(rows) * cost_per_row, thread_count(threads));
  parallel_for((rows + kPiece - 1) / kPiece, static_cast<unsigned>(useful),
               [&](std::size_t i) { work(i * kPiece, std::min(kPiece, rows - i * kPiece)); });
}

std::uint64_t values_beyond(const Rows& rows, std::uint32_t dimension) {
  if (rows.dimension <= dimension) return 0;
  std::uint64_t beyond = 0;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const Features x = rows[i];
    for (std::uint32_t k = x.is_sparse() ? 0 : dimension; k < x.count; ++k) {
      beyond += (x.is_sparse() ? x.indices[k] : k) >= dimension && x.values[k] != 0;
    }
  }
  return beyond;
}

std::span<const float> weights_of(const Batch& batch, std::size_t begin, std::size_t n) {
  return batch.weights.empty() ? std::span<const float>() : std::span(batch.weights).subspan(begin, n);
}

std::uint32_t rows_for_fingerprint(const Batch& batch) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(batch.rows(), Fingerprint::kMostRows));
}

double cost_per_row(const Learner& learner) {
  const LearnerStats stats = learner.stats();
  return static_cast<double>(stats.support_vectors) * static_cast<double>(stats.dimension + stats.classes + 10);
}

}  // namespace

// --- learning --------------------------------------------------------------------------------------------------------

Model::State::State(const Options& given) : State(complete_options(given), Complete{}) {
  metric_is_open = !given.has("metric");
}

// Novelty detection has two classes, whatever the labels of the data.
Model::State::State(const Options& given, Complete)
    : requested(given),
      options(requested),
      task(task_kind(requested)),
      only_predicts(why_only_predicting(requested)),
      query(requested) {
  if (requested.has("class-weight")) class_weights = ClassWeights(requested.text("class-weight"));
  if (requested.has("proba") && requested.flag("proba")) calibration.emplace();
  if (task != TaskKind::novelty) return;
  labels.add("-1");
  labels.add("1");
}

void Model::State::require_learning() const {
  if (!only_predicts.empty()) throw Error(only_predicts);
}

// A source that was opened with the columns of the model gives exactly these; another one may have them in any order.
void Model::State::require_columns(const Batch& batch) const {
  if (!columns || !batch.columns || batch.columns == columns) return;
  const bool are_records = columns->schema != nullptr;
  if (are_records != (batch.columns->schema != nullptr) ||
      (are_records && !continues(*columns->schema, *batch.columns->schema) &&
       !continues(*batch.columns->schema, *columns->schema))) {
    throw Error("the records have another schema than those of the model: read the data with the columns of the model");
  }
  const auto& mine = columns->features;
  const auto& theirs = batch.columns->features;
  if (mine.empty() || theirs.empty() || mine == theirs) return;
  throw Error("the columns of the data differ from those of the model: read the data with the columns of the model");
}

void Model::State::take_columns(const Batch& batch) {
  if (!columns || !columns->schema || !batch.columns || batch.columns == columns) return;
  if (continues(*columns->schema, *batch.columns->schema)) columns = batch.columns;
}

void Model::State::check_labels(const Batch& batch, bool asking) {
  if (task == TaskKind::regress) return check_targets(batch, progress.examples);
  if (task == TaskKind::classify && !batch.targets.empty()) {
    throw Error({"the labels are numbers, not classes: learn them with ", option("task", "regress")});
  }
  if (!batch.targets.empty()) refuse_novelty_label(progress.examples + 1, fmt::format("{}", batch.targets[0]));
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    const std::uint32_t label = batch.labels[i];
    const std::uint64_t example = progress.examples + i + 1;
    if (label < source.size()) {
      if (task == TaskKind::classify || source.class_of(label, labels) != kNoClass) continue;
      refuse_novelty_label(example, source.text(label));
    }
    if (label != kNoLabel) throw Error("a batch uses a label id whose text was never given");
    if (task == TaskKind::novelty || asking) continue;
    throw Error(fmt::format("example {} has no label: learning needs one for every example", example));
  }
}

std::size_t Model::State::learn_rows(const Batch& batch, bool asking, const Oracle& oracle, Prediction* out) {
  const Rows all = batch.features();
  const auto extent = [&](std::size_t row) {
    return shared ? std::min(all[row].extent(), scaler->dimension()) : all[row].extent();
  };
  if (shared) notice_start(all);
  std::size_t at = 0;
  while (at < all.count) {
    learn_metric();
    // The learner grows at the first row with a new feature, not earlier, so that the division into batches does not
    // matter.
    grow(extent(at), learner->classes(), batch.highest);
    const std::size_t step = rows_at_a_time(scaler->dimension());
    const std::size_t most =
        std::min<std::uint64_t>({step, all.count - at, head_left > 0 ? head_left : all.count, rows_to_new_metric()});
    std::size_t n = 1;
    while (n < most && extent(at + n) <= scaler->dimension() && (asking || !is_new_class(batch, at + n))) ++n;
    Rows raw = all.slice(at, n);
    raw.dimension = std::min(raw.dimension, scaler->dimension());
    before.resize(step);
    Prediction* const here = out == nullptr ? before.data() : out + at;
    if (asking) {
      at += learn_asking(raw, batch, at, oracle, here);
      if (query.is_due()) return at;
      continue;
    }
    const Rows rows = head_left > 0 ? scaler->transform(raw, buffer) : scaler->learn(raw, buffer);
    classes.resize(step);
    if (task == TaskKind::classify) {
      learn_classes(rows, batch, at, here);
    } else if (task == TaskKind::regress) {
      learn_numbers(rows, batch, at, here);
    } else {
      learn_normal(rows, batch, at, here);
    }
    sample_rows(raw, batch, at);
    progress.examples += n;
    position.row += n;
    head_left -= std::min<std::uint64_t>(head_left, n);
    at += n;
  }
  return at;
}

void Model::State::grow(std::uint32_t dimension, std::uint32_t class_count, const HighestIndex& highest) {
  if (dimension <= scaler->dimension() && class_count <= learner->classes()) return;
  if (numbers() && dimension > scaler->dimension()) {
    throw Error(
        fmt::format("a row has {} features, but the schema of the model has {}", dimension, scaler->dimension()));
  }
  const Shape shape{.dimension = std::max(dimension, scaler->dimension()),
                    .classes = std::max(class_count, learner->classes()),
                    .storage = storage()};
  const std::optional<Options> lower = options_with_lower_budget(shape, highest);
  require_memory(lower ? *lower : options, shape, highest);
  if (lower) lower_budget(*lower, shape);
  const std::uint32_t old_dimension = scaler->dimension();
  scaler->grow(shape.dimension);
  try {
    learner->grow(shape);
  } catch (...) {
    scaler->shrink(old_dimension);
    throw;
  }
  if (shape.dimension > old_dimension) columns.reset();  // they do not cover all features any more
  if (learner->sampled_rows() == 0) sample.reset();
  if (sample) sample->grow(shape.dimension);
  if (calibration) calibration->grow(shape.classes);
}

void Model::State::notice_start(const Rows& rows) {
  if (!notices.is_said(Notices::beyond_start) && values_beyond(rows, scaler->dimension()) > 0) {
    notices.add(Notices::beyond_start,
                compose("features beyond the {} of the shared start are ignored: its sample did not have them",
                        scaler->dimension()));
  }
  if (shared->isa == simd::current_isa()) return notices.never(Notices::other_isa);
  notices.add(
      Notices::other_isa,
      compose("the shared start was made with the instruction set {}, and this machine computes with {}: models "
              "of both go together, but differ in their last digits",
              shared->isa, simd::current_isa()));
}

bool Model::State::is_new_class(const Batch& batch, std::size_t row) {
  return task == TaskKind::classify && source.class_of(batch.labels[row], labels) == kNoClass;
}

std::optional<Options> Model::State::options_with_lower_budget(const Shape& shape, const HighestIndex& highest) const {
  const std::uint64_t limit = memory_limit(options);
  if (limit == 0 || learner_memory(options, shape) <= limit) return std::nullopt;
  const std::string what = shape.dimension > scaler->dimension()
                               ? fmt::format("{}with {} features", dimension_cause(shape, highest), shape.dimension)
                               : fmt::format("with {} classes", shape.classes);
  const OptionMention memory = option("memory", options.text("memory"));
  if (!learner->can_lower_budget()) {
    throw Error(compose("{} the learner would take more than {}, and {} cannot lower its budget: raise {}", what,
                        memory, algorithm_name(options), option("memory")));
  }
  const std::int64_t budget = largest_budget(options, shape, limit);
  if (budget == 0) {
    throw Error(compose("{} even one support vector takes more than {}: raise {}", what, memory, option("memory")));
  }
  Options lower = options;
  lower.set("budget", std::to_string(budget));
  return lower;
}

// The learner is made anew with the state of the present one. What takes most memory comes before the first change.
void Model::State::lower_budget(const Options& lower, const Shape& shape) {
  auto smaller =
      make_learner(lower, {.dimension = scaler->dimension(), .classes = learner->classes(), .storage = storage()});
  learner->lower_budget(static_cast<std::size_t>(lower.integer("budget")));
  StateWriter state;
  learner->save(state);
  StateReader in(state.bytes());
  smaller->load(in);
  KINGLET_ASSERT(in.at_end());
  notices.add(
      Notices::lower_budget,
      compose("after {} examples the budget went down from {} to {}: the stream has more {} now, and {} allows no "
              "more support vectors with them (it may go down again; this is said once)",
              progress.examples, options.text("budget"), lower.text("budget"),
              shape.dimension > scaler->dimension() ? "features" : "classes",
              option("memory", options.text("memory"))));
  learner = std::move(smaller);
  options = lower;
}

void Model::State::learn_classes(const Rows& rows, const Batch& batch, std::size_t at, Prediction* out) {
  const std::uint32_t* const row_labels = &batch.labels[at];
  std::optional<Prediction> before_meeting;
  if (is_new_class(batch, at)) before_meeting = meet_class(rows[0], source.text(row_labels[0]));
  for (std::size_t i = 0; i < rows.count; ++i) classes[i] = source.class_of(row_labels[i], labels);
  learn_known(rows, weights_of(batch, at, rows.count), {out, rows.count});
  if (before_meeting) out[0] = *before_meeting;
  for (std::size_t i = 0; i < rows.count; ++i) progress.mistakes += out[i].label != classes[i];
  progress.labels += rows.count;
}

void Model::State::learn_numbers(const Rows& rows, const Batch& batch, std::size_t at, Prediction* out) {
  const auto targets = std::span(batch.targets).subspan(at, rows.count);
  const auto row_weights = weights_of(batch, at, rows.count);
  if (target_scaler) {
    learn_scaled(rows, targets, row_weights, {out, rows.count});
  } else {
    learner->learn_batch(rows, targets, row_weights, {out, rows.count});
  }
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double error = static_cast<double>(targets[i]) - static_cast<double>(out[i].score);
    progress.squared_error += error * error;
    progress.absolute_error += std::abs(error);
  }
}

// The transforms depend only on the targets, so all rows can be scaled before the first is learned.
void Model::State::learn_scaled(const Rows& rows, std::span<const float> targets, std::span<const float> row_weights,
                                std::span<Prediction> out) {
  scaled_targets.resize(std::max(scaled_targets.size(), rows.count));
  transforms.resize(scaled_targets.size());
  for (std::size_t i = 0; i < rows.count; ++i) {
    transforms[i] = target_scaler->transform();
    scaled_targets[i] = transforms[i].scaled(targets[i]);
    if (head_left == 0) target_scaler->count(targets[i]);
  }
  learner->learn_batch(rows, std::span<const float>(scaled_targets).first(rows.count), row_weights, out);
  for (std::size_t i = 0; i < rows.count; ++i) out[i].score = transforms[i].restored(out[i].score);
}

// Labels are not learned, only compared with predictions; a row without a label counts as normal.
void Model::State::learn_normal(const Rows& rows, const Batch& batch, std::size_t at, Prediction* out) {
  learner->learn_batch(rows, {}, weights_of(batch, at, rows.count), {out, rows.count});
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::uint32_t label = batch.labels[at + i];
    progress.mistakes += out[i].label != (label == kNoLabel ? kNormal : source.class_of(label, labels));
  }
}

void Model::State::learn_known(const Rows& rows, std::span<const float> row_weights, std::span<Prediction> out) {
  if (!class_weights.all_one()) {
    weights.resize(std::max(weights.size(), rows.count));
    for (std::size_t i = 0; i < rows.count; ++i) {
      weights[i] = class_weights.next(classes[i]) * (row_weights.empty() ? 1 : row_weights[i]);
    }
    row_weights = {weights.data(), rows.count};
  }
  const std::span<float> scores = room_for_scores(rows.count);
  learner->learn_batch(rows, {classes.data(), rows.count}, row_weights, {out, scores});
  calibrate(scores, classes.data(), row_weights.empty() ? nullptr : row_weights.data(), rows.count);
}

std::span<float> Model::State::room_for_scores(std::size_t n) {
  if (!calibration) return {};
  scores_before.resize(std::max(scores_before.size(), n * learner->outputs()));
  return std::span(scores_before).first(n * learner->outputs());
}

// `scores` are those of n rows before they were learned; empty: do not use them.
void Model::State::calibrate(std::span<const float> scores, const ClassId* truth, const float* row_weights,
                             std::size_t n) {
  if (scores.empty()) return;
  const std::size_t width = scores.size() / n;
  for (std::size_t i = 0; i < n; ++i) {
    const std::span<const float> row = scores.subspan(i * width, width);
    const ClassId predicted = learner->decide(row).label;
    const double weight = row_weights == nullptr ? 1 : static_cast<double>(row_weights[i]);
    if (is_first_pass()) {
      calibration->learn(row, predicted, truth[i], weight);
    } else {
      calibration->update_mean_lead(row, predicted);
    }
  }
}

Prediction Model::State::meet_class(const Features& x, const std::string& text) {
  const Prediction before_learning = learner->predict(x);
  add_class(text);
  return before_learning;
}

void Model::State::add_class(const std::string& text) {
  grow(scaler->dimension(), static_cast<std::uint32_t>(labels.size() + 1));
  labels.add(text);
  class_weights.grow(labels.texts());
  notice_new_labels();
}

// Labels that are ever new, such as numbers or names of examples, make a class of nearly every example, and learning slower
// and slower.
void Model::State::notice_new_labels() {
  constexpr std::uint64_t kEnough = 2048;  // examples
  if (progress.examples < kEnough || 2 * labels.size() < progress.examples) return;
  notices.add(
      Notices::new_labels,
      compose("more than {} different labels in {} examples, and each makes a class, which makes learning slower: "
              "to predict numbers give {}; if the label is in another column give {}",
              labels.size() - 1, progress.examples, option("task", "regress"), option("label_column")));
}

// Some algorithms keep as many support vectors as they need, and a budget that is full changes what they learn.
void Model::State::notice_full_budget() {
  if (notices.is_said(Notices::full_budget)) return;
  if (!budget_is_limit(options)) return notices.never(Notices::full_budget);
  const LearnerStats stats = learner->stats();
  if (stats.support_vectors < stats.budget) return;
  const OptionMention limit = option(options.text("memory") == "none" ? "budget" : "memory");
  notices.add(
      Notices::full_budget,
      compose("after {} examples the budget of {} support vectors is full, and {} would keep more: raise {}, or "
              "the model learns less from now on",
              progress.examples, stats.budget, algorithm_name(options), limit));
}

Model::Model(const Options& options) : state_(std::make_unique<State>(options)) { state_->require_learning(); }
Model::Model(std::unique_ptr<State> state) : state_(std::move(state)) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

bool Model::learn(const Batch& batch, std::vector<Prediction>* before, const Oracle& oracle) {
  if (batch.rows() > 0) state_->end_keeping();
  return state_->learn(batch, before, oracle);
}

bool Model::State::learn(const Batch& batch, std::vector<Prediction>* before_out, const Oracle& oracle) {
  require_learning();
  const ThreadAllowance allowed(learning_threads);
  if (oracle && task != TaskKind::classify) {
    throw Error({"labels are asked for with ", option("task", "classify"), " only"});
  }
  const bool asking = oracle != nullptr || !query.takes_all();
  source.take_note(batch.new_labels);
  if (before_out != nullptr) before_out->resize(batch.rows());
  if (batch.rows() > 0) {
    check_form(batch);
    require_columns(batch);
    check_labels(batch, asking);
    check_weights(batch, progress.examples);
    check_values(batch.features());
  }
  if (query.is_due() && !ask(oracle)) {
    if (before_out != nullptr) before_out->clear();
    return false;
  }
  if (batch.rows() == 0) return true;
  if (learner == nullptr) {
    head_left = std::min(batch.rows(), kBatchRows);
    const auto head = static_cast<std::size_t>(head_left);
    start(batch.features().slice(0, head), std::span(batch.labels).first(head),
          std::span(batch.targets).first(batch.targets.empty() ? 0 : head), batch.highest,
          batch.columns ? batch.columns->schema.get() : nullptr);
    index_base = batch.index_base;
    if (batch.columns && batch.columns->encoded_dimension() == scaler->dimension()) columns = batch.columns;
    beginning = fingerprint(batch, rows_for_fingerprint(batch), source.texts());
  }
  take_columns(batch);
  const std::size_t taken = learn_rows(batch, asking, oracle, before_out == nullptr ? nullptr : before_out->data());
  if (before_out != nullptr) before_out->resize(taken);
  return !query.is_due();
}

void Model::use_threads(unsigned threads) { state_->learning_threads = threads; }

void Model::end_pass() {
  const ThreadAllowance allowed(state_->learning_threads);
  state_->end_keeping();
  state_->end_pass();
  state_->position = {state_->position.pass + 1, 0};
}

void Model::expect_classes(std::span<const std::string> texts) {
  State& s = *state_;
  s.require_learning();
  if (s.task != TaskKind::classify) {
    throw Error({"classes are expected with ", option("task", "classify"), " only"});
  }
  for (const std::string& text : texts) {
    if (s.singles.is_keeping()) s.singles.expect_class(text);
    if (s.labels.find(text) != kNoClass) continue;
    if (s.learner == nullptr) {
      s.labels.add(text);
    } else {
      s.add_class(text);
    }
  }
}

void Model::begin_source() { state_->source.clear(); }

// --- prediction ------------------------------------------------------------------------------------------------------

void Model::State::scores_of(const Rows& scaled_rows, std::span<float> out) const {
  learner->scores(scaled_rows, out);
  if (!target_scaler) return;
  for (float& score : out) score = target_scaler->transform().restored(score);
}

// Calls act(first row, scaled rows) for each piece. Returns the number of ignored values.
template <class Act>
std::uint64_t Model::State::in_scaled_pieces(const Batch& batch, unsigned threads, const Act& act) const {
  if (learner == nullptr || batch.rows() == 0) return 0;
  check_form(batch);
  require_columns(batch);
  const Rows rows = batch.features();
  check_values(rows);
  in_pieces(rows.count, threads, cost_per_row(*learner), [&](std::size_t begin, std::size_t n) {
    thread_local RowBuffer scaled;
    act(begin, scaler->transform(rows.slice(begin, n), scaled));
  });
  return values_beyond(rows, scaler->dimension());
}

// The same with take(first row, rows, scores).
template <class Take>
std::uint64_t Model::State::score(const Batch& batch, unsigned threads, const Take& take) const {
  return in_scaled_pieces(batch, threads, [&](std::size_t begin, const Rows& rows) {
    thread_local std::vector<float> scores;
    scores.resize(rows.count * learner->outputs());
    scores_of(rows, scores);
    take(begin, rows.count, std::span<const float>(scores));
  });
}

std::uint64_t predict_into(const Model& model, const Batch& batch, std::vector<Prediction>& out, unsigned threads) {
  out.assign(batch.rows(), {});
  const std::size_t width = model.outputs();
  const auto take = [&](std::size_t begin, std::size_t n, std::span<const float> scores) {
    for (std::size_t i = 0; i < n; ++i) out[begin + i] = learner_of(model).decide(scores.subspan(i * width, width));
  };
  return ModelAccess::state(model).score(batch, threads, take);
}

std::uint64_t scores_into(const Model& model, const Batch& batch, std::vector<float>& out, unsigned threads) {
  const std::size_t width = model.outputs();
  out.assign(batch.rows() * width, 0);
  const auto take = [&](std::size_t begin, std::size_t, std::span<const float> scores) {
    std::ranges::copy(scores, out.begin() + static_cast<std::ptrdiff_t>(begin * width));
  };
  return ModelAccess::state(model).score(batch, threads, take);
}

void probabilities_of(const Model& model, std::span<const float> scores, std::span<float> out) {
  KINGLET_ASSERT(model.gives_probabilities() && model.has_learned());
  const ClassId predicted = learner_of(model).decide(scores).label;
  if (predicted != kNoClass) ModelAccess::state(model).calibration->probabilities(scores, predicted, out);
}

std::uint64_t probabilities_into(const Model& model, const Batch& batch, std::vector<float>& out, unsigned threads) {
  if (!model.gives_probabilities()) {
    throw Error(
        model.task() == TaskKind::classify
            ? compose("the model has no probabilities: it was trained without {}", option("proba"))
            : compose("the model has no probabilities: it is of {}", option("task", model.options().text("task"))));
  }
  const std::size_t classes = model.labels().size();
  const std::size_t width = model.outputs();
  out.assign(batch.rows() * classes, 0);
  const auto take = [&](std::size_t begin, std::size_t n, std::span<const float> scores) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = std::span(out).subspan((begin + i) * classes, classes);
      probabilities_of(model, scores.subspan(i * width, width), row);
    }
  };
  return ModelAccess::state(model).score(batch, threads, take);
}

std::uint64_t deviations_into(const Model& model, const Batch& batch, std::vector<float>& out, unsigned threads) {
  if (model.task() != TaskKind::regress) {
    throw Error(compose("the model has no standard deviations: it is of {}, not {}",
                        option("task", model.options().text("task")), option("task", "regress")));
  }
  if (!model.gives_deviations()) {
    throw Error(compose(
        "the model has no standard deviations: learners in a span estimate them, such as {}, from the end of their "
        "first pass on",
        option("algo", "bnewton")));
  }
  const auto& state = ModelAccess::state(model);
  out.assign(batch.rows(), 0);
  const float unit = state.target_scaler ? static_cast<float>(state.target_scaler->transform().deviation) : 1.0F;
  return state.in_scaled_pieces(batch, threads, [&](std::size_t begin, const Rows& rows) {
    const auto part = std::span(out).subspan(begin, rows.count);
    state.learner->deviations(rows, part);
    for (float& deviation : part) deviation *= unit;
  });
}

Predictions Model::predict(const Batch& batch, unsigned threads) const {
  Predictions result;
  result.ignored_values = predict_into(*this, batch, result.rows, threads);
  return result;
}

RowValues Model::scores(const Batch& batch, unsigned threads) const {
  RowValues result{.values = {}, .width = outputs()};
  result.ignored_values = scores_into(*this, batch, result.values, threads);
  return result;
}

RowValues Model::probabilities(const Batch& batch, unsigned threads) const {
  RowValues result{.values = {}, .width = labels().size()};
  result.ignored_values = probabilities_into(*this, batch, result.values, threads);
  return result;
}

RowValues Model::deviations(const Batch& batch, unsigned threads) const {
  RowValues result{.values = {}, .width = 1};
  result.ignored_values = deviations_into(*this, batch, result.values, threads);
  return result;
}

bool Model::gives_deviations() const { return state_->learner != nullptr && state_->learner->gives_deviations(); }

bool Model::gives_probabilities() const { return state_->calibration.has_value(); }

const Reliability& Model::online_reliability() const {
  static const Reliability kNone;
  return gives_probabilities() ? state_->calibration->reliability() : kNone;
}

// --- the rest --------------------------------------------------------------------------------------------------------

std::span<const ClassId> Model::LabelMap::operator()(const Batch& batch) {
  texts_.insert(texts_.end(), batch.new_labels.begin(), batch.new_labels.end());
  classes_.resize(texts_.size(), kNoClass);
  rows_.resize(batch.rows());
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    const std::uint32_t label = batch.labels[i];
    rows_[i] = label == kNoLabel && model_->task() == TaskKind::novelty ? kNormal : kNoClass;
    if (label >= texts_.size()) continue;
    if (classes_[label] == kNoClass) classes_[label] = model_->state_->labels.find(texts_[label]);
    rows_[i] = classes_[label];
  }
  return rows_;
}

std::span<const std::string> Model::labels() const { return state_->labels.texts(); }
TaskKind Model::task() const { return state_->task; }
const Options& Model::options() const { return state_->options; }
const Options& Model::requested_options() const { return state_->requested; }
Options Model::settled_options() const {
  return has_learned() ? state_->learner->settled_options(state_->options) : state_->options;
}
Standings Model::standings() const {
  Standings all = has_learned() ? state_->learner->standings() : Standings();
  if (!state_->target_scaler) return all;
  const auto restore = [&](double& error) { error *= state_->target_scaler->transform().deviation; };
  for (MemberStanding& member : all.members) {
    restore(member.error);
    restore(member.recent_error);
  }
  for (Leadership& window : all.history) restore(window.recent_error);
  for (DriftAlarm& alarm : all.drift) {
    restore(alarm.recent_error);
    restore(alarm.usual_error);
  }
  return all;
}
std::uint64_t Model::drift_alarms() const { return has_learned() ? state_->learner->drift_alarms() : 0; }
const Progress& Model::progress() const { return state_->progress; }
bool Model::asks_for_labels() const { return state_->asks(); }
LearnerStats Model::stats() const {
  LearnerStats stats = has_learned() ? state_->learner->stats() : LearnerStats{};
  stats.only_predicts = !state_->only_predicts.empty();
  return stats;
}
std::size_t Model::outputs() const { return has_learned() ? state_->learner->outputs() : 1; }
std::optional<int> Model::index_base() const { return state_->index_base; }
const std::shared_ptr<const Columns>& Model::columns() const { return state_->columns; }
std::vector<std::string> Model::feature_names() const {
  const Columns* const columns = state_->columns.get();
  if (columns == nullptr) return {};
  return columns->schema ? names_of_features(*columns->schema, columns->features) : columns->features;
}
std::uint32_t Model::dimension() const { return has_learned() ? state_->scaler->dimension() : 0; }

std::vector<Message> Model::take_notices() {
  if (state_->learner != nullptr) state_->notice_full_budget();
  return state_->notices.take();
}

bool Model::has_learned() const { return state_->learner != nullptr; }

std::vector<SupportVector> Model::support_vectors(std::size_t most) const {
  if (!has_learned()) return {};
  std::vector<std::pair<double, std::size_t>> order;
  const Learner& learner = *state_->learner;
  const std::span<const float> factors = learner.feature_factors();
  for (std::size_t i = 0; i < stats().support_vectors; ++i) {
    order.emplace_back(-learner.support_vector(i).weight(), i);
  }
  std::ranges::sort(order);
  order.resize(std::min(order.size(), most));
  std::vector<SupportVector> chosen;
  for (const auto& [weight, i] : order) {
    SupportVector& vector = chosen.emplace_back(learner.support_vector(i));
    for (std::size_t k = 0; k < factors.size(); ++k) vector.x[k] /= factors[k];
    state_->scaler->restore(vector.x);
    if (!state_->target_scaler) continue;
    for (double& coefficient : vector.coefficients) coefficient *= state_->target_scaler->transform().deviation;
  }
  return chosen;
}

// --- for the library's own parts (model_access.hpp) ------------------------------------------------------------------

Position position_of(const Model& model) { return ModelAccess::state(model).position; }

void set_position(Model& model, const Position& position) {
  ModelAccess::State& state = ModelAccess::state(model);
  state.end_keeping();
  state.position = position;
}

bool began_with(const Model& model, const Batch& first) {
  const Fingerprint& known = ModelAccess::state(model).beginning;
  if (known.rows > first.rows()) return false;
  return fingerprint(first, known.rows, first.new_labels) == known || known.rows == 0;
}

std::optional<std::uint64_t> rows_hash(const Model& model) { return ModelAccess::state(model).rows_hash; }

void set_rows_hash(Model& model, std::optional<std::uint64_t> hash) { ModelAccess::state(model).rows_hash = hash; }

void begin_other_data(Model& model) {
  set_position(model, {});
  set_rows_hash(model, std::nullopt);
  ModelAccess::state(model).beginning = {};
  if (ModelAccess::state(model).learner) ModelAccess::state(model).learner->begin_data();
}

const Learner& learner_of(const Model& model) {
  KINGLET_ASSERT(model.has_learned());
  return *ModelAccess::state(model).learner;
}

}  // namespace kinglet
