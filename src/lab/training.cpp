// A training run. Batches are divided where a checkpoint or a progress line is due, so that both are exact.
#include "lab/training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/assert.hpp"
#include "kinglet/error.hpp"
#include "lab/label_order.hpp"
#include "learn/target_moments.hpp"
#include "model/fingerprint.hpp"
#include "model/model_access.hpp"

namespace kinglet {
namespace {

constexpr std::uint64_t kFirstLine = 128;
// With a slow learner, check for a stop and report progress after so many seconds.
constexpr double kPatience = 0.2;
constexpr auto kWaitForRows = std::chrono::seconds(1);
constexpr std::uint64_t kFirstPoint = 10;
// The number of rows of a batch that are learned one by one to measure their time: many at first, until there are enough
// to show rare delays.
constexpr std::size_t kTimedRows = 2;
constexpr std::size_t kTimedRowsAtFirst = 64;
constexpr std::uint64_t kTimedEnough = 2000;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The smallest first · 2^k above `count`.
std::uint64_t doubling_after(std::uint64_t first, std::uint64_t count) {
  std::uint64_t next = first;
  while (next <= count) next *= 2;
  return next;
}

std::uint64_t line_after(std::uint64_t examples) { return doubling_after(kFirstLine, examples); }

// While it exists, work is under way of which nothing could be saved.
class Unsaved {
 public:
  explicit Unsaved(const TrainingEvents& events) : events_(events) { tell(true); }
  ~Unsaved() { tell(false); }
  Unsaved(const Unsaved&) = delete;
  Unsaved& operator=(const Unsaved&) = delete;

 private:
  void tell(bool is) const {
    if (events_.unsaved) events_.unsaved(is);
  }

  const TrainingEvents& events_;
};

class Run {
 public:
  Run(Model& model, Source& source, const TrainingPlan& plan, const TrainingEvents& events)
      : model_(model), source_(source), plan_(plan), events_(events), asks_(plan.oracle || model.asks_for_labels()) {
    if (asks_) oracle_ = [this](const Query& query) { return answer(query); };
  }

  TrainingResult operator()();

 private:
  bool read_batch();
  bool next_batch();
  bool ends_here();
  bool one_pass();
  void require_same_beginning() const;
  void skip_learned_rows();
  void require_same_rows(std::optional<std::uint64_t> hash) const;
  void learn_in_parts();
  void learn_first();
  bool learn(const Batch& part, std::vector<Prediction>* before = nullptr);
  std::optional<std::string> answer(const Query& query) const;
  bool learn_now(const Batch& part, std::vector<Prediction>* before);
  void begin_pass();
  void end_pass();
  void note_point();
  void give_labels(Batch& part, bool all);
  std::size_t rows_to_time() const;
  std::size_t rows_until_cut() const;
  void after_part();
  bool line_is_due() const;
  void print_line_now() { print_line(examples(), judged(), loss(), true); }
  void print_line(std::uint64_t at, std::uint64_t judged, double loss, bool exact);
  void print_lines_inside(const std::vector<Prediction>& before);
  void tell_drift();
  void save_checkpoint();
  bool has_changed() const { return examples() > run_begin_ || labels() > labels_before_; }
  std::optional<double> majority_error() const;
  bool regresses() const { return model_.task() == TaskKind::regress; }
  // The sum from which errors are computed: mistakes, or squared errors.
  double loss() const {
    if (events_.judged) return events_.judged().loss;
    return regresses() ? model_.progress().squared_error : static_cast<double>(model_.progress().mistakes);
  }
  double error_of(double loss, std::uint64_t judged) const {
    const double mean = loss / static_cast<double>(judged);  // NaN if there are none
    return regresses() ? std::sqrt(mean) : mean;
  }
  std::uint64_t examples() const { return model_.progress().examples; }
  std::uint64_t judged() const { return events_.judged ? events_.judged().examples : model_.progress().judged(); }
  std::uint64_t labels() const { return model_.progress().labels; }
  bool point_is_due() const { return labels() >= next_point_; }
  bool stop_requested() const { return events_.stopped && events_.stopped(); }

  Model& model_;
  Source& source_;
  const TrainingPlan& plan_;
  const TrainingEvents& events_;
  bool asks_;
  Oracle oracle_;

