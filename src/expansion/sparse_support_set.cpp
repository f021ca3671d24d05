#include "expansion/sparse_support_set.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/assert.hpp"
#include "simd/isa.hpp"
#include "simd/kernel_rows.hpp"

namespace kinglet {
namespace {

// A query spread over a dense array that is zero elsewhere; the zeros are put back at the end.
class Scattered {
 public:
  Scattered(const Features& x, std::uint32_t dimension) : x_(x) {
    if (values().size() < dimension) values().resize(dimension);
    for (std::uint32_t k = 0; k < x.count; ++k) {
      values()[feature(k)] = x.values[k];
      squared_norm_ += static_cast<double>(x.values[k]) * static_cast<double>(x.values[k]);
      absolute_norm_ += std::abs(static_cast<double>(x.values[k]));
    }
  }
  Scattered(const Scattered&) = delete;
  Scattered& operator=(const Scattered&) = delete;
  ~Scattered() {
    for (std::uint32_t k = 0; k < x_.count; ++k) values()[feature(k)] = 0;
  }

  double dot(const Features& z) const {
    const float* x = values().data();
    double sum = 0;
    for (std::uint32_t k = 0; k < z.count; ++k)
      sum += static_cast<double>(z.values[k]) * static_cast<double>(x[z.indices[k]]);
    return sum;
  }
  // ‖x − z‖₁ = ‖x‖₁ + Σ over the non-zeros of z of |x_f − z_f| − |x_f|
  double absolute_distance(const Features& z) const {
    const float* x = values().data();
    double sum = absolute_norm_;
    for (std::uint32_t k = 0; k < z.count; ++k) {
      const auto here = static_cast<double>(x[z.indices[k]]);
      sum += std::abs(here - static_cast<double>(z.values[k])) - std::abs(here);
    }
    return std::max(0.0, sum);
  }
  double squared_norm() const { return squared_norm_; }
  double operator[](std::uint32_t feature) const { return static_cast<double>(values()[feature]); }

 private:
  static std::vector<float>& values() {
    thread_local std::vector<float> dense;
    return dense;
  }
  std::uint32_t feature(std::uint32_t k) const { return x_.is_sparse() ? x_.indices[k] : k; }

  Features x_;
  double squared_norm_ = 0;
  double absolute_norm_ = 0;
};

// A set of features, one bit each: support vectors share most of theirs, and sums go through them in rising order.
class FeatureSet {
 public:
  void clear(std::uint32_t dimension) { words_.assign(dimension / kBits + 1, 0); }
  void insert(std::uint32_t feature) { words_[feature / kBits] |= std::uint64_t{1} << feature % kBits; }
  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1) {
        visit(static_cast<std::uint32_t>(w * kBits) + static_cast<std::uint32_t>(std::countr_zero(rest)));
      }
    }
  }

 private:
  static constexpr std::uint32_t kBits = 64;
  std::vector<std::uint64_t> words_;
};

}  // namespace

SparseSupportSet::SparseSupportSet(const Kernel& kernel, std::uint32_t dimension, std::size_t capacity)
    : SupportSet(kernel), dimension_(dimension) {
  simd::choose_isa();
  vectors_.reserve(capacity);
}

std::size_t SparseSupportSet::vector_bytes(std::size_t nonzeros) {
  return sizeof(Vector) + nonzeros * (sizeof(std::uint32_t) + sizeof(float));
}

void SparseSupportSet::complete(Vector& vector) {
  vector.indices.shrink_to_fit();
  vector.values.shrink_to_fit();
  vector.squared_norm = squared_norm(vector.features());
}

void SparseSupportSet::append(const Features& x) {
  vectors_.emplace_back();
  replace(size_++, x);
}

void SparseSupportSet::replace(std::size_t slot, const Features& x) {
  KINGLET_ASSERT(x.extent() <= dimension_);
  Vector vector;
  for (std::uint32_t k = 0; k < x.count; ++k) {
    if (x.values[k] == 0) continue;
    vector.indices.push_back(x.is_sparse() ? x.indices[k] : k);
    vector.values.push_back(x.values[k]);
  }
  complete(vector);
  vectors_[slot] = std::move(vector);
}

void SparseSupportSet::remove(std::size_t slot) {
  --size_;
  if (slot != size_) vectors_[slot] = std::move(vectors_.back());
  vectors_.pop_back();
}

