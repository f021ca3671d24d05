#include "model/query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kinglet/error.hpp"
#include "learn/scaler.hpp"

namespace kinglet {

std::optional<std::string> label_in_data(const Query& query) {
  if (query.label == nullptr) {
    throw Error(fmt::format("example {} has no label, but the model asks for it", query.example));
  }
  return *query.label;
}

// --- a row -----------------------------------------------------------------------------------------------------------

// Space for one value keeps the array pointers from being null, which would mean a dense row.
void StoredRow::assign(const Features& x) {
  sparse_ = x.is_sparse();
  values_.reserve(1);
  indices_.reserve(1);
  values_.assign(x.values, x.values + x.count);
  indices_.clear();
  if (sparse_) indices_.assign(x.indices, x.indices + x.count);
}

Features StoredRow::view() const {
  return {values_.data(), sparse_ ? indices_.data() : nullptr, static_cast<std::uint32_t>(values_.size())};
}

Rows StoredRow::as_rows(std::uint32_t dimension) {
  if (!sparse_) {
    values_.resize(dimension, 0);
    return {.count = 1, .dimension = dimension, .values = values_.data(), .stride = dimension};
  }
  offsets_[1] = values_.size();
  return {
      .count = 1, .dimension = dimension, .values = values_.data(), .indices = indices_.data(), .offsets = offsets_};
}

void StoredRow::rescale(std::span<const float> ratios) {
  for (std::size_t k = 0; k < values_.size(); ++k) values_[k] *= ratios[sparse_ ? indices_[k] : k];
}

void StoredRow::save(StateWriter& out) const {
  out.put<std::uint8_t>(sparse_ ? 1 : 0);
  out.put_array(indices_);
  out.put_array(values_);
}

void StoredRow::load(StateReader& in, std::uint32_t dimension) {
  const auto form = in.get<std::uint8_t>();
  const auto indices = in.get_array<std::uint32_t>();
  const auto values = in.get_array<float>();
  const bool rising = std::ranges::adjacent_find(indices, std::greater_equal{}) == indices.end();
  const bool inside = form == 0 ? values.size() <= dimension : indices.empty() || indices.back() < dimension;
  StateReader::require(form <= 1 && indices.size() == (form == 0 ? 0 : values.size()) && rising && inside,
                       "the form of a row");
  const auto is_infinite = [](float value) { return std::isinf(value); };
  StateReader::require(std::ranges::none_of(values, is_infinite), "a row with an infinite value");
  assign(form == 0 ? Features::dense(values) : Features::sparse(indices, values));
  sparse_ = form == 1;
}

// --- the rule --------------------------------------------------------------------------------------------------------

QueryRule::QueryRule(const Options& options) {
  if (!options.has("query")) return;  // a task without classes
  const std::string& name = options.text("query");
  kind_ = name == "ramp" ? Kind::ramp : name == "greedy" ? Kind::greedy : Kind::all;
  budget_ = static_cast<std::uint64_t>(options.integer("query-budget"));
  if (kind_ == Kind::greedy) window_ = static_cast<std::uint64_t>(options.integer("query-window"));
}

bool QueryRule::prefers(double certainty) {
  if (kind_ != Kind::greedy) return due_ = kind_ == Kind::all || !(certainty > 1);
  const bool is_first = seen_ == 0;
  due_ = ++seen_ == window_;
  return is_first || certainty < candidate_.certainty;
}

void QueryRule::answered() {
  due_ = false;
  seen_ = 0;
}

void QueryRule::save(StateWriter& out) const {
  out.put(seen_);
  out.put<std::uint8_t>(due_ ? 1 : 0);
  if (!has_candidate()) return;
  out.put(candidate_.example);
  out.put(candidate_.prediction.label);
  out.put(candidate_.prediction.score);
  out.put(candidate_.certainty);
  out.put(candidate_.weight);
  out.put<std::uint8_t>(candidate_.label ? 1 : 0);
  if (candidate_.label) out.put_text(*candidate_.label);
  candidate_.raw.save(out);
  candidate_.scaled.save(out);
}

void QueryRule::load(StateReader& in, const Shape& shape, std::uint64_t examples) {
  seen_ = in.get<std::uint64_t>();
  const auto due = in.get<std::uint8_t>();
  due_ = due != 0;
  const bool is_greedy = kind_ == Kind::greedy;
  StateReader::require(due <= 1 && seen_ <= (is_greedy ? window_ : 0) && due_ == (is_greedy ? seen_ == window_ : due_),
                       "a window of queries");
  if (!has_candidate()) return;
  candidate_.example = in.get<std::uint64_t>();
  candidate_.prediction.label = in.get<ClassId>();
  candidate_.prediction.score = in.get<float>();
  candidate_.certainty = in.get<double>();
  candidate_.weight = in.get<float>();
  const ClassId label = candidate_.prediction.label;
  StateReader::require(candidate_.example >= 1 && candidate_.example <= examples &&
                           (label < shape.classes || label == kNoClass) && candidate_.weight >= 0 &&
                           std::isfinite(candidate_.weight),
                       "a query");
  const auto labelled = in.get<std::uint8_t>();
  StateReader::require(labelled <= 1, "the label of a query");
  if (labelled == 1) candidate_.label = in.get_text();
  candidate_.raw.load(in, shape.dimension);
  candidate_.scaled.load(in, shape.dimension);
  const Features scaled = candidate_.scaled.view();
  const auto fits = [](float value) { return std::abs(value) <= Scaler::kMost; };  // NaN does not
  StateReader::require(
      scaled.is_sparse() == shape.has_sparse_rows() && std::all_of(scaled.values, scaled.values + scaled.count, fits),
      "the row of a query");
}

}  // namespace kinglet
