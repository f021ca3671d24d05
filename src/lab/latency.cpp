#include "lab/latency.hpp"

#include <algorithm>
#include <chrono>

#include "lab/training.hpp"

namespace kinglet {

std::vector<double> prediction_seconds(const Model& model, const Dataset& data) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t kPredictions = 2000;
  constexpr std::size_t kRows = 64;  // few enough to stay in the cache, as a row that just came in would be
  constexpr std::chrono::milliseconds kPatience{50};
  std::vector<Batch> rows(std::min(kRows, data.rows()));
  for (std::size_t i = 0; i < rows.size(); ++i) copy_rows(data.batch(), i, 1, rows[i]);
  std::vector<Prediction> prediction;
  for (const Batch& row : rows) model.predict(row, prediction);  // the first ones find cold caches
  std::vector<double> seconds;
  const auto begin = Clock::now();
  for (std::size_t i = 0; i < kPredictions && Clock::now() - begin < kPatience; ++i) {
    const auto from = Clock::now();
    model.predict(rows[i % rows.size()], prediction);
    seconds.push_back(std::chrono::duration<double>(Clock::now() - from).count());
  }
  std::ranges::sort(seconds);
  return seconds;
}

}  // namespace kinglet
