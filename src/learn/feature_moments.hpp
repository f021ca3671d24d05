// Statistics of features along a stream, from which the Scaler makes its transform: what each way of scaling needs of
// sums, squares, minimum and maximum, and the number of missing values. They depend only on the rows, not on how these
// are divided into blocks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/state.hpp"
#include "kinglet/example.hpp"
#include "learn/row_buffer.hpp"

namespace kinglet {

enum class ScaleKind { standard, minmax, unit, none };

class FeatureMoments {
 public:
  FeatureMoments(ScaleKind kind, bool sparse) : kind_(kind), sparse_(sparse) {}

  std::uint32_t dimension() const { return static_cast<std::uint32_t>(origin_.size()); }
  void resize(std::uint32_t dimension);
  std::uint64_t count() const { return count_; }  // rows counted
  // Counts the head, the first rows.
  void begin(const Rows& head);
  // As after a row of these values (empty: zeros), for a scaler whose transform is given.
  void begin_at(std::span<const float> fillers);

  // Rows with a value for every feature, none of them missing.
  void count_dense(const float* rows, std::size_t count);
  // The same for rows with missing values, which it replaces.
  void count_and_fill(float* rows, std::size_t count);
  void count_sparse(const Features& row);

  std::uint64_t present(std::size_t feature) const { return count_ - missing_[feature]; }  // rows with a value
  double mean(std::size_t feature) const;                                                  // 0 without values
  double variance(std::size_t feature) const;  // standard, with values; 0: the feature is constant
  // Minimum and maximum (minmax). In sparse form they are symmetric.
  double low(std::size_t feature) const { return static_cast<double>(sparse_ ? -high_[feature] : low_[feature]); }
  double high(std::size_t feature) const { return static_cast<double>(high_[feature]); }
  float filler(std::size_t feature) const;  // for a missing value: the mean
  std::vector<float> fillers() const;
  bool has_missing() const;  // whether any value so far was missing

  // In a model file, the transform lies between the two, and the number of rows before.
  void save_sums(StateWriter& out) const;
  void save_missing(StateWriter& out) const;
  void load_sums(StateReader& in, std::uint64_t count);
  void load_missing(StateReader& in);

 private:
  void find_origins(const Rows& head, RowBuffer& buffer);

  ScaleKind kind_;
  bool sparse_;
  std::uint64_t count_ = 0;

  // One entry per feature; those that the kind does not need stay empty.
  std::vector<double> origin_;          // origin of the deviations: the mean of the head, as a float (sparse: 0)
  std::vector<double> sum_;             // sum of deviations
  std::vector<double> square_;          // sum of squared deviations (standard)
  std::vector<float> low_;              // minimum (minmax)
  std::vector<float> high_;             // maximum (minmax); in sparse form of absolute values
  std::vector<std::uint64_t> missing_;  // number of rows without a value
};

}  // namespace kinglet
