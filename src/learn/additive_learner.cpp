#include "learn/additive_learner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/assert.hpp"
#include "learn/registry_entries.hpp"
#include "model/dense_support_set.hpp"

namespace kinglet {
namespace {

std::size_t outputs_for(std::uint32_t classes) { return classes <= 2 ? 1 : classes; }

std::size_t budget_from(const Options& options) {
  const bool bounded = budget_rule_entry(options.text("maintain")).bounded;
  return bounded ? static_cast<std::size_t>(options.integer("budget")) : 0;
}

// Sizes and scores of support vectors are floats: of larger ones, sums and squares would not be.
constexpr double kLargestKernel = 1e30;

// A rule may hold one vector more than the budget while it decides what goes.
std::size_t capacity_for(std::size_t budget) { return budget == 0 ? 1024 : budget + 1; }

void require_in_range(std::span<const float> scores, double self_kernel) {
  const auto finite = [](float score) { return std::isfinite(score); };
  if (std::ranges::all_of(scores, finite) && std::abs(self_kernel) <= kLargestKernel) return;
  throw Error("a kernel value left the range of numbers: scale the features, or lower --gamma, --coef0 or --degree");
}

}  // namespace

AdditiveLearner::AdditiveLearner(const Options& options, const Shape& shape)
    : budget_(budget_from(options)),
      classes_(shape.classes),
      f_(make_kernel(options), shape, outputs_for(shape.classes), capacity_for(budget_)),
      update_(update_rule_entry(options.text("update")).make(options)),
      maintain_(budget_rule_entry(options.text("maintain")).make(options)),
      random_(static_cast<std::uint64_t>(options.integer("seed"))),
      ahead_(kLargestGroup * f_.outputs()),
      scores_(f_.outputs()),
      coefficients_(f_.outputs()) {
  if (update_->needs_norm()) f_.keep_norm();
  reserve_window();
}

std::size_t AdditiveLearner::bytes(const Options& options, const Shape& shape) {
  const std::size_t budget = budget_from(options);
  const std::size_t capacity = capacity_for(budget);
  const std::size_t outputs = outputs_for(shape.classes);
  const BudgetRuleEntry& maintain = budget_rule_entry(options.text("maintain"));
  const std::size_t window = shape.sparse ? 1 : DenseSupportSet::window_for(shape.dimension);
  const std::size_t vectors = shape.sparse ? 0 : DenseSupportSet::bytes(shape.dimension, capacity);
  return vectors + Expansion::bytes(outputs, capacity) + window * round_up(capacity, 16) * sizeof(float) +
         (maintain.memory == nullptr ? 0 : maintain.memory(budget)) +
         outputs * ((kLargestGroup + 1) * sizeof(float) + sizeof(double));
}

// Room for the kernel values of a window, all of whose examples may become support vectors.
void AdditiveLearner::reserve_window() {
  const std::size_t needed = budget_ == 0 ? f_.size() + f_.set().window() : capacity_for(budget_);
  const std::size_t rows = f_.set().window();  // may grow with the dimension
  if (needed <= window_stride_ && rows * window_stride_ <= window_.size()) return;
  if (needed > window_stride_) window_stride_ = round_up(budget_ == 0 ? 2 * needed : needed, 16);
  window_.assign(rows * window_stride_, 0);
}

void AdditiveLearner::scores(const Rows& rows, std::span<float> out) const {
  KINGLET_ASSERT(out.size() == rows.count * outputs());
  const std::size_t stride = std::max<std::size_t>(16, f_.set().padded_size());
  const std::size_t block = f_.set().block();
  thread_local AlignedFloats kernel_values;
  // Room for the whole budget at once: later calls of this thread allocate nothing.
  kernel_values.resize(std::max(kernel_values.size(), block * std::max(stride, window_stride_)));
  for (std::size_t begin = 0; begin < rows.count; begin += block) {
    const std::size_t n = std::min(block, rows.count - begin);
    f_.set().kernel_rows(rows.slice(begin, n), kernel_values.data(), stride);
    f_.evaluate_unscaled(kernel_values.data(), stride, n, &out[begin * outputs()]);
  }
  const auto scale = static_cast<float>(f_.scale());
  for (float& score : out) score *= scale;
}

AdditiveLearner::Margin AdditiveLearner::margin(std::span<const float> scores, ClassId label) const {
  // No branches on the label or the score: they are what cannot be predicted.
  if (scores.size() == 1) {
    const double sign = 2.0 * static_cast<double>(label) - 1;
    return {sign * static_cast<double>(scores[0]), 1 - label};
  }
  ClassId rival = label == 0 ? 1 : 0;
  for (ClassId c = 0; c < scores.size(); ++c) {
    if (c != label && scores[c] > scores[rival]) rival = c;
  }
  return {static_cast<double>(scores[label]) - static_cast<double>(scores[rival]), rival};
}

void AdditiveLearner::set_coefficients(ClassId label, ClassId rival, double step) {
  if (coefficients_.size() == 1) {
    coefficients_[0] = label == 1 ? step : -step;
    return;
  }
  std::ranges::fill(coefficients_, 0.0);
  coefficients_[label] = step;
  coefficients_[rival] = -step;
}

void AdditiveLearner::take_in(const Features& x, const float* kernel_row, double self_kernel, const Update& update) {
  ++updates_;
  const Term term{.x = x, .kernel_row = kernel_row, .self_kernel = self_kernel, .coefficients = coefficients_};
  if (maintain_->place(f_, term, random_)) ++maintenance_;
  KINGLET_ASSERT(budget_ == 0 || f_.size() <= budget_);
  if (update.radius < std::numeric_limits<double>::infinity()) {
    const double norm = std::sqrt(f_.squared_norm());
    if (norm > update.radius) f_.shrink(std::max(update.radius / norm, std::numeric_limits<double>::min()));
  }
}

// Scores are computed for a few examples at a time; a change of the expansion makes those of the next ones void. How many
// follows the stream: twice as many after each group that went by without a change.
void AdditiveLearner::learn_window(const Rows& rows, const ClassId* labels, const float* weights, Prediction* before) {
  SupportSet& set = f_.set();
  set.look_ahead(rows, window_.data(), window_stride_);
  const std::size_t outputs = f_.outputs();
  const bool radial = set.kernel().is_radial();
  std::size_t scored = 0;  // examples before this one have been scored
  std::size_t first = 0;   // where the scores in ahead_ begin
  for (std::size_t q = 0; q < rows.count; ++q) {
    const float* kernel_row = &window_[q * window_stride_];
    if (q == scored) {
      const std::size_t n = std::min(group_, rows.count - q);
      f_.evaluate_unscaled(kernel_row, window_stride_, n, ahead_.data());
      first = q;
      scored = q + n;
      group_ = std::min(2 * group_, kLargestGroup);
    }
    const auto scale = static_cast<float>(f_.scale());
    for (std::size_t c = 0; c < outputs; ++c) scores_[c] = ahead_[(q - first) * outputs + c] * scale;
    if (before != nullptr) before[q] = decision(scores_, classes_);
    KINGLET_ASSERT(labels[q] < classes_);
    const Margin seen = margin(scores_, labels[q]);
    const double self_kernel = radial ? 1 : set.kernel()(rows[q], rows[q]);
    require_in_range(scores_, self_kernel);
    const double weight = weights == nullptr ? 1 : static_cast<double>(weights[q]);
    const Update update = update_->on({.margin = seen.value, .self_kernel = self_kernel, .weight = weight});
    const bool folded = update.shrink != 1 && f_.shrink(update.shrink);
    if (update.step != 0) {
      set_coefficients(labels[q], seen.rival, update.step);
      take_in(rows[q], kernel_row, self_kernel, update);
    } else if (!folded) {
      continue;
    }
    for (const std::uint32_t slot : f_.changed()) set.refresh_column(slot, q + 1, window_.data(), window_stride_);
    f_.forget_changes();
    scored = q + 1;
    group_ = 1;
  }
}

void AdditiveLearner::learn_batch(const Rows& rows, std::span<const ClassId> labels, std::span<const float> weights,
                                  std::span<Prediction> before) {
  KINGLET_ASSERT(labels.size() == rows.count && (weights.empty() || weights.size() == rows.count));
  for (std::size_t begin = 0; begin < rows.count; begin += f_.set().window()) {
    reserve_window();
    learn_window(rows.slice(begin, std::min(f_.set().window(), rows.count - begin)), &labels[begin],
                 weights.empty() ? nullptr : &weights[begin], before.empty() ? nullptr : &before[begin]);
  }
  examples_ += rows.count;
}

void AdditiveLearner::grow(const Shape& shape) {
  classes_ = std::max(classes_, shape.classes);
  f_.grow(shape, outputs_for(classes_));
  ahead_.resize(kLargestGroup * f_.outputs());
  scores_.resize(f_.outputs());
  coefficients_.resize(f_.outputs());
}

Facts AdditiveLearner::facts() const {
  return {.examples = examples_,
          .updates = updates_,
          .support_vectors = f_.size(),
          .budget = budget_,
          .dimension = f_.set().dimension(),
          .classes = classes_,
          .memory_bytes = f_.memory_bytes() + window_.size() * sizeof(float) + maintain_->memory_bytes() +
                          f_.outputs() * ((kLargestGroup + 1) * sizeof(float) + sizeof(double)),
          .maintenance = maintenance_};
}

void AdditiveLearner::save(StateWriter& out) const {
  out.put(classes_);
  f_.save(out);
  update_->save(out);
  maintain_->save(out);
  const RandomState random = random_.state();
  for (const std::uint64_t word : random.words) out.put(word);
  out.put(random.spare);
  out.put(random.has_spare);
  out.put(examples_);
  out.put(updates_);
  out.put(maintenance_);
}

void AdditiveLearner::load(StateReader& in) {
  StateReader::require(in.get<std::uint32_t>() == classes_, "another number of classes");
  f_.load(in);
  StateReader::require(budget_ == 0 || f_.size() <= budget_, "more support vectors than the budget allows");
  update_->load(in);
  maintain_->load(in);
  RandomState random;
  for (std::uint64_t& word : random.words) word = in.get<std::uint64_t>();
  StateReader::require(std::ranges::any_of(random.words, [](std::uint64_t word) { return word != 0; }),
                       "a random state of zeros");
  random.spare = in.get<double>();
  random.has_spare = in.get<std::uint64_t>();
  random_.set_state(random);
  examples_ = in.get<std::uint64_t>();
  updates_ = in.get<std::uint64_t>();
  maintenance_ = in.get<std::uint64_t>();
}

}  // namespace kinglet