void SparseSupportSet::blend(std::size_t into, std::size_t other, double h) {
  blend(into, vectors_[other].features(), h);
}

void SparseSupportSet::blend(std::size_t into, const Features& x, double h) {
  const Features a = vectors_[into].features();
  const auto index = [](const Features& of, std::uint32_t k) { return of.is_sparse() ? of.indices[k] : k; };
  Vector sum;
  const auto push = [&](std::uint32_t feature, double value) {
    if (value == 0) return;
    sum.indices.push_back(feature);
    sum.values.push_back(static_cast<float>(value));
  };
  std::uint32_t i = 0;
  std::uint32_t j = 0;
  while (i < a.count || j < x.count) {
    if (j == x.count || (i < a.count && index(a, i) < index(x, j))) {
      push(index(a, i), h * static_cast<double>(a.values[i]));
      ++i;
    } else if (i == a.count || index(x, j) < index(a, i)) {
      push(index(x, j), (1 - h) * static_cast<double>(x.values[j]));
      ++j;
    } else {
      push(index(a, i), h * static_cast<double>(a.values[i]) + (1 - h) * static_cast<double>(x.values[j]));
      ++i;
      ++j;
    }
  }
  complete(sum);
  vectors_[into] = std::move(sum);
}

void SparseSupportSet::rescale(std::span<const float> ratios) {
  KINGLET_ASSERT(ratios.size() == dimension_);
  for (std::size_t j = 0; j < size_; ++j) {
    Vector& vector = vectors_[j];
    for (std::size_t k = 0; k < vector.indices.size(); ++k) vector.values[k] *= ratios[vector.indices[k]];
    replace(j, vector.features());  // without values that have become 0
  }
}

void SparseSupportSet::grow(std::uint32_t dimension) { dimension_ = std::max(dimension_, dimension); }

// Support vectors have about as many nonzero features as x.
void SparseSupportSet::values_of(const Features& x, std::size_t first, std::size_t last, float* out) const {
  KINGLET_ASSERT(x.extent() <= dimension_);
  const std::size_t begin = first / simd::kLanes * simd::kLanes;
  share_slots(begin, last, 1, x.count, [&](std::size_t from, std::size_t to) { part_of_values(x, from, to, out); });
}

void SparseSupportSet::part_of_values(const Features& x, std::size_t begin, std::size_t last, float* out) const {
  const Scattered query(x, dimension_);
  const std::size_t end = std::min(size_, round_up(last, simd::kLanes));
  const std::size_t padded = round_up(end, simd::kLanes);
  std::fill(out + end, out + padded, 0.0F);
  switch (kernel_.kind) {
    case KernelKind::rbf:
      for (std::size_t j = begin; j < end; ++j) {
        const double distance = query.squared_norm() + vectors_[j].squared_norm - 2 * query.dot(vectors_[j].features());
        out[j] = static_cast<float>(std::max(0.0, distance));
      }
      return simd::exp_negative(kernel_.gamma, out + begin, padded - begin);
    case KernelKind::laplacian:
      for (std::size_t j = begin; j < end; ++j) {
        out[j] = static_cast<float>(query.absolute_distance(vectors_[j].features()));
      }
      return simd::exp_negative(kernel_.gamma, out + begin, padded - begin);
    default:
      for (std::size_t j = begin; j < end; ++j) {
        out[j] = static_cast<float>(kernel_.from_dot(query.dot(vectors_[j].features()), 0));
      }
  }
}

void SparseSupportSet::kernel_rows(const Rows& rows, float* out, std::size_t stride) const {
  for (std::size_t q = 0; q < rows.count; ++q) values_of(rows[q], 0, size_, out + q * stride);
}

void SparseSupportSet::kernel_row_of(std::size_t slot, float* out) { kernel_row(vectors_[slot].features(), out); }

void SparseSupportSet::kernel_row_part(std::size_t slot, std::size_t first, std::size_t last, float* out) {
  values_of(vectors_[slot].features(), first, last, out);
}

void SparseSupportSet::exact_row(const Features& x, std::span<double> out) const {
  for (std::size_t j = 0; j < size_; ++j) out[j] = kernel_(vectors_[j].features(), x);
}

