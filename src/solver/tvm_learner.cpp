#include "solver/tvm_learner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/assert.hpp"
#include "core/kernel.hpp"
#include "solver/dual_options.hpp"
#include "solver/problems_against_rest.hpp"

namespace kinglet {
namespace {

constexpr IncrementalSvm::Settings kTwins{.twins = 2};
constexpr double kOnMargin = 1e-6;  // on the margin, |f| is 1 up to this rounding error
// If f is closer than this to the edge of the band, relative, it is computed exactly.
constexpr double kUncertain = 1e-2;
// Only prototypes farther from the boundary than so many bands are removed. Near the edge of the band, this would
// remove examples that were just added.
constexpr double kFarBands = 2;
// Merging prototypes of different classes moves the boundary, so its loss is multiplied by this factor.
constexpr double kOtherClass = 10;

std::size_t wanted_budget(const Options& options) { return static_cast<std::size_t>(options.integer("budget")); }

}  // namespace

TvmLearner::TvmLearner(const Options& options, const Shape& shape)
    : budget_(wanted_budget(options)),
      box_(options.real("C")),
      band_(options.real("band")),
      classes_(shape.classes),
      storage_(shape.storage),
      store_(make_kernel(options), shape, cache_bytes(options)),
      machines_(SupportVectors::outputs_for(shape.classes), IncrementalSvm(kTwins)),
      support_(make_kernel(options), shape, SupportVectors::outputs_for(shape.classes)),
      values_(outputs()),
      coefficients_(outputs()),
      scores_(outputs()) {}

std::size_t TvmLearner::bytes(const Options& options, const Shape& shape) {
  // Vectors that grow may have up to twice the capacity that they need.
  const std::size_t prototypes = wanted_budget(options) + 1, twins = 2 * prototypes;
  const std::size_t outputs = SupportVectors::outputs_for(shape.classes);
  const std::size_t vectors = 2 * support_set_bytes(shape, 2 * prototypes + 16);
  const std::size_t rows =
      std::min(cache_bytes(options), prototypes * (prototypes + prototypes / 8 + 32) * sizeof(double));
  return vectors + rows + outputs * IncrementalSvm::bytes(twins, prototypes) +
         SupportVectors::bytes(outputs, prototypes, prototypes) +
         2 * prototypes * (shape.classes * sizeof(double) + sizeof(Nearest));
}

void TvmLearner::learn_batch(const Rows& rows, const Targets& targets, std::span<const float> weights,
                             const ProgressiveOutput& before) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    support_.evaluate(rows[i], values_);
    store_.count(support_.size());
    if (before.wants_anything()) {
      for (std::size_t c = 0; c < outputs(); ++c) scores_[c] = static_cast<float>(values_[c]);
      before.take(i, decide(scores_), scores_);
    }
    ++examples_;
    const double weight = weights.empty() ? 1 : static_cast<double>(weights[i]);
    if (weight > 0) learn_one(rows[i], targets.classes[i], weight);
  }
}

// values_ contains f(x), approximately in single precision.
void TvmLearner::learn_one(const Features& x, ClassId label, double weight) {
  if (!std::ranges::all_of(values_, [](double v) { return std::isfinite(v); })) fail_kernel_range();
  if (prototypes() == budget_ && !is_near(x)) return;
  new_counts_.assign(classes_, 0.0);
  new_counts_[label] = weight;
  accepted_ += weight;
  ++updates_;
  add(x, new_counts_);
  if (prototypes() > budget_) reduce();
}

// If single precision cannot decide, f is computed exactly, because its rounding depends on the order of summation.
bool TvmLearner::is_near(const Features& x) {
  double nearest = std::numeric_limits<double>::infinity(), largest = 0;
  for (const double value : values_) {
    nearest = std::min(nearest, std::abs(value));
    largest = std::max(largest, std::abs(value));
  }
  if (std::abs(nearest - band_) > kUncertain * (band_ + largest)) return nearest < band_;
  const std::size_t slot = store_.append(x);
  const double* row = store_.exact_row(slot);
  nearest = std::numeric_limits<double>::infinity();
  for (const IncrementalSvm& machine : machines_) {
    nearest = std::min(nearest, std::abs(machine.value_at(row)));
  }
  store_.remove(slot);
  return nearest <= band_ + kOnMargin;
}

