// Support vectors as lists of nonzero features, for data of high dimension. A query is expanded to a dense array once;
// each vector then costs one multiply-add per nonzero feature.
#pragma once

#include <vector>

#include "expansion/support_set.hpp"

namespace kinglet {

class SparseSupportSet final : public SupportSet {
 public:
  SparseSupportSet(const Kernel& kernel, std::uint32_t dimension, std::size_t capacity);

  void append(const Features& x) override;
  void remove(std::size_t slot) override;
  void replace(std::size_t slot, const Features& x) override;
  void blend(std::size_t into, const Features& x, double h) override;
  void blend(std::size_t into, std::size_t other, double h) override;
  void rescale(std::span<const float> ratios) override;
  void grow(std::uint32_t dimension) override;

  void kernel_rows(const Rows& rows, float* out, std::size_t stride) const override;
  std::size_t block() const override { return 1; }
  std::size_t window() const override { return 1; }
  void look_ahead(const Rows& rows, float* out, std::size_t stride) override { kernel_rows(rows, out, stride); }
  void refresh_column(std::size_t, std::size_t, float*, std::size_t) override {
  }  // a window of 1 leaves no rows to refresh
  void kernel_row_of(std::size_t slot, float* out) override;
  void kernel_row_part(std::size_t slot, std::size_t first, std::size_t last, float* out) override;
  void kernel_row(const Features& x, float* out) override { values_of(x, 0, size_, out); }
  void exact_row(const Features& x, std::span<double> out) const override;
  void exact_row_of(std::size_t slot, std::span<double> out) override;
  void exact_row_part(std::size_t slot, std::size_t first, std::size_t last, double* out) override;
  double self_kernel(std::size_t slot) const override;
  double add_gradient_squares(const Features& x, const float* shares, double weight, FadingMean& mean,
                              std::span<double> sums) override;

  void copy_to(std::size_t slot, std::span<float> out) const override;
  std::uint32_t dimension() const override { return dimension_; }
  std::size_t memory_bytes() const override;
  // Bytes of a vector with so many nonzero features.
  static std::size_t vector_bytes(std::size_t nonzeros);

  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

 private:
  struct Vector {
    std::vector<std::uint32_t> indices;
    std::vector<float> values;
    double squared_norm = 0;

    Features features() const { return Features::sparse(indices, values); }
  };
  // Measures a new vector and gives memory back that it does not need.
  static void complete(Vector& vector);
  // out[j] = k(x_j, x) for j in [first, last) and the rest of the blocks of 16.
  void values_of(const Features& x, std::size_t first, std::size_t last, float* out) const;
  void part_of_values(const Features& x, std::size_t begin, std::size_t last, float* out) const;  // in one thread

  std::uint32_t dimension_ = 0;
  std::vector<Vector> vectors_;
};

}  // namespace kinglet
