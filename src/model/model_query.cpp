// Active learning: predicts rows in turn, asks the oracle for the labels of those that the query rule selects, and
// learns them.
//
// Rows are scaled, and a few of them scored, in advance. Scores become invalid when something is learned; then one row
// is scored next, and twice as many after each group without learning. If learning stops early, the scaler is reset to
// the rows that were processed. So the result does not depend on how rows are divided into batches.
#include <algorithm>

#include "model/model_state.hpp"

namespace kinglet {
namespace {

constexpr std::size_t kLargestGroup = 64;

}  // namespace

std::size_t Model::State::learn_asking(const Rows& raw, const Batch& batch, std::size_t at, const Oracle& oracle,
                                       Prediction* out) {
  const bool in_head = head_left > 0;
  if (!in_head) scaler_before = *scaler;
  const Rows rows = in_head ? scaler->transform(raw, buffer) : scaler->learn(raw, buffer);
  std::size_t taken = 0;
  const auto set_back = [&] {
    if (in_head) return;
    scaler = scaler_before;
    scaler->learn(raw.slice(0, taken), buffer);
  };
  try {
    if (!take_and_ask(raw, rows, batch, at, oracle, out, taken)) set_back();
  } catch (...) {
    set_back();
    throw;
  }
  return taken;
}

// False if the oracle gave no answer. `taken` is correct even if this throws.
bool Model::State::take_and_ask(const Rows& raw, const Rows& rows, const Batch& batch, std::size_t at,
                                const Oracle& oracle, Prediction* out, std::size_t& taken) {
  std::size_t scored = 0;  // rows before this one have been scored
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::span<const float> scores = score_ahead(rows, i, scored);
    out[i] = learner->decide(scores);
    const std::uint32_t label = batch.labels[at + i];
    judge(out[i], label);
    ++taken;
    ++progress.examples;
    ++position.row;
    if (head_left > 0) --head_left;
    if (!query.may_ask(progress.labels)) continue;
    const double certainty = learner->certainty(scores);
    if (query.prefers(certainty)) {
      Candidate& candidate = query.candidate();
      candidate.example = progress.examples;
      candidate.prediction = out[i];
      candidate.certainty = certainty;
      candidate.weight = batch.weights.empty() ? 1 : batch.weights[at + i];
      candidate.label.reset();
      if (label != kNoLabel) candidate.label = source.text(label);
      candidate.row_id = batch.ids.empty() ? std::string() : batch.ids[at + i];
      candidate.raw.assign(raw[i]);
      candidate.scaled.assign(rows[i]);
    }
    if (!query.is_due()) continue;
    if (!ask(oracle)) return false;
    scored = i + 1;
    group = 1;
  }
  return true;
}

// The scores of row `i`; rows before `scored` are already scored.
std::span<const float> Model::State::score_ahead(const Rows& rows, std::size_t i, std::size_t& scored) {
  const std::size_t outputs = learner->outputs();
  if (i == scored) {
    const std::size_t n = std::min(group, rows.count - i);
    scores_ahead.resize(n * outputs);
    learner->scores(rows.slice(i, n), scores_ahead);
    scored = i + n;
    group = std::min(2 * group, kLargestGroup);
  }
  return std::span<const float>(scores_ahead).subspan(scores_ahead.size() - (scored - i) * outputs, outputs);
}

void Model::State::judge(const Prediction& prediction, std::uint32_t label) {
  if (label == kNoLabel) {
    ++progress.unlabelled;
    return;
  }
  const ClassId truth = source.class_of(label, labels);
  progress.mistakes += truth == kNoClass || prediction.label != truth;
}

// Asks the pending query; false if there is no answer.
bool Model::State::ask(const Oracle& oracle) {
  const Query question = query.candidate().query();
  const std::optional<std::string> label = oracle ? oracle(question) : label_in_data(question);
  if (!label) return false;
  if (!label->empty()) learn_answer(*label);
  query.answered();
  return true;
}

void Model::State::learn_answer(const std::string& text) {
  Candidate& candidate = query.candidate();
  const ClassId known = labels.find(text);
  if (known == kNoClass) add_class(text);
  const ClassId label = known == kNoClass ? labels.find(text) : known;
  const float weight = candidate.weight * class_weights.next(label);
  const std::span<float> scores = room_for_scores(1);
  learner->learn_batch(candidate.scaled.as_rows(scaler->dimension()), {&label, 1}, {&weight, 1}, {{}, scores});
  calibrate(scores, &label, &weight, 1);
  ++progress.labels;
  if (candidate.label) return;                         // its prediction was already evaluated
  if (progress.unlabelled > 0) --progress.unlabelled;  // 0 only in a manipulated file
  progress.mistakes += candidate.prediction.label != label;
}

}  // namespace kinglet
