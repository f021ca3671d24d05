#include "solver/dual_learner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/assert.hpp"
#include "core/kernel.hpp"
#include "core/parallel.hpp"
#include "solver/problems_against_rest.hpp"

namespace kinglet {

DualLearner::DualLearner(const Options& options, const Shape& shape, MakeSolver make_solver, SolveJointly solve_jointly)
    : make_solver_(std::move(make_solver)),
      solve_jointly_(std::move(solve_jointly)),
      box_(options.real("C")),
      classes_(shape.classes),
      store_(make_kernel(options), shape, cache_bytes(options)),
      support_(make_kernel(options), shape, SupportVectors::outputs_for(shape.classes)) {
  for (std::size_t c = 0; c < outputs(); ++c) solvers_.push_back(make_solver_());
  values_.resize(outputs());
  coefficients_.resize(outputs());
  scores_.resize(outputs());
}

double DualLearner::sign(ClassId label, std::size_t output) const {
  const ClassId positive = outputs() == 1 ? 1 : static_cast<ClassId>(output);
  return label == positive ? 1 : -1;
}

void DualLearner::learn_batch(const Rows& rows, const Targets& targets, std::span<const float> weights,
                              const ProgressiveOutput& before) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    support_.evaluate(rows[i], values_);
    if (before.wants_anything()) {
      for (std::size_t c = 0; c < outputs(); ++c) scores_[c] = static_cast<float>(values_[c] + support_.bias(c));
      before.take(i, decide(scores_), scores_);
    }
    store_.count(support_.size());
    ++examples_;
    const double weight = weights.empty() ? 1 : static_cast<double>(weights[i]);
    if (weight > 0) learn_one(rows[i], targets.classes[i], weight);
  }
}

// values_ contains f without bias.
void DualLearner::learn_one(const Features& x, ClassId label, double weight) {
  for (std::size_t c = 0; c < outputs(); ++c) solvers_[c]->require_learnable(sign(label, c), box_ * weight);
  const std::size_t slot = store_.append(x);
  if (!(std::abs(store_.self_kernel(slot)) <= kLargestKernel) ||
      !std::ranges::all_of(values_, [](double v) { return std::isfinite(v); })) {
    store_.remove(slot);
    fail_kernel_range();
  }
  labels_.push_back(label);
  boxes_.push_back(box_ * weight);
  const std::span<const float> row = support_.row();
  for (std::size_t j = 0; j < row.size(); ++j) store_.extend_row(support_.slots()[j], row[j]);
  learn_outputs(slot);
  take_over_changes();
  drop_unneeded();
}

// The outputs have separate problems, which threads may solve at the same time; they share only the kernel rows.
void DualLearner::learn_outputs(std::size_t slot) {
  constexpr double kSteps = 20;  // over all examples, until a solver is done with a new one
  const double cost = store_.keeps_all_rows() ? kSteps * static_cast<double>(outputs() * store_.size()) : 0;
  share(outputs(), 1, cost, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      solvers_[c]->append(values_[c]);
      solvers_[c]->learn(store_, slot, sign(labels_[slot], c), boxes_[slot]);
    }
  });
}

void DualLearner::finish() {
  for (const auto& solver : solvers_) solver->finish(store_);
  if (solve_jointly_) solve_jointly_({store_, labels_, boxes_, solvers_});
  take_over_changes();
  drop_unneeded();
}

// Copies coefficients that the solvers changed to the support vectors.
void DualLearner::take_over_changes() {
  bool any = false;
  for (std::size_t c = 0; c < outputs(); ++c) {
    for (const std::uint32_t slot : solvers_[c]->changed()) {
      for (std::size_t k = 0; k < outputs(); ++k) coefficients_[k] = solvers_[k]->coefficient(slot);
      support_.set(slot, store_.set(), coefficients_);
      any = true;
    }
    solvers_[c]->forget_changes();
    support_.set_bias(c, solvers_[c]->bias());
  }
  if (any) ++updates_;
}

// Goes from the last slot down, so that an example that moves into a freed slot has already been checked.
void DualLearner::drop_unneeded() {
  if (!solvers_[0]->forgets()) return;
  needed_.assign(store_.size(), 0);
  for (const auto& solver : solvers_) solver->mark_needed(needed_);
  for (std::size_t slot = store_.size(); slot-- > 0;) {
    if (needed_[slot] != 0) continue;
    const std::size_t last = store_.size() - 1;
    store_.remove(slot);
    for (const auto& solver : solvers_) solver->remove(slot);
    support_.move(last, slot);
    labels_[slot] = labels_[last];
    labels_.pop_back();
    boxes_[slot] = boxes_[last];
    boxes_.pop_back();
  }
}

