// Converts a Model to a FlatModel and back.
#include <fmt/format.h>

#include "kinglet/error.hpp"
#include "learn/fixed_learner.hpp"
#include "model/model_state.hpp"

namespace kinglet {
namespace {

// Limit for the vectors in dense form, which must fit into memory.
constexpr double kMostBytes = 4e9;

void require_room(std::size_t vectors, std::uint32_t dimension) {
  const double bytes = static_cast<double>(vectors) * static_cast<double>(dimension) * sizeof(float);
  if (bytes <= kMostBytes) return;
  throw Error(fmt::format("{} support vectors of {} features would need {:.1f} GB in dense form, which is too much",
                          vectors, dimension, bytes / 1e9));
}

std::string origin_of(const Options& options, std::size_t vectors) {
  if (is_fixed(options)) return options.text("origin");
  return fmt::format("{} with {} support vectors", options.text("algo"), vectors);
}

// mean + deviation · f as a function of the same form.
void restore_units(FlatModel& plain, const TargetTransform& targets) {
  for (double& coefficient : plain.coefficients) coefficient *= targets.deviation;
  for (double& bias : plain.biases) bias = targets.mean + targets.deviation * bias;
}

}  // namespace

FlatModel flatten(const Model& model) {
  const ModelAccess::State& s = ModelAccess::state(model);
  if (!model.has_learned()) throw Error("the model has learned nothing yet");
  if (s.task == TaskKind::classify && s.labels.size() < 2) {
    throw Error("the model knows fewer than two classes, so it cannot predict");
  }
  const Learner& learner = *s.learner;
  const std::size_t count = learner.stats().support_vectors;
  FlatModel plain;
  plain.task = s.task;
  plain.kernel = make_kernel(learner.settled_options(s.options));
  plain.labels.assign(model.labels().begin(), model.labels().end());
  plain.dimension = model.dimension();
  const auto* fixed = dynamic_cast<const FixedLearner*>(&learner);
  plain.decision = fixed != nullptr              ? fixed->decision()
                   : s.task == TaskKind::regress ? Decision::value
                   : learner.outputs() == 1      ? Decision::sign
                                                 : Decision::largest;
  plain.functions = functions_for(plain.decision, plain.labels.size());
  require_room(count, plain.dimension);
  for (std::size_t j = 0; j < count; ++j) {
    const SupportVector vector = learner.support_vector(j);
    plain.append(vector.x, vector.coefficients);
  }
  for (std::size_t m = 0; m < plain.functions; ++m) plain.biases.push_back(learner.bias(m));
  if (s.target_scaler) restore_units(plain, s.target_scaler->transform());
  // A metric on top of no scaling is a scaling, too.
  plain.scale =
      s.scaler->metric() != nullptr && s.scaler->kind() == ScaleKind::none ? ScaleKind::standard : s.scaler->kind();
  plain.shift.assign(s.scaler->shift().begin(), s.scaler->shift().end());
  plain.factor.assign(s.scaler->factor().begin(), s.scaler->factor().end());
  const std::span<const float> factors = learner.feature_factors();
  for (std::size_t k = 0; k < factors.size() && !plain.factor.empty(); ++k) plain.factor[k] *= factors[k];
  plain.fillers = s.scaler->fillers();
  plain.has_missing = s.scaler->has_missing();
  plain.storage = s.storage();
  plain.index_base = s.index_base;
  plain.columns = s.columns;
  plain.origin = origin_of(s.options, count);
  return plain;
}

Model fixed_model(const FlatModel& plain) {
  check_flat(plain, "a flat model");
  const Options options = fixed_options(plain);
  check_fixed_options(options);
  auto state = std::make_unique<ModelAccess::State>(options, ModelAccess::State::Complete{});
  for (const std::string& label : plain.labels) state->labels.add(label);
  if (state->labels.size() != plain.labels.size()) throw Error("a flat model has the same label twice");
  state->scaler = Scaler::fixed(
      plain.scale, plain.storage != Storage::dense, plain.dimension, plain.shift, plain.factor, plain.fillers,
      plain.columns && plain.columns->schema ? std::optional(plain.columns->schema->numbers) : std::nullopt);
  state->learner = std::make_unique<FixedLearner>(plain, options);
  state->index_base = plain.index_base;
  state->columns = plain.columns;
  return ModelAccess::make(std::move(state));
}

}  // namespace kinglet
