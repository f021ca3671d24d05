#include "lab/standardise.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/assert.hpp"

namespace kinglet {
namespace {

// Statistics of one feature from one pass; zeros of sparse rows are not counted.
struct FeatureSums {
  double sum = 0;
  double squares = 0;
  double least = HUGE_VAL;
  double largest = -HUGE_VAL;
  std::uint64_t seen = 0;

  void add(double value) {
    sum += value;
    squares += value * value;
    least = std::min(least, value);
    largest = std::max(largest, value);
    ++seen;
  }
};

struct DataSums {
  std::vector<FeatureSums> features;
  std::uint64_t rows = 0;
  bool sparse = false;
};

DataSums sums_of(Source& source, std::uint64_t rows) {
  DataSums sums;
  Batch batch;
  while ((rows == 0 || sums.rows < rows) && source.next(batch)) {
    sums.sparse = batch.sparse;
    for (std::size_t i = 0; i < batch.values.size(); ++i) {
      const std::size_t feature = batch.sparse ? batch.indices[i] : i % batch.dimension;
      if (feature >= sums.features.size()) sums.features.resize(feature + 1);
      sums.features[feature].add(static_cast<double>(batch.values[i]));
    }
    sums.rows += batch.rows();
  }
  return sums;
}

class StandardisedSource final : public Source {
 public:
  StandardisedSource(std::unique_ptr<Source> source, std::shared_ptr<const Standardisation> by)
      : source_(std::move(source)), by_(std::move(by)) {}

  bool next(Batch& batch) override;
  bool can_rewind() const override { return source_->can_rewind(); }
  void rewind() override { source_->rewind(); }
  void begin_pass(std::uint64_t pass) override { source_->begin_pass(pass); }
  std::optional<double> progress() const override { return source_->progress(); }
  std::optional<std::uint64_t> rows() const override { return source_->rows(); }
  std::string name() const override { return source_->name(); }
  void stop() override { source_->stop(); }

 private:
  std::unique_ptr<Source> source_;
  std::shared_ptr<const Standardisation> by_;
};

bool StandardisedSource::next(Batch& batch) {
  if (!source_->next(batch)) return false;
  const std::vector<float>& factors = by_->factors;
  for (std::size_t i = 0; i < batch.values.size(); ++i) {
    const std::size_t feature = batch.sparse ? batch.indices[i] : i % batch.dimension;
    if (feature >= factors.size()) continue;
    const float mean = by_->means.empty() ? 0 : by_->means[feature];
    batch.values[i] = (batch.values[i] - mean) * factors[feature];
  }
  return true;
}

}  // namespace

Standardisation standardisation_of(Source& source, std::uint64_t rows) {
  const DataSums sums = sums_of(source, rows);
  Standardisation result;
  for (const FeatureSums& feature : sums.features) {
    const double mean = feature.sum / static_cast<double>(sums.rows);
    const double variance = feature.squares / static_cast<double>(sums.rows) - mean * mean;
    const bool varies = variance > 1e-12 * (1 + mean * mean);
    if (!sums.sparse) result.means.push_back(static_cast<float>(mean));
    result.factors.push_back(varies ? static_cast<float>(1 / std::sqrt(variance)) : 1);
  }
  return result;
}

Standardisation range_scaling_of(Source& source, double width) {
  const DataSums sums = sums_of(source, 0);
  Standardisation result;
  for (const FeatureSums& feature : sums.features) {
    const bool has_zeros = feature.seen < sums.rows;
    const double least = has_zeros ? std::min(feature.least, 0.0) : feature.least;
    const double largest = has_zeros ? std::max(feature.largest, 0.0) : feature.largest;
    result.factors.push_back(largest > least ? static_cast<float>(width / (largest - least)) : 1);
  }
  return result;
}

std::unique_ptr<Source> standardised(std::unique_ptr<Source> source, std::shared_ptr<const Standardisation> by) {
  return std::make_unique<StandardisedSource>(std::move(source), std::move(by));
}

}  // namespace kinglet
