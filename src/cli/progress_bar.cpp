#include "cli/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"

namespace kinglet::cli {
namespace {

constexpr auto kBarInterval = std::chrono::milliseconds(100);
constexpr int kCells = 24;

std::string cells(double done) {
  const int full = std::clamp(static_cast<int>(std::lround(done * kCells)), 0, kCells);
  return std::string(static_cast<std::size_t>(full), '=') + std::string(static_cast<std::size_t>(kCells - full), ' ');
}

std::string line_text(const BarState& state) {
  std::string line =
      state.done ? done_text(*state.done) : short_text(static_cast<double>(state.examples)) + " examples";
  return line + fmt::format("  {}  {}  {} SV  {}", rate_text(state.examples_per_second), state.error,
                            count_text(state.support_vectors), bytes_text(state.memory_bytes));
}

}  // namespace

std::string done_text(double done) { return fmt::format("[{}] {:3.0f} %", cells(done), 100 * done); }

ProgressBar::ProgressBar(bool wanted) : on_(wanted && ::isatty(STDERR_FILENO) == 1) {}

bool ProgressBar::due() const { return on_ && std::chrono::steady_clock::now() - last_ >= kBarInterval; }

void ProgressBar::draw(const BarState& state) {
  if (on_) draw(line_text(state));
}

void ProgressBar::draw(std::string line) {
  if (!on_) return;
  last_ = std::chrono::steady_clock::now();
  print_error("\r" + cut_to(std::move(line), terminal_size().columns - 1) + "\x1b[K");
  drawn_ = true;
}

void ProgressBar::erase() {
  if (drawn_) print_error("\r\x1b[K");
  drawn_ = false;
}

}  // namespace kinglet::cli