double TvmLearner::box(std::size_t prototype, std::size_t output, bool of_the_rest) const {
  const std::size_t positive = outputs() == 1 ? 1 : output;
  double sum = 0;
  for (std::size_t c = 0; c < classes_; ++c) {
    if ((c == positive) != of_the_rest) sum += counts_[prototype * classes_ + c];
  }
  return box_ * sum;
}

void TvmLearner::learn_twins(std::size_t prototype, std::size_t output) {
  for (const bool of_the_rest : {false, true}) {
    const double own = box(prototype, output, of_the_rest);
    if (own > 0) machines_[output].learn(store_, twin(prototype, of_the_rest), of_the_rest ? -1 : 1, own);
  }
}

void TvmLearner::add(const Features& x, std::span<const double> counts) {
  const std::size_t prototype = store_.append(x);
  if (!(std::abs(store_.self_kernel(prototype)) <= kLargestKernel)) {
    store_.remove(prototype);
    fail_kernel_range();
  }
  counts_.insert(counts_.end(), counts.begin(), counts.end());
  find_partners();
  for (std::size_t c = 0; c < outputs(); ++c) {
    machines_[c].append(0);
    learn_twins(prototype, c);
  }
  take_over_changes();
}

void TvmLearner::drop(std::size_t prototype) {
  for (IncrementalSvm& machine : machines_) {
    for (const bool of_the_rest : {false, true}) {
      if (machine.is_learned(twin(prototype, of_the_rest))) machine.unlearn(store_, twin(prototype, of_the_rest));
    }
  }
  take_over_changes();
  const std::size_t last = prototypes() - 1;
  store_.remove(prototype);
  for (IncrementalSvm& machine : machines_) machine.remove(prototype);
  support_.move(last, prototype);
  for (std::size_t c = 0; c < classes_; ++c) counts_[prototype * classes_ + c] = counts_[last * classes_ + c];
  counts_.resize(last * classes_);
  forget_nearest(prototype, last);
}

void TvmLearner::reduce() {
  ++maintenance_;
  double distance = 0;
  const std::size_t candidate = farthest(distance);
  if (distance > kFarBands * band_ + kOnMargin) {
    removed_ += nearest_[candidate].weight;
    drop(candidate);
  } else {
    merge_nearest();
  }
}

// The prototype farthest from the boundary; `distance` is its |f|.
std::size_t TvmLearner::farthest(double& distance) const {
  std::size_t found = 0;
  distance = -1;
  for (std::size_t p = 0; p < prototypes(); ++p) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const IncrementalSvm& machine : machines_) {
      nearest = std::min(nearest, std::abs(machine.value(twin(p, false))));
    }
    if (nearest <= distance) continue;
    distance = nearest;
    found = p;
  }
  return found;
}

// The loss of merging two prototypes is the squared distance by which it moves examples, Σ s ‖φ − mean‖² of both,
// increased if most of their examples differ in class. Finds the partner of one prototype, which may be the partner of
// others, too.
void TvmLearner::look_around(std::size_t prototype) {
  const double* row = store_.exact_row(prototype);
  const double* counts = &counts_[prototype * classes_];
  Nearest& here = nearest_[prototype];
  here = {.weight = std::accumulate(counts, counts + classes_, 0.0),
          .majority_class = static_cast<ClassId>(std::max_element(counts, counts + classes_) - counts),
          .own = row[prototype],
          .loss = std::numeric_limits<double>::infinity()};
  for (std::size_t q = 0; q < nearest_.size(); ++q) {
    Nearest& other = nearest_[q];
    const double squared = here.own + other.own - 2 * row[q];
    const double moved = here.weight * other.weight / (here.weight + other.weight) * squared;
    const double loss = here.majority_class == other.majority_class ? moved : kOtherClass * moved;
    if (q == prototype) continue;
    if (loss < here.loss) here.loss = loss, here.partner = q;
    if (loss > other.loss || (loss == other.loss && prototype > other.partner)) continue;
    other.loss = loss;
    other.partner = prototype;
  }
}

