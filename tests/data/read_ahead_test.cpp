// ReadAhead: the same batches in the same order, independent of the timing of the two threads.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "data/reading.hpp"

namespace kinglet {
namespace {

using namespace std::chrono_literals;

// Returns `count` batches; batch i has the values i, the new label i and the number of the pass as its weights. Then it
// ends, throws or blocks, as `end` says.
class ScriptedSource final : public Source {
 public:
  enum class End { quiet, error, block };
  ScriptedSource(int count, End end) : count_(count), end_(end) {}

  bool next(Batch& batch) override {
    batch.clear();
    if (stopped_) return false;
    if (next_ == count_ && end_ == End::error) throw Error("the script says so");
    if (next_ == count_ && end_ == End::block) {
      while (!stopped_) std::this_thread::sleep_for(1ms);
    }
    if (next_ == count_) return false;
    batch.sparse = false;
    batch.dimension = 1;
    batch.values.assign(3, static_cast<float>(next_));
    batch.weights.assign(3, static_cast<float>(pass_));
    batch.labels.assign(3, static_cast<std::uint32_t>(next_));
    if (next_ == told_) batch.new_labels.push_back(std::to_string(told_++));
    ++next_;
    return true;
  }
  bool can_rewind() const override { return end_ != End::block; }
  void rewind() override { begin_pass(0); }
  void begin_pass(std::uint64_t pass) override {
    next_ = 0;
    pass_ = pass;
  }
  std::optional<double> progress() const override { return static_cast<double>(next_) / count_; }
  std::string name() const override { return "script"; }
  void stop() override { stopped_ = true; }

 private:
  int count_;
  End end_;
  int next_ = 0;
  std::uint64_t pass_ = 0;
  int told_ = 0;
  std::atomic<bool> stopped_ = false;
};

std::unique_ptr<Source> scripted(int count, ScriptedSource::End end = ScriptedSource::End::quiet) {
  return read_ahead(std::make_unique<ScriptedSource>(count, end));
}

TEST(ReadAhead, GivesTheSameBatchesInTheSameOrder) {
  EXPECT_TRUE(rc::check([] {
    const int count = *rc::gen::inRange(0, 40);
    const bool slow = *rc::gen::inRange(0, 10) == 0;
    const auto source = scripted(count);
    Batch batch;
    for (int i = 0; i < count; ++i) {
      if (slow) std::this_thread::sleep_for(100us);
      RC_ASSERT(source->next(batch));
      RC_ASSERT(batch.values == std::vector<float>(3, static_cast<float>(i)));
      RC_ASSERT(batch.new_labels == std::vector<std::string>{std::to_string(i)});
      RC_ASSERT(source->progress() == static_cast<double>(i + 1) / count);
    }
    RC_ASSERT(!source->next(batch));
    RC_ASSERT(!source->next(batch));
    RC_ASSERT(batch.rows() == 0u);
  }));
}

TEST(ReadAhead, GivesWhatWasReadBeforeAnErrorAndThenTheError) {
  const auto source = scripted(10, ScriptedSource::End::error);
  std::this_thread::sleep_for(10ms);
  Batch batch;
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(source->next(batch));
  EXPECT_THROW(source->next(batch), Error);
  EXPECT_FALSE(source->next(batch));
}

TEST(ReadAhead, CanBeDestroyedAtAnyMoment) {
  for (const auto end : {ScriptedSource::End::quiet, ScriptedSource::End::error, ScriptedSource::End::block}) {
    for (int taken = 0; taken < 6; ++taken) {
      const auto source = scripted(6, end);
      Batch batch;
      for (int i = 0; i < taken; ++i) ASSERT_TRUE(source->next(batch));
      if (taken % 2 == 0) std::this_thread::sleep_for(2ms);
    }
  }
}

TEST(ReadAhead, StopEndsANextThatIsBlocked) {
  const auto source = scripted(2, ScriptedSource::End::block);
  Batch batch;
  ASSERT_TRUE(source->next(batch));
  ASSERT_TRUE(source->next(batch));
  std::thread stopper([&] {
    std::this_thread::sleep_for(20ms);
    source->stop();
  });
  EXPECT_FALSE(source->next(batch));
  stopper.join();
  EXPECT_FALSE(source->next(batch));
}

TEST(ReadAhead, RewindsAtAnyMomentWithoutLosingALabel) {
  EXPECT_TRUE(rc::check([] {
    const int count = *rc::gen::inRange(1, 20);
    const auto source = scripted(count);
    std::vector<std::string> labels;
    Batch batch;
    const auto take = [&](int n) {
      for (int i = 0; i < n; ++i) {
        RC_ASSERT(source->next(batch));
        RC_ASSERT(batch.values[0] == static_cast<float>(i));
        labels.insert(labels.end(), batch.new_labels.begin(), batch.new_labels.end());
        RC_ASSERT(labels.size() > batch.labels[0]);
        RC_ASSERT(labels[batch.labels[0]] == std::to_string(i));
      }
    };
    for (const int n : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, count))) {
      take(n);
      source->rewind();
    }
    take(count);
    RC_ASSERT(!source->next(batch));
    RC_ASSERT(labels.size() == static_cast<std::size_t>(count));
  }));
}

TEST(ReadAhead, RewindsAfterAnError) {
  const auto source = scripted(3, ScriptedSource::End::error);
  Batch batch;
  for (int pass = 0; pass < 8; ++pass) {
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(source->next(batch));
    EXPECT_THROW(source->next(batch), Error);
    source->rewind();
  }
}

TEST(ReadAhead, BeginsThePassThatIsAskedFor) {
  const auto source = scripted(3);
  for (const std::uint64_t pass : {0u, 1u, 7u, 2u}) {
    source->begin_pass(pass);
    Batch batch;
    ASSERT_TRUE(source->next(batch));
    EXPECT_EQ(batch.weights[0], static_cast<float>(pass));
  }
}

TEST(ReadAhead, PassesOnTheNamesOfItsSource) { EXPECT_EQ(scripted(3)->name(), "script"); }

TEST(ReadAhead, UsesTheSameFewBatchesOverAndOver) {
  const auto source = read_ahead(open_source("gen:checkerboard?n=200k", {}));
  Batch batch;
  std::set<const float*> seen;
  while (source->next(batch)) seen.insert(batch.values.data());
  EXPECT_LE(seen.size(), 6u);
}

TEST(ReadAhead, ReadsTextAsItIsRead) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i % 7) + " 1:" + std::to_string(i) + "\n";
  const auto source = read_ahead(read_memory(text, {}));
  const auto data = read_all(*source);
  EXPECT_EQ(data.rows, read_all(text).rows);
  EXPECT_EQ(source->progress(), 1.0);
}

TEST(ReadAhead, DoesNotHangOnAPipeThatStaysOpen) {
  const TemporaryFolder folder;
  const std::string path = folder.path("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  for (const bool stop_first : {false, true}) {
    auto source = read_ahead(open_source(path, {}));
    const int writer = ::open(path.c_str(), O_WRONLY);
    ASSERT_EQ(::write(writer, "1 1:1\n", 6), 6);
    std::this_thread::sleep_for(20ms);
    Batch batch;
    if (stop_first) {
      source->stop();
      EXPECT_TRUE(source->next(batch)) << "what was read is given";
      EXPECT_EQ(batch.rows(), 1u);
      EXPECT_FALSE(source->next(batch));
    }
    source.reset();
    ::close(writer);
  }
}

}  // namespace
}  // namespace kinglet
