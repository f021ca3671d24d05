// The class Records of the Python module: which features the columns of a data frame become, and rows of these
// features.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kinglet/source.hpp"

namespace kinglet::python {

class Records {
 public:
  // Plans the features of columns from their first rows. Each column is (name, kind or None, values): an array of
  // numbers in which NaN is missing, or a list of strings in which None is missing. `ignored` are the names of columns
  // that are left out.
  Records(nanobind::list columns, std::vector<std::string> ignored, std::uint32_t category_values,
          std::uint32_t text_features);
  // The columns of a model, which have a schema.
  explicit Records(std::shared_ptr<const Columns> columns) : columns_(std::move(columns)) {}

  const std::shared_ptr<const Columns>& columns() const { return columns_; }
  std::vector<std::string> names() const { return columns_->features; }
  std::vector<std::string> ignored() const { return columns_->ignored; }
  std::vector<std::string> kinds() const;

  // The rows of columns, which have the names of these records and their order, as (data, indices, indptr, features) of
  // a CSR matrix; each part is the bytes of an array. `learning`: new values of categories take free places.
  nanobind::tuple encode(nanobind::list columns, bool learning);

 private:
  std::shared_ptr<const Columns> columns_;
};

void bind_records(nanobind::module_& module);

}  // namespace kinglet::python
