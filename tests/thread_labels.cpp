// Fails every test that starts a thread and is not listed in THREADED_TESTS in tests/CMakeLists.txt. The listed tests
// have the label `threads`, and the thread sanitizer runs only those. Without this check, a test that starts threads
// could escape the sanitizer.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>

#include "core/parallel.hpp"

namespace {

std::atomic<int> threads_started = 0;

// KINGLET_THREADED_TESTS is that list: patterns of the form *TEXT*, separated by colons.
bool is_in_list(std::string_view name) {
  std::string_view patterns = KINGLET_THREADED_TESTS;
  while (!patterns.empty()) {
    const std::string_view pattern = patterns.substr(0, patterns.find(':'));
    if (name.find(pattern.substr(1, pattern.size() - 2)) != std::string_view::npos) return true;
    patterns.remove_prefix(std::min(patterns.size(), pattern.size() + 1));
  }
  return false;
}

class ThreadLabels final : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override { threads_started = 0; }
  void OnTestEnd(const testing::TestInfo& test) override {
    const std::string name = std::string(test.test_suite_name()) + "." + test.name();
    if (threads_started > 0 && !is_in_list(name)) {
      ADD_FAILURE() << name
                    << " starts threads: add it to THREADED_TESTS in tests/CMakeLists.txt, for the thread sanitizer";
    }
    kinglet::dismiss_crew();  // so that the next test starts its own
  }
};

const bool is_listening = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new ThreadLabels);
  return true;
}();

}  // namespace

// Replaces pthread_create() of the C library: counts the call and passes it on.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) {
  ++threads_started;
  static const auto real = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return real(thread, attributes, start, argument);
}