// Finds partners for all prototypes that have none: the new one, or all after loading, as prediction does not need
// them.
void TvmLearner::find_partners() {
  while (nearest_.size() < prototypes()) {
    nearest_.emplace_back();
    look_around(nearest_.size() - 1);
  }
}

// A prototype was removed and the last one moved into its slot. Prototypes whose partner it was search for another, and
// so does the one that moved, because its new position may change how ties are broken.
void TvmLearner::forget_nearest(std::size_t prototype, std::size_t last) {
  nearest_[prototype] = nearest_[last];
  nearest_.pop_back();
  stale_.clear();
  if (prototype < last) stale_.push_back(prototype);
  for (std::size_t q = 0; q < last; ++q) {
    Nearest& other = nearest_[q];
    if (other.partner == prototype) {
      other.loss = std::numeric_limits<double>::infinity();
      if (q != prototype) stale_.push_back(q);
    } else if (other.partner == last) {
      other.partner = prototype;
    }
  }
  for (const std::size_t q : stale_) look_around(q);
}

void TvmLearner::merge_nearest() {
  const auto best = std::ranges::min_element(nearest_, {}, &Nearest::loss);
  const auto found = static_cast<std::size_t>(best - nearest_.begin());
  const std::size_t first = std::min(found, best->partner), second = std::max(found, best->partner);
  const double share = nearest_[first].weight / (nearest_[first].weight + nearest_[second].weight);
  std::vector<float> mean = place(first);
  const std::vector<float> other = place(second);
  for (std::size_t f = 0; f < mean.size(); ++f) {
    mean[f] = static_cast<float>(share * static_cast<double>(mean[f]) + (1 - share) * static_cast<double>(other[f]));
  }
  new_counts_.resize(classes_);
  for (std::size_t c = 0; c < classes_; ++c) {
    new_counts_[c] = counts_[first * classes_ + c] + counts_[second * classes_ + c];
  }
  drop(second);  // the larger number first, so that neither of the two is moved
  drop(first);
  add(Features::dense(mean), new_counts_);
}

std::vector<float> TvmLearner::place(std::size_t prototype) const {
  std::vector<float> x(store_.set().dimension());
  store_.set().copy_to(prototype, x);
  return x;
}

void TvmLearner::set_support(std::size_t prototype) {
  for (std::size_t c = 0; c < outputs(); ++c) {
    coefficients_[c] =
        machines_[c].coefficient(twin(prototype, false)) + machines_[c].coefficient(twin(prototype, true));
  }
  support_.set(prototype, store_.set(), coefficients_);
}

void TvmLearner::take_over_changes() {
  for (IncrementalSvm& machine : machines_) {
    for (const std::uint32_t slot : machine.changed()) set_support(slot / 2);
    machine.forget_changes();
  }
}

void TvmLearner::grow(const Shape& shape) {
  store_.grow(shape.dimension);
  support_.grow(shape);
  if (shape.classes <= classes_) return;
  const std::size_t count = prototypes();
  std::vector<double> wider(count * shape.classes);
  for (std::size_t p = 0; p < count; ++p) {
    for (std::size_t c = 0; c < classes_; ++c) wider[p * shape.classes + c] = counts_[p * classes_ + c];
  }
  counts_ = std::move(wider);
  classes_ = shape.classes;
  const std::size_t after = SupportVectors::outputs_for(classes_);
  if (after == outputs()) return;
  support_.begin_anew(after);
  values_.resize(after);
  coefficients_.resize(after);
  scores_.resize(after);
  const auto make = [] { return IncrementalSvm(kTwins); };
  add_problems(machines_, after, make, [&](std::size_t c) {
    for (std::size_t p = 0; p < count; ++p) machines_[c].append(0);
    for (std::size_t p = 0; p < count; ++p) learn_twins(p, c);
  });
  for (IncrementalSvm& machine : machines_) machine.forget_changes();
  for (std::size_t p = 0; p < count; ++p) set_support(p);
}

