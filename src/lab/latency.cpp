#include "lab/latency.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "lab/copy_rows.hpp"
#include "model/model_access.hpp"

namespace kinglet {
namespace {

constexpr std::size_t kPredictions = 2000;
constexpr std::size_t kRows = 64;  // few enough to stay in the cache, like a row that has just arrived
constexpr std::chrono::milliseconds kMostPredictTime{50};

// Each batch is one row.
std::vector<double> seconds_of(const Model& model, const std::vector<Batch>& rows) {
  using Clock = std::chrono::steady_clock;
  std::vector<Prediction> prediction;
  for (const Batch& row : rows) predict_into(model, row, prediction);  // the first ones find cold caches
  std::vector<double> seconds;
  const auto begin = Clock::now();
  for (std::size_t i = 0; !rows.empty() && i < kPredictions && Clock::now() - begin < kMostPredictTime; ++i) {
    const auto from = Clock::now();
    predict_into(model, rows[i % rows.size()], prediction);
    seconds.push_back(std::chrono::duration<double>(Clock::now() - from).count());
  }
  std::ranges::sort(seconds);
  return seconds;
}

}  // namespace

std::vector<double> prediction_seconds(const Model& model, const Dataset& data) {
  std::vector<Batch> rows(std::min(kRows, data.rows()));
  for (std::size_t i = 0; i < rows.size(); ++i) copy_rows(data.batch(), i, 1, rows[i]);
  return seconds_of(model, rows);
}

std::vector<double> prediction_seconds(const Model& model, const SampledExamples& sample) {
  std::vector<Batch> rows(std::min(kRows, sample.rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].dimension = static_cast<std::uint32_t>(sample.rows[i].size());
    rows[i].values = sample.rows[i];
    rows[i].labels.assign(1, kNoLabel);
  }
  return seconds_of(model, rows);
}

double percentile(std::span<const double> sorted, double share) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

}  // namespace kinglet
