#include "arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kinglet/error.hpp"

namespace kinglet::python {
namespace {

constexpr std::uint64_t kMostFeatures = 0xFFFFFFFE;

std::optional<NumberKind> number_kind(const char* format, Py_ssize_t bytes) {
  if (format == nullptr || std::strlen(format) != 1) return std::nullopt;
  const bool is_integer = std::strchr("ilq", format[0]) != nullptr;
  if (is_integer && bytes == 4) return NumberKind::int32;
  if (is_integer && bytes == 8) return NumberKind::int64;
  if (format[0] == 'f') return NumberKind::float32;
  if (format[0] == 'd') return NumberKind::float64;
  return std::nullopt;
}

// Whether any value does not fit into a float32. NaN is allowed, as it means a missing value.
template <class T>
bool any_too_large(const T* values, std::size_t count) {
  constexpr auto kMost = static_cast<T>(std::numeric_limits<float>::max());
  int found = 0;
  for (std::size_t i = 0; i < count; ++i) found |= std::abs(values[i]) > kMost ? 1 : 0;
  return found != 0;
}

template <class T>
std::size_t first_too_large(const T* values, std::size_t count) {
  constexpr auto kMost = static_cast<T>(std::numeric_limits<float>::max());
  return static_cast<std::size_t>(std::find_if(values, values + count, [](T v) { return std::abs(v) > kMost; }) -
                                  values);
}

// Prefetches the next rows, as rows in random order are scattered in memory.
constexpr std::size_t kRowsAhead = 8;

template <class T>
void prefetch(const T* row, std::size_t count) {
  constexpr std::size_t kLine = 64 / sizeof(T);
  for (std::size_t k = 0; k < count; k += kLine) __builtin_prefetch(row + k);
}

template <class T>
void gather(const T* values, std::size_t width, std::span<const std::int64_t> order, float* out) {
  const auto row = [&](std::size_t i) { return values + static_cast<std::size_t>(order[i]) * width; };
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i + kRowsAhead < order.size()) prefetch(row(i + kRowsAhead), width);
    const T* const from = row(i);
    for (std::size_t k = 0; k < width; ++k) out[i * width + k] = static_cast<float>(from[k]);
  }
}

}  // namespace

// --- Array -----------------------------------------------------------------------------------------------------------

Array::Array(nb::handle array, const char* name, bool writable) {
  const int flags = PyBUF_FORMAT | PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
  if (PyObject_GetBuffer(array.ptr(), &view_, flags) != 0) throw nb::python_error();
  const auto kind = number_kind(view_.format, view_.itemsize);
  if (!kind) {
    const std::string format = view_.format == nullptr ? "bytes" : view_.format;
    PyBuffer_Release(&view_);
    throw Error(
        fmt::format("{} has the type '{}'; supported types are float32, float64, int32 and int64", name, format));
  }
  kind_ = *kind;
  for (int i = 0; i < view_.ndim; ++i) size_ *= extent(i);
}

Array::~Array() { PyBuffer_Release(&view_); }

// --- Column ----------------------------------------------------------------------------------------------------------

Column::Column(nb::handle column, const char* name, std::size_t rows) {
  if (column.is_none()) return;
  array_.emplace(column, name);
  if (array_->size() != rows) {
    throw Error(fmt::format("{} has {} entries, but there are {} rows", name, array_->size(), rows));
  }
}

Column::Column(nb::handle order, std::size_t rows) {
  if (order.is_none()) return;
  array_.emplace(order, "the order of rows");
  require_integers("the order of rows");
  const std::int64_t* const begin = integers();
  const auto is_wrong = [&](std::int64_t row) { return row < 0 || static_cast<std::size_t>(row) >= rows; };
  if (std::any_of(begin, begin + size(), is_wrong)) throw Error("the order of rows contains a row that does not exist");
}

void Column::require_integers(const char* name) const {
  if (is_given() && array_->kind() != NumberKind::int64) throw Error(fmt::format("{} must be of type int64", name));
}

// --- Table -----------------------------------------------------------------------------------------------------------

Table::Table(nb::handle x) {
  if (!nb::isinstance<nb::tuple>(x)) {
    values_.emplace(x, "X");
    if (values_->dimensions() != 2) throw Error("X must have two dimensions: rows and features");
    rows_ = values_->extent(0);
    if (values_->extent(1) > kMostFeatures) throw Error("X has too many features");
    dimension_ = static_cast<std::uint32_t>(values_->extent(1));
  } else {
    const auto parts = nb::borrow<nb::tuple>(x);
    if (parts.size() != 4) throw Error("a sparse X must be the tuple (data, indices, indptr, features)");
    values_.emplace(parts[0], "the data of X");
    const auto features = nb::cast<std::uint64_t>(parts[3]);
    if (features > kMostFeatures) throw Error("X has too many features");
    dimension_ = static_cast<std::uint32_t>(features);
    sparse_.reset(new Sparse{{parts[1], "the indices of X"}, {parts[2], "the indptr of X"}});
    check_sparse();
    rows_ = sparse_->offsets.size() - 1;
  }
  if (!values_->is_real()) throw Error("X must be of type float32 or float64");
}

