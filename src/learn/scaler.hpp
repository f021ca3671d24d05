// Brings features to one scale, with statistics that are learned along the stream.
//
//   standard  (x − mean) / standard deviation      minmax  to [−1, 1] by the least and greatest value
//   unit      x / ‖x‖                               none    x
//
// The head (the first rows) is looked at before learning starts and is scaled by the statistics of all of it. After
// that each row is first counted, then transformed. The transform is worked out anew only when the count has grown by
// one per cent, and at the end of a pass, so a row costs two short loops; it depends on the rows alone, not on how they
// are cut into batches. A constant feature becomes 0.
//
// In sparse form zeros must stay zeros, so nothing is centred: `standard` only divides by the standard deviation and
// `minmax` by the greatest absolute value. A missing value (NaN) is not counted and becomes the feature's mean so far.
// What comes out is finite and at most kMost in size, whatever comes in, so that squared distances fit a float.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/state.hpp"
#include "kinglet/example.hpp"
#include "learn/row_buffer.hpp"

namespace kinglet {

enum class ScaleKind { standard, minmax, unit, none };
ScaleKind scale_kind(std::string_view name);

class Scaler {
 public:
  static constexpr float kMost = 1e12F;

  Scaler(ScaleKind kind, bool sparse, std::uint32_t dimension);

  bool is_sparse() const { return sparse_; }
  std::uint32_t dimension() const { return dimension_; }
  std::uint64_t count() const { return count_; }

  // Counts the head and works out the first transform. Once, before anything else.
  void begin(const Rows& head);
  // More features from here on; all rows so far had zeros there.
  void grow(std::uint32_t dimension);

  // Counts and transforms each row in order (only transforms once the statistics hold). No row may reach beyond
  // dimension(). The answer points into `buffer`.
  Rows learn(const Rows& rows, RowBuffer& buffer);
  // Only transforms. Features beyond dimension() are left out.
  Rows transform(const Rows& rows, RowBuffer& buffer) const;

  // A scaler whose statistics hold, of the given transform; `shift` and `factor` are empty for unit and none. A missing
  // value becomes `fillers` of its feature (empty: zeros).
  static Scaler fixed(ScaleKind kind, bool sparse, std::uint32_t dimension, std::span<const float> shift,
                      std::span<const float> factor, std::span<const float> fillers);
  ScaleKind kind() const { return kind_; }
  std::span<const float> shift() const { return shift_; }
  std::span<const float> factor() const { return factor_; }
  std::vector<float> fillers() const;
  bool has_missing() const;  // whether any value so far was missing

  // What the transform makes x of: a constant feature has its value again, and a vector of length 1 stays one.
  void restore(std::span<float> x) const;

  // From here on the statistics hold: learn() only transforms.
  void hold();

  void save(StateWriter& out) const;
  void load(StateReader& in);  // the dimension becomes the saved one; kind and form must be those of the saved scaler

 private:
  void resize(std::uint32_t dimension);
  double mean(std::size_t feature) const;
  float filler(std::size_t feature) const;  // for a missing value
  void refresh();
  void refresh_standard(std::size_t feature);
  void refresh_minmax(std::size_t feature);
  bool is_refreshed() const { return kind_ == ScaleKind::standard || kind_ == ScaleKind::minmax; }

  void find_origins(const Rows& head, RowBuffer& buffer);
  void count_dense(const float* rows, std::size_t count);
  void count_and_fill(float* rows, std::size_t count);
  void count_sparse(const Features& row);

  Rows learn_dense(const Rows& rows, RowBuffer& buffer);
  Rows learn_sparse(const Rows& rows, RowBuffer& buffer);
  void transform_dense(const float* in, float* out, std::size_t count) const;
  void transform_sparse(const Features& row, RowBuffer& buffer) const;

  ScaleKind kind_;
  bool sparse_;
  bool held_ = false;
  std::uint32_t dimension_ = 0;
  std::uint64_t count_ = 0;         // rows counted
  std::uint64_t next_refresh_ = 0;  // the count at which the transform is due again

  // One entry per feature; those that the kind does not need stay empty.
  std::vector<double> origin_;          // deviations are summed from here: the head's mean, as a float (sparse: 0)
  std::vector<double> sum_;             // of deviations
  std::vector<double> square_;          // of squared deviations (standard)
  std::vector<float> low_;              // least value (minmax)
  std::vector<float> high_;             // greatest value (minmax); in sparse form of absolute values
  std::vector<std::uint64_t> missing_;  // rows that had no value here
  std::vector<float> shift_;            // out = (in − shift) · factor
  std::vector<float> factor_;
};

}  // namespace kinglet