void DualLearner::grow(const Shape& shape) {
  store_.grow(shape.dimension);
  support_.grow(shape);
  if (shape.classes <= classes_) return;
  classes_ = shape.classes;
  const std::size_t after = SupportVectors::outputs_for(classes_);
  if (after == outputs()) return;
  support_.begin_anew(after);
  values_.resize(after);
  coefficients_.resize(after);
  scores_.resize(after);
  add_problems(solvers_, after, make_solver_, [&](std::size_t c) {
    for (std::size_t slot = 0; slot < store_.size(); ++slot) solvers_[c]->append(0);
    for (std::size_t slot = 0; slot < store_.size(); ++slot) {
      solvers_[c]->learn(store_, slot, sign(labels_[slot], c), boxes_[slot]);
    }
  });
  std::vector<std::uint32_t> all(store_.size());
  std::iota(all.begin(), all.end(), 0U);
  make_support(all);
}

void DualLearner::make_support(std::span<const std::uint32_t> slots) {
  for (const std::uint32_t slot : slots) {
    for (std::size_t c = 0; c < outputs(); ++c) coefficients_[c] = solvers_[c]->coefficient(slot);
    support_.set(slot, store_.set(), coefficients_);
  }
  for (std::size_t c = 0; c < outputs(); ++c) {
    solvers_[c]->forget_changes();
    support_.set_bias(c, solvers_[c]->bias());
  }
}

LearnerStats DualLearner::stats() const {
  LearnerStats stats;
  stats.examples = examples_;
  stats.updates = updates_;
  stats.support_vectors = support_.size();
  stats.learns_at_end = solvers_[0]->learns_at_end();
  stats.stored_examples = store_.size();
  stats.dimension = store_.set().dimension();
  stats.classes = classes_;
  stats.memory_bytes = store_.memory_bytes() + support_.memory_bytes();
  for (const auto& solver : solvers_) stats.memory_bytes += solver->memory_bytes();
  stats.kernel_evaluations = store_.evaluations();
  return stats;
}

// Checks that every example with a nonzero coefficient is there exactly once.
void DualLearner::load_support(std::span<const std::uint32_t> slots) {
  std::size_t with_coefficients = 0;
  for (std::size_t slot = 0; slot < store_.size(); ++slot) {
    const auto has_one = [&](const auto& solver) { return solver->coefficient(slot) != 0; };
    if (std::ranges::any_of(solvers_, has_one)) ++with_coefficients;
  }
  StateReader::require(slots.size() == with_coefficients, "the wrong number of support vectors");
  StateReader::require(std::ranges::all_of(slots, [&](std::uint32_t slot) { return slot < store_.size(); }),
                       "a support vector that does not exist");
  make_support(slots);
  StateReader::require(support_.size() == with_coefficients, "a support vector appears twice");
}

void DualLearner::save(StateWriter& out) const {
  store_.save(out);
  out.put_array(labels_);
  out.put_array(boxes_);
  out.put<std::uint64_t>(solvers_.size());
  for (const auto& solver : solvers_) solver->save(out);
  out.put_array(support_.slots());  // their order is the order of summation
  out.put(examples_);
  out.put(updates_);
}

void DualLearner::load(StateReader& in) {
  store_.load(in);
  labels_ = in.get_array<ClassId>();
  StateReader::require(labels_.size() == store_.size(), "labels and examples differ in number");
  StateReader::require(std::ranges::all_of(labels_, [&](ClassId c) { return c < classes_; }), "an invalid class");
  boxes_ = in.get_array<double>();
  StateReader::require(boxes_.size() == store_.size(), "boxes and examples differ in number");
  StateReader::require(std::ranges::all_of(boxes_, [](double box) { return std::isfinite(box) && box > 0; }),
                       "an invalid box");
  StateReader::require(in.get<std::uint64_t>() == solvers_.size(),
                       "the number of problems differs from the number of outputs");
  for (const auto& solver : solvers_) {
    solver->load(in, store_.size());
    solver->check(store_);
  }
  const auto slots = in.get_array<std::uint32_t>();
  load_support(slots);
  examples_ = in.get<std::uint64_t>();
  updates_ = in.get<std::uint64_t>();
}

}  // namespace kinglet
