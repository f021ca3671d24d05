// A data set in memory: one large batch from which sources copy rows in any order.
#include "lab/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/assert.hpp"
#include "core/random.hpp"
#include "kinglet/error.hpp"
#include "lab/copy_rows.hpp"

namespace kinglet {
namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

template <class T>
std::uint64_t bytes_of(const std::vector<T>& list) {
  return list.size() * sizeof(T);
}

void append_rows(Batch& all, const Batch& more) {
  const std::uint64_t values_before = all.values.size();
  append(all.values, more.values);
  append(all.indices, more.indices);
  for (std::size_t i = 1; i < more.offsets.size(); ++i) all.offsets.push_back(values_before + more.offsets[i]);
  append(all.labels, more.labels);
  append(all.targets, more.targets);
  append(all.weights, more.weights);
  append(all.new_labels, more.new_labels);
  all.dimension = more.dimension;
  if (more.index_base) all.index_base = more.index_base;
  if (more.columns) all.columns = more.columns;
}

Batch beginning(const Batch& batch, std::size_t rows) {
  Batch part;
  copy_rows(batch, 0, rows, part);
  part.index_base = batch.index_base;
  part.new_labels = batch.new_labels;
  return part;
}

// Smooths `count` pixels from `begin` on, `step` apart. The pixels at the edge are repeated beyond it.
void smooth_line(std::span<float> picture, std::size_t begin, std::size_t step, std::size_t count, float around) {
  float before = around;
  for (std::size_t i = 0; i < count; ++i) {
    float& pixel = picture[begin + i * step];
    const float after = i + 1 < count ? picture[begin + (i + 1) * step] : around;
    before = std::exchange(pixel, (before + 2 * pixel + after) / 4);
  }
}

class RowSource final : public Source {
 public:
  RowSource(std::shared_ptr<const Dataset> data, RowList rows) : data_(std::move(data)), rows_(std::move(rows)) {}

  bool next(Batch& batch) override;
  bool can_rewind() const override { return true; }
  void rewind() override { at_ = 0; }
  std::optional<double> progress() const override {
    return rows_.empty() ? 1 : static_cast<double>(at_) / static_cast<double>(rows_.size());
  }
  std::optional<std::uint64_t> rows() const override { return rows_.size(); }
  std::string name() const override { return data_->name(); }
  void stop() override {}  // never blocks

 private:
  void copy_row(const Batch& from, std::size_t row, Batch& to) const;

  std::shared_ptr<const Dataset> data_;
  RowList rows_;
  std::size_t at_ = 0;
  bool labels_given_ = false;
};

bool RowSource::next(Batch& batch) {
  const Batch& all = data_->batch();
  batch.clear();
  if (at_ == rows_.size()) return false;
  batch.sparse = all.sparse;
  batch.index_base = all.index_base;
  batch.columns = all.columns;
  batch.dimension = all.dimension;
  if (all.sparse) batch.offsets.push_back(0);
  const std::size_t end = std::min(rows_.size(), at_ + kBatchRows);
  for (; at_ < end; ++at_) copy_row(all, rows_[at_], batch);
  if (!std::exchange(labels_given_, true)) batch.new_labels = all.new_labels;
  return true;
}

void RowSource::copy_row(const Batch& from, std::size_t row, Batch& to) const {
  std::uint64_t begin = static_cast<std::uint64_t>(row) * from.dimension;
  std::uint64_t end = begin + from.dimension;
  if (from.sparse) {
    begin = from.offsets[row];
    end = from.offsets[row + 1];
    to.indices.insert(to.indices.end(), from.indices.begin() + static_cast<std::ptrdiff_t>(begin),
                      from.indices.begin() + static_cast<std::ptrdiff_t>(end));
    to.offsets.push_back(to.offsets.back() + (end - begin));
  }
  to.values.insert(to.values.end(), from.values.begin() + static_cast<std::ptrdiff_t>(begin),
                   from.values.begin() + static_cast<std::ptrdiff_t>(end));
  to.labels.push_back(from.labels[row]);
  if (!from.targets.empty()) to.targets.push_back(from.targets[row]);
  if (!from.weights.empty()) to.weights.push_back(from.weights[row]);
}

}  // namespace

