#include "data/shuffle.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>

#include "core/compose.hpp"
#include "core/random.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

struct BufferedRow {
  std::vector<float> values;
  std::vector<std::uint32_t> indices;  // sparse only
  std::uint32_t label = kNoLabel;
  float target = 0;
  float weight = 1;

  std::uint64_t bytes() const {
    constexpr std::uint64_t kHeap = 16;  // what an allocation costs besides its content
    return sizeof(BufferedRow) + 2 * kHeap + values.capacity() * sizeof(float) +
           indices.capacity() * sizeof(std::uint32_t);
  }
};

void copy_row(const Batch& from, std::size_t i, BufferedRow& to) {
  const Features x = from.features()[i];
  to.values.assign(x.values, x.values + x.count);
  if (x.is_sparse()) to.indices.assign(x.indices, x.indices + x.count);
  to.label = from.labels[i];
  if (!from.targets.empty()) to.target = from.targets[i];
  if (!from.weights.empty()) to.weight = from.weights[i];
}

class Shuffled final : public Source {
 public:
  Shuffled(std::unique_ptr<Source> source, const ShuffleOptions& options)
      : source_(std::move(source)), options_(options), random_(options.seed) {}

  bool next(Batch& batch) override;
  bool can_rewind() const override { return source_->can_rewind(); }
  void rewind() override { begin_pass(0); }
  void begin_pass(std::uint64_t pass) override;
  std::optional<double> progress() const override { return source_->progress(); }
  std::optional<std::uint64_t> rows() const override { return source_->rows(); }
  std::optional<std::uint64_t> rows_read() const override { return source_->rows_read(); }
  SkippedRows skipped() const override { return source_->skipped(); }
  DataGaps gaps() const override { return source_->gaps(); }
  std::string name() const override { return source_->name(); }
  void stop() override {
    stopping_ = true;
    source_->stop();
  }

 private:
  bool read_input();
  bool is_full() const { return options_.rows != 0 && buffer_.size() == options_.rows; }
  void exchange_rows(Batch& batch);
  void empty_buffer(Batch& batch);
  void add_to_buffer(std::size_t slot);
  void append(const BufferedRow& row, Batch& batch) const;

  std::unique_ptr<Source> source_;
  ShuffleOptions options_;
  Random random_;
  std::vector<BufferedRow> buffer_;
  std::uint64_t bytes_ = 0;  // of the buffer
  Batch input_;
  std::size_t taken_ = 0;  // rows of input_ that are in the buffer
  // The form of the rows, the same in all batches of a source.
  bool sparse_ = false;
  bool has_targets_ = false;
  bool has_weights_ = false;
  std::optional<int> index_base_;
  std::shared_ptr<const Columns> columns_;
  bool ended_ = false;
  std::atomic<bool> stopping_ = false;
  bool first_batch_ = true;
  std::exception_ptr problem_;           // of the source: thrown after all rows before it
  std::uint32_t dimension_ = 0;          // of the rows taken
  HighestIndex highest_;                 // where it comes from, if known
  std::vector<std::string> new_labels_;  // not yet passed on
};

bool Shuffled::next(Batch& batch) {
  batch.clear();
  exchange_rows(batch);
  if (ended_ && !stopping_) empty_buffer(batch);  // after stop(), the rows in the buffer are not at their place yet
  batch.sparse = sparse_;
  batch.index_base = index_base_;
  batch.columns = columns_;
  batch.highest = highest_;
  batch.dimension = dimension_;
  batch.new_labels = std::exchange(new_labels_, {});
  if (batch.rows() > 0) {
    first_batch_ = false;
    return true;
  }
  batch.clear();
  if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
  return false;
}

// Takes rows from the source and returns others, until the batch is full or the source has no more rows for now.
void Shuffled::exchange_rows(Batch& batch) {
  while (batch.rows() < kBatchRows && !ended_) {
    if (taken_ == input_.rows()) {
      if (!first_batch_ && batch.rows() > 0) return;
      if (!read_input()) return;
      continue;
    }
    if (is_full()) {
      const std::size_t slot = random_.below(buffer_.size());
      append(buffer_[slot], batch);
      add_to_buffer(slot);
    } else {
      bytes_ += buffer_.emplace_back().bytes();
      add_to_buffer(buffer_.size() - 1);
    }
  }
}

void Shuffled::empty_buffer(Batch& batch) {
  while (batch.rows() < kBatchRows && !buffer_.empty()) {
    const std::size_t slot = random_.below(buffer_.size());
    append(buffer_[slot], batch);
    std::swap(buffer_[slot], buffer_.back());
    buffer_.pop_back();
  }
}

bool Shuffled::read_input() {
  const bool first = dimension_ == 0;
  taken_ = 0;
  try {
    ended_ = !source_->next(input_);
  } catch (...) {
    if (first_batch_) throw;  // nothing was returned yet, and the complete data would begin with other rows
    problem_ = std::current_exception();
    ended_ = true;
  }
  if (ended_) return false;
  new_labels_.insert(new_labels_.end(), input_.new_labels.begin(), input_.new_labels.end());
  sparse_ = input_.sparse;
  has_targets_ = !input_.targets.empty();
  has_weights_ = !input_.weights.empty();
  index_base_ = input_.index_base;
  columns_ = input_.columns;
  if (first) {
    dimension_ = input_.dimension;
    highest_ = input_.highest;
  }
  return true;
}

// The next row of the input. The dimension grows with the rows, not with the batches of a pipe, whose sizes vary.
void Shuffled::add_to_buffer(std::size_t slot) {
  BufferedRow& row = buffer_[slot];
  bytes_ -= row.bytes();
  copy_row(input_, taken_, row);
  if (const std::uint32_t extent = input_.features()[taken_].extent(); extent > dimension_) {
    dimension_ = extent;
    highest_ = extent == input_.dimension ? input_.highest : HighestIndex{};
  }
  ++taken_;
  bytes_ += row.bytes();
  if (bytes_ <= options_.memory_limit) return;
  throw Error(
      compose("{}: {} rows of {} take more than {} MiB, the limit on this machine; keep fewer rows, or shuffle "
              "the file before",
              option("shuffle"), buffer_.size(), name(), options_.memory_limit >> 20));
}

void Shuffled::append(const BufferedRow& row, Batch& batch) const {
  batch.values.insert(batch.values.end(), row.values.begin(), row.values.end());
  if (sparse_) {
    if (batch.offsets.empty()) batch.offsets.push_back(0);
    batch.indices.insert(batch.indices.end(), row.indices.begin(), row.indices.end());
    batch.offsets.push_back(batch.values.size());
  }
  batch.labels.push_back(row.label);
  if (has_targets_) batch.targets.push_back(row.target);
  if (has_weights_) batch.weights.push_back(row.weight);
}

void Shuffled::begin_pass(std::uint64_t pass) {
  constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;  // spreads the seeds of the passes
  source_->begin_pass(pass);
  random_ = Random(options_.seed + pass * kGoldenRatio);
  buffer_.clear();
  bytes_ = 0;
  input_.clear();
  taken_ = 0;
  ended_ = false;
  first_batch_ = true;
  problem_ = nullptr;
}

}  // namespace

std::unique_ptr<Source> shuffle(std::unique_ptr<Source> source, const ShuffleOptions& options) {
  return std::make_unique<Shuffled>(std::move(source), options);
}

}  // namespace kinglet
