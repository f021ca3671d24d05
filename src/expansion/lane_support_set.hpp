// What the sets of support vectors in dense lanes (lane_vectors.hpp) have in common: DenseSupportSet for dense rows and
// MixedSupportSet for sparse ones, which differ in single-precision kernel values and in what they know about a vector
// beside its values.
#pragma once

#include "core/aligned.hpp"
#include "expansion/lane_vectors.hpp"
#include "expansion/support_set.hpp"

namespace kinglet {

class LaneSupportSet : public SupportSet {
 public:
  void blend(std::size_t into, const Features& x, double h) override;
  void blend(std::size_t into, std::size_t other, double h) override;
  void exact_row(const Features& x, std::span<double> out) const override;
  void exact_row_of(std::size_t slot, std::span<double> out) override;
  void exact_row_part(std::size_t slot, std::size_t first, std::size_t last, double* out) override;
  void copy_to(std::size_t slot, std::span<float> out) const override { vectors_.copy_to(slot, out.data()); }
  std::uint32_t dimension() const override { return vectors_.dimension(); }

 protected:
  LaneSupportSet(const Kernel& kernel, std::uint32_t dimension, std::size_t capacity);

  // The vector has changed to these values, which are in query_.
  virtual void after_blend(std::size_t slot) = 0;
  // Reads the vectors that LaneVectors::save() has written.
  void load_vectors(StateReader& in);

  LaneVectors vectors_;
  AlignedFloats query_;  // scratch: a vector with all its zeros

 private:
  void blend_with_query(std::size_t into, double h);
};

}  // namespace kinglet
