#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace kinglet::cli {

TerminalSize terminal_size() {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
  return {.columns = size.ws_col, .rows = size.ws_row};
}

std::string cut_to(std::string line, std::size_t columns) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(line[i]) & 0xC0U) != 0x80U;
    if (begins && seen++ == columns) {
      line.resize(i);
      break;
    }
  }
  return line;
}

}  // namespace kinglet::cli
