// Feature vectors for the tests of learners and models: a table of floats, as dense or as sparse rows.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "core/shape.hpp"
#include "kinglet/example.hpp"

namespace kinglet {

using Table = std::vector<std::vector<float>>;

// The rows of a table in both forms, dense and sparse.
class TableRows {
 public:
  explicit TableRows(const Table& table) : dimension_(table.empty() ? 0 : static_cast<std::uint32_t>(table[0].size())) {
    indices_.reserve(1);
    offsets_.push_back(0);
    for (const auto& row : table) {
      dense_.insert(dense_.end(), row.begin(), row.end());
      for (std::uint32_t f = 0; f < row.size(); ++f) {
        if (row[f] == 0) continue;
        indices_.push_back(f);
        values_.push_back(row[f]);
      }
      offsets_.push_back(values_.size());
    }
  }
  Rows dense() const {
    return {.count = offsets_.size() - 1, .dimension = dimension_, .values = dense_.data(), .stride = dimension_};
  }
  Rows sparse() const {
    return {.count = offsets_.size() - 1,
            .dimension = dimension_,
            .values = values_.data(),
            .indices = indices_.data(),
            .offsets = offsets_.data()};
  }
  Rows in_form(bool is_sparse) const { return is_sparse ? sparse() : dense(); }
  Rows in_form(Storage storage) const { return in_form(storage != Storage::dense); }

 private:
  std::uint32_t dimension_;
  std::vector<float> dense_;
  std::vector<float> values_;
  std::vector<std::uint32_t> indices_;
  std::vector<std::uint64_t> offsets_;
};

// Normally distributed values; mean and deviation differ between features. A share `zeros` of the values is 0.
inline Table random_table(Random& random, std::size_t rows, std::size_t dimension, double zeros = 0) {
  Table table(rows, std::vector<float>(dimension));
  for (auto& row : table) {
    for (std::size_t f = 0; f < dimension; ++f) {
      if (random.coin(zeros)) continue;
      row[f] = static_cast<float>(3.0 * static_cast<double>(f) - 5 + (1 + static_cast<double>(f)) * random.normal());
    }
  }
  return table;
}

// Converts rows to a table with rows.dimension columns.
inline Table table_of(const Rows& rows) {
  Table table(rows.count, std::vector<float>(rows.dimension));
  for (std::size_t i = 0; i < rows.count; ++i) {
    const Features row = rows[i];
    for (std::uint32_t k = 0; k < row.count; ++k) table[i][row.is_sparse() ? row.indices[k] : k] = row.values[k];
  }
  return table;
}

}  // namespace kinglet
