#include "report/block_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/latency.hpp"

namespace kinglet::report {
namespace {

constexpr double kFarAway = 3;  // a plot shows all points unless that makes it so many times as large

Range widened(const Range& range) {
  const double room = range.high > range.low ? 0.05 * (range.high - range.low) : 0.5;
  return {range.low - room, range.high + room};
}

}  // namespace

std::string feature_name(const std::vector<std::string>& names, std::size_t i) {
  return i < names.size() ? names[i] : fmt::format("feature {}", i + 1);
}

Range range_of(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return {};
  std::ranges::sort(values);
  return widened({percentile(values, 0.005), percentile(values, 0.995)});
}

Range range_of_all(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return {};
  const auto [least, most] = std::ranges::minmax(values);
  const Range all = widened({least, most});
  const Range usual = range_of(std::move(values));
  return all.high - all.low <= kFarAway * (usual.high - usual.low) ? all : usual;
}

bool holds(const Range& range, double value) { return value >= range.low && value <= range.high; }

int class_of(const SupportVector& vector, TaskKind task) {
  if (task == TaskKind::regress || vector.coefficients.empty()) return -1;
  if (vector.coefficients.size() == 1) return vector.coefficients[0] >= 0 ? 1 : 0;
  const auto most = std::ranges::max_element(vector.coefficients);
  return static_cast<int>(most - vector.coefficients.begin());
}

double coefficient_of(const SupportVector& vector) {
  return vector.coefficients.size() == 1 ? vector.coefficients[0] : vector.weight();
}

std::vector<std::string> class_names(const Model& model) {
  if (model.task() == TaskKind::novelty) return {"novel", "normal"};
  return {model.labels().begin(), model.labels().end()};
}

Batch rows_of(std::vector<float> values, std::uint32_t dimension) {
  Batch batch;
  batch.dimension = dimension;
  batch.labels.assign(values.size() / dimension, kNoLabel);
  batch.values = std::move(values);
  return batch;
}

}  // namespace kinglet::report
