#include "lab/standardise.hpp"

#include <cmath>
#include <utility>

#include "core/assert.hpp"

namespace kinglet {
namespace {

// Sums of values and squares by feature, in one pass; zeros of sparse rows count by not being there.
struct Sums {
  std::vector<double> values;
  std::vector<double> squares;

  void add(std::size_t feature, double value) {
    if (feature >= values.size()) {
      values.resize(feature + 1, 0);
      squares.resize(feature + 1, 0);
    }
    values[feature] += value;
    squares[feature] += value * value;
  }
};

class StandardisedSource final : public Source {
 public:
  StandardisedSource(std::unique_ptr<Source> source, std::shared_ptr<const Standardisation> by)
      : source_(std::move(source)), by_(std::move(by)) {}

  bool next(Batch& batch) override;
  bool can_rewind() const override { return source_->can_rewind(); }
  void rewind() override { source_->rewind(); }
  std::optional<double> progress() const override { return source_->progress(); }
  std::optional<std::uint64_t> rows() const override { return source_->rows(); }
  std::string name() const override { return source_->name(); }
  void stop() override { source_->stop(); }
  std::vector<std::string> feature_names() const override { return source_->feature_names(); }

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
  Sums sums;
  std::uint64_t count = 0;
  bool sparse = false;
  Batch batch;
  while ((rows == 0 || count < rows) && source.next(batch)) {
    sparse = batch.sparse;
    for (std::size_t i = 0; i < batch.values.size(); ++i) {
      sums.add(sparse ? batch.indices[i] : i % batch.dimension, static_cast<double>(batch.values[i]));
    }
    count += batch.rows();
  }
  Standardisation result;
  for (std::size_t i = 0; i < sums.values.size(); ++i) {
    const double mean = sums.values[i] / static_cast<double>(count);
    const double variance = sums.squares[i] / static_cast<double>(count) - mean * mean;
    const bool varies = variance > 1e-12 * (1 + mean * mean);
    if (!sparse) result.means.push_back(static_cast<float>(mean));
    result.factors.push_back(varies ? static_cast<float>(1 / std::sqrt(variance)) : 1);
  }
  return result;
}

std::unique_ptr<Source> standardised(std::unique_ptr<Source> source, std::shared_ptr<const Standardisation> by) {
  return std::make_unique<StandardisedSource>(std::move(source), std::move(by));
}

}  // namespace kinglet
