#include "records.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <ctime>
#include <optional>
#include <string_view>
#include <utility>

#include "arrays.hpp"
#include "kinglet/error.hpp"
#include "records/detect.hpp"
#include "records/encoder.hpp"
#include "records/missing.hpp"
#include "records/schema.hpp"

namespace kinglet::python {
namespace {

// A column of a data frame: numbers or strings.
class FrameColumn {
 public:
  explicit FrameColumn(nb::handle column)
      : name_(nb::cast<std::string>(column[0])), kind_(column[1]), values_(column[2]) {
    if (nb::isinstance<nb::list>(values_)) {
      rows_ = nb::len(values_);
    } else {
      numbers_.emplace(values_, name_.c_str());
      rows_ = numbers_->size();
    }
  }

  const std::string& name() const { return name_; }
  std::size_t rows() const { return rows_; }
  // What the user or the type of the column says.
  std::optional<ColumnKind> kind() const {
    return kind_.is_none() ? std::nullopt : column_kind(nb::cast<std::string>(kind_));
  }

  void profile(std::size_t rows, ColumnProfile& profile) const {
    for (std::size_t row = 0; row < rows; ++row) {
      if (is_missing(row, true)) {
        profile.add_missing();
      } else if (!numbers_) {
        profile.add(text(row));
      } else if (kind() == ColumnKind::time) {
        profile.add(fmt::format("{:%FT%TZ}", fmt::gmtime(static_cast<std::time_t>(std::floor(number(row))))));
      } else {
        profile.add(fmt::format("{}", number(row)));
      }
    }
  }
  void encode(std::size_t row, std::size_t place, bool with_words, RecordEncoder& encoder) const {
    if (is_missing(row, with_words)) return;
    if (numbers_) {
      encoder.add_number(place, number(row));
    } else {
      encoder.add_text(place, text(row));
    }
  }
  // `with_words`: texts such as NULL say so, too, and not only None.
  bool is_missing(std::size_t row, bool with_words) const {
    if (numbers_) return std::isnan(number(row));
    if (PyList_GetItem(values_.ptr(), static_cast<Py_ssize_t>(row)) == Py_None) return true;
    return with_words && kinglet::is_missing(text(row));
  }
  // The value as the user sees it, for messages.
  std::string shown(std::size_t row) const {
    return numbers_ ? fmt::format("{}", number(row)) : std::string(text(row));
  }

 private:
  double number(std::size_t row) const { return numbers_->as<double>()[row]; }
  std::string_view text(std::size_t row) const {
    Py_ssize_t size = 0;
    const char* const bytes =
        PyUnicode_AsUTF8AndSize(PyList_GetItem(values_.ptr(), static_cast<Py_ssize_t>(row)), &size);
    if (bytes == nullptr) throw nb::python_error();
    return {bytes, static_cast<std::size_t>(size)};
  }

  std::string name_;
  nb::object kind_;
  nb::object values_;
  std::optional<Array> numbers_;
  std::size_t rows_ = 0;
};

std::vector<std::unique_ptr<FrameColumn>> frame_columns(const nb::list& given) {
  std::vector<std::unique_ptr<FrameColumn>> columns;
  columns.reserve(nb::len(given));
  for (const nb::handle column : given) columns.push_back(std::make_unique<FrameColumn>(column));
  return columns;
}

template <class T>
nb::bytes bytes_of(const std::vector<T>& values) {
  return nb::bytes(values.data(), values.size() * sizeof(T));
}

}  // namespace

Records::Records(nb::list given, std::vector<std::string> ignored, std::uint32_t category_values,
                 std::uint32_t text_features) {
  const RecordLimits limits{.category_values = category_values, .text_features = text_features};
  Columns columns{.ignored = std::move(ignored)};
  Schema schema;
  for (const auto& column : frame_columns(given)) {
    ColumnProfile profile;
    column->profile(column->rows(), profile);
    const ColumnKind kind = column->kind().value_or(profile.kind());
    if (kind == ColumnKind::ignore) {
      columns.ignored.push_back(column->name());
      continue;
    }
    columns.features.push_back(column->name());
    schema.columns.push_back(profile.plan(kind, limits, profile.has_missing()));
  }
  if (schema.columns.empty()) throw Error("X has no column to learn from");
  lay_out(schema);
  columns.dimension = static_cast<std::uint32_t>(columns.features.size());
  columns.schema = std::make_shared<const Schema>(std::move(schema));
  columns_ = std::make_shared<const Columns>(std::move(columns));
}

std::vector<std::string> Records::kinds() const {
  std::vector<std::string> kinds;
  kinds.reserve(columns_->schema->columns.size());
  for (const ColumnPlan& plan : columns_->schema->columns) kinds.emplace_back(name_of(plan.kind));
  return kinds;
}

nb::tuple Records::encode(nb::list given, bool learning) {
  const auto columns = frame_columns(given);
  const std::size_t rows = columns.empty() ? 0 : columns[0]->rows();
  RecordEncoder encoder(columns_, learning ? RecordEncoder::NewValues::stay : RecordEncoder::NewValues::hash, {});
  Batch batch;
  batch.sparse = true;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      try {
        columns[i]->encode(row, i, columns_->schema->null_words, encoder);
      } catch (const Error& error) {
        throw Error(fmt::format("value '{}' of column '{}' in row {} of X {}", columns[i]->shown(row),
                                columns[i]->name(), row, error.what()));
      }
    }
    encoder.append_to(batch);
    if (row % kBatchRows == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  if (learning) columns_ = encoder.snapshot();
  if (batch.offsets.empty()) batch.offsets.push_back(0);
  return nb::make_tuple(bytes_of(batch.values), bytes_of(batch.indices), bytes_of(batch.offsets),
                        columns_->schema->dimension);
}

void bind_records(nb::module_& module) {
  nb::class_<Records>(module, "Records", "Which features the columns of a data frame become.")
      .def(nb::init<nb::list, std::vector<std::string>, std::uint32_t, std::uint32_t>(), nb::arg("columns"),
           nb::arg("ignored"), nb::arg("category_values"), nb::arg("text_features"))
      .def("encode", &Records::encode, nb::arg("columns"), nb::arg("learning"))
      .def_prop_ro("names", &Records::names)
      .def_prop_ro("ignored", &Records::ignored)
      .def_prop_ro("kinds", &Records::kinds);
}

}  // namespace kinglet::python
