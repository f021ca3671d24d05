#include "report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kinglet::report {

Cell words(std::string text, Mark mark) { return {.text = std::move(text), .mark = mark}; }

Cell number(double value, int decimals) {
  if (!std::isfinite(value)) return {.text = "–", .mark = Mark::muted};
  return {.text = fmt::format("{:.{}f}", value, decimals), .value = value};
}

Cell count(std::uint64_t n) {
  std::string digits = fmt::format("{}", n);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return {.text = std::move(digits), .value = static_cast<double>(n)};
}

Cell measured(double mean, double deviation, int decimals) {
  Cell cell = number(mean, decimals);
  if (std::isfinite(mean) && std::isfinite(deviation)) cell.spread = fmt::format("{:.{}f}", deviation, decimals);
  return cell;
}

Cell verdict(Mark mark, std::string text) { return {.text = std::move(text), .mark = mark}; }

void mark_best(Table& table, std::size_t column, Best best) {
  const Cell* winner = nullptr;
  const auto is_better = [&](double a, double b) { return best == Best::greatest ? a > b : a < b; };
  for (const Row& row : table.rows) {
    if (column >= row.cells.size() || !std::isfinite(row.cells[column].value)) continue;
    if (winner == nullptr || is_better(row.cells[column].value, winner->value)) winner = &row.cells[column];
  }
  if (winner == nullptr) return;
  const std::string text = winner->text;
  for (Row& row : table.rows) {
    if (column < row.cells.size() && row.cells[column].text == text) row.cells[column].mark = Mark::best;
  }
}

Point point(double x, double mean, double deviation, std::string label) {
  return {.x = x, .y = mean, .low = mean - deviation, .high = mean + deviation, .label = std::move(label)};
}

std::vector<std::uint8_t> grey(const std::vector<float>& values, float low, float high) {
  const float range = high > low ? high - low : 1;
  std::vector<std::uint8_t> pixels(values.size());
  std::ranges::transform(values, pixels.begin(), [&](float value) {
    const float share = (value - low) / range;
    return static_cast<std::uint8_t>(std::lround(255 * (share > 0 ? std::min(share, 1.0F) : 0.0F)));
  });
  return pixels;
}

}  // namespace kinglet::report