  bool ended_ = false;               // a query was not answered
  std::uint64_t run_begin_ = 0;      // examples learned before this run
  std::uint64_t labels_before_ = 0;  // likewise
  std::uint64_t last_checkpoint_ = 0;
  bool checkpoints_hold_ = true;  // false if the first batch was incomplete, so that resuming would give another model
  bool at_beginning_ = true;      // of the source
  RowHash hash_;                  // of the rows learned in this pass, for checkpoints
  Batch batch_;
  std::size_t skipped_ = 0;               // rows of batch_ that were learned before this run
  std::size_t prompt_rows_ = kBatchRows;  // rows learned in kPatience seconds, estimated from the last part
  Batch part_;
  std::vector<Prediction> before_;   // progressive predictions of the last part, if needed
  Batch rest_;                       // the rest of a part after a point of the curve
  std::vector<std::string> labels_;  // the source's label texts, by id
  std::size_t labels_given_ = 0;     // number of these that were passed to the model

  std::uint64_t alarms_told_ = 0;
  LabelOrder order_;  // of the labels in this pass
  bool noted_order_ = false;
  TargetMoments targets_;            // in this pass
  std::uint64_t line_examples_ = 0;  // number of examples at the last progress line
  std::uint64_t line_judged_ = 0;
  double line_loss_ = 0;
  std::vector<CurvePoint> curve_;
  std::uint64_t next_point_ = 0;    // number of labels at the next point of the curve
  std::uint64_t point_judged_ = 0;  // number of judged examples at the last point
  double point_loss_ = 0;
  std::chrono::steady_clock::time_point line_time_;
};

TrainingResult Run::operator()() {
  line_examples_ = examples();
  line_judged_ = point_judged_ = judged();
  line_loss_ = point_loss_ = loss();
  next_point_ = doubling_after(kFirstPoint, labels());
  alarms_told_ = model_.drift_alarms();
  run_begin_ = last_checkpoint_ = examples();
  labels_before_ = labels();
  model_.begin_source();
  skip_learned_rows();
  const auto begin = line_time_ = std::chrono::steady_clock::now();
  bool complete = true;
  while (complete && position_of(model_).pass < plan_.passes) complete = one_pass();
  TrainingResult result;
  result.labels_ended = ended_ && !stop_requested();
  result.stopped = !complete && !result.labels_ended;
  result.learned = examples() - run_begin_;
  result.seconds = seconds_since(begin);
  result.majority_error = majority_error();
  if (targets_.count() > 0) result.baseline_rmse = targets_.deviation();
  if (examples() > line_examples_) print_line_now();
  if (asks_ && has_changed()) note_point();
  result.curve = std::move(curve_);
  if (!complete) save_checkpoint();
  return result;
}

bool Run::read_batch() {
  while (!source_.wait(kWaitForRows)) {
    if (line_is_due()) print_line_now();
    if (events_.waiting) events_.waiting(source_.rows_read());
  }
  return source_.next(batch_);
}

bool Run::next_batch() {
  if (!read_batch()) return false;
  if (plan_.oracle) {
    std::ranges::fill(batch_.labels, kNoLabel);
    batch_.new_labels.clear();
  }
  if (std::exchange(at_beginning_, false)) require_same_beginning();
  labels_.insert(labels_.end(), batch_.new_labels.begin(), batch_.new_labels.end());
  targets_.add(batch_.targets);
  order_.add(batch_.labels);
  if (model_.task() == TaskKind::classify && events_.sorted && !noted_order_ && order_.looks_sorted()) {
    noted_order_ = true;
    events_.sorted(order_);
  }
  return true;
}

// True if the pass reached its end, false if it was stopped.
bool Run::one_pass() {
  if (skipped_ > 0) learn_in_parts();
  while (!ended_ && !stop_requested() && next_batch()) learn_in_parts();
  if (stop_requested()) return false;
  if (!ended_) ended_ = !learn({});  // a checkpoint may have an open query and no row after it
  if (ended_) return false;
  if (examples() == 0) throw Error(fmt::format("{}: no examples to learn from", source_.name()));
  if (position_of(model_).pass + 1 == plan_.passes) save_checkpoint();
  end_pass();
  hash_ = {};
  if (position_of(model_).pass < plan_.passes) begin_pass();
  return true;
}

void Run::begin_pass() {
  source_.begin_pass(position_of(model_).pass);
  order_ = {};
  targets_ = {};
}

void Run::end_pass() {
  std::optional<Unsaved> unsaved;
  if (model_.stats().learns_at_end) unsaved.emplace(events_);
  model_.end_pass();
}

// A run must be resumed with the same data.
void Run::require_same_beginning() const {
  const Position position = position_of(model_);
  const bool goes_on = position.pass > 0 || position.row > 0;
  if (!goes_on || stop_requested() || began_with(model_, batch_)) return;
  throw Error(
      fmt::format("{} does not begin with the same rows as the data of the checkpoint: the checkpoint belongs to other "
                  "data or to another order of them",
                  source_.name()));
}

// Skips the rows of this pass that the model has already learned. The rest of the last batch stays in batch_.
void Run::skip_learned_rows() {
  const auto hash = rows_hash(model_);
  set_rows_hash(model_, std::nullopt);
  if (position_of(model_).pass >= plan_.passes) {
    if (source_.can_rewind() && source_.next(batch_))
      require_same_beginning();  // not for a pipe, which may have no more data
    return;
  }
  if (position_of(model_).pass > 0 && next_batch()) begin_pass();  // next_batch() has checked how the data begin
  const std::uint64_t learned = position_of(model_).row;
  std::uint64_t left = learned;
  while (left > 0) {
    const bool more = !stop_requested() && next_batch();
    if (stop_requested()) {
      skipped_ = 0;
      return;
    }
    if (!more) {
      throw Error(
          fmt::format("{} has only {} examples, but the checkpoint is at {}: the checkpoint belongs to other data or "
                      "to another order of them",
                      source_.name(), learned - left, learned));
    }
    skipped_ = std::min<std::uint64_t>(left, batch_.rows());
    if (!plan_.checkpoint.empty()) hash_.add(batch_, 0, skipped_, labels_);
    left -= skipped_;
  }
  require_same_rows(hash);
  if (skipped_ == batch_.rows()) skipped_ = 0;
}

// `hash` is that of the checkpoint, if it has one.
void Run::require_same_rows(std::optional<std::uint64_t> hash) const {
  if (!hash || plan_.checkpoint.empty() || *hash == hash_.value()) return;
  throw Error(
      fmt::format("{} differs from the data of the checkpoint in its first {} rows: the checkpoint belongs to other "
                  "data or to another order of them",
                  source_.name(), position_of(model_).row));
}

void Run::learn_in_parts() {
  std::size_t done = std::exchange(skipped_, 0);
  if (examples() == 0) {
    learn_first();
    done = batch_.rows();
  }
  while (done < batch_.rows() && !stop_requested()) {
    std::size_t n = std::min({batch_.rows() - done, rows_until_cut(), prompt_rows_});
    const bool timed_alone = done < rows_to_time();
    if (timed_alone) n = 1;
    if (n < batch_.rows()) copy_rows(batch_, done, n, part_);
    Batch& part = n < batch_.rows() ? part_ : batch_;
    done += n;
    give_labels(part, done == batch_.rows());
    const auto begin = std::chrono::steady_clock::now();
    ended_ = !learn(part, events_.learned ? &before_ : nullptr);
    const double seconds = seconds_since(begin);
    if (events_.learned) events_.learned({part, before_, seconds, timed_alone});
    if (ended_) return;
    const double rate = static_cast<double>(n) / std::max(seconds, 1e-6);
    prompt_rows_ = static_cast<std::size_t>(std::max(1.0, kPatience * rate));
    after_part();
    if (events_.batch) events_.batch();
  }
}

// The first batch is never divided, because it determines the scaling, gamma and the classes.
void Run::learn_first() {
  checkpoints_hold_ = batch_.rows() >= kBatchRows || ends_here();
  give_labels(batch_, true);
  const auto begin = std::chrono::steady_clock::now();
  ended_ = !learn(batch_, &before_);
  if (events_.learned) events_.learned({batch_, before_, seconds_since(begin)});
  if (events_.started) events_.started();
  print_lines_inside(before_);
  after_part();
}

// Whether the data end after the first batch, which is incomplete. Otherwise the run was stopped there. Throws the error of
// a row among the first ones: learning has not begun, and there is nothing to keep.
bool Run::ends_here() {
  if (stop_requested()) return false;
  Batch more;
  const bool ends = !source_.next(more);
  KINGLET_ASSERT(ends);
  return !stop_requested();
}

// Learns the whole part, pausing where a point of the curve is due. False if a query was not answered.
bool Run::learn(const Batch& part, std::vector<Prediction>* before) {
  const std::uint64_t from = examples();
  const std::uint64_t first_row = position_of(model_).row;
  bool whole = learn_now(part, before);
  while (!whole && point_is_due()) {
    note_point();
    if (events_.test) curve_.back().test_accuracy = events_.test();
    const auto done = static_cast<std::size_t>(examples() - from);
    copy_rows(part, done, part.rows() - done, rest_);
    std::vector<Prediction> more;
    whole = learn_now(rest_, &more);
    if (before != nullptr) before->insert(before->end(), more.begin(), more.end());
  }
  if (!plan_.checkpoint.empty()) hash_.add(part, 0, position_of(model_).row - first_row, labels_);
  return whole;
}

bool Run::learn_now(const Batch& part, std::vector<Prediction>* before) {
  std::optional<Unsaved> unsaved;
  if (!model_.has_learned()) unsaved.emplace(events_);
  const bool whole = model_.learn(part, before, oracle_);
  for (const Message& text : model_.take_notices()) {
    if (events_.notice) events_.notice(text);
  }
  return whole;
}

std::optional<std::string> Run::answer(const Query& query) const {
  if (point_is_due()) return std::nullopt;
  return plan_.oracle ? plan_.oracle(query) : label_in_data(query);
}

void Run::note_point() {
  CurvePoint point{.labels = labels(), .examples = examples()};
  point.error_since = error_of(loss() - point_loss_, judged() - point_judged_);
  curve_.push_back(point);
  next_point_ = doubling_after(kFirstPoint, labels());
  point_judged_ = judged();
  point_loss_ = loss();
}

// The texts of label ids that were not passed to the model yet: all known ones, or those that `part` uses. They differ from
// the new labels of the batch if rows were skipped or batches divided.
void Run::give_labels(Batch& part, bool all) {
  std::size_t used = all ? labels_.size() : labels_given_;
  for (const std::uint32_t label : part.labels) {
    if (label != kNoLabel) used = std::max<std::size_t>(used, label + 1);
  }
  KINGLET_ASSERT(used <= labels_.size());
  const auto begin = labels_.begin();
  part.new_labels.assign(begin + static_cast<std::ptrdiff_t>(labels_given_), begin + static_cast<std::ptrdiff_t>(used));
  labels_given_ = used;
}

std::size_t Run::rows_to_time() const {
  if (!events_.times_rows) return 0;
  const std::uint64_t timed = (examples() - run_begin_) / kBatchRows * kTimedRowsAtFirst;
  return timed < kTimedEnough ? kTimedRowsAtFirst : kTimedRows;
}

std::size_t Run::rows_until_cut() const {
  std::uint64_t rows = line_after(examples()) - examples();
  if (plan_.every > 0) rows = std::min(rows, plan_.every - examples() % plan_.every);
  return static_cast<std::size_t>(rows);
}

void Run::after_part() {
  tell_drift();
  if (line_after(line_examples_) <= examples() || line_is_due()) print_line_now();
  if (plan_.every > 0 && examples() / plan_.every > last_checkpoint_ / plan_.every) save_checkpoint();
}

// Whether it is time for a progress line, as the last one was long ago.
bool Run::line_is_due() const { return examples() > line_examples_ && seconds_since(line_time_) >= plan_.line_seconds; }

void Run::print_line(std::uint64_t at, std::uint64_t judged, double loss, bool exact) {
  ProgressLine line;
  line.examples = at;
  line.error_since = error_of(loss - line_loss_, judged - line_judged_);
  line.error_so_far = error_of(loss, judged);
  if (exact) {
    line.labels = labels();
    line.support_vectors = model_.stats().support_vectors;
    line.examples_per_second = static_cast<double>(at - line_examples_) / std::max(seconds_since(line_time_), 1e-9);
    line_time_ = std::chrono::steady_clock::now();
  }
  line_examples_ = at;
  line_judged_ = judged;
  line_loss_ = loss;
  if (events_.line) events_.line(line);
}

// The progress lines inside the first batch, from its progressive predictions.
void Run::print_lines_inside(const std::vector<Prediction>& before) {
  if (plan_.oracle || events_.judged) return;  // labels that were not asked for are unknown
  Model::LabelMap classes_of(model_);
  const auto truth = classes_of(batch_);
  double sum = 0;
  std::uint64_t judged = 0;
  for (std::size_t i = 0; i + 1 < before.size(); ++i) {
    const bool is_judged = !asks_ || batch_.labels[i] != kNoLabel;
    judged += is_judged;
    if (regresses()) {
      const double error = static_cast<double>(batch_.targets[i]) - static_cast<double>(before[i].score);
      sum += error * error;
    } else {
      sum += is_judged && before[i].label != truth[i] ? 1 : 0;
    }
    if (line_after(i) == i + 1) print_line(i + 1, judged, sum, false);
  }
}

void Run::tell_drift() {
  const std::uint64_t count = model_.drift_alarms();
  if (count == alarms_told_ || !events_.drift) return;
  const Standings standings = model_.standings();
  const auto fresh = std::min<std::uint64_t>(count - alarms_told_, standings.drift.size());
  for (const DriftAlarm& alarm : std::span(standings.drift).last(static_cast<std::size_t>(fresh))) events_.drift(alarm);
  alarms_told_ = count;
}

void Run::save_checkpoint() {
  if (plan_.checkpoint.empty() || !checkpoints_hold_ || !has_changed()) return;
  set_rows_hash(model_, hash_.value());
  try {
    model_.save(plan_.checkpoint);
  } catch (...) {
    set_rows_hash(model_, std::nullopt);
    throw;
  }
  set_rows_hash(model_, std::nullopt);
  last_checkpoint_ = examples();
}

std::optional<double> Run::majority_error() const {
  const std::uint64_t total = order_.rows();
  if (total == 0) return std::nullopt;
  const std::uint64_t most = *std::ranges::max_element(order_.counts());
  return static_cast<double>(total - most) / static_cast<double>(total);
}

}  // namespace

TrainingResult train(Model& model, Source& source, const TrainingPlan& plan, const TrainingEvents& events) {
  return Run(model, source, plan, events)();
}

void copy_rows(const Batch& batch, std::size_t begin, std::size_t n, Batch& out) {
  KINGLET_ASSERT(begin + n <= batch.rows());
  out.clear();
  out.sparse = batch.sparse;
  out.dimension = batch.dimension;
  out.highest = batch.highest;
  out.columns = batch.columns;
  const auto from = static_cast<std::ptrdiff_t>(begin);
  const auto to = static_cast<std::ptrdiff_t>(begin + n);
  std::ptrdiff_t first = from * batch.dimension;
  std::ptrdiff_t last = to * batch.dimension;
  if (batch.sparse) {
    first = static_cast<std::ptrdiff_t>(batch.offsets[begin]);
    last = static_cast<std::ptrdiff_t>(batch.offsets[begin + n]);
    out.indices.assign(batch.indices.begin() + first, batch.indices.begin() + last);
    for (std::size_t i = begin; i <= begin + n; ++i) out.offsets.push_back(batch.offsets[i] - batch.offsets[begin]);
  }
  out.values.assign(batch.values.begin() + first, batch.values.begin() + last);
  out.labels.assign(batch.labels.begin() + from, batch.labels.begin() + to);
  if (!batch.targets.empty()) out.targets.assign(batch.targets.begin() + from, batch.targets.begin() + to);
  if (!batch.weights.empty()) out.weights.assign(batch.weights.begin() + from, batch.weights.begin() + to);
  if (!batch.ids.empty()) out.ids.assign(batch.ids.begin() + from, batch.ids.begin() + to);
}

}  // namespace kinglet
