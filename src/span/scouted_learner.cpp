#include "span/scouted_learner.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "learn/registry_entries.hpp"

namespace kinglet {
namespace {

// Merging does not work with every kernel. With others the scout keeps its largest terms: about the first violators.
const char* scouts_budget_rule(Options options) {
  options.set("merge-pairs", "1");
  return budget_rule_entry("merge").incompatibility(options).empty() ? "merge" : "smallest";
}

}  // namespace

Options scout_options(const Options& options) {
  Options scout{{"algo", "bpegasos"},
                {"update", "pegasos"},
                {"maintain", scouts_budget_rule(options)},
                {"lambda", options.text("lambda")}};
  for (const char* name :
       {"task", "budget", "kernel", "gamma", "coef0", "degree", "scale", "storage", "metric", "seed"}) {
    if (options.has(name)) scout.set(name, options.text(name));
  }
  return complete_options(scout);
}

std::size_t head_capacity(const Options& options, const Shape& shape, SpanKind kind) {
  const auto rows = static_cast<std::size_t>(options.integer("scout"));
  const bool limited = options.has("memory") && options.text("memory") != "none";
  if (shape.has_sparse_vectors() || !limited) return rows;
  return std::min(rows, SpanLearner::bytes(options, shape, kind) / RowSample::bytes(shape, 1));
}

std::unique_ptr<SpanLearner> hand_over(const Options& options, const Shape& shape, const AdditiveLearner& scout,
                                       const RowSample& head, SpanKind kind) {
  auto span = std::make_unique<SpanLearner>(options, shape, scout.expansion().set(), kind);
  span->learn_batch(head.rows(), head.targets(), head.weights(), {});
  return span;
}

ScoutedLearner::ScoutedLearner(const Options& options, const Shape& shape, SpanKind kind)
    : options_(options), shape_(shape), kind_(kind), scouting_(static_cast<std::size_t>(options.integer("scout"))) {
  start_scouting();
}

void ScoutedLearner::start_scouting() {
  scout_ = std::make_unique<AdditiveLearner>(scout_options(options_), shape_);
  head_.emplace(shape_, task_kind(options_), head_capacity(options_, shape_, kind_));
}

// At the hand-over the head and the span learner exist together; before, the head and the scout.
std::size_t ScoutedLearner::bytes(const Options& options, const Shape& shape, SpanKind kind) {
  return RowSample::bytes(shape, head_capacity(options, shape, kind)) +
         std::max(SpanLearner::bytes(options, shape, kind), AdditiveLearner::bytes(scout_options(options), shape));
}

void ScoutedLearner::learn_batch(const Rows& rows, const Targets& targets, std::span<const float> weights,
                                 const ProgressiveOutput& before) {
  std::size_t begin = 0;
  const auto weights_of = [&](std::size_t n) { return weights.empty() ? weights : weights.subspan(begin, n); };
  while (is_scouting() && begin < rows.count) {
    // Later than n₀ only if there are no support vectors yet.
    const std::size_t wanted = examples_ < scouting_ ? scouting_ - examples_ : 1;
    const std::size_t n = std::min<std::size_t>(rows.count - begin, wanted);
    head_->add(rows.slice(begin, n), targets.slice(begin, n), weights_of(n));
    scout_->learn_batch(rows.slice(begin, n), targets.slice(begin, n), weights_of(n),
                        before.slice(begin, n, outputs()));
    examples_ += n;
    begin += n;
    if (examples_ >= scouting_) hand_over_now();
  }
  if (begin == rows.count) return;
  const std::size_t n = rows.count - begin;
  span_->learn_batch(rows.slice(begin, n), targets.slice(begin, n), weights_of(n), before.slice(begin, n, outputs()));
  examples_ += n;
}

void ScoutedLearner::hand_over_now() {
  if (scout_->expansion().size() == 0) return;  // nothing to span
  span_ = hand_over(options_, shape_, *scout_, *head_, kind_);
  updates_ = scout_->stats().updates - span_->stats().updates;
  scout_.reset();
  head_.reset();
}

void ScoutedLearner::finish() {
  if (is_scouting()) hand_over_now();
  current().finish();
}

void ScoutedLearner::grow(const Shape& shape) {
  shape_.dimension = std::max(shape_.dimension, shape.dimension);
  shape_.classes = std::max(shape_.classes, shape.classes);
  current().grow(shape);
  if (!head_) return;
  head_->grow(shape.dimension);
  head_->limit(head_capacity(options_, shape_, kind_));
}

void ScoutedLearner::rescale_features(std::span<const float> ratios) {
  current().rescale_features(ratios);
  if (head_) head_->rescale_features(ratios);
}

void ScoutedLearner::lower_budget(std::size_t budget) {
  options_.set("budget", std::to_string(budget));
  current().lower_budget(budget);
  if (head_) head_->limit(head_capacity(options_, shape_, kind_));
}

const SupportSet& ScoutedLearner::centres() const {
  return is_scouting() ? scout_->expansion().set() : span_->centres();
}

std::unique_ptr<ScoutedLearner> ScoutedLearner::in_same_span(std::uint32_t classes) const {
  Shape shape = shape_;
  shape.classes = classes;
  auto other = std::make_unique<ScoutedLearner>(options_, shape, kind_);
  other->scout_.reset();
  other->head_.reset();
  other->span_ = std::make_unique<SpanLearner>(options_, shape, centres(), kind_);
  return other;
}

std::unique_ptr<Learner> ScoutedLearner::start(bool keeps_coefficients) const {
  if (!kind_.adds_up || centres().size() == 0 || (is_scouting() && keeps_coefficients)) return nullptr;
  auto other = in_same_span(shape_.classes);
  if (keeps_coefficients) other->span_->begin_at(*span_);
  return other;
}

bool ScoutedLearner::shares_start(const Learner& other) const {
  const auto* theirs = dynamic_cast<const ScoutedLearner*>(&other);
  return theirs != nullptr && span_ && theirs->span_ && span_->has_start_of(*theirs->span_);
}

std::unique_ptr<Learner> ScoutedLearner::sum(std::span<const Learner* const> parts,
                                             std::span<const std::vector<ClassId>> classes,
                                             std::uint32_t class_count) const {
  if (!kind_.adds_up || is_scouting()) return nullptr;
  auto all = in_same_span(class_count);
  std::vector<const SpanLearner*> spans;
  for (const Learner* part : parts) {
    const auto& scouted = dynamic_cast<const ScoutedLearner&>(*part);
    spans.push_back(scouted.span());
    all->examples_ += scouted.examples_;
    all->updates_ += scouted.updates_;
  }
  all->span_->become_sum(spans, classes);
  return all;
}

LearnerStats ScoutedLearner::stats() const {
  LearnerStats stats = current().stats();
  stats.examples = examples_;
  if (!is_scouting()) stats.updates += updates_;
  stats.memory_bytes += head_ ? head_->memory_bytes() : 0;
  return stats;
}

void ScoutedLearner::save(StateWriter& out) const {
  out.put<std::uint8_t>(is_scouting() ? 1 : 0);
  out.put(examples_);
  out.put(updates_);
  current().save(out);
  if (head_) head_->save(out);
}

void ScoutedLearner::load(StateReader& in) {
  const auto scouting = in.get<std::uint8_t>();
  StateReader::require(scouting <= 1, "an unknown phase of the learner");
  examples_ = in.get<std::uint64_t>();
  updates_ = in.get<std::uint64_t>();
  if (scouting == 1) {
    span_.reset();
    start_scouting();
    scout_->load(in);
    head_->load(in);
    return;
  }
  scout_.reset();
  head_.reset();
  span_ = std::make_unique<SpanLearner>(options_, shape_, kind_);
  span_->load(in);
}

}  // namespace kinglet