Dataset Dataset::read(Source& source, const std::function<bool()>& stopped, std::size_t most) {
  Dataset data;
  data.name_ = source.name();
  Batch batch;
  const auto is_full = [&] { return most > 0 && data.rows() == most; };
  while (!is_full() && !(stopped && stopped()) && source.next(batch)) {
    if (most > 0 && batch.rows() > most - data.rows()) batch = beginning(batch, most - data.rows());
    if (data.rows() == 0) {
      data.rows_.sparse = batch.sparse;
      if (batch.sparse) data.rows_.offsets.push_back(0);
    }
    KINGLET_ASSERT(batch.sparse == data.rows_.sparse);
    append_rows(data.rows_, batch);
    if (data.rows() > std::numeric_limits<std::uint32_t>::max()) {
      throw Error(fmt::format("{} has too many rows to keep in memory; use a part of it", data.name_));
    }
  }
  if (data.rows() == 0 && !(stopped && stopped())) throw Error(fmt::format("{}: no examples", data.name_));
  return data;
}

std::uint64_t Dataset::bytes() const {
  return bytes_of(rows_.values) + bytes_of(rows_.indices) + bytes_of(rows_.offsets) + bytes_of(rows_.labels) +
         bytes_of(rows_.targets) + bytes_of(rows_.weights);
}

Dataset Dataset::against_the_rest(std::span<const std::string> positive) const {
  Dataset two = *this;
  two.rows_.new_labels = {"-1", "1"};
  for (std::uint32_t& label : two.rows_.labels) {
    if (label == kNoLabel) continue;
    label = std::ranges::find(positive, rows_.new_labels[label]) != positive.end() ? 1 : 0;
  }
  return two;
}

Dataset Dataset::followed_by(const Dataset& more) const {
  KINGLET_ASSERT(rows_.sparse == more.rows_.sparse);
  Dataset both = *this;
  Batch added = more.rows_;
  std::vector<std::string>& texts = both.rows_.new_labels;
  std::vector<std::uint32_t> ids;
  for (const std::string& text : added.new_labels) {
    const auto found = std::ranges::find(texts, text);
    ids.push_back(static_cast<std::uint32_t>(found - texts.begin()));
    if (found == texts.end()) texts.push_back(text);
  }
  for (std::uint32_t& label : added.labels) {
    if (label != kNoLabel) label = ids[label];
  }
  added.new_labels.clear();
  added.dimension = std::max(added.dimension, both.rows_.dimension);
  append_rows(both.rows_, added);
  return both;
}

Dataset Dataset::smoothed(std::uint32_t side, float around) const {
  KINGLET_ASSERT(dimension() <= side * side);
  Dataset pictures = *this;
  Batch& out = pictures.rows_;
  out.sparse = false;
  out.dimension = side * side;
  out.indices.clear();
  out.offsets.clear();
  out.values.assign(rows() * out.dimension, 0);
  for (std::size_t row = 0; row < rows(); ++row) {
    const std::span<float> picture(out.values.data() + row * out.dimension, out.dimension);
    const std::size_t begin = rows_.sparse ? rows_.offsets[row] : row * rows_.dimension;
    const std::size_t end = rows_.sparse ? rows_.offsets[row + 1] : begin + rows_.dimension;
    for (std::size_t i = begin; i < end; ++i) picture[rows_.sparse ? rows_.indices[i] : i - begin] = rows_.values[i];
    for (std::uint32_t line = 0; line < side; ++line) smooth_line(picture, line * side, 1, side, around);
    for (std::uint32_t line = 0; line < side; ++line) smooth_line(picture, line, side, side, around);
  }
  return pictures;
}

RowList all_rows(const Dataset& data) {
  RowList rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

// Fisher-Yates shuffle.
RowList shuffled(RowList rows, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t left = rows.size(); left > 1; --left) std::swap(rows[left - 1], rows[random.below(left)]);
  return rows;
}

std::vector<Split> folds(const Dataset& data, std::size_t count, std::uint64_t seed) {
  KINGLET_ASSERT(count >= 2);
  if (count > data.rows()) {
    throw Error(fmt::format("cannot make {} folds of {} rows: every fold needs at least one row", count, data.rows()));
  }
  const RowList order = shuffled(all_rows(data), seed);
  RowList by_class = order;
  std::ranges::stable_sort(by_class, {}, [&](std::uint32_t row) { return data.batch().labels[row]; });
  std::vector<std::uint32_t> fold_of(data.rows());
  for (std::size_t i = 0; i < by_class.size(); ++i) fold_of[by_class[i]] = static_cast<std::uint32_t>(i % count);
  std::vector<Split> splits(count);
  for (const std::uint32_t row : order) {
    for (std::size_t fold = 0; fold < count; ++fold) {
      (fold_of[row] == fold ? splits[fold].test : splits[fold].train).push_back(row);
    }
  }
  return splits;
}

std::unique_ptr<Source> read_rows(std::shared_ptr<const Dataset> data, RowList rows) {
  return std::make_unique<RowSource>(std::move(data), std::move(rows));
}

}  // namespace kinglet
