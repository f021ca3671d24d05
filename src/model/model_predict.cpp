// Prediction of batches: scales the rows, scores them on several threads, and makes predictions, probabilities or
// deviations of the scores. Model::predict() of one example is in model_single.cpp.
#include <algorithm>

#include "core/assert.hpp"
#include "core/compose.hpp"
#include "core/parallel.hpp"
#include "kinglet/error.hpp"
#include "model/batch_checks.hpp"
#include "model/model_state.hpp"

namespace kinglet {
namespace {

// Rows are scored in pieces of this size, regardless of the number of threads, so that threads cannot change the
// result.
constexpr std::size_t kPiece = 64;

// Calls work(begin, n) for every piece of `rows`, on as many threads as are allowed and worth while.
template <class Work>
void in_pieces(std::size_t rows, unsigned threads, double cost_per_row, const Work& work) {
  const std::size_t useful = useful_threads(static_cast<double>(rows) * cost_per_row, thread_count(threads));
  parallel_for((rows + kPiece - 1) / kPiece, static_cast<unsigned>(useful),
               [&](std::size_t i) { work(i * kPiece, std::min(kPiece, rows - i * kPiece)); });
}

double cost_per_row(const Learner& learner) {
  const LearnerStats stats = learner.stats();
  return static_cast<double>(stats.support_vectors) * static_cast<double>(stats.dimension + stats.classes + 10);
}

// Calls act(first row, scaled rows) for each piece. Returns the number of ignored values.
template <class Act>
std::uint64_t in_scaled_pieces(const ModelAccess::State& model, const Batch& batch, unsigned threads, const Act& act) {
  if (model.learner == nullptr || batch.rows() == 0) return 0;
  check_form(batch);
  check_columns(batch, model.columns.get());
  const Rows rows = batch.features();
  check_values(rows);
  in_pieces(rows.count, threads, cost_per_row(*model.learner), [&](std::size_t begin, std::size_t n) {
    thread_local RowBuffer scaled;
    act(begin, model.scaler->transform(rows.slice(begin, n), scaled));
  });
  return model.ignored_values(rows);
}

// The same with take(first row, rows, scores).
template <class Take>
std::uint64_t in_scores(const ModelAccess::State& model, const Batch& batch, unsigned threads, const Take& take) {
  return in_scaled_pieces(model, batch, threads, [&](std::size_t begin, const Rows& rows) {
    thread_local std::vector<float> scores;
    scores.resize(rows.count * model.learner->outputs());
    model.scores_of(rows, scores);
    take(begin, rows.count, std::span<const float>(scores));
  });
}

}  // namespace

void Model::State::scores_of(const Rows& scaled_rows, std::span<float> out) const {
  learner->scores(scaled_rows, out);
  if (!target_scaler) return;
  for (float& score : out) score = target_scaler->transform().restored(score);
}

std::uint64_t Model::State::ignored_values(const Rows& rows) const {
  const std::uint32_t dimension = scaler->dimension();
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

std::uint64_t predict_into(const Model& model, const Batch& batch, std::vector<Prediction>& out, unsigned threads) {
  out.assign(batch.rows(), {});
  const std::size_t width = model.outputs();
  const auto take = [&](std::size_t begin, std::size_t n, std::span<const float> scores) {
    for (std::size_t i = 0; i < n; ++i) out[begin + i] = learner_of(model).decide(scores.subspan(i * width, width));
  };
  return in_scores(ModelAccess::state(model), batch, threads, take);
}

std::uint64_t scores_into(const Model& model, const Batch& batch, std::vector<float>& out, unsigned threads) {
  const std::size_t width = model.outputs();
  out.assign(batch.rows() * width, 0);
  const auto take = [&](std::size_t begin, std::size_t, std::span<const float> scores) {
    std::ranges::copy(scores, out.begin() + static_cast<std::ptrdiff_t>(begin * width));
  };
  return in_scores(ModelAccess::state(model), batch, threads, take);
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
  return in_scores(ModelAccess::state(model), batch, threads, take);
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
  return in_scaled_pieces(state, batch, threads, [&](std::size_t begin, const Rows& rows) {
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

}  // namespace kinglet
