// One example at a time. Each is learned as a batch of one row; the first ones are kept, see single_examples.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/compose.hpp"
#include "kinglet/error.hpp"
#include "model/model_state.hpp"

namespace kinglet {
namespace {

// `dimension` is 0 before the first example.
void check_example(std::span<const float> x, std::uint32_t dimension) {
  if (x.empty()) throw Error("an example needs at least one feature");
  if (dimension > 0 && x.size() != dimension) {
    throw Error(fmt::format("the example has {} features, and the model has {}", x.size(), dimension));
  }
  const auto infinite = std::ranges::find_if(x, [](float value) { return std::isinf(value); });
  if (infinite == x.end()) return;
  throw Error(fmt::format("the example has an infinite value in feature {}", infinite - x.begin() + 1));
}

// A label given as a number: the text of a whole number.
std::string label_text(double number) {
  constexpr double kMost = 0x1p53;
  if (std::abs(number) <= kMost && number == std::floor(number)) {
    return fmt::format("{}", static_cast<std::int64_t>(number));
  }
  throw Error(compose("the label {} is not a whole number: to learn numbers instead of classes use {}", number,
                      option("task", "regress")));
}

float checked_number(double number) {
  const auto single = static_cast<float>(number);
  if (std::isfinite(single)) return single;
  throw Error(
      fmt::format("the number to learn is {}: it must be finite, and not too large for single precision", number));
}

// While it lives, the labels of batches are those of examples that come one at a time.
class UseLabels {
 public:
  UseLabels(SourceLabels& current, SourceLabels& other) : current_(current), other_(other) {
    std::swap(current, other);
  }
  ~UseLabels() { std::swap(current_, other_); }
  UseLabels(const UseLabels&) = delete;
  UseLabels& operator=(const UseLabels&) = delete;

 private:
  SourceLabels& current_;
  SourceLabels& other_;
};

}  // namespace

void Model::State::learn_one(std::span<const float> x, std::uint32_t label, std::optional<float> number, float weight) {
  require_learning();
  check_example(x, learner == nullptr ? 0 : scaler->dimension());
  singles.set_row(x, label, number, weight);
  if (learner == nullptr) singles.begin_keeping(labels.texts(), position);
  if (!singles.is_keeping()) return learn_row();
  singles.keep_row();
  try {
    std::has_single_bit(singles.kept().rows()) ? start_again() : learn_row();
  } catch (...) {
    singles.drop_last();
    throw;
  }
  if (singles.kept().rows() == kBatchRows) singles.end_keeping();
}

void Model::State::learn_row() {
  const UseLabels labels_of_singles(source, singles.labels());
  learn(singles.row(), nullptr, {});
}

// Learns all kept rows from the beginning. Everything stays as it was when that fails.
void Model::State::start_again() {
  State fresh(requested, Complete{});
  fresh.notices = notices;
  fresh.learning_threads = learning_threads;
  for (const std::string& text : singles.expected_classes()) fresh.labels.add(text);
  fresh.position = singles.position();
  fresh.source.take_note(singles.labels().texts());
  fresh.learn(singles.kept(), nullptr, {});
  singles.labels() = std::move(fresh.source);
  source.forget_classes();
  fresh.source = std::move(source);
  fresh.singles = std::move(singles);
  *this = std::move(fresh);
}

void Model::State::end_keeping() {
  if (!singles.is_keeping()) return;
  if (!std::has_single_bit(singles.kept().rows())) start_again();
  singles.end_keeping();
}

void Model::learn(std::span<const float> x, std::string_view label, float weight) {
  State& s = *state_;
  if (s.task == TaskKind::regress) {
    throw Error(
        compose("the label '{}' is a text, but with {} the model learns numbers", label, option("task", "regress")));
  }
  s.learn_one(x, s.singles.label_id(label), std::nullopt, weight);
}

void Model::learn(std::span<const float> x, double number, float weight) {
  if (state_->task != TaskKind::regress) return learn(x, label_text(number), weight);
  state_->learn_one(x, kNoLabel, checked_number(number), weight);
}

void Model::learn(std::span<const float> x) {
  if (state_->task != TaskKind::novelty) {
    throw Error(compose("the example has no {}: only with {} the model learns without one",
                        state_->task == TaskKind::regress ? "number" : "label", option("task", "novelty")));
  }
  state_->learn_one(x, kNoLabel, std::nullopt, 1);
}

Answer Model::predict(std::span<const float> x) const {
  const State& s = *state_;
  check_example(x, dimension());
  if (s.learner == nullptr) return {};
  thread_local RowBuffer scaled;
  thread_local std::vector<float> scores;
  scores.resize(s.learner->outputs());
  const auto width = static_cast<std::uint32_t>(x.size());
  const Rows row{.count = 1, .dimension = width, .values = x.data(), .stride = width};
  s.scores_of(s.scaler->transform(row, scaled), scores);
  const Prediction prediction = s.learner->decide(scores);
  Answer answer{.class_id = prediction.label, .score = prediction.score};
  if (prediction.label == kNoClass) return answer;
  answer.label = s.labels.texts()[prediction.label];
  if (s.calibration) {
    thread_local std::vector<float> probabilities;
    probabilities.resize(s.labels.size());
    s.calibration->probabilities(scores, prediction.label, probabilities);
    answer.probability = probabilities[prediction.label];
  }
  return answer;
}

}  // namespace kinglet
