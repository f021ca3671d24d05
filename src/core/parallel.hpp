// Work on several threads. Everything in the library that computes in parallel goes through this file; the only other
// threads are those that read data (src/data/read_ahead.cpp, src/data/parts_ahead.cpp).
//
//   parallel_for(n, threads, work)   long pieces of work, such as whole training runs, or the rows to predict
//   share(n, unit, cost, work)       a short computation inside a learner, divided only where that pays
//
// One crew of threads serves the whole process. It grows when somebody asks for more threads and then waits for work:
// awake for a moment, because a learner has work every few microseconds, then asleep. Whoever has work to divide
// publishes it, does as much of it as it can, and waits for the helpers that joined; while it waits, it helps with work
// that they divided again. Work inside other work counts towards the threads of the outermost one, so their number is
// never exceeded.
//
// No result depends on the number of threads: work(i) writes only what belongs to i, and which thread runs it does not
// matter. Helpers compute with the caller's floating-point environment.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>

namespace kinglet {

// Number of threads for a request; 0: one for each core that the process may use.
std::size_t thread_count(unsigned threads);

// A reference to a function that is called with a number. Unlike std::function it never allocates.
class NumberedWork {
 public:
  template <class Work>
  NumberedWork(const Work& work)  // NOLINT(google-explicit-constructor): a reference, like a span
      : work_(&work), call_([](const void* of, std::size_t i) { (*static_cast<const Work*>(of))(i); }) {}
  void operator()(std::size_t i) const { call_(work_, i); }

 private:
  const void* work_;
  void (*call_)(const void*, std::size_t);
};

// Calls work(i) once for every i < count, on up to `threads` threads (0: one for each core), the calling thread being
// one of them. Numbers are handed out in increasing order. Once `stopped` returns true no further call begins; it is
// asked before each call, on every thread. After the first exception no further call begins either, and that exception
// is thrown again here when all calls have ended.
void parallel_for(std::size_t count, unsigned threads, NumberedWork work, const std::function<bool()>& stopped = {});

// The number of threads that share() may use on the calling thread, as long as this object lives. Without one it is 1.
// Helpers have the allowance of the thread whose work they do.
class ThreadAllowance {
 public:
  explicit ThreadAllowance(unsigned threads);  // 0: one for each core
  ~ThreadAllowance();
  ThreadAllowance(const ThreadAllowance&) = delete;
  ThreadAllowance& operator=(const ThreadAllowance&) = delete;

  static std::size_t current();

 private:
  std::size_t before_;
};

// The multiply-adds that pay for a thread. Tests lower it, so that the smallest work is divided.
extern std::atomic<double> worth_a_thread;

// How many of the allowed threads are worth while for a computation of so many multiply-adds.
std::size_t useful_threads(double cost, std::size_t allowed = ThreadAllowance::current());

// Calls work(begin, end) for ranges that together are 0 … count − 1; all begin at a multiple of `unit`. There is one
// range if only one thread is worth while. `cost` is the number of multiply-adds of everything.
template <class Work>
void share(std::size_t count, std::size_t unit, double cost, const Work& work) {
  const std::size_t threads = useful_threads(cost);
  if (threads == 1 || count <= unit) return work(std::size_t{0}, count);
  constexpr std::size_t kPiecesEach = 2;  // so that a thread that is late does not keep the others waiting for long
  const std::size_t units = (count + unit - 1) / unit;
  const std::size_t pieces = std::min(units, kPiecesEach * threads);
  const auto begin = [&](std::size_t piece) { return std::min(count, units * piece / pieces * unit); };
  parallel_for(pieces, static_cast<unsigned>(threads),
               [&](std::size_t piece) { work(begin(piece), begin(piece + 1)); });
}

std::size_t crew_size();  // the helpers that there are now

// Ends the threads of the crew, which must be idle; the next parallel work starts new ones.
void dismiss_crew();

}  // namespace kinglet
