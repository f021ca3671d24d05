// Scales features, with statistics that are computed along the stream.
//
//   standard  (x − mean) / standard deviation      minmax  to [−1, 1] by minimum and maximum
//   unit      x / ‖x‖                               none    x
//
// The head (the first rows) is read before learning starts and is scaled with the statistics of all its rows. After
// that, each row is first counted, then transformed. The transform is recomputed only when the count has grown by one
// percent, and at the end of a pass, so a row costs two short loops. It depends only on the rows, not on how they are
// divided into batches. A constant feature becomes 0.
//
// Records (kinglet/schema.hpp): only the first features, their numbers, are scaled; the others keep the scale they come
// with.
//
// In sparse form zeros must stay zeros, so nothing is centred: `standard` only divides by the standard deviation,
// `minmax` by the largest absolute value. The numbers of records are centred by `standard` even so: every row has all
// of them. A missing value (NaN) is not counted and is replaced by the mean of the feature so far. With a learned
// metric (learn/metric.hpp) each feature is then multiplied by its weight; this goes with all kinds but `unit`, where
// rows would not keep their length. Results are always finite and at most kMost in absolute value, so that squared
// distances fit into a float.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/state.hpp"
#include "kinglet/example.hpp"
#include "learn/feature_moments.hpp"
#include "learn/metric.hpp"
#include "learn/row_buffer.hpp"

namespace kinglet {

ScaleKind scale_kind(std::string_view name);

class Scaler {
 public:
  static constexpr float kMost = 1e12F;

  enum class Metric { none, learned };

  // `numbers`: that of the schema, for records.
  Scaler(ScaleKind kind, bool sparse, std::uint32_t dimension, Metric metric = Metric::none,
         std::optional<std::uint32_t> numbers = std::nullopt);

  bool is_sparse() const { return sparse_; }
  std::uint32_t dimension() const { return moments_.dimension(); }
  std::uint64_t count() const { return moments_.count(); }

  // Counts the head and computes the first transform. Call once, before anything else.
  void begin(const Rows& head);
  // Adds features, which were 0 in all rows so far.
  void grow(std::uint32_t dimension);
  void shrink(std::uint32_t dimension);  // takes grow() back

  // Counts and transforms each row in order (only transforms if the statistics are frozen). No row may have features
  // beyond dimension(). The result points into `buffer`.
  Rows learn(const Rows& rows, RowBuffer& buffer);
  // Only transforms. Features beyond dimension() are ignored.
  Rows transform(const Rows& rows, RowBuffer& buffer) const;

  // A scaler with frozen statistics and the given transform; `shift` and `factor` are empty for unit and none. It has
  // no metric: the weights are part of the factors. A missing
  // value is replaced by the entry of its feature in `fillers` (empty: zeros).
  static Scaler fixed(ScaleKind kind, bool sparse, std::uint32_t dimension, std::span<const float> shift,
                      std::span<const float> factor, std::span<const float> fillers,
                      std::optional<std::uint32_t> numbers = std::nullopt);
  ScaleKind kind() const { return kind_; }
  std::span<const float> shift() const { return shift_; }
  std::span<const float> factor() const { return factor_; }
  std::vector<float> fillers() const { return moments_.fillers(); }
  bool has_missing() const { return moments_.has_missing(); }

  // The learned metric; null if there is none. learn_metric() gives the features new weights (FeatureMetric::learn) and
  // returns by how much each is longer now.
  const FeatureMetric* metric() const { return metric_ ? &*metric_ : nullptr; }
  std::span<const float> learn_metric(std::span<const double> gradient_squares, double count);

  // The inverse transform. A constant feature gets its value back; with `unit`, a vector of length 1 stays as it is.
  void restore(std::span<float> x) const;

  // Freezes the statistics: from now on learn() only transforms.
  void hold();

  void save(StateWriter& out) const;
  void load(StateReader& in);  // the dimension becomes the saved one; kind and form must be those of the saved scaler

 private:
  void resize(std::uint32_t dimension);
  void refresh();
  void refresh_standard(std::size_t feature);
  void refresh_minmax(std::size_t feature);
  void weight_factors(std::span<const float> weights);
  bool is_refreshed() const { return kind_ == ScaleKind::standard || kind_ == ScaleKind::minmax; }
  std::uint32_t scaled_features() const { return std::min(numbers_.value_or(dimension()), dimension()); }
  // In sparse form: so many first features are written for every row.
  std::uint32_t centred_features() const { return kind_ == ScaleKind::standard && numbers_ ? scaled_features() : 0; }
  bool has_factors() const { return is_refreshed() || metric_; }  // whether out = (in − shift) · factor

  Rows learn_dense(const Rows& rows, RowBuffer& buffer);
  Rows learn_sparse(const Rows& rows, RowBuffer& buffer);
  void transform_dense(const float* in, float* out, std::size_t count) const;
  void transform_sparse(const Features& row, RowBuffer& buffer) const;

  ScaleKind kind_;
  bool sparse_;
  std::optional<std::uint32_t> numbers_;  // records: so many first features are scaled
  bool held_ = false;
  std::uint64_t next_refresh_ = 0;  // the count at which the transform is recomputed next

  FeatureMoments moments_;

  // One entry per feature; empty if rows are not multiplied.
  std::vector<float> shift_;   // out = (in − shift) · factor
  std::vector<float> factor_;  // the weight of the metric included
  std::optional<FeatureMetric> metric_;
};

}  // namespace kinglet
