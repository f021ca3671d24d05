#include "c_api/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace kinglet::c_api {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw BadArgument{what};
}

void check_sparse(const kinglet_data& data) {
  require(data.stride == 0, "the stride of sparse rows must be 0");
  // Check the offsets first: entries outside of them must not be read.
  require(std::is_sorted(data.offsets, data.offsets + data.rows + 1), "the offsets of sparse rows must not decrease");
  require(data.offsets[0] == data.offsets[data.rows] || (data.values != nullptr && data.indices != nullptr),
          "sparse rows need values and indices");
  for (std::size_t i = 0; i < data.rows; ++i) {
    const std::uint64_t begin = data.offsets[i];
    const std::uint64_t end = data.offsets[i + 1];
    for (std::uint64_t k = begin; k < end; ++k) {
      require(data.indices[k] < data.dimension, "an index of a sparse row must be below the dimension");
      require(k == begin || data.indices[k - 1] < data.indices[k], "the indices of a sparse row must increase");
    }
  }
}

void add_label(Batch& batch, const kinglet_data& data, std::size_t row, LabelIds& ids) {
  if (data.label_numbers != nullptr) {
    batch.labels.push_back(ids.of(fmt::format("{}", data.label_numbers[row]), batch));
  } else if (data.labels != nullptr && data.labels[row] != nullptr) {
    batch.labels.push_back(ids.of(data.labels[row], batch));
  } else {
    batch.labels.push_back(kNoLabel);
  }
}

}  // namespace

void check(const kinglet_data* data) {
  require(data != nullptr, "the data pointer is null");
  require(data->struct_size == sizeof(kinglet_data), "struct_size must be sizeof(kinglet_data): use KINGLET_DATA_INIT");
  require(data->dimension <= std::numeric_limits<std::uint32_t>::max(), "the dimension is larger than 2^32 - 1");
  const int kinds = (data->labels != nullptr) + (data->label_numbers != nullptr) + (data->targets != nullptr);
  require(kinds <= 1, "only one of labels, label_numbers and targets may be set");
  if (data->rows == 0) return;
  if (data->offsets != nullptr) return check_sparse(*data);
  require(data->indices == nullptr, "sparse rows need offsets");
  require(data->values != nullptr || data->dimension == 0, "the values pointer is null, but there are rows");
  require(data->stride == 0 || data->stride >= data->dimension, "the stride is smaller than the dimension");
}

std::uint32_t LabelIds::of(const std::string& text, Batch& batch) {
  const auto [found, is_new] = ids_.try_emplace(text, static_cast<std::uint32_t>(ids_.size()));
  if (is_new) batch.new_labels.push_back(text);
  return found->second;
}

void fill(Batch& batch, const kinglet_data& data, std::size_t begin, std::size_t n, LabelIds* ids) {
  batch.clear();
  batch.sparse = data.offsets != nullptr;
  batch.dimension = static_cast<std::uint32_t>(data.dimension);
  if (batch.sparse) {
    const std::uint64_t first = data.offsets[begin];
    const std::uint64_t last = data.offsets[begin + n];
    for (std::size_t i = begin; i <= begin + n; ++i) batch.offsets.push_back(data.offsets[i] - first);
    if (last > first) {
      batch.values.assign(data.values + first, data.values + last);
      batch.indices.assign(data.indices + first, data.indices + last);
    }
  } else {
    const std::size_t stride = data.stride == 0 ? data.dimension : data.stride;
    for (std::size_t i = begin; i < begin + n; ++i) {
      batch.values.insert(batch.values.end(), data.values + i * stride, data.values + i * stride + data.dimension);
    }
  }
  if (ids == nullptr) {
    batch.labels.assign(n, kNoLabel);
    return;
  }
  for (std::size_t i = begin; i < begin + n; ++i) add_label(batch, data, i, *ids);
  if (data.targets != nullptr) batch.targets.assign(data.targets + begin, data.targets + begin + n);
  if (data.weights != nullptr) batch.weights.assign(data.weights + begin, data.weights + begin + n);
}

}  // namespace kinglet::c_api
