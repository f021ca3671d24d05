// A sample of the rows of a pass, for a learner that reviews them at its end (Learner::review). Rows are kept as they
// are in the data and are scaled at the end of the pass: along the stream the scaling changes.
#include "core/random.hpp"
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

// The learner may end a pass with another function than it had, for which the calibration of the pass does not hold.
void Model::State::end_pass() {
  if (!learner) return;
  scaler->hold();
  if (target_scaler) target_scaler->hold();
  const std::vector<float> at_first = scores_of_sample();
  learner->finish();
  if (sample) review_sample();
  const std::vector<float> at_last = scores_of_sample();
  if (at_last != at_first) calibrate_again(at_last);
  if (sample) sample->restart();
}

// With the rows of the sample in random order, several times, because there are few. The function has learned them
// before, so that probabilities are somewhat too certain.
void Model::State::calibrate_again(std::span<const float> scores) {
  constexpr std::size_t kSteps = 20'000;
  Calibration fresh;
  fresh.grow(static_cast<std::uint32_t>(labels.size()));
  const std::size_t width = learner->outputs();
  Random random(static_cast<std::uint64_t>(requested.integer("seed")));
  for (std::size_t step = 0; step < kSteps; ++step) {
    const std::size_t i = random.below(sample->size());
    const std::span<const float> row = scores.subspan(i * width, width);
    const ClassId truth = sample->targets().classes[i];
    const float weight = sample->weights()[i] * class_weights.weight(truth);
    fresh.learn(row, learner->decide(row).label, truth, static_cast<double>(weight));
  }
  calibration->take_slopes(fresh);
}

std::vector<float> Model::State::scores_of_sample() const {
  if (!sample || !calibration) return {};
  RowBuffer scaled;
  std::vector<float> scores(sample->size() * learner->outputs());
  learner->scores(scaler->transform(sample->rows(), scaled), scores);
  return scores;
}

void Model::State::review_sample() {
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
}

}  // namespace kinglet
