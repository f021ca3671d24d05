// A sample of the rows of a pass, for a learner that reviews them at its end (Learner::review). Rows are kept as they are in
// the data and are scaled at the end of the pass: along the stream the scaling changes.
#include "model/model_state.hpp"

namespace kinglet {

void Model::State::start_sample() {
  sample.reset();
  if (learner->sampled_rows() == 0) return;
  const Shape shape{.dimension = scaler->dimension(), .classes = learner->classes(), .storage = storage()};
  sample.emplace(shape, task, learner->sampled_rows());
}

void Model::State::sample_rows(const Rows& raw, const Batch& batch, std::size_t at) {
  if (!sample) return;
  const Targets targets =
      task == TaskKind::regress ? Targets(&batch.targets[at], raw.count) : Targets(classes.data(), raw.count);
  sample->add(raw, targets,
              batch.weights.empty() ? std::span<const float>() : std::span(batch.weights).subspan(at, raw.count));
}

void Model::State::review_sample() {
  if (!sample) return;
  const Rows rows = scaler->transform(sample->rows(), buffer);
  Targets targets = sample->targets();
  weights.assign(sample->weights().begin(), sample->weights().end());
  if (task == TaskKind::regress && target_scaler) {
    scaled_targets.resize(rows.count);
    for (std::size_t i = 0; i < rows.count; ++i) {
      scaled_targets[i] = target_scaler->transform().scaled(targets.numbers[i]);
    }
    targets = std::span<const float>(scaled_targets);
  }
  if (task == TaskKind::classify) {
    for (std::size_t i = 0; i < rows.count; ++i) weights[i] *= class_weights.weight(targets.classes[i]);
  }
  learner->review(rows, targets, weights);
  sample->restart();
}

}  // namespace kinglet
