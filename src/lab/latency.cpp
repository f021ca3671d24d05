// How long single examples take.
#include "lab/latency.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace kinglet {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

}  // namespace

std::vector<double> prediction_times(const Model& model, const SampledExamples& sample, double at_most) {
  std::vector<double> times;
  std::vector<Prediction> out;
  Batch one;
  one.labels.assign(1, kNoLabel);
  const auto begin = Clock::now();
  for (const std::vector<float>& row : sample.rows) {
    one.dimension = static_cast<std::uint32_t>(row.size());
    one.values = row;
    if (times.empty()) model.predict(one, out);  // brings code and memory to where they will be
    const auto start = Clock::now();
    model.predict(one, out);
    times.push_back(seconds_since(start));
    if (seconds_since(begin) > at_most) break;
  }
  return times;
}

double percentile(std::span<const double> sorted, double share) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

}  // namespace kinglet
