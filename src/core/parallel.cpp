#include "core/parallel.hpp"

#include <pthread.h>
#if defined(__linux__)
#include <sched.h>
#endif

#include <cfenv>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace kinglet {
namespace {

constexpr unsigned kMostThreads = 1024;
constexpr int kAwake = 50000;  // looks for new work before a thread sleeps, about half a millisecond

thread_local std::size_t allowance = 1;

void pause_briefly() {
#if defined(__SSE2__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

// One parallel_for(), on the stack of its caller. The crew's mutex protects what is not atomic.
struct Job {
  std::size_t count;
  NumberedWork work;
  const std::function<bool()>& stopped;
  Job* outer;               // the work that this is a part of; null: none
  std::size_t threads;      // for this job
  std::size_t limit;        // for this job and all its parts; of the outermost job only
  std::size_t allowance{};  // of its caller
  std::fenv_t environment{};
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> helpers = 0;  // at work on it now
  std::size_t working = 1;               // threads at work on it and its parts; of the outermost job only
  std::exception_ptr error{};

  Job& outermost() { return outer == nullptr ? *this : outer->outermost(); }
  bool is_part_of(const Job* job) const { return this == job || (outer != nullptr && outer->is_part_of(job)); }
  bool has_room() const { return next < count && helpers + 1 < threads; }
};

thread_local Job* current_job = nullptr;  // what this thread works on

class Crew {
 public:
  void run(Job& job);
  void dismiss();
  std::size_t size() {
    const std::scoped_lock lock(mutex_);
    return helpers_.size();
  }

 private:
  void hire(std::size_t helpers);
  void serve();
  bool help(const Job* awaited);
  void work_on(Job& job);
  void wait_for_helpers(const Job& job);
  void wake_waiting();

  std::mutex mutex_;
  std::vector<Job*> jobs_;  // that may want help
  std::vector<std::thread> helpers_;
  std::atomic<int> news_ = 0;  // changes when there is a new job
  std::atomic<int> sleeping_ = 0;
  std::atomic<int> changes_ = 0;  // changes when there is a new job or a helper has finished, for callers that wait
  std::atomic<int> waiting_ = 0;
  std::atomic<bool> ends_ = false;
};

void Crew::run(Job& job) {
  {
    const std::scoped_lock lock(mutex_);
    hire(job.threads - 1);
    jobs_.push_back(&job);
  }
  ++news_;
  if (sleeping_ > 0) news_.notify_all();
  wake_waiting();
  work_on(job);
  {
    const std::scoped_lock lock(mutex_);
    std::erase(jobs_, &job);
  }
  wait_for_helpers(job);
}

// Looks for parts to help with only when something has changed: looking takes the lock that the helpers need.
void Crew::wait_for_helpers(const Job& job) {
  for (int seen = changes_; job.helpers > 0; seen = changes_) {
    if (help(&job)) continue;
    for (int looks = 0; looks < kAwake && job.helpers > 0 && changes_ == seen; ++looks) pause_briefly();
    if (job.helpers == 0 || changes_ != seen) continue;
    ++waiting_;
    changes_.wait(seen);
    --waiting_;
  }
}

void Crew::wake_waiting() {
  ++changes_;
  if (waiting_ > 0) changes_.notify_all();
}

// Where the system allows no more threads, those that there are do the work.
void Crew::hire(std::size_t helpers) {
  try {
    while (helpers_.size() < helpers) helpers_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
  }
}

void Crew::serve() {
  for (int seen = news_; !ends_;) {
    while (help(nullptr)) {
    }
    for (int looks = 0; news_ == seen && looks < kAwake; ++looks) pause_briefly();
    if (news_ == seen) {
      ++sleeping_;
      news_.wait(seen);
      --sleeping_;
    }
    seen = news_;
  }
}

// Works on the newest job that wants help, which is often a part of an older one; false if there is none. A thread that
// waits for the helpers of a job helps with parts of that job only; it counts as working already.
bool Crew::help(const Job* awaited) {
  Job* chosen = nullptr;
  const auto is_allowed = [&](Job& job) {
    if (awaited != nullptr) return job.is_part_of(awaited);
    return job.outermost().working < job.outermost().limit;
  };
  {
    const std::scoped_lock lock(mutex_);
    for (Job* job : jobs_) {
      if (job->has_room() && is_allowed(*job)) chosen = job;
    }
    if (chosen == nullptr) return false;
    ++chosen->helpers;
    if (awaited == nullptr) ++chosen->outermost().working;
  }
  std::fenv_t own;
  std::fegetenv(&own);
  std::fesetenv(&chosen->environment);
  {
    const ThreadAllowance same(static_cast<unsigned>(chosen->allowance));
    work_on(*chosen);
  }
  std::fesetenv(&own);
  {
    const std::scoped_lock lock(mutex_);
    if (awaited == nullptr) --chosen->outermost().working;
    --chosen->helpers;  // now its caller may go on, and the job ends
  }
  wake_waiting();
  return true;
}

void Crew::work_on(Job& job) {
  Job* const before = std::exchange(current_job, &job);
  try {
    for (std::size_t i = job.next++; i < job.count && !(job.stopped && job.stopped()); i = job.next++) job.work(i);
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    if (!job.error) job.error = std::current_exception();
    job.next = job.count;
  }
  current_job = before;
}

void Crew::dismiss() {
  ends_ = true;
  ++news_;
  news_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
  helpers_.clear();
  ends_ = false;
}

// Never destroyed: other threads may still use it while the process ends.
Crew* the_crew = new Crew;

// A child process has none of the threads.
const int forks = pthread_atfork(nullptr, nullptr, [] {
  the_crew = new Crew;
  current_job = nullptr;
});

// The cores that this process may use.
unsigned usable_cores() {
#if defined(__linux__)
  if (cpu_set_t set; sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(CPU_COUNT(&set));
#endif
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

std::size_t thread_count(unsigned threads) {
  static const unsigned cores = usable_cores();
  return threads == 0 ? cores : std::min(threads, kMostThreads);
}

void parallel_for(std::size_t count, unsigned threads, NumberedWork work, const std::function<bool()>& stopped) {
  const std::size_t allowed = thread_count(threads);
  Job job{count, work, stopped, current_job, std::min(allowed, count), std::max(allowed, allowance)};
  if (job.threads <= 1) {
    for (std::size_t i = 0; i < count && !(stopped && stopped()); ++i) work(i);
    return;
  }
  job.allowance = allowance;
  std::fegetenv(&job.environment);
  the_crew->run(job);
  if (job.error) std::rethrow_exception(job.error);
}

ThreadAllowance::ThreadAllowance(unsigned threads) : before_(allowance) { allowance = thread_count(threads); }
ThreadAllowance::~ThreadAllowance() { allowance = before_; }
std::size_t ThreadAllowance::current() { return allowance; }

std::atomic<double> worth_a_thread = 1.5e5;  // several microseconds, a few times what it costs to tell a helper

std::size_t useful_threads(double cost, std::size_t allowed) {
  if (allowed == 1) return 1;
  return static_cast<std::size_t>(std::clamp(cost / worth_a_thread, 1.0, static_cast<double>(allowed)));
}

std::size_t crew_size() { return the_crew->size(); }
void dismiss_crew() { the_crew->dismiss(); }

}  // namespace kinglet