LearnerStats TvmLearner::stats() const {
  LearnerStats stats;
  stats.examples = examples_;
  stats.updates = updates_;
  stats.support_vectors = support_.size();
  stats.stored_examples = prototypes();
  stats.budget = budget_;
  stats.maintenance = maintenance_;
  stats.dimension = store_.set().dimension();
  stats.classes = classes_;
  stats.memory_bytes = store_.memory_bytes() + support_.memory_bytes() + counts_.capacity() * sizeof(double) +
                       nearest_.capacity() * sizeof(Nearest);
  for (const IncrementalSvm& machine : machines_) stats.memory_bytes += machine.memory_bytes();
  stats.kernel_evaluations = store_.evaluations();
  return stats;
}

void TvmLearner::save(StateWriter& out) const {
  // In the file, as in the machines, there is one example for each twin.
  const auto twins = make_support_set(store_.set().kernel(), shape(), 0);
  for (std::size_t p = 0; p < prototypes(); ++p) {
    for (int i = 0; i < 2; ++i) twins->append(Features::dense(place(p)));
  }
  twins->save(out);
  out.put_array(counts_);
  out.put<std::uint64_t>(machines_.size());
  for (const IncrementalSvm& machine : machines_) machine.save(out);
  std::vector<std::uint32_t> slots;  // the order of summation
  for (const std::uint32_t prototype : support_.slots()) slots.push_back(2 * prototype);
  out.put_array(slots);
  for (const std::uint64_t number : {examples_, updates_, maintenance_}) out.put(number);
  out.put(accepted_);
  out.put(removed_);
}

void TvmLearner::load(StateReader& in) {
  const auto twins = make_support_set(store_.set().kernel(), shape(), 0);
  twins->load(in);
  const std::size_t count = twins->size() / 2;
  StateReader::require(twins->size() == 2 * count && count <= budget_, "more prototypes than the budget allows");
  std::vector<float> first(twins->dimension()), second(twins->dimension());
  for (std::size_t p = 0; p < count; ++p) {
    twins->copy_to(twin(p, false), first);
    twins->copy_to(twin(p, true), second);
    StateReader::require(first == second, "twins that differ");
    store_.append(Features::dense(first));
  }
  counts_ = in.get_array<double>();
  StateReader::require(counts_.size() == count * classes_, "counts and prototypes differ in number");
  StateReader::require(std::ranges::all_of(counts_, [](double s) { return std::isfinite(s) && s >= 0; }),
                       "an invalid count");
  StateReader::require(in.get<std::uint64_t>() == machines_.size(),
                       "the number of machines differs from the number of outputs");
  for (std::size_t c = 0; c < outputs(); ++c) {
    machines_[c].load(in, count);
    for (std::size_t slot = 0; slot < 2 * count; ++slot) {
      const double own = box(slot / 2, c, slot % 2 == 1);
      const bool fits = machines_[c].is_learned(slot) ? machines_[c].box(slot) == own : own == 0;
      StateReader::require(fits, "a box that does not fit the counts");
    }
  }
  for (const std::uint32_t slot : in.get_array<std::uint32_t>()) {
    StateReader::require(slot < 2 * count, "a support vector that does not exist");
    set_support(slot / 2);
  }
  for (std::uint64_t* number : {&examples_, &updates_, &maintenance_}) *number = in.get<std::uint64_t>();
  accepted_ = in.get<double>();
  removed_ = in.get<double>();
  StateReader::require(std::isfinite(accepted_) && std::isfinite(removed_), "a weight is not a number");
  for (std::size_t p = 0; p < count; ++p) {
    const auto own = counts_.begin() + static_cast<std::ptrdiff_t>(p * classes_);
    StateReader::require(std::any_of(own, own + classes_, [](double s) { return s > 0; }),
                         "a prototype without examples");
    set_support(p);  // adds only those that the order does not contain
  }
}

}  // namespace kinglet
