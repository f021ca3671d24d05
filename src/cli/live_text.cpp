#include "cli/live_text.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/output.hpp"
#include "cli/terminal.hpp"

namespace kinglet::cli {
namespace {

constexpr auto kLiveInterval = std::chrono::milliseconds(250);

}  // namespace

LiveText::LiveText(bool wanted) : on_(wanted && ::isatty(STDERR_FILENO) == 1) {}

bool LiveText::due() const { return on_ && std::chrono::steady_clock::now() - last_ >= kLiveInterval; }

void LiveText::draw(const std::string& lines) {
  if (!on_) return;
  last_ = std::chrono::steady_clock::now();
  const TerminalSize size = terminal_size();
  std::string text = drawn_ > 0 ? fmt::format("\x1b[{}A\r\x1b[J", drawn_) : "";
  drawn_ = 0;
  for (std::size_t begin = 0; begin < lines.size() && drawn_ + 1 < size.rows; ++drawn_) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    text += cut_to(lines.substr(begin, end - begin), size.columns) + "\n";
    begin = end + 1;
  }
  print_error(text);
}

void LiveText::erase() {
  if (drawn_ > 0) print_error(fmt::format("\x1b[{}A\r\x1b[J", drawn_));
  drawn_ = 0;
}

}  // namespace kinglet::cli