void Table::check_sparse() const {
  const Array& offsets = sparse_->offsets;
  if (offsets.is_real() || sparse_->indices.is_real() || offsets.size() == 0) {
    throw Error("the indices and the indptr of X must be integers");
  }
  const bool whole = offsets.visit([&](const auto* begin) {
    const auto most = static_cast<std::uint64_t>(begin[offsets.size() - 1]);
    return begin[0] >= 0 && std::is_sorted(begin, begin + offsets.size()) && most <= values_->size() &&
           most <= sparse_->indices.size();
  });
  if (!whole) throw Error("the data, indices and indptr of X are inconsistent");
}

std::uint64_t Table::offset(std::size_t row) const {
  return sparse_->offsets.visit([&](const auto* offsets) { return static_cast<std::uint64_t>(offsets[row]); });
}

void Table::refuse_value(std::size_t at) const {
  const double value = values_->kind() == NumberKind::float32 ? static_cast<double>(values_->as<float>()[at])
                                                              : values_->as<double>()[at];
  std::size_t row = 0;
  std::size_t feature = 0;
  if (sparse_) {
    while (offset(row + 1) <= at) ++row;
    feature = sparse_->indices.visit([&](const auto* indices) { return static_cast<std::size_t>(indices[at]); });
  } else {
    row = at / dimension_;
    feature = at % dimension_;
  }
  throw Error(
      fmt::format("Input X contains infinity or a value too large for dtype('float32'): {} in row {}, feature {}",
                  value, row, feature));
}

void Table::require_finite() const {
  const std::size_t count = sparse_ ? offset(rows_) : values_->size();
  const auto check = [&](const auto* values) {
    if (any_too_large(values, count)) refuse_value(first_too_large(values, count));
  };
  if (values_->kind() == NumberKind::float32) {
    check(values_->as<float>());
  } else {
    check(values_->as<double>());
  }
}

void Table::fill(Batch& batch, std::size_t begin, std::size_t n, const std::int64_t* order) const {
  batch.clear();
  batch.labels.assign(n, kNoLabel);
  batch.sparse = sparse_ != nullptr;
  batch.dimension = dimension_;
  if (sparse_) {
    fill_sparse(batch, begin, n, order);
  } else {
    fill_dense(batch, begin, n, order);
  }
}

void Table::fill_dense(Batch& batch, std::size_t begin, std::size_t n, const std::int64_t* order) const {
  const bool is_float = values_->kind() == NumberKind::float32;
  if (is_float && order == nullptr) {
    batch.borrowed = {
        .count = n, .dimension = dimension_, .values = values_->as<float>() + begin * dimension_, .stride = dimension_};
    return;
  }
  batch.values.resize(n * dimension_);
  if (order == nullptr) {
    const double* const from = values_->as<double>() + begin * dimension_;
    std::transform(from, from + n * dimension_, batch.values.begin(), [](double v) { return static_cast<float>(v); });
  } else if (is_float) {
    gather(values_->as<float>(), dimension_, {order + begin, n}, batch.values.data());
  } else {
    gather(values_->as<double>(), dimension_, {order + begin, n}, batch.values.data());
  }
}

void Table::fill_sparse(Batch& batch, std::size_t begin, std::size_t n, const std::int64_t* order) const {
  const bool borrows =
      order == nullptr && values_->kind() == NumberKind::float32 && sparse_->indices.kind() == NumberKind::int32;
  const std::uint64_t first = offset(begin);
  batch.offsets.push_back(0);
  batch.values.reserve(1);  // an empty block needs non-null arrays, too
  batch.indices.reserve(1);
  for (std::size_t i = begin; i < begin + n; ++i) {
    const std::size_t row = order == nullptr ? i : static_cast<std::size_t>(order[i]);
    const std::uint64_t from = offset(row);
    const std::uint64_t to = offset(row + 1);
    batch.offsets.push_back(batch.offsets.back() + (to - from));
    if (borrows) continue;
    for (std::uint64_t k = from; k < to; ++k) {
      const auto index =
          sparse_->indices.visit([&](const auto* indices) { return static_cast<std::uint64_t>(indices[k]); });
      if (index >= dimension_) throw Error(fmt::format("X has index {}, but only {} features", index, dimension_));
      batch.indices.push_back(static_cast<std::uint32_t>(index));
      batch.values.push_back(values_->kind() == NumberKind::float32 ? values_->as<float>()[k]
                                                                    : static_cast<float>(values_->as<double>()[k]));
    }
  }
  if (!borrows) return;
  batch.borrowed = {.count = n,
                    .dimension = dimension_,
                    .values = values_->as<float>() + first,
                    .indices = sparse_->indices.as<std::uint32_t>() + first,
                    .offsets = batch.offsets.data()};
}

}  // namespace kinglet::python
