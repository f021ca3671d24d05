// Learning of batches: passes their rows and labels through the scaler to the learner, for each of the three tasks.
#include <algorithm>
#include <cmath>

#include "core/compose.hpp"
#include "core/parallel.hpp"
#include "kinglet/error.hpp"
#include "model/batch_checks.hpp"
#include "model/model_state.hpp"
#include "records/schema.hpp"

namespace kinglet {
namespace {

std::span<const float> weights_of(const Batch& batch, std::size_t begin, std::size_t n) {
  return batch.weights.empty() ? std::span<const float>() : std::span(batch.weights).subspan(begin, n);
}

std::uint32_t rows_for_fingerprint(const Batch& batch) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(batch.rows(), Fingerprint::kMostRows));
}

}  // namespace

void Model::State::require_learning() const {
  if (!only_predicts.empty()) throw Error(only_predicts);
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
    check_columns(batch, columns.get());
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

void Model::State::take_columns(const Batch& batch) {
  if (!columns || !columns->schema || !batch.columns || batch.columns == columns) return;
  if (continues(*columns->schema, *batch.columns->schema)) columns = batch.columns;
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

bool Model::State::is_new_class(const Batch& batch, std::size_t row) {
  return task == TaskKind::classify && source.class_of(batch.labels[row], labels) == kNoClass;
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

Prediction Model::State::meet_class(const Features& x, const std::string& text) {
  const Prediction before_learning = learner->predict(x);
  add_class(text);
  return before_learning;
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

}  // namespace kinglet
