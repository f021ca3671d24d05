// Source::stop() and Bytes::stop() are safe in a signal handler, so the handler calls them directly.
#include "cli/stop.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

#include "cli/output.hpp"
#include "core/assert.hpp"

namespace kinglet::cli {
namespace {

constexpr std::array<int, 2> kSignals = {SIGINT, SIGTERM};

std::atomic<bool> in_use = false;
std::atomic<int> signals_seen = 0;
std::atomic<Source*> watched = nullptr;
std::atomic<Bytes*> watched_input = nullptr;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<Source*>::is_always_lock_free);

void on_signal(int) {
  if (signals_seen.fetch_add(1) > 0) ::_exit(kStoppedExitCode);
  const int saved = errno;
  if (Source* source = watched) source->stop();
  if (Bytes* input = watched_input) input->stop();
  errno = saved;
}

void set_handler(int number, void (*handler)(int)) {
  struct sigaction now = {};
  // A shell starts background jobs with SIGINT ignored; leave it ignored.
  if (sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

}  // namespace

int stopped_with_nothing_written() {
  note("stopped; nothing was written");
  return kStoppedExitCode;
}

StopOnSignal::StopOnSignal() {
  KINGLET_ASSERT(!in_use.exchange(true));
  signals_seen = 0;
  for (const int number : kSignals) set_handler(number, on_signal);
}

StopOnSignal::~StopOnSignal() {
  for (const int number : kSignals) set_handler(number, SIG_DFL);
  watched = nullptr;
  watched_input = nullptr;
  in_use = false;
}

bool StopOnSignal::requested() const { return signals_seen > 0; }

void StopOnSignal::watch(Source& source) {
  watched = &source;
  if (requested()) source.stop();  // the signal came earlier
}

void StopOnSignal::watch(Bytes& input) {
  watched_input = &input;
  if (requested()) input.stop();
}

void StopOnSignal::look_away() {
  watched = nullptr;
  watched_input = nullptr;
}

}  // namespace kinglet::cli
