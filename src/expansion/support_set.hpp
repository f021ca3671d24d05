// The vectors of an expansion, with their kernel values against queries. There is one implementation for each way of
// storing rows and vectors: dense lanes for dense rows (dense_support_set.hpp) or for sparse rows
// (mixed_support_set.hpp), and sparse vectors (sparse_support_set.hpp).
//
// Vectors are in slots 0 … size()−1; removing one moves the last into its slot. Kernel rows are padded to whole blocks
// of 16 floats; the padding contains finite numbers that are not used.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/aligned.hpp"
#include "core/fading_mean.hpp"
#include "core/kernel.hpp"
#include "core/parallel.hpp"
#include "core/shape.hpp"
#include "core/state.hpp"
#include "kinglet/example.hpp"

namespace kinglet {

class SupportSet {
 public:
  explicit SupportSet(const Kernel& kernel) : kernel_(kernel) {}
  virtual ~SupportSet() = default;

  const Kernel& kernel() const { return kernel_; }
  std::size_t size() const { return size_; }
  std::size_t padded_size() const { return round_up(size_, 16); }

  // Appends x as the last vector. The capacity grows if necessary.
  virtual void append(const Features& x) = 0;
  virtual void remove(std::size_t slot) = 0;
  // x_slot ← x.
  virtual void replace(std::size_t slot, const Features& x) = 0;
  // x_into ← h x_into + (1 − h) x, where x may be another of the vectors.
  virtual void blend(std::size_t into, const Features& x, double h) = 0;
  virtual void blend(std::size_t into, std::size_t other, double h) = 0;
  // Feature f of every vector is multiplied by ratios[f], one for each feature. Ends the look-ahead: its rows are of
  // the old metric.
  virtual void rescale(std::span<const float> ratios) = 0;
  virtual void grow(std::uint32_t dimension) = 0;

  // out[q · stride + j] = k(x_j, row q), padded. Thread-safe; block() is a good number of rows per call. Like all
  // functions here that compute kernel values, it uses the threads that are allowed (core/parallel.hpp).
  virtual void kernel_rows(const Rows& rows, float* out, std::size_t stride) const = 0;
  virtual std::size_t block() const = 0;

  // For learning, in one thread. look_ahead() is kernel_rows() for up to window() rows, which are remembered; the
  // caller must not change their memory, as a vector that is added from there is recognised by its address. After a
  // change of x_slot, refresh_column() updates out[q · stride + slot] for the rows q ≥ first. It may postpone the work:
  // a row is up to date after refresh_rows(), which is called for rows in increasing order.
  virtual std::size_t window() const = 0;
  virtual void look_ahead(const Rows& rows, float* out, std::size_t stride) = 0;
  virtual void refresh_column(std::size_t slot, std::size_t first, float* out, std::size_t stride) = 0;
  virtual void refresh_rows(std::size_t /*first*/, std::size_t /*count*/, float* /*out*/, std::size_t /*stride*/) {}

  // out[j] = k(x_j, x_slot), padded.
  virtual void kernel_row_of(std::size_t slot, float* out) = 0;
  // The same for j in [first, last), and possibly for others in the same blocks of 16.
  virtual void kernel_row_part(std::size_t slot, std::size_t first, std::size_t last, float* out) = 0;
  // out[j] = k(x_j, x), padded; equal to the last bit to kernel_row_of() if x were in the set.
  virtual void kernel_row(const Features& x, float* out) = 0;
  // out[j] = k(x_j, x) in double precision, for factorisations and for values too small for a float. Thread-safe.
  virtual void exact_row(const Features& x, std::span<double> out) const = 0;
  virtual void exact_row_of(std::size_t slot, std::span<double> out) = 0;
  virtual void exact_row_part(std::size_t slot, std::size_t first, std::size_t last, double* out) = 0;
  virtual double self_kernel(std::size_t slot) const = 0;
  // For radial kernels, the gradient g of Σ_j a_j k(x_j, ·) at x, where shares[j] = a_j k(x_j, x), padded with zeros:
  // sums[f] += weight g_f² / (mean of ‖g‖² so far, this one included). Returns ‖g‖²; if it is 0, nothing is added.
  virtual double add_gradient_squares(const Features& x, const float* shares, double weight, FadingMean& mean,
                                      std::span<double> sums) = 0;

  // The vector in dense form; out has the dimension's length.
  virtual void copy_to(std::size_t slot, std::span<float> out) const = 0;
  virtual std::uint32_t dimension() const = 0;
  virtual std::size_t memory_bytes() const = 0;

  virtual void save(StateWriter& out) const = 0;
  virtual void load(StateReader& in) = 0;

 protected:
  // The gradient of a radial kernel, relative to the sum over differences (Gaussian) or their signs (Laplacian).
  double slope() const { return kernel_.kind == KernelKind::rbf ? -2 * kernel_.gamma : -kernel_.gamma; }

  // Divides the slots [first, last) among threads: calls work(first, last) for parts of them, each of whole blocks of
  // kernel rows. `features` is the number of features that a kernel value looks at.
  template <class Work>
  static void share_slots(std::size_t first, std::size_t last, std::size_t rows, double features, const Work& work) {
    constexpr std::size_t kUnit = 64;    // slots: enough for a register tile
    constexpr double kExponential = 10;  // multiply-adds
    constexpr double kFetching = 50;  // multiply-adds in the time that a value takes to come from another core's cache
    const std::size_t start = first / kUnit * kUnit;
    const double values = static_cast<double>(rows) * static_cast<double>(last - first);
    const double cost = values * std::max(1.0, features + kExponential - kFetching);
    share(last - start, kUnit, cost,
          [&](std::size_t begin, std::size_t end) { work(std::max(first, start + begin), start + end); });
  }

  Kernel kernel_;
  std::size_t size_ = 0;
};

// `capacity` vectors fit without another allocation (except sparse vectors).
std::unique_ptr<SupportSet> make_support_set(const Kernel& kernel, const Shape& shape, std::size_t capacity);
// Its memory, as far as it is known beforehand: 0 for sparse vectors.
std::size_t support_set_bytes(const Shape& shape, std::size_t capacity);
std::size_t support_set_window(const Shape& shape);

}  // namespace kinglet
