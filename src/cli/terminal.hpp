// The size of the terminal of standard error.
#pragma once

#include <cstddef>
#include <string>

namespace kinglet::cli {

struct TerminalSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

TerminalSize terminal_size();  // 80 × 24 if unknown

// The first `columns` code points of a line.
std::string cut_to(std::string line, std::size_t columns);

}  // namespace kinglet::cli
