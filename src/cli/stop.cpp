// Source::stop() and Interrupt::raise() are safe in a signal handler, so the handler calls them directly.
#include "cli/stop.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "cli/output.hpp"
#include "core/assert.hpp"

namespace kinglet::cli {
namespace {

constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

std::atomic<bool> in_use = false;
std::atomic<int> first_signal = 0;  // 0: none came
std::atomic<Source*> watched = nullptr;
std::atomic<Interrupt*> watched_wait = nullptr;
std::atomic<bool> hurries = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<Source*>::is_always_lock_free);

int exit_code_of(int number) { return 128 + number; }

void on_signal(int number) {
  int none = 0;
  if (!first_signal.compare_exchange_strong(none, number)) ::_exit(exit_code_of(number));
  const int saved = errno;
  if (Source* source = watched) source->stop();
  if (Interrupt* wait = watched_wait) wait->raise();
  if (hurries) ::alarm(1);
  errno = saved;
}

void on_alarm(int) {
  if (!hurries) return;
  constexpr std::string_view kText = "note: stopped before anything was learned; there is no model to save\n";
  static_cast<void>(!::write(STDERR_FILENO, kText.data(), kText.size()));
  ::_exit(exit_code_of(first_signal));
}

void set_handler(int number, void (*handler)(int)) {
  struct sigaction now = {};
  // A shell starts background jobs with SIGINT ignored, and nohup ignores SIGHUP; leave them ignored.
  if (sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

}  // namespace

int stopped_exit_code() {
  const int number = first_signal;
  return exit_code_of(number == 0 ? SIGINT : number);
}

int stopped_with_nothing_written() {
  note("stopped; nothing was written");
  return stopped_exit_code();
}

StopOnSignal::StopOnSignal() {
  KINGLET_ASSERT(!in_use.exchange(true));
  first_signal = 0;
  for (const int number : kSignals) set_handler(number, on_signal);
  set_handler(SIGALRM, on_alarm);
}

StopOnSignal::~StopOnSignal() {
  hurry(false);
  for (const int number : kSignals) set_handler(number, SIG_DFL);
  set_handler(SIGALRM, SIG_DFL);
  watched = nullptr;
  watched_wait = nullptr;
  in_use = false;
}

bool StopOnSignal::requested() const { return first_signal != 0; }

void StopOnSignal::watch(Source& source) {
  watched = &source;
  if (requested()) source.stop();  // the signal came earlier
}

void StopOnSignal::watch(Interrupt& wait) {
  watched_wait = &wait;
  if (requested()) wait.raise();
}

void StopOnSignal::hurry(bool is) {
  hurries = is;
  ::alarm(is && first_signal != 0 ? 1 : 0);  // the signal may have come earlier
}

void StopOnSignal::look_away() {
  watched = nullptr;
  watched_wait = nullptr;
}

SurviveBrokenPipes::SurviveBrokenPipes() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
SurviveBrokenPipes::~SurviveBrokenPipes() { std::signal(SIGPIPE, before_); }

}  // namespace kinglet::cli
