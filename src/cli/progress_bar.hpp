// A progress bar: one line on the terminal, erased at the end. Draws nothing if standard error is not a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace kinglet::cli {

struct BarState {
  std::optional<double> done;  // 0 to 1, if the end is known
  std::uint64_t examples = 0;
  double examples_per_second = 0;
  std::string error;  // with its name: "error 0.05"
  std::size_t support_vectors = 0;
  std::size_t memory_bytes = 0;
};

// The bar itself and the percentage.
std::string done_text(double done);

class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar() { erase(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  bool due() const;  // ten times a second
  void draw(const BarState& state);
  void draw(std::string line);
  void erase();

 private:
  bool on_ = false;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace kinglet::cli
