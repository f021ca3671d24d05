// What Python hands over, without copying it: columns of numbers, and tables of rows. Everything here is read through
// the buffer protocol, which NumPy arrays have, and so costs a fraction of a microsecond.
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

// An array in C order, held for as long as this lives.
class Array {
 public:
  Array(nb::handle array, const char* name, bool writable = false);
  ~Array();
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  NumberKind kind() const { return kind_; }
  std::size_t size() const { return size_; }  // of all dimensions together
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

// One number for each row: classes, targets, weights, or the order in which rows are learned. None: there are none.
class Column {
 public:
  Column(nb::handle column, const char* name, std::size_t rows);
  // An order: row numbers below `rows`, of some rows or all of them.
  Column(nb::handle order, std::size_t rows);

  std::size_t size() const { return array_->size(); }
  bool is_given() const { return array_.has_value(); }
  // The numbers of rows begin, …, begin + out.size() − 1, or those that `order` has there.
  template <class T>
  void copy(std::size_t begin, const std::int64_t* order, std::span<T> out) const;
  const std::int64_t* integers() const { return is_given() ? array_->as<std::int64_t>() : nullptr; }
  bool is_real() const { return array_->is_real(); }
  void require_integers(const char* name) const;

 private:
  std::optional<Array> array_;
};

// The rows of X: an array of float32 or float64 in C order, or (data, indices, indptr, features) of a CSR matrix whose
// rows have no column twice and are sorted.
class Table {
 public:
  explicit Table(nb::handle x);

  std::size_t rows() const { return rows_; }
  std::uint32_t dimension() const { return dimension_; }

  // Error for a number that is infinite, or too large for a float32.
  void require_finite() const;
  // Puts rows begin, …, begin + n − 1, or those that `order` has there, into the batch: borrowed where they stand, if
  // they are float32 and in their own order, else copied. The batch has n labels afterwards, all kNoLabel.
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

  std::unique_ptr<Sparse> sparse_;  // absent: dense
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
