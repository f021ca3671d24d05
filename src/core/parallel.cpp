#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace kinglet {

std::size_t thread_count(unsigned threads) {
  return threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : threads;
}

void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work,
                  const std::function<bool()>& stopped) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr error;
  std::mutex error_mutex;
  const auto run = [&] {
    try {
      for (std::size_t i = next++; i < count && !(stopped && stopped()); i = next++) work(i);
    } catch (...) {
      const std::scoped_lock lock(error_mutex);
      if (!error) error = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> others;  // joined at the end of this block
    for (std::size_t t = 1; t < std::min(thread_count(threads), count); ++t) others.emplace_back(run);
    run();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace kinglet
