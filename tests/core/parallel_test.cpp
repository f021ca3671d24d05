// parallel_for(): calls the function once for every number, in order; exceptions and `stopped` end the loop.
#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace kinglet {
namespace {

TEST(ParallelThreads, EveryNumberIsWorkedOnOnce) {
  for (const unsigned threads : {0U, 1U, 2U, 7U}) {
    for (const std::size_t count : {0U, 1U, 5U, 1000U}) {
      std::vector<int> calls(count);  // distinct elements: no two threads share one
      parallel_for(count, threads, [&](std::size_t i) { ++calls[i]; });
      EXPECT_EQ(calls, std::vector<int>(count, 1)) << threads << " threads";
    }
  }
}

TEST(ParallelThreads, OneThreadIsTheCallersAndKeepsTheOrder) {
  std::vector<std::size_t> order;
  const auto caller = std::this_thread::get_id();
  parallel_for(100, 1, [&](std::size_t i) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(i);
  });
  ASSERT_EQ(order.size(), 100U);
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
}

// Each call waits until the other has begun, so the loop ends only if they run on two threads.
TEST(ParallelThreads, CallsRunAtTheSameTime) {
  std::atomic<int> arrived = 0;
  std::set<std::thread::id> ids;
  std::mutex mutex;
  parallel_for(2, 2, [&](std::size_t) {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
    const std::scoped_lock lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(ids.size(), 2U);
}

// With one thread, only calls 0 and 1 begin. With more threads, others may begin between the throw and the moment the
// loop notices it.
TEST(ParallelThreads, AnExceptionIsThrownAgainAndNoFurtherCallBegins) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    std::atomic<bool> thrown = false;
    std::atomic<std::size_t> calls = 0;
    const auto work = [&](std::size_t i) {
      ++calls;
      if (i == 1) {
        thrown = true;
        throw std::runtime_error("number 1");
      }
      while (i > 1 && !thrown) std::this_thread::yield();
    };
    try {
      parallel_for(1'000'000, threads, work);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "number 1");
    }
    if (threads == 1) {
      EXPECT_EQ(calls, 2U);
    } else {
      EXPECT_LT(calls, 1'000'000U);
    }
  }
}

TEST(ParallelThreads, NoCallBeginsOnceStopped) {
  for (const unsigned threads : {1U, 3U}) {
    std::atomic<std::size_t> calls = 0;
    parallel_for(
        1000, threads, [&](std::size_t) { ++calls; }, [&] { return calls >= 10; });
    EXPECT_GE(calls, 10U);
    EXPECT_LT(calls, 10U + threads);  // each other thread may ask `stopped` just before the tenth call
  }
  parallel_for(
      10, 2, [](std::size_t) { ADD_FAILURE() << "a call after the stop"; }, [] { return true; });
}

TEST(Parallel, ZeroThreadsMeansOnePerCore) {
  EXPECT_GE(thread_count(0), 1U);
  EXPECT_EQ(thread_count(1), 1U);
  EXPECT_EQ(thread_count(5), 5U);
}

}  // namespace
}  // namespace kinglet