void SparseSupportSet::exact_row_of(std::size_t slot, std::span<double> out) {
  exact_row(vectors_[slot].features(), out);
}

void SparseSupportSet::exact_row_part(std::size_t slot, std::size_t first, std::size_t last, double* out) {
  const Features x = vectors_[slot].features();
  share_slots(first, last, 1, x.count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) out[j] = kernel_(vectors_[j].features(), x);
  });
}

double SparseSupportSet::self_kernel(std::size_t slot) const {
  if (kernel_.is_radial()) return 1;
  return kernel_.from_dot(vectors_[slot].squared_norm, 2 * vectors_[slot].squared_norm);
}

// A sum over the vectors is that for vectors of zeros, changed where they are not zero.
double SparseSupportSet::add_gradient_squares(const Features& x, const float* shares, double weight, FadingMean& mean,
                                              std::span<double> sums) {
  KINGLET_ASSERT(kernel_.is_radial() && sums.size() == dimension_);
  const bool differs = kernel_.kind == KernelKind::rbf;  // else only the sign of a difference matters
  const auto part = [&](double difference) {
    return differs ? difference : static_cast<double>((difference > 0) - (difference < 0));
  };
  const Scattered query(x, dimension_);
  thread_local std::vector<double> gradient;  // zeros between two calls
  thread_local FeatureSet touched;
  if (gradient.size() < dimension_) gradient.resize(dimension_);
  touched.clear(dimension_);
  double total = 0;
  for (std::size_t j = 0; j < size_; ++j) total += static_cast<double>(shares[j]);
  for (std::uint32_t k = 0; k < x.count; ++k) {
    const std::uint32_t f = x.is_sparse() ? x.indices[k] : k;
    gradient[f] = total * part(static_cast<double>(x.values[k]));
    touched.insert(f);
  }
  for (std::size_t j = 0; j < size_; ++j) {
    const Features z = vectors_[j].features();
    for (std::uint32_t k = 0; k < z.count; ++k) {
      const std::uint32_t f = z.indices[k];
      const double here = query[f];
      gradient[f] += static_cast<double>(shares[j]) * (part(here - static_cast<double>(z.values[k])) - part(here));
      touched.insert(f);
    }
  }
  double squares = 0;
  touched.for_each([&](std::uint32_t f) { squares += gradient[f] * gradient[f]; });
  const double squared_length = slope() * slope() * squares;
  if (squared_length > 0) mean.add(squared_length);
  const double factor = squared_length > 0 ? weight * slope() * slope() / mean.value() : 0;
  touched.for_each([&](std::uint32_t f) {
    sums[f] += factor * gradient[f] * gradient[f];
    gradient[f] = 0;
  });
  return squared_length;
}

void SparseSupportSet::copy_to(std::size_t slot, std::span<float> out) const {
  std::ranges::fill(out, 0.0F);
  const Vector& vector = vectors_[slot];
  for (std::size_t k = 0; k < vector.indices.size(); ++k) out[vector.indices[k]] = vector.values[k];
}

std::size_t SparseSupportSet::memory_bytes() const {
  std::size_t bytes = (vectors_.capacity() - size_) * sizeof(Vector);
  for (const Vector& vector : vectors_) bytes += vector_bytes(vector.indices.size());
  return bytes;
}

void SparseSupportSet::save(StateWriter& out) const {
  out.put(dimension_);
  out.put<std::uint64_t>(size_);
  for (const Vector& vector : vectors_) {
    out.put_array(vector.indices);
    out.put_array(vector.values);
  }
}

void SparseSupportSet::load(StateReader& in) {
  StateReader::require(in.get<std::uint32_t>() == dimension_, "support vectors of another dimension");
  const std::size_t count = in.get_count(2 * sizeof(std::uint64_t));
  for (std::size_t j = 0; j < count; ++j) {
    const auto indices = in.get_array<std::uint32_t>();
    const auto values = in.get_array<float>();
    StateReader::require(indices.size() == values.size(), "a support vector with indices and values of two lengths");
    for (std::size_t k = 0; k < indices.size(); ++k) {
      StateReader::require(indices[k] < dimension_ && (k == 0 || indices[k - 1] < indices[k]), "indices do not rise");
      StateReader::require(std::isfinite(values[k]), "a value is not finite");
    }
    append(Features::sparse(indices, values));
  }
}

}  // namespace kinglet
