#include "learn/additive_learner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/assert.hpp"
#include "core/option_texts.hpp"
#include "expansion/scoring.hpp"
#include "learn/metric.hpp"
#include "learn/registry_entries.hpp"

namespace kinglet {
namespace {

std::size_t budget_from(const Options& options) {
  const bool bounded = budget_rule_entry(options.text("maintain")).bounded;
  return bounded ? static_cast<std::size_t>(options.integer("budget")) : 0;
}

// A rule may have one vector more than the budget while it decides which one to remove.
std::size_t capacity_for(std::size_t budget) { return budget == 0 ? 1024 : budget + 1; }

// An odd number of cache lines: with a stride that is a power of two, columns would compete for a few sets of the
// cache.
std::size_t stride_for(std::size_t capacity) { return round_up(capacity, 16) | 16; }

// An example is far from every support vector if all its scores are smaller than kSmallScore and all its kernel values
// less than kFar, which floats represent poorly or as 0. Its scores are then computed in double precision, and scaled
// up so that the largest is at least kTinyScore.
constexpr float kFar = 1e-20F;
constexpr float kSmallScore = 1e-12F;
constexpr double kTinyScore = 1e-30;
bool is_small(float score) { return std::abs(score) < kSmallScore; }

const BudgetRuleEntry& maintenance_of(const Options& options) { return budget_rule_entry(options.text("maintain")); }

// What the rules and the options ask for, beside the expansion.
ModelFunction::Kept kept_for(const Options& options, const UpdateRule* update) {
  const BudgetRuleEntry& maintain = maintenance_of(options);
  return {.norm = update != nullptr && update->needs_norm(),
          .values = maintain.needs_values,
          .average = options.text("output") == "average",
          .loss = !maintain.rescales && indefinite_kernel(options).empty()};
}

std::size_t scratch_bytes(std::size_t outputs, std::size_t group) {
  return outputs * ((group + 2) * sizeof(float) + sizeof(double));
}

}  // namespace

std::size_t AdditiveLearner::outputs_for(TaskKind task, std::uint32_t classes) {
  return task != TaskKind::classify || classes <= 2 ? 1 : classes;
}

AdditiveLearner::AdditiveLearner(const Options& options, const Shape& shape)
    : budget_(budget_from(options)),
      task_(task_kind(options)),
      classes_(shape.classes),
      update_(update_rule_entry(options.text("update")).make(options)),
      maintain_(maintenance_of(options).make(options)),
      function_(make_kernel(options), shape, outputs_for(task_, shape.classes), capacity_for(budget_),
                kept_for(options, update_.get())),
      f_(function_.f),
      random_(static_cast<std::uint64_t>(options.integer("seed"))),
      ahead_(kLargestGroup * f_.outputs()),
      scores_(f_.outputs()),
      average_(f_.outputs()),
      coefficients_(f_.outputs()) {
  if (task_ == TaskKind::novelty) threshold_ = Threshold(options.real("nu"));
  if (learns_metric(options)) gradients_.emplace(shape.dimension, capacity_for(budget_));
  if (shape.has_sparse_vectors() && options.has("memory") && options.text("memory") != "none") {
    memory_limit_ = parse_memory(options.text("memory"));
  }
  if (options.has("epsilon")) epsilon_ = options.real("epsilon");
  update_->prepare(f_.outputs());
  if (function_.values) maintain_->use_values(*function_.values);
  maintain_->grow(classes_);
  shrink_first_ = static_cast<float>(update_->shrink_first());
  watches_ = maintain_->watches();
  projects_ = maintain_->learns_margin_errors();
  reserve_window();
}

std::size_t AdditiveLearner::bytes(const Options& options, const Shape& shape) {
  const std::size_t budget = budget_from(options);
  const std::size_t capacity = capacity_for(budget);
  const std::size_t outputs = outputs_for(task_kind(options), shape.classes);
  const BudgetRuleEntry& maintain = maintenance_of(options);
  return support_set_bytes(shape, capacity) + ModelFunction::bytes(outputs, capacity, kept_for(options, nullptr)) +
         support_set_window(shape) * stride_for(capacity) * sizeof(float) +
         (maintain.memory == nullptr ? 0 : maintain.memory(budget)) +
         (maintain.memory_for_classes == nullptr ? 0 : maintain.memory_for_classes(budget, shape.classes)) +
         (learns_metric(options) ? GradientSquares::bytes(shape.dimension, capacity) : 0) +
         scratch_bytes(outputs, kLargestGroup);
}

// Space for the kernel values of a window, all of whose examples may become support vectors.
void AdditiveLearner::reserve_window() {
  const std::size_t needed = budget_ == 0 ? f_.size() + f_.set().window() : capacity_for(budget_);
  const std::size_t rows = f_.set().window();  // may grow with the dimension
  if (needed <= window_stride_ && rows * window_stride_ <= window_.size()) return;
  if (needed > window_stride_) window_stride_ = stride_for(budget_ == 0 ? 2 * needed : needed);
  window_ = ZeroedFloats(rows * window_stride_);
}

void AdditiveLearner::scores(const Rows& rows, std::span<float> out) const {
  const RunningAverage* average = function_.average ? &*function_.average : nullptr;
  const float scale = average != nullptr ? 1.0F : static_cast<float>(f_.scale());
  const auto offset = static_cast<float>(threshold_.value());  // 0 except in novelty detection
  const auto finish = [&](std::size_t first, std::size_t count, const float* kernel_rows, std::size_t stride) {
    float* to = &out[first * outputs()];
    if (average != nullptr) average->finish(kernel_rows, stride, count, to);
    for (std::size_t i = 0; i < count * outputs(); ++i) to[i] = to[i] * scale - offset;
    for (std::size_t q = 0; q < count; ++q) {
      const std::span<float> of_row(to + q * outputs(), outputs());
      if (is_small(of_row[0])) rescue_underflow(rows[first + q], kernel_rows + q * stride, of_row);
    }
  };
  score_rows(f_.set(), f_.stored_outputs(), window_stride_, rows, out, finish);
}

void AdditiveLearner::rescue_underflow(const Features& x, const float* kernel_row, std::span<float> scores) const {
  if (task_ != TaskKind::classify || !f_.set().kernel().is_radial()) return;
  const auto is_far = [](float value) { return value < kFar; };
  if (!std::ranges::all_of(scores, is_small) || !std::all_of(kernel_row, kernel_row + f_.size(), is_far)) return;
  thread_local std::vector<double> kernel_values;
  thread_local std::vector<double> sums;
  kernel_values.resize(f_.size());
  f_.set().exact_row(x, kernel_values);
  sums.assign(scores.size(), 0);
  double largest = 0;
  for (std::size_t c = 0; c < scores.size(); ++c) {
    for (std::size_t j = 0; j < f_.size(); ++j) {
      sums[c] += kernel_values[j] * final_coefficient(j, c);
    }
    largest = std::max(largest, std::abs(sums[c]));
  }
  const double factor = largest == 0 ? 0 : std::max(1.0, kTinyScore / largest);
  for (std::size_t c = 0; c < scores.size(); ++c) scores[c] = static_cast<float>(sums[c] * factor);
}

Prediction AdditiveLearner::decide(std::span<const float> scores) const {
  if (task_ == TaskKind::regress) return {kNoClass, scores[0]};
  return decision(scores, classes_);
}

template <class Act>
auto AdditiveLearner::with_task(Act act) {
  if (task_ == TaskKind::regress) return act(Regression{{}, epsilon_});
  if (task_ == TaskKind::novelty) return act(Novelty{&threshold_});
  if (f_.outputs() == 1) return act(TwoClasses{{}, classes_});
  return act(ManyClasses{{}, classes_});
}

template <class Task>
void AdditiveLearner::set_coefficients(const TaskMargin& example, double step) {
  if constexpr (Task::kOneOutput) {
    coefficients_[0] = example.sign * step;
  } else {
    std::ranges::fill(coefficients_, 0.0);
    coefficients_[example.label] = step;
    coefficients_[example.rival] = -step;
  }
}

// Scores are computed for several examples at a time; a change of the expansion invalidates the remaining ones. The
// number adapts to the stream: it doubles after each group without a change.
template <class Task>
void AdditiveLearner::learn_window(const Task& task, const Rows& rows, const Targets& targets, const float* weights,
                                   const ProgressiveOutput& before) {
  SupportSet& set = f_.set();
  set.look_ahead(rows, window_.data(), window_stride_);
  for (std::size_t q = 0; q < rows.count;) {
    const std::size_t n = std::min(group_, rows.count - q);
    set.refresh_rows(q, n, window_.data(), window_stride_);
    evaluate_unscaled(f_, &window_[q * window_stride_], window_stride_, n, ahead_.data());
    const Learned learned = learn_group(task, rows, targets, weights, before, q, n);
    q += learned.examples;
    if (!learned.changed_f) {
      group_ = std::min(2 * group_, kLargestGroup);
      continue;
    }
    for (const std::uint32_t slot : f_.log().changed()) set.refresh_column(slot, q, window_.data(), window_stride_);
    f_.log().clear();
    group_ = 1;
  }
}

// Learns the n examples from `first` on, whose unscaled scores are known, until one of them changes more than the scale
// of f. Most examples change nothing else: they shall cost little here.
template <class Task>
AdditiveLearner::Learned AdditiveLearner::learn_group(const Task& task, const Rows& rows, const Targets& targets,
                                                      const float* weights, const ProgressiveOutput& before,
                                                      std::size_t first, std::size_t n) {
  const std::size_t outputs = Task::kOneOutput ? 1 : f_.outputs();
  const std::span<float> scores(scores_.data(), outputs);
  const bool predicts = before.wants_anything();
  const bool radial = f_.set().kernel().is_radial();
  const float* ahead = ahead_.data();
  for (std::size_t q = first; q < first + n; ++q, ahead += outputs) {
    const float* kernel_row = &window_[q * window_stride_];
    const auto scale = static_cast<float>(f_.scale());
    for (std::size_t c = 0; c < outputs; ++c) scores[c] = ahead[c] * scale;
    if (is_small(scores[0])) rescue_underflow(rows[q], kernel_row, scores);
    if (predicts) {
      const std::span<const float> final_scores = function_.average ? average_scores(rows[q], kernel_row) : scores;
      before.take(q, task.decide(final_scores), final_scores);
    }
    const double weight = weights == nullptr ? 1 : static_cast<double>(weights[q]);
    if (weight == 0) continue;  // such an example is predicted, and nothing else: it does not count as a round either
    if (function_.average) function_.average->begin_round();
    task.note(scores);
    for (float& score : scores) score *= shrink_first_;
    const TaskMargin example = task.margin(scores, targets, q);
    if (watches_) maintain_->watch(f_, kernel_row, example.label);
    const double self_kernel = radial ? 1 : f_.set().kernel()(rows[q], rows[q]);
    // Also true for a score that is NaN.
    const auto in_range = [](float score) { return std::abs(score) <= std::numeric_limits<float>::max(); };
    if (!(std::abs(self_kernel) <= kLargestKernel) || !std::ranges::all_of(scores, in_range)) fail_kernel_range();
    const Update update = update_->on({.margin = example.margin,
                                       .length = Task::kLength * self_kernel,
                                       .weight = weight,
                                       .scores = scores,
                                       .label = example.label},
                                      random_);
    if (update.step != 0 && gradients_) {
      gradients_->add(f_, rows[q], kernel_row, example.label, example.rival, weight);
    }
    const bool folded = update.shrink != 1 && f_.shrink(update.shrink);
    const bool adds = update.step != 0 || (projects_ && example.margin < 1);
    if (!adds && !folded) continue;
    const bool added = adds && add_term<Task>(example, update,
                                              {.x = rows[q],
                                               .kernel_row = kernel_row,
                                               .self_kernel = self_kernel,
                                               .step = update.step == 0 ? weight : update.step,
                                               .margin = example.margin,
                                               .label = example.label,
                                               .scores = folded ? nullptr : ahead,
                                               .edits = f_.log().edits(),
                                               .scale = f_.scale()});
    if (added || folded) return {.examples = q + 1 - first, .changed_f = true};
  }
  return {.examples = n, .changed_f = false};
}

// The scores of the average.
std::span<const float> AdditiveLearner::average_scores(const Features& x, const float* kernel_row) {
  evaluate_unscaled(f_, kernel_row, window_stride_, 1, average_.data());
  function_.average->finish(kernel_row, window_stride_, 1, average_.data());
  if (is_small(average_[0])) rescue_underflow(x, kernel_row, average_);
  return average_;
}

// Adds the term of an example to f, which has been shrunk already. Returns whether that changed f.
template <class Task>
bool AdditiveLearner::add_term(const TaskMargin& example, const Update& update, Term term) {
  set_coefficients<Task>(example, term.step);
  if (update.step != 0) update_->spread(coefficients_);
  term.coefficients = coefficients_;
  if (update.step == 0) return maintain_->on_margin_error(f_, term);
  const bool acted = maintain_->place(f_, term, random_);
  const bool dropped = f_.log().edits() == term.edits;
  if (acted) count_maintenance(dropped);
  if (dropped) return false;
  ++updates_;
  KINGLET_ASSERT(budget_ == 0 || f_.size() <= budget_);
  keep_within_limit();
  if (function_.norm) function_.norm->look_after();
  if (update.radius < std::numeric_limits<double>::infinity()) {
    const double norm = std::sqrt(function_.norm->squared());
    if (norm > update.radius) f_.shrink(std::max(update.radius / norm, std::numeric_limits<double>::min()));
  }
  return true;
}

void AdditiveLearner::learn_batch(const Rows& rows, const Targets& targets, std::span<const float> weights,
                                  const ProgressiveOutput& before) {
  KINGLET_ASSERT(weights.empty() || weights.size() == rows.count);
  KINGLET_ASSERT(task_ == TaskKind::novelty || targets.count == rows.count);
  KINGLET_ASSERT(task_ != TaskKind::regress || targets.numbers != nullptr);
  if (task_ == TaskKind::classify) {
    const std::span<const ClassId> labels(targets.classes, rows.count);
    KINGLET_ASSERT(std::ranges::all_of(labels, [&](ClassId label) { return label < classes_; }));
  }
  with_task([&](const auto& task) {
    for (std::size_t begin = 0; begin < rows.count; begin += f_.set().window()) {
      reserve_window();
      const std::size_t n = std::min(f_.set().window(), rows.count - begin);
      learn_window(task, rows.slice(begin, n), targets.slice(begin, n), weights.empty() ? nullptr : &weights[begin],
                   before.slice(begin, n, f_.outputs()));
    }
  });
  examples_ += rows.count;
}

void AdditiveLearner::grow(const Shape& shape) {
  classes_ = std::max(classes_, shape.classes);
  f_.grow(shape, outputs_for(task_, classes_));
  if (gradients_) gradients_->grow(f_.set().dimension());
  maintain_->grow(classes_);
  ahead_.resize(kLargestGroup * f_.outputs());
  scores_.resize(f_.outputs());
  average_.resize(f_.outputs());
  coefficients_.resize(f_.outputs());
  update_->prepare(f_.outputs());
  keep_within_limit();
}

void AdditiveLearner::keep_within_limit() {
  while (memory_limit_ > 0 && f_.size() > 1 && memory_bytes() > memory_limit_) {
    maintain_->take_one_out(f_, random_);
    count_maintenance(false);
  }
}

std::size_t AdditiveLearner::memory_bytes() const {
  return function_.memory_bytes() + window_.size() * sizeof(float) + maintain_->memory_bytes() +
         (gradients_ ? gradients_->memory_bytes() : 0) + scratch_bytes(f_.outputs(), kLargestGroup);
}

void AdditiveLearner::lower_budget(std::size_t budget) {
  KINGLET_ASSERT(can_lower_budget() && budget > 0);
  while (f_.size() > budget) maintain_->take_one_out(f_, random_);
  maintain_->fit_to_budget(budget);
}

void AdditiveLearner::rescale_features(std::span<const float> ratios) {
  f_.rescale(ratios);
  maintain_->after_rescale(f_);
  if (gradients_) gradients_->rescale(ratios);  // a learner beside the one that has them has none
}

LearnerStats AdditiveLearner::stats() const {
  return {.examples = examples_,
          .updates = updates_,
          .support_vectors = f_.size(),
          .budget = budget_,
          .dimension = f_.set().dimension(),
          .classes = classes_,
          .memory_bytes = memory_bytes(),
          .maintenance = maintenance_,
          .maintenance_loss = relative_steps_ > 0 ? relative_loss_ / static_cast<double>(relative_steps_)
                                                  : std::numeric_limits<double>::quiet_NaN()};
}

SupportVector AdditiveLearner::support_vector(std::size_t i) const {
  SupportVector vector{.x = std::vector<float>(f_.set().dimension()), .coefficients = {}};
  f_.set().copy_to(i, vector.x);
  for (std::size_t c = 0; c < f_.outputs(); ++c) {
    vector.coefficients.push_back(final_coefficient(i, c));
  }
  return vector;
}

void AdditiveLearner::save(StateWriter& out) const {
  out.put(classes_);
  function_.save(out);
  update_->save(out);
  maintain_->save(out);
  const RandomState random = random_.state();
  for (const std::uint64_t word : random.words) out.put(word);
  out.put(random.spare);
  out.put(random.has_spare);
  if (task_ == TaskKind::novelty) threshold_.save(out);
  out.put(examples_);
  out.put(updates_);
  out.put(maintenance_);
  out.put(relative_loss_);
  out.put(relative_steps_);
  if (function_.norm) out.put(function_.norm->changes());
  if (gradients_) gradients_->save(out);
}

void AdditiveLearner::load(StateReader& in) {
  StateReader::require(in.get<std::uint32_t>() == classes_, "the wrong number of classes");
  function_.load(in);
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
  if (task_ == TaskKind::novelty) threshold_.load(in);
  examples_ = in.get<std::uint64_t>();
  updates_ = in.get<std::uint64_t>();
  maintenance_ = in.get<std::uint64_t>();
  load_losses(in);
  if (gradients_) gradients_->load(in);
}

// What files of earlier versions do not have.
void AdditiveLearner::load_losses(StateReader& in) {
  relative_loss_ = 0;
  relative_steps_ = 0;
  if (function_.norm) function_.norm->set_changes(0);
  if (in.at_end()) return;  // format version 1 or 2
  relative_loss_ = in.get<double>();
  StateReader::require(std::isfinite(relative_loss_) && relative_loss_ >= 0, "a loss that is not a number");
  relative_steps_ = in.get<std::uint64_t>();
  StateReader::require(relative_steps_ <= maintenance_, "more losses than maintenance steps");
  if (!function_.norm || in.at_end()) return;  // files of earlier versions end here
  function_.norm->set_changes(in.get<std::uint64_t>());
  StateReader::require(function_.norm->changes() <= updates_, "more changes than updates");
}

}  // namespace kinglet
