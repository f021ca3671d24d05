#include "span/span_learner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/assert.hpp"
#include "core/random.hpp"
#include "expansion/expansion.hpp"
#include "expansion/scoring.hpp"
#include "simd/flush_denormals.hpp"

namespace kinglet {
namespace {

std::size_t span_outputs(TaskKind task, std::uint32_t classes) {
  return task == TaskKind::regress || classes <= 2 ? 1 : classes;
}

// An odd number of cache lines, as in additive_learner.cpp.
std::size_t span_stride(std::size_t budget) { return round_up(budget, 16) | 16; }

// A vector of a set in the form that a set of the same kind takes.
struct CopiedVector {
  explicit CopiedVector(const SupportSet& set) : values(set.dimension()) {}
  Features of(const SupportSet& set, std::size_t slot, bool sparse) {
    set.copy_to(slot, values);
    if (!sparse) return Features::dense(values);
    indices.clear();
    nonzeros.clear();
    for (std::uint32_t f = 0; f < values.size(); ++f) {
      if (values[f] == 0) continue;
      indices.push_back(f);
      nonzeros.push_back(values[f]);
    }
    indices.reserve(1);  // not null, which would mean a dense vector
    return Features::sparse(indices, nonzeros);
  }
  std::vector<float> values;
  std::vector<std::uint32_t> indices;
  std::vector<float> nonzeros;
};

}  // namespace

SpanSettings SpanSettings::from(const Options& options, SpanKind kind) {
  SpanSettings settings{.kind = kind};
  settings.prior.ridge = options.real("ridge");
  if (options.has("prior")) settings.prior.precision = options.real("prior");
  if (options.has("noise")) settings.noise = options.real("noise");
  if (options.has("eta")) settings.rate = options.real("eta");
  if (options.has("dependence")) settings.dependence = options.real("dependence");
  if (options.has("thin-after")) settings.thin_after = static_cast<std::uint64_t>(options.integer("thin-after"));
  return settings;
}

SpanLearner::SpanLearner(const Options& options, const Shape& shape, SpanKind kind)
    : settings_(SpanSettings::from(options, kind)),
      budget_(static_cast<std::size_t>(options.integer("budget"))),
      task_(task_kind(options)),
      classes_(shape.classes),
      sparse_(shape.has_sparse_vectors()),
      seed_(static_cast<std::uint64_t>(options.integer("seed"))),
      set_(make_support_set(make_kernel(options), shape, budget_)),
      statistics_(budget_, span_outputs(task_, shape.classes), settings_.prior),
      stride_(span_stride(budget_)),
      kernel_rows_(kWindow * stride_) {
  KINGLET_ASSERT(task_ != TaskKind::novelty);
  KINGLET_ASSERT(kind.growth != SpanGrowth::violators || kind.rule == SpanRule::gradient);
  if (kind.growth == SpanGrowth::independent) {
    dictionary_.emplace(budget_, settings_.prior.ridge, settings_.dependence);
  }
  KINGLET_ASSERT(!kind.adds_up || (kind.growth == SpanGrowth::given && kind.rule != SpanRule::gradient));
  if (kind.adds_up) sums_.emplace(budget_, outputs());
  reserve();
}

SpanLearner::SpanLearner(const Options& options, const Shape& shape, const SupportSet& centres, SpanKind kind)
    : SpanLearner(options, shape, kind) {
  CopiedVector copy(centres);
  for (std::size_t slot = 0; slot < std::min(centres.size(), budget_); ++slot) {
    add_centre(copy.of(centres, slot, sparse_));
  }
}

void SpanLearner::add_centre(const Features& centre) {
  const simd::FlushDenormals flush;
  KINGLET_ASSERT(set_->size() < budget_ && examples_ == 0);
  set_->kernel_row(centre, kernel_rows_.data());
  set_->append(centre);
  const double self_kernel = set_->self_kernel(set_->size() - 1);
  if (!(std::abs(self_kernel) <= kLargestKernel)) fail_kernel_range();
  statistics_.add_prior_centre(kernel_rows_.data(), self_kernel);
}

void SpanLearner::reserve() {
  scores_.resize(kWindow * outputs());
  current_.resize(outputs());
  targets_.resize(outputs());
  is_likely_.resize(kWindow);
  prepared_.reserve(SpanStatistics::most_pending(budget_));
}

std::size_t SpanLearner::window_bytes(std::size_t budget, std::size_t outputs) {
  return (kWindow * span_stride(budget) + (kWindow + 1) * outputs) * sizeof(float) + outputs * sizeof(double) +
         kWindow + SpanStatistics::most_pending(budget) * sizeof(std::size_t);
}

std::size_t SpanLearner::bytes(const Options& options, const Shape& shape, SpanKind kind) {
  const auto budget = static_cast<std::size_t>(options.integer("budget"));
  const std::size_t outputs = span_outputs(task_kind(options), shape.classes);
  const std::size_t vectors = support_set_bytes(shape, budget);
  const std::size_t dictionary = kind.growth == SpanGrowth::independent ? Dictionary::bytes(budget) : 0;
  const std::size_t sums = kind.adds_up ? SpanSums::bytes(budget, outputs) : 0;
  return vectors + SpanStatistics::bytes(budget, outputs) + dictionary + sums + window_bytes(budget, outputs);
}

void SpanLearner::scores(const Rows& rows, std::span<float> out) const {
  score_rows(*set_, statistics_.coefficients(), stride_, rows, out, [](auto...) {});
}

Prediction SpanLearner::decide(std::span<const float> scores) const {
  if (task_ == TaskKind::regress) return {kNoClass, scores[0]};
  return decision(scores, classes_);
}

// σ √(1 + v/r)
void SpanLearner::deviations(const Rows& rows, std::span<float> out) const {
  const simd::FlushDenormals flush;
  float* kernel_rows = kernel_value_scratch(kWindow * stride_);
  std::array<std::size_t, kWindow> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::array<double, kWindow> variances{};
  for (std::size_t begin = 0; begin < rows.count; begin += kWindow) {
    const std::size_t n = std::min(kWindow, rows.count - begin);
    set_->kernel_rows(rows.slice(begin, n), kernel_rows, stride_);
    statistics_.variances({kernel_rows, stride_, order.data(), n}, variances);
    for (std::size_t q = 0; q < n; ++q) {
      out[begin + q] = static_cast<float>(std::sqrt(residuals_.value() * (1 + variances[q] / settings_.noise)));
    }
  }
}

// --- learning --------------------------------------------------------------------------------------------------------

template <class Task>
double SpanLearner::times_learned(const TaskMargin& example, std::uint64_t number) const {
  if (learns_all<Task>()) return 1;
  if (example.margin >= 1) return 0;
  if (settings_.kind.rule != SpanRule::margin || updates_ < settings_.thin_after || example.margin < 0) return 1;
  std::uint64_t word = seed_ ^ number;
  return splitmix64(word) % kThinning == 0 ? kThinning : 0;
}

template <class Task>
void SpanLearner::look_ahead(const Task& task, const Targets& targets, std::size_t from) {
  const std::size_t outputs = Task::kOneOutput ? 1 : this->outputs();
  simd::dot_outputs(&kernel_rows_[from * stride_], stride_, window_rows_ - from, statistics_.coefficients(),
                    statistics_.padded_size(), &scores_[from * outputs]);
  for (std::size_t q = from; q < window_rows_; ++q) {
    const TaskMargin example = task.margin({&scores_[q * outputs], outputs}, targets, q);
    is_likely_[q] = times_learned<Task>(example, examples_ + q) > 0 ? 1 : 0;
  }
}

// Prepares row q and the following ones that are likely to be learned, as many as there is room for.
template <class Task>
void SpanLearner::prepare_from(const Task& task, const Targets& targets, std::size_t q) {
  if (!learns_all<Task>()) look_ahead(task, targets, q);
  prepared_.clear();
  for (std::size_t i = q; i < window_rows_ && prepared_.size() < statistics_.room(); ++i) {
    if (i == q || is_likely_[i] != 0) prepared_.push_back(i);
  }
  statistics_.prepare({kernel_rows_.data(), stride_, prepared_.data(), prepared_.size()});
  prepared_at_ = statistics_.folds();
}

template <class Task>
void SpanLearner::find_direction(const Task& task, const Targets& targets, std::size_t q) {
  if (prepared_at_ != statistics_.folds()) prepared_.clear();
  if (prepared_.empty() || prepared_.back() < q) prepare_from(task, targets, q);
  const auto found = std::ranges::lower_bound(prepared_, q);
  const bool is_prepared = *found == q;
  const std::size_t place = is_prepared ? static_cast<std::size_t>(found - prepared_.begin())
                                        : statistics_.prepare_extra(&kernel_rows_[q * stride_]);
  if (statistics_.find_direction(place)) return;
  statistics_.fold();
  prepare_from(task, targets, q);
  statistics_.find_direction(0);
}

bool SpanLearner::grow_span(const TaskMargin& example, const Rows& rows, std::size_t q, double weight) {
  if (settings_.kind.growth == SpanGrowth::given || set_->size() == budget_) return false;
  const float* kernel_row = &kernel_rows_[q * stride_];
  const Features x = rows[q];
  const double self_kernel = set_->kernel().is_radial() ? 1 : set_->kernel()(x, x);
  if (!(std::abs(self_kernel) <= kLargestKernel)) fail_kernel_range();
  if (dictionary_) {
    if (!dictionary_->is_new(kernel_row, self_kernel)) return false;
    dictionary_->add();
    statistics_.add_centre(dictionary_->shares(), dictionary_->distance());
  } else {
    if (example.margin >= 1) return false;
    statistics_.add_prior_centre(kernel_row, self_kernel);
    const std::size_t centre = statistics_.size() - 1;
    const double step = settings_.rate * weight * (task_ == TaskKind::regress ? 1 - example.margin : 1);
    if (outputs() == 1) {
      statistics_.set_coefficient(centre, 0, example.sign * step);
    } else {
      statistics_.set_coefficient(centre, example.label, step);
      statistics_.set_coefficient(centre, example.rival, -step);
    }
  }
  set_->append(x);
  set_->kernel_rows(rows.slice(q, rows.count - q), &kernel_rows_[q * stride_], stride_);
  prepared_.clear();
  return true;
}

template <class Task>
void SpanLearner::keep_observation(const TaskMargin& example, const Targets& targets, std::size_t q, double noise,
                                   std::span<const float> scores, double step) {
  if constexpr (std::is_same_v<Task, Regression>) {
    targets_[0] = static_cast<double>(targets.numbers[q]);
  } else if (Task::kOneOutput) {
    targets_[0] = example.sign;
  } else if (settings_.kind.rule == SpanRule::squares) {
    for (std::size_t c = 0; c < scores.size(); ++c) targets_[c] = c == example.label ? 1 : -1;
  } else {
    std::ranges::copy(scores, targets_.begin());
    targets_[example.label] += step;
    targets_[example.rival] -= step;
  }
  sums_->observe({&kernel_rows_[q * stride_], set_->size()}, noise, targets_);
}

// Returns whether f has changed.
template <class Task>
bool SpanLearner::learn_one(const Task& task, const TaskMargin& example, const Targets& targets, std::size_t q,
                            double weight, std::span<const float> scores) {
  const auto in_range = [](float score) { return std::abs(score) <= std::numeric_limits<float>::max(); };
  if (!std::ranges::all_of(scores, in_range)) fail_kernel_range();
  weight *= times_learned<Task>(example, examples_ + q);
  if (weight == 0) return false;
  find_direction(task, targets, q);
  const double v = statistics_.variance();
  constexpr bool kRegresses = std::is_same_v<Task, Regression>;
  double noise = settings_.noise / weight;  // of the observation
  double step = 0;                          // by which f moves at x, were it to follow the observation
  const auto error = [&](double target, std::size_t c) { return target - static_cast<double>(scores[c]); };
  if (kRegresses) residuals_.take_in(error(static_cast<double>(targets.numbers[q]), 0), v / settings_.noise, weight);
  if (!(v > 0)) return false;  // no centre is near
  const auto along = [&](double length) {
    if constexpr (Task::kOneOutput) return statistics_.step(0, example.sign * length);
    statistics_.step(example.label, length);
    statistics_.step(example.rival, -length);
  };
  if (settings_.kind.rule == SpanRule::gradient) {
    const double rate = settings_.rate * weight * settings_.prior.precision;
    along(kRegresses ? rate * std::abs(error(static_cast<double>(targets.numbers[q]), 0)) : rate);
  } else if (kRegresses) {
    statistics_.step(0, error(static_cast<double>(targets.numbers[q]), 0) / (v + noise));
    statistics_.observe(noise);
  } else if (settings_.kind.rule == SpanRule::squares) {
    for (std::size_t c = 0; c < scores.size(); ++c) {
      const bool is_own = Task::kOneOutput ? example.label == 1 : example.label == c;
      statistics_.step(c, error(is_own ? 1 : -1, c) / (v + noise));
    }
    statistics_.observe(noise);
  } else if (Task::kOneOutput) {
    along((1 - example.margin) / (v + noise));
    statistics_.observe(noise);
  } else {
    const double length = (1 - example.margin) / (2 * v + noise);
    along(length);
    noise = v + 2 * noise;  // ½ h hᵀ/(v + r) = h hᵀ/(v + (v + 2r))
    step = length * (v + noise);
    statistics_.observe(noise);
  }
  if (sums_) keep_observation<Task>(example, targets, q, noise, scores, step);
  ++updates_;
  return true;
}

template <class Task>
void SpanLearner::learn_window(const Task& task, const Rows& rows, const Targets& targets, const float* weights,
                               const ProgressiveOutput& before) {
  const std::size_t outputs = Task::kOneOutput ? 1 : this->outputs();
  std::size_t n = statistics_.padded_size();
  set_->kernel_rows(rows, kernel_rows_.data(), stride_);
  window_rows_ = rows.count;
  look_ahead(task, targets, 0);
  prepared_.clear();
  bool changed = false;  // since the scores of the window were computed
  const std::span<float> scores(current_.data(), outputs);
  for (std::size_t q = 0; q < rows.count; ++q) {
    if (changed) {
      simd::dot_outputs(&kernel_rows_[q * stride_], 0, 1, statistics_.coefficients(), n, scores.data());
    } else {
      std::copy_n(&scores_[q * outputs], outputs, scores.data());
    }
    if (before.wants_anything()) before.take(q, task.decide(scores), scores);
    const double weight = weights == nullptr ? 1 : static_cast<double>(weights[q]);
    if (weight == 0) continue;  // such an example is only predicted
    const TaskMargin example = task.margin(scores, targets, q);
    if (grow_span(example, rows, q, weight)) {
      changed = true;
      n = statistics_.padded_size();
      if (!dictionary_) {  // its coefficient was the step
        ++updates_;
        continue;
      }
    }
    changed = learn_one(task, example, targets, q, weight, scores) || changed;
  }
  examples_ += rows.count;
}

void SpanLearner::learn_batch(const Rows& rows, const Targets& targets, std::span<const float> weights,
                              const ProgressiveOutput& before) {
  const simd::FlushDenormals flush;
  KINGLET_ASSERT(weights.empty() || weights.size() == rows.count);
  KINGLET_ASSERT(targets.count == rows.count);
  if (task_ == TaskKind::classify) {
    const std::span<const ClassId> labels(targets.classes, rows.count);
    KINGLET_ASSERT(std::ranges::all_of(labels, [&](ClassId label) { return label < classes_; }));
  }
  const auto learn = [&](const auto& task) {
    for (std::size_t begin = 0; begin < rows.count; begin += kWindow) {
      const std::size_t n = std::min(kWindow, rows.count - begin);
      learn_window(task, rows.slice(begin, n), targets.slice(begin, n), weights.empty() ? nullptr : &weights[begin],
                   before.slice(begin, n, outputs()));
    }
  };
  if (task_ == TaskKind::regress) {
    learn(Regression{});
  } else if (outputs() == 1) {
    learn(TwoClasses{{}, classes_});
  } else {
    learn(ManyClasses{{}, classes_});
  }
  if (sums_) sums_->flush();
}

// --- the rest --------------------------------------------------------------------------------------------------------

void SpanLearner::grow(const Shape& shape) {
  classes_ = std::max(classes_, shape.classes);
  set_->grow(shape.dimension);
  statistics_.grow(span_outputs(task_, classes_));
  if (sums_) sums_->grow(outputs(), set_->size());
  reserve();
}

void SpanLearner::lower_budget(std::size_t budget) {
  KINGLET_ASSERT(budget > 0);
  const std::size_t n = set_->size();
  if (n <= budget) return;
  std::vector<double> kernel(n * n);
  for (std::size_t i = 0; i < n; ++i) set_->exact_row_of(i, std::span(kernel).subspan(i * n, n));
  const std::vector<std::size_t> kept = statistics_.keep_most(budget, std::move(kernel));
  CopiedVector copy(*set_);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] != i) set_->replace(i, copy.of(*set_, kept[i], sparse_));
  }
  while (set_->size() > kept.size()) set_->remove(set_->size() - 1);
  if (!dictionary_) return;
  dictionary_.emplace(budget_, settings_.prior.ridge, settings_.dependence);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    set_->kernel_row_of(i, kernel_rows_.data());
    dictionary_->is_new(kernel_rows_.data(), set_->self_kernel(i));
    dictionary_->add();
  }
}

