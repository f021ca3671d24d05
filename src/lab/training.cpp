// A training run. Batches are divided where a checkpoint or a progress line is due, so that both are exact.
#include "lab/training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/assert.hpp"
#include "kinglet/error.hpp"
#include "lab/copy_rows.hpp"
#include "lab/label_order.hpp"
#include "lab/label_texts.hpp"
#include "lab/same_data.hpp"
#include "lab/training_progress.hpp"
#include "learn/target_moments.hpp"
#include "model/fingerprint.hpp"
#include "model/model_access.hpp"

namespace kinglet {
namespace {

// With a slow learner, check for a stop and report progress after so many seconds.
constexpr double kPatience = 0.2;
constexpr auto kWaitForRows = std::chrono::seconds(1);
// The number of rows of a batch that are learned one by one to measure their time: many at first, until there are
// enough to show rare delays.
constexpr std::size_t kTimedRows = 2;
constexpr std::size_t kTimedRowsAtFirst = 64;
constexpr std::uint64_t kTimedEnough = 2000;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

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
      : model_(model),
        source_(source),
        plan_(plan),
        events_(events),
        asks_(plan.oracle || model.asks_for_labels()),
        progress_(model, plan, events, asks_) {
    if (asks_) oracle_ = [this](const Query& query) { return answer(query); };
  }

  TrainingResult operator()();

 private:
  bool read_batch();
  bool next_batch();
  bool ends_here();
  bool one_pass();
  void check_beginning() const;
  void skip_learned_rows();
  void learn_in_parts();
  void learn_first();
  bool learn(const Batch& part, std::vector<Prediction>* before = nullptr);
  std::optional<std::string> answer(const Query& query) const;
  bool learn_now(const Batch& part, std::vector<Prediction>* before);
  void begin_pass();
  void end_pass();
  std::size_t rows_to_time() const;
  std::size_t rows_until_cut() const;
  void after_part();
  void tell_drift();
  void save_checkpoint();
  bool has_changed() const { return examples() > run_begin_ || labels() > labels_before_; }
  std::optional<double> majority_error() const;
  std::uint64_t examples() const { return model_.progress().examples; }
  std::uint64_t labels() const { return model_.progress().labels; }
  bool stop_requested() const { return events_.stopped && events_.stopped(); }

  Model& model_;
  Source& source_;
  const TrainingPlan& plan_;
  const TrainingEvents& events_;
  bool asks_;
  TrainingProgress progress_;
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
  std::vector<Prediction> before_;  // progressive predictions of the last part, if needed
  Batch rest_;                      // the rest of a part after a point of the curve
  LabelTexts texts_;                // of the source's labels

  std::uint64_t alarms_told_ = 0;
  LabelOrder order_;  // of the labels in this pass
  bool noted_order_ = false;
  TargetMoments targets_;  // in this pass
};

TrainingResult Run::operator()() {
  alarms_told_ = model_.drift_alarms();
  run_begin_ = last_checkpoint_ = examples();
  labels_before_ = labels();
  model_.begin_source();
  skip_learned_rows();
  const auto begin = std::chrono::steady_clock::now();
  progress_.begin(begin);
  bool complete = true;
  while (complete && position_of(model_).pass < plan_.passes) complete = one_pass();
  TrainingResult result;
  result.labels_ended = ended_ && !stop_requested();
  result.stopped = !complete && !result.labels_ended;
  result.learned = examples() - run_begin_;
  result.seconds = seconds_since(begin);
  result.majority_error = majority_error();
  if (targets_.count() > 0) result.baseline_rmse = targets_.deviation();
  if (progress_.has_news()) progress_.tell();
  if (asks_ && has_changed()) progress_.note_point();
  result.curve = std::move(progress_.curve());
  if (!complete) save_checkpoint();
  return result;
}

bool Run::read_batch() {
  while (!source_.wait(kWaitForRows)) {
    if (progress_.line_is_late()) progress_.tell();
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
  if (std::exchange(at_beginning_, false)) check_beginning();
  texts_.add(batch_.new_labels);
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

void Run::check_beginning() const {
  const Position position = position_of(model_);
  const bool goes_on = position.pass > 0 || position.row > 0;
  if (goes_on && !stop_requested()) require_same_beginning(model_, batch_, source_);
}

// Skips the rows of this pass that the model has already learned. The rest of the last batch stays in batch_.
void Run::skip_learned_rows() {
  const auto hash = rows_hash(model_);
  set_rows_hash(model_, std::nullopt);
  if (position_of(model_).pass >= plan_.passes) {
    if (source_.can_rewind() && source_.next(batch_)) check_beginning();  // not for a pipe, which may have no more data
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
    if (!more) refuse_shorter_data(model_, learned - left, source_);
    skipped_ = std::min<std::uint64_t>(left, batch_.rows());
    name_candidate(model_, batch_, learned - left);
    if (!plan_.checkpoint.empty()) hash_.add(batch_, 0, skipped_, texts_.texts());
    left -= skipped_;
  }
  if (!plan_.checkpoint.empty()) require_same_rows(model_, hash, hash_.value(), source_);
  if (skipped_ == batch_.rows()) skipped_ = 0;
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
    texts_.give(part, done == batch_.rows());
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
  texts_.give(batch_, true);
  const auto begin = std::chrono::steady_clock::now();
  ended_ = !learn(batch_, &before_);
  if (events_.learned) events_.learned({batch_, before_, seconds_since(begin)});
  if (events_.started) events_.started();
  progress_.tell_inside(batch_, before_);
  after_part();
}

// Whether the data end after the first batch, which is incomplete. Otherwise the run was stopped there. Throws the
// error of a row among the first ones: learning has not begun, and there is nothing to keep.
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
  while (!whole && progress_.point_is_due()) {
    progress_.note_point();
    if (events_.test) progress_.curve().back().test_accuracy = events_.test();
    const auto done = static_cast<std::size_t>(examples() - from);
    copy_rows(part, done, part.rows() - done, rest_);
    std::vector<Prediction> more;
    whole = learn_now(rest_, &more);
    if (before != nullptr) before->insert(before->end(), more.begin(), more.end());
  }
  if (!plan_.checkpoint.empty()) hash_.add(part, 0, position_of(model_).row - first_row, texts_.texts());
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
  if (progress_.point_is_due()) return std::nullopt;
  return plan_.oracle ? plan_.oracle(query) : label_in_data(query);
}

std::size_t Run::rows_to_time() const {
  if (!events_.times_rows) return 0;
  const std::uint64_t timed = (examples() - run_begin_) / kBatchRows * kTimedRowsAtFirst;
  return timed < kTimedEnough ? kTimedRowsAtFirst : kTimedRows;
}

std::size_t Run::rows_until_cut() const {
  std::uint64_t rows = progress_.rows_to_line();
  if (plan_.every > 0) rows = std::min(rows, plan_.every - examples() % plan_.every);
  return static_cast<std::size_t>(rows);
}

void Run::after_part() {
  tell_drift();
  if (progress_.line_is_due()) progress_.tell();
  if (plan_.every > 0 && examples() / plan_.every > last_checkpoint_ / plan_.every) save_checkpoint();
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

}  // namespace kinglet
