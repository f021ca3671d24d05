// Reads arrays from Python without copying them: columns of numbers and tables of rows. Uses the buffer protocol, which
// NumPy arrays support and which costs a fraction of a microsecond.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kinglet/example.hpp"
#include "kinglet/source.hpp"

namespace kinglet::python {

namespace nb = nanobind;

enum class NumberKind { float32, float64, int32, int64 };

// An array in C order. Keeps the Python object alive.
class Array {
 public:
  Array(nb::handle array, const char* name, bool writable = false);
  ~Array();
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  NumberKind kind() const { return kind_; }
  std::size_t size() const { return size_; }  // total number of elements
  int dimensions() const { return view_.ndim; }
  std::size_t extent(int dimension) const { return static_cast<std::size_t>(view_.shape[dimension]); }

  template <class T>
  const T* as() const {
    return static_cast<const T*>(view_.buf);
  }
  template <class T>
  T* writable() {
    return static_cast<T*>(view_.buf);
  }
  // Calls work(pointer to the values).
  template <class Work>
  decltype(auto) visit(const Work& work) const {
    switch (kind_) {
      case NumberKind::float32:
        return work(as<float>());
      case NumberKind::float64:
        return work(as<double>());
      case NumberKind::int32:
        return work(as<std::int32_t>());
      default:
        return work(as<std::int64_t>());
    }
  }
  bool is_real() const { return kind_ == NumberKind::float32 || kind_ == NumberKind::float64; }

 private:
  Py_buffer view_{};
  NumberKind kind_ = NumberKind::float32;
  std::size_t size_ = 1;
};

// One number per row: classes, targets, weights, or the order in which rows are learned. May be None.
class Column {
 public:
  Column(nb::handle column, const char* name, std::size_t rows);
  // An order of rows: numbers below `rows`, for some or all rows.
  Column(nb::handle order, std::size_t rows);

  std::size_t size() const { return array_->size(); }
  bool is_given() const { return array_.has_value(); }
  // The entries of rows begin … begin + out.size() − 1, or of the rows at these positions of `order`.
  template <class T>
  void copy(std::size_t begin, const std::int64_t* order, std::span<T> out) const;
  const std::int64_t* integers() const { return is_given() ? array_->as<std::int64_t>() : nullptr; }
  bool is_real() const { return array_->is_real(); }
  void require_integers(const char* name) const;

 private:
  std::optional<Array> array_;
};

// The rows of X: an array of float32 or float64 in C order, or (data, indices, indptr, features) of a CSR matrix whose
// rows are sorted and have no duplicate columns.
class Table {
 public:
  explicit Table(nb::handle x);

  std::size_t rows() const { return rows_; }
  std::uint32_t dimension() const { return dimension_; }

  // Throws Error if a number is infinite or too large for a float32.
  void require_finite() const;
  // Puts rows begin … begin + n − 1, or those at these positions of `order`, into the batch: borrowed if they are
  // float32 and not reordered, else copied. The batch then has n labels, all kNoLabel.
  void fill(Batch& batch, std::size_t begin, std::size_t n, const std::int64_t* order) const;

 private:
  struct Sparse {
    Array indices;
    Array offsets;
  };

  void check_sparse() const;
  void fill_dense(Batch& batch, std::size_t begin, std::size_t n, const std::int64_t* order) const;
  void fill_sparse(Batch& batch, std::size_t begin, std::size_t n, const std::int64_t* order) const;
  void refuse_value(std::size_t at) const;
  std::uint64_t offset(std::size_t row) const;

  std::unique_ptr<Sparse> sparse_;  // null: dense
  std::optional<Array> values_;
  std::size_t rows_ = 0;
  std::uint32_t dimension_ = 0;
};

template <class T>
void Column::copy(std::size_t begin, const std::int64_t* order, std::span<T> out) const {
  array_->visit([&](const auto* values) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t row = order == nullptr ? begin + i : static_cast<std::size_t>(order[begin + i]);
      out[i] = static_cast<T>(values[row]);
    }
  });
}

}  // namespace kinglet::python