LearnerStats SpanLearner::stats() const {
  return {.examples = examples_,
          .updates = updates_,
          .support_vectors = set_->size(),
          .budget = budget_,
          .dimension = set_->dimension(),
          .classes = classes_,
          .memory_bytes = set_->memory_bytes() + SpanStatistics::bytes(budget_, outputs()) +
                          (dictionary_ ? Dictionary::bytes(budget_) : 0) +
                          (sums_ ? SpanSums::bytes(budget_, outputs()) : 0) + window_bytes(budget_, outputs())};
}

SupportVector SpanLearner::support_vector(std::size_t i) const {
  SupportVector vector{.x = std::vector<float>(set_->dimension()), .coefficients = {}};
  set_->copy_to(i, vector.x);
  for (std::size_t c = 0; c < outputs(); ++c) vector.coefficients.push_back(statistics_.coefficient(i, c));
  return vector;
}

void SpanLearner::save(StateWriter& out) const {
  out.put(classes_);
  set_->save(out);
  statistics_.save(out);
  if (dictionary_) dictionary_->save(out);
  if (sums_) sums_->save(out, set_->size());
  if (task_ == TaskKind::regress) residuals_.save(out);
  out.put(examples_);
  out.put(updates_);
}

void SpanLearner::load(StateReader& in) {
  StateReader::require(in.get<std::uint32_t>() == classes_, "the wrong number of classes");
  set_->load(in);
  StateReader::require(set_->size() <= budget_, "more support vectors than the budget allows");
  statistics_.load(in);
  StateReader::require(statistics_.size() == set_->size(), "not as many coefficients as centres");
  if (dictionary_) {
    dictionary_->load(in);
    StateReader::require(dictionary_->size() == set_->size(), "a dictionary of another size");
  }
  if (sums_) sums_->load(in, set_->size());
  if (task_ == TaskKind::regress) residuals_.load(in);
  examples_ = in.get<std::uint64_t>();
  updates_ = in.get<std::uint64_t>();
}

}  // namespace kinglet
