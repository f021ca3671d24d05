#include "lab/delayed_labels.hpp"

#include <algorithm>
#include <utility>

#include "core/assert.hpp"
#include "kinglet/error.hpp"
#include "lab/copy_rows.hpp"

namespace kinglet {

// A model begins with the whole first batch, which decides the scaling and more.
DelayedLabels::DelayedLabels(Source& source, std::uint64_t delay, std::optional<std::uint64_t> learned,
                             std::function<Prediction(const Batch&)> predict)
    : source_(source),
      delay_(delay),
      learned_(learned.value_or(0)),
      first_(learned ? kBatchRows : 1),
      unpredicted_(learned ? std::max<std::uint64_t>(*learned, kBatchRows) + delay : 0),
      predict_(std::move(predict)) {}

void DelayedLabels::rewind() { throw Error("labels that come late are known for one pass over the data only"); }

// Another batch of the source. False at its end. An error of the source waits until the rows before it were returned.
bool DelayedLabels::read() {
  if (ended_) return false;
  Batch batch;
  try {
    ended_ = !source_.next(batch);
  } catch (const Error&) {
    problem_ = std::current_exception();
    ended_ = true;
  }
  if (!ended_) batches_.push_back(std::move(batch));
  return !ended_;
}

// The next row of the source arrives. False if there is none.
bool DelayedLabels::arrive(bool to_predict) {
  if (arriving_.batch == batches_.size() && !read()) return false;
  const Batch& batch = batches_[arriving_.batch];
  const bool is_new = arrived_ >= learned_;
  std::optional<Prediction> prediction;
  if (to_predict || (is_new && tell_)) {
    copy_rows(batch, arriving_.row, 1, one_);
    one_.index_base = batch.index_base;
  }
  if (to_predict) prediction = predict_(one_);
  if (is_new && tell_) tell_(one_, arrived_, prediction);
  if (is_new) predictions_.push_back(prediction);
  ++arrived_;
  if (++arriving_.row == batch.rows()) arriving_ = {arriving_.batch + 1, 0};
  return true;
}

bool DelayedLabels::next(Batch& batch) {
  const bool is_first = !std::exchange(began_, true);
  const std::uint64_t wanted = is_first ? first_ : 1;
  const std::uint64_t ahead = is_first ? wanted + delay_ : 1;
  for (std::uint64_t i = 0; i < ahead && arrive(arrived_ >= unpredicted_); ++i) {
  }
  if (batches_.empty()) {
    batch.clear();
    if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
    return false;
  }
  Batch& oldest = batches_.front();
  const std::size_t n = std::min<std::uint64_t>(oldest.rows() - returned_, wanted);
  copy_rows(oldest, returned_, n, batch);
  batch.index_base = oldest.index_base;
  batch.new_labels = std::exchange(oldest.new_labels, {});
  returned_ += n;
  if (returned_ == oldest.rows()) {
    KINGLET_ASSERT(arriving_.batch > 0);
    batches_.pop_front();
    --arriving_.batch;
    returned_ = 0;
  }
  return true;
}

bool DelayedLabels::wait(std::chrono::milliseconds patience) {
  return arriving_.batch < batches_.size() || ended_ || source_.wait(patience);
}

std::optional<Prediction> DelayedLabels::take() {
  KINGLET_ASSERT(!predictions_.empty());
  const std::optional<Prediction> prediction = predictions_.front();
  predictions_.pop_front();
  return prediction;
}

}  // namespace kinglet
