// parallel_for(): calls the function once for every number, in order; exceptions and `stopped` end the loop; work
// inside work. share(): the same for ranges, where it pays.
#include "core/parallel.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <chrono>
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

// Each of two pieces divides its work again. However many threads there are, no more than two work at the same time.
TEST(ParallelThreads, WorkInsideWorkSharesTheThreadsOfTheOutermost) {
  parallel_for(6, 6, [](std::size_t) {});  // a crew of five helpers
  std::atomic<int> working = 0;
  std::atomic<int> most = 0;
  std::vector<int> calls(400);
  parallel_for(2, 2, [&](std::size_t outer) {
    parallel_for(200, 4, [&](std::size_t i) {
      const int now = ++working;
      for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
      }
      ++calls[200 * outer + i];
      std::this_thread::yield();
      --working;
    });
  });
  EXPECT_EQ(calls, std::vector<int>(400, 1));
  EXPECT_LE(most, 2);
}

// The outer piece 0 ends at once. Its thread then helps with piece 1, whose two parts wait for each other.
TEST(ParallelThreads, AThreadThatWaitsHelpsWithPartsOfItsWork) {
  parallel_for(2, 2, [&](std::size_t outer) {
    if (outer == 0) return;
    std::atomic<int> arrived = 0;
    parallel_for(2, 2, [&](std::size_t) {
      ++arrived;
      while (arrived < 2) std::this_thread::yield();
    });
  });
}

// The same when the waiting thread has fallen asleep before there are parts.
TEST(ParallelThreads, AThreadThatWaitsWakesUpForPartsOfItsWork) {
  parallel_for(2, 2, [&](std::size_t outer) {
    if (outer == 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::atomic<int> arrived = 0;
    parallel_for(2, 2, [&](std::size_t) {
      ++arrived;
      while (arrived < 2) std::this_thread::yield();
    });
  });
}

// Two pieces, four threads allowed: the parts of a piece may use those that are free.
TEST(ParallelThreads, FewPiecesDoNotLimitTheirParts) {
  const ThreadAllowance allowed(4);
  parallel_for(2, 2, [&](std::size_t outer) {
    if (outer == 0) return;
    std::atomic<int> arrived = 0;
    parallel_for(3, 3, [&](std::size_t) {
      ++arrived;
      while (arrived < 3) std::this_thread::yield();
    });
  });
}

TEST(ParallelThreads, SeveralThreadsMayShareTheCrew) {
  std::vector<std::vector<int>> calls(3, std::vector<int>(2000));
  {
    std::vector<std::jthread> callers;
    for (auto& mine : calls) {
      callers.emplace_back([&mine] {
        for (int round = 0; round < 20; ++round) {
          parallel_for(mine.size(), 3, [&](std::size_t i) { ++mine[i]; });
        }
      });
    }
  }
  for (const auto& mine : calls) EXPECT_EQ(mine, std::vector<int>(2000, 20));
}

TEST(ParallelThreads, HelpersComputeInTheCallersFloatingPointEnvironment) {
  const int before = std::fegetround();
  std::fesetround(FE_UPWARD);
  std::atomic<int> arrived = 0;
  std::vector<int> rounding(2);
  parallel_for(2, 2, [&](std::size_t i) {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
    rounding[i] = std::fegetround();
  });
  std::fesetround(before);
  EXPECT_EQ(rounding, std::vector<int>(2, FE_UPWARD));
}

TEST(ParallelThreads, AChildProcessStartsItsOwn) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the thread sanitizer ends a child process that starts threads";
#endif
#endif
  parallel_for(2, 2, [](std::size_t) {});
  const pid_t child = fork();
  if (child == 0) {
    std::vector<int> calls(100);
    parallel_for(100, 2, [&](std::size_t i) { ++calls[i]; });
    _exit(calls == std::vector<int>(100, 1) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(ShareThreads, RangesCoverEverythingAndBeginAtUnits) {
  const double before = worth_a_thread.exchange(1);
  for (const unsigned threads : {1U, 2U, 5U}) {
    const ThreadAllowance allowed(threads);
    for (const std::size_t count : {1U, 15U, 16U, 17U, 160U, 1000U}) {
      std::vector<int> calls(count);
      share(count, 16, 1e9, [&](std::size_t begin, std::size_t end) {
        EXPECT_EQ(begin % 16, 0U);
        for (std::size_t i = begin; i < end; ++i) ++calls[i];
      });
      EXPECT_EQ(calls, std::vector<int>(count, 1)) << threads << " threads";
    }
  }
  worth_a_thread = before;
}

TEST(Share, IsNotDividedWithoutAnAllowanceOrWhereItDoesNotPay) {
  int calls = 0;
  share(1000, 1, 1e12, [&](std::size_t, std::size_t) { ++calls; });
  EXPECT_EQ(calls, 1);
  const ThreadAllowance allowed(8);
  share(1000, 1, 10, [&](std::size_t, std::size_t) { ++calls; });
  EXPECT_EQ(calls, 2);
}

TEST(Parallel, ZeroThreadsMeansOnePerCore) {
  EXPECT_GE(thread_count(0), 1U);
  EXPECT_EQ(thread_count(1), 1U);
  EXPECT_EQ(thread_count(5), 5U);
}

}  // namespace
}  // namespace kinglet
