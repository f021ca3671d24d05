// Runs a source in its own thread, with a short queue of batches between the reading and the learning thread. Batches
// are reused (a consumed batch returns as a spare), so after a while nothing is allocated.
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "kinglet/source.hpp"

namespace kinglet {
namespace {

class ReadAhead final : public Source {
 public:
  explicit ReadAhead(std::unique_ptr<Source> source) : source_(std::move(source)), name_(source_->name()) {
    filled_.reserve(kBatches + 1);
    spares_.reserve(kBatches + 1);
    spares_.resize(kBatches);
    start();
  }
  ~ReadAhead() override {
    source_->stop();
    halt();
  }
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  bool next(Batch& batch) override;
  bool wait(std::chrono::milliseconds patience) override;
  bool can_rewind() const override { return source_->can_rewind(); }
  void rewind() override { begin_pass(0); }
  void begin_pass(std::uint64_t pass) override;
  std::optional<double> progress() const override { return progress_; }
  std::optional<std::uint64_t> rows() const override { return source_->rows(); }
  std::optional<std::uint64_t> rows_read() const override { return source_->rows_read(); }
  SkippedRows skipped() const override {
    const std::scoped_lock lock(mutex_);
    return skipped_;
  }
  DataGaps gaps() const override {
    const std::scoped_lock lock(mutex_);
    return gaps_;
  }
  std::string name() const override { return name_; }
  // The reading thread notices by itself that its source stopped. No lock is taken, so a signal handler may call this.
  void stop() override { source_->stop(); }

 private:
  static constexpr std::size_t kBatches = 4;
  struct Filled {
    Batch batch;
    std::optional<double> progress;
  };

  void start() {
    thread_ = std::thread([this] { run(); });
  }
  void halt();
  void run();
  bool fill_one();

  std::unique_ptr<Source> source_;  // while the thread runs, only it uses the source, except for stop()
  std::string name_;
  std::thread thread_;

  mutable std::mutex mutex_;  // guards the members below, up to the blank line
  std::condition_variable changed_;
  std::vector<Filled> filled_;  // oldest first
  std::vector<Batch> spares_;
  bool halting_ = false;
  bool finished_ = false;
  std::exception_ptr error_;
  SkippedRows skipped_;
  DataGaps gaps_;

  // Used only by the reading thread.
  std::optional<double> progress_;
  std::vector<std::string> unseen_labels_;  // new labels of batches that begin_pass() discarded
};

bool ReadAhead::next(Batch& batch) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !filled_.empty() || finished_; });
  if (filled_.empty()) {
    batch.clear();
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    return false;
  }
  spares_.push_back(std::move(batch));
  batch = std::move(filled_.front().batch);
  progress_ = filled_.front().progress;
  filled_.erase(filled_.begin());
  lock.unlock();
  changed_.notify_all();
  if (!unseen_labels_.empty()) {
    batch.new_labels.insert(batch.new_labels.begin(), unseen_labels_.begin(), unseen_labels_.end());
    unseen_labels_.clear();
  }
  return true;
}

bool ReadAhead::wait(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [&] { return !filled_.empty() || finished_; });
}

void ReadAhead::run() {
  try {
    while (fill_one()) {
    }
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    error_ = std::current_exception();
  }
  {
    const std::scoped_lock lock(mutex_);
    skipped_ = source_->skipped();
    gaps_ = source_->gaps();
    finished_ = true;
  }
  changed_.notify_all();
}

bool ReadAhead::fill_one() {
  Filled filled;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !spares_.empty() || halting_; });
    if (halting_) return false;
    filled.batch = std::move(spares_.back());
    spares_.pop_back();
  }
  const bool more = source_->next(filled.batch);
  filled.progress = source_->progress();
  {
    const std::scoped_lock lock(mutex_);
    if (skipped_.count != source_->skipped().count) skipped_ = source_->skipped();
    if (more) {
      filled_.push_back(std::move(filled));
    } else {
      spares_.push_back(std::move(filled.batch));
    }
  }
  changed_.notify_all();
  return more;
}

void ReadAhead::halt() {
  {
    const std::scoped_lock lock(mutex_);
    halting_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ReadAhead::begin_pass(std::uint64_t pass) {
  if (!can_rewind()) {
    source_->begin_pass(pass);  // throws an error with the reason
    return;
  }
  halt();
  for (auto& filled : filled_) {
    auto& labels = filled.batch.new_labels;
    unseen_labels_.insert(unseen_labels_.end(), labels.begin(), labels.end());
    spares_.push_back(std::move(filled.batch));
  }
  filled_.clear();
  while (spares_.size() < kBatches) spares_.emplace_back();  // a batch is lost if the source throws
  error_ = nullptr;
  halting_ = finished_ = false;
  source_->begin_pass(pass);
  start();
}

}  // namespace

std::unique_ptr<Source> read_ahead(std::unique_ptr<Source> source) {
  return std::make_unique<ReadAhead>(std::move(source));
}

}  // namespace kinglet
