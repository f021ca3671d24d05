#include "lab/label_order.hpp"

namespace kinglet {

void LabelOrder::add(std::span<const std::uint32_t> labels) {
  for (const std::uint32_t label : labels) {
    if (label == kNoLabel) continue;
    if (label >= counts_.size()) counts_.resize(label + 1, 0);
    ++counts_[label];
    ++rows_;
    runs_ += label != last_;
    last_ = label;
  }
}

bool LabelOrder::looks_sorted() const {
  constexpr double kEnoughChanges = 64;  // expected in random order
  constexpr double kFewerBy = 20;
  constexpr double kLongRun = 100;  // rows; a stream may well have shorter bursts of one class
  if (runs_ < 2) return false;
  double squares = 0;
  for (const std::uint64_t count : counts_) squares += static_cast<double>(count) * static_cast<double>(count);
  const auto rows = static_cast<double>(rows_);
  const auto runs = static_cast<double>(runs_);
  const double expected = rows - squares / rows;
  return expected >= kEnoughChanges && (runs - 1) * kFewerBy <= expected && rows >= kLongRun * runs;
}

}  // namespace kinglet
