#include "span/span_sums.hpp"

#include <algorithm>
#include <cmath>
#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "core/assert.hpp"
#include "core/compose.hpp"
#include "expansion/output_rows.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

using SpanMatrix = Eigen::MatrixXd;

Eigen::Index at(std::size_t i) { return static_cast<Eigen::Index>(i); }

// Calls act(place in `from`, place in `to`, factor) for the rows of outputs of another learner: one output f is −f/2
// and f/2 of the first two classes where there is one for each class (expansion/output_rows.hpp).
template <class Act>
void for_each_output(std::size_t from, std::size_t to, std::span<const ClassId> classes, const Act& act) {
  if (from == to && from == 1) return act(0, 0, 1.0);
  if (from == 1) {
    act(0, classes[0], -0.5);
    if (classes.size() > 1) act(0, classes[1], 0.5);
    return;
  }
  for (std::size_t c = 0; c < from; ++c) act(c, classes[c], 1.0);
}

}  // namespace

SpanSums::SpanSums(std::size_t capacity, std::size_t outputs)
    : outputs_(outputs),
      stride_(round_up(capacity, simd::kOuterBlock)),
      squares_(simd::outer_sum_size(capacity)),
      products_(outputs * stride_),
      origin_(outputs * stride_),
      rows_(kPending * stride_),
      weighted_(kPending * stride_),
      targets_(kPending * outputs) {}

std::size_t SpanSums::bytes(std::size_t capacity, std::size_t outputs) {
  const std::size_t stride = round_up(capacity, simd::kOuterBlock);
  return (simd::outer_sum_size(capacity) + 2 * stride * (outputs + kPending) + kPending * outputs) * sizeof(double);
}

void SpanSums::observe(std::span<const float> k, double noise, std::span<const double> targets) {
  KINGLET_ASSERT(k.size() <= stride_ && targets.size() == outputs_ && noise > 0);
  width_ = round_up(k.size(), simd::kOuterBlock);
  const double weight = 1 / noise;
  for (std::size_t j = 0; j < width_; ++j) {
    const std::size_t place = simd::row_panel_place(pending_, j, kPending);
    rows_[place] = j < k.size() ? static_cast<double>(k[j]) : 0;
    weighted_[place] = weight * rows_[place];
  }
  std::ranges::copy(targets, targets_.begin() + static_cast<std::ptrdiff_t>(pending_ * outputs_));
  if (++pending_ == kPending) flush();
}

void SpanSums::flush() {
  if (pending_ == 0) return;
  const simd::RowPanel weighted{weighted_.data(), kPending, pending_, width_};
  simd::add_outer(weighted, {rows_.data(), kPending, pending_, width_}, squares_.data());
  for (std::size_t c = 0; c < outputs_; ++c) {
    simd::add_weighted(&targets_[c], outputs_, weighted, &products_[c * stride_]);
  }
  pending_ = 0;
}

void SpanSums::add(const SpanSums& other, std::size_t size, std::span<const ClassId> classes) {
  KINGLET_ASSERT(pending_ == 0 && other.pending_ == 0 && size <= std::min(stride_, other.stride_));
  const std::size_t entries = simd::outer_sum_size(size);
  for (std::size_t i = 0; i < entries; ++i) squares_[i] += other.squares_[i];
  for_each_output(other.outputs_, outputs_, classes, [&](std::size_t from, std::size_t to, double factor) {
    for (std::size_t j = 0; j < size; ++j)
      products_[to * stride_ + j] += factor * other.products_[from * other.stride_ + j];
  });
}

void SpanSums::take_origin(const SpanSums& other, std::size_t size, std::span<const ClassId> classes) {
  for_each_output(other.outputs_, outputs_, classes, [&](std::size_t from, std::size_t to, double factor) {
    for (std::size_t j = 0; j < size; ++j) origin_[to * stride_ + j] = factor * other.origin_[from * other.stride_ + j];
  });
}

bool SpanSums::has_origin_of(const SpanSums& other, std::size_t size, std::span<const ClassId> classes) const {
  bool same = true;
  for_each_output(other.outputs_, outputs_, classes, [&](std::size_t from, std::size_t to, double factor) {
    for (std::size_t j = 0; j < size; ++j) {
      same = same && origin_[to * stride_ + j] == factor * other.origin_[from * other.stride_ + j];
    }
  });
  return same;
}

SpanSolution SpanSums::solve(std::span<const double> prior, std::size_t size, bool with_covariance) const {
  KINGLET_ASSERT(pending_ == 0 && prior.size() == size * size);
  SpanMatrix squares(at(size), at(size));
  for (std::size_t c = 0; c < size; ++c) {
    for (std::size_t r = 0; r <= c; ++r) {
      squares(at(r), at(c)) = squares(at(c), at(r)) = squares_[simd::outer_sum_place(r, c)];
    }
  }
  SpanMatrix precision = squares + Eigen::Map<const SpanMatrix>(prior.data(), at(size), at(size));
  const Eigen::LLT<Eigen::Ref<SpanMatrix>> root(precision);
  if (root.info() != Eigen::Success) {
    throw Error(compose("the statistics of the span are singular: raise {} or {}", option("ridge"), option("prior")));
  }
  SpanSolution solution;
  solution.coefficients.resize(outputs_ * size);
  for (std::size_t c = 0; c < outputs_; ++c) {
    const Eigen::Map<const Eigen::VectorXd> products(&products_[c * stride_], at(size));
    const Eigen::Map<const Eigen::VectorXd> origin(&origin_[c * stride_], at(size));
    const Eigen::VectorXd change = root.solve(products - squares * origin);
    for (std::size_t j = 0; j < size; ++j) solution.coefficients[c * size + j] = origin[at(j)] + change[at(j)];
  }
  if (!with_covariance) return solution;
  const SpanMatrix inverse = root.solve(SpanMatrix::Identity(at(size), at(size)));
  solution.covariance.assign(inverse.data(), inverse.data() + inverse.size());
  return solution;
}

void SpanSums::grow(std::size_t outputs, std::size_t size) {
  if (outputs <= outputs_) return;
  flush();
  add_rows(products_, outputs_, outputs, stride_, size);
  add_rows(origin_, outputs_, outputs, stride_, size);
  outputs_ = outputs;
  targets_.resize(kPending * outputs);
}

void SpanSums::save(StateWriter& out, std::size_t size) const {
  KINGLET_ASSERT(pending_ == 0);
  out.put_array<double>({squares_.data(), simd::outer_sum_size(size)});
  for (std::size_t c = 0; c < outputs_; ++c) {
    out.put_array<double>({&products_[c * stride_], size});
    out.put_array<double>({&origin_[c * stride_], size});
  }
}

void SpanSums::load(StateReader& in, std::size_t size) {
  const auto load_numbers = [&](double* to, std::size_t count) {
    const auto values = in.get_array<double>();
    StateReader::require(values.size() == count, "a sum of the wrong length");
    StateReader::require(std::ranges::all_of(values, [](double value) { return std::isfinite(value); }),
                         "a number that is not finite");
    std::ranges::copy(values, to);
  };
  load_numbers(squares_.data(), simd::outer_sum_size(size));
  for (std::size_t c = 0; c < outputs_; ++c) {
    load_numbers(&products_[c * stride_], size);
    load_numbers(&origin_[c * stride_], size);
  }
  pending_ = 0;
}

}  // namespace kinglet
