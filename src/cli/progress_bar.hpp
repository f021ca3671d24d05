// One line on the terminal that says how far a run is; it draws nothing when standard error is no terminal, and leaves
// nothing behind.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace kinglet::cli {

struct BarState {
  std::optional<double> done;  // 0 to 1, when the end is known
  std::uint64_t examples = 0;
  double examples_per_second = 0;
  std::string error;  // with its name
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
