#include "span/span_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/assert.hpp"
#include "expansion/expansion.hpp"
#include "expansion/output_rows.hpp"

namespace kinglet {
namespace {

// The least share of ‖a‖² that v may be with rows pending.
constexpr double kDigitsLeft = 1e-3;
// How far S_ii may exceed its prior.
constexpr double kVarianceTolerance = 1e-4;

}  // namespace

SpanStatistics::SpanStatistics(std::size_t capacity, std::size_t outputs, const SpanPrior& prior)
    : prior_(prior),
      outputs_(outputs),
      stride_(round_up(capacity, simd::kTriangleBlock)),
      most_pending_(most_pending(capacity)),
      coefficients_(outputs * stride_),
      root_(capacity),
      prior_variances_(stride_),
      whitened_(most_pending_ * stride_),
      images_(most_pending_ * stride_),
      inverse_(most_pending_ * most_pending_),
      direction_(stride_),
      scratch_(scratch_floats(stride_, most_pending_)) {}

std::size_t SpanStatistics::bytes(std::size_t capacity, std::size_t outputs) {
  const std::size_t stride = round_up(capacity, simd::kTriangleBlock);
  const std::size_t pending = most_pending(capacity);
  return SquareRoot::bytes(capacity) + pending * pending * sizeof(double) +
         (stride * (outputs + 2 + 2 * pending) + scratch_floats(stride, pending)) * sizeof(float);
}

void SpanStatistics::set_coefficient(std::size_t centre, std::size_t output, double value) {
  coefficients_[output * stride_ + centre] = storable(value);
}

// --- centres ---------------------------------------------------------------------------------------------------------

// As long as S is the prior, λ S = (K + εD)⁻¹ gives the shares: a = λ U (Uᵀk), and kᵀa = λ ‖Uᵀk‖².
void SpanStatistics::add_prior_centre(const float* kernel_row, double self_kernel) {
  KINGLET_ASSERT(pending_ == 0);
  const std::size_t i = prepare_extra(kernel_row);
  const float* a = prepared_whitened(i);
  float* shares = prepared_image(i);
  for (std::size_t j = 0; j < padded_size(); ++j) shares[j] *= static_cast<float>(prior_.precision);
  const double ridge = prior_.ridge * (self_kernel > 0 ? self_kernel : 1);
  const double explained = prior_.precision * inner(a, a);
  add_centre(shares, std::max(self_kernel - explained, 0.0) + ridge);
}

void SpanStatistics::add_centre(const float* shares, double distance) {
  if (pending_ > 0) fold();
  KINGLET_ASSERT(size() < stride_ && distance > 0);
  root_.append(shares, 1 / std::sqrt(prior_.precision * distance));
  // The entry of the prior: each new centre c adds a_j²/(λδ) to those before it.
  const double own = 1 / (prior_.precision * distance);
  for (std::size_t j = 0; j + 1 < size(); ++j) {
    prior_variances_[j] += static_cast<float>(static_cast<double>(shares[j]) * static_cast<double>(shares[j]) * own);
  }
  prior_variances_[size() - 1] = static_cast<float>(own);
}

// --- examples --------------------------------------------------------------------------------------------------------

double SpanStatistics::inner(const float* a, const float* b) const {
  float product = 0;
  simd::dot_outputs(a, 0, 1, {b, 0, 1}, padded_size(), &product);
  return static_cast<double>(product);
}

void SpanStatistics::prepare(const simd::RowList& kernel_rows) {
  KINGLET_ASSERT(kernel_rows.count <= room());
  simd::multiply_transposed(root_.view(), kernel_rows, prepared_whitened(0), stride_);
  simd::multiply(root_.view(), prepared_whitened(0), stride_, kernel_rows.count, prepared_image(0), stride_);
}

std::size_t SpanStatistics::prepare_extra(const float* kernel_row) {
  const std::size_t only = 0;
  const std::size_t extra = most_pending_;
  simd::multiply_transposed(root_.view(), {kernel_row, 0, &only, 1}, prepared_whitened(extra), stride_);
  simd::multiply(root_.view(), prepared_whitened(extra), stride_, 1, prepared_image(extra), stride_);
  return extra;
}

// y = G⁻¹ q, and qᵀy, the part of ‖a‖² that the pending observations explain.
double SpanStatistics::explained(const float* a, std::span<double> shares) const {
  std::array<float, simd::kMostRotated> products{};
  simd::dot_outputs(a, 0, 1, {whitened_.data(), stride_, pending_}, padded_size(), products.data());
  std::fill_n(shares.begin(), pending_, 0.0);
  for (std::size_t i = 0; i < pending_; ++i) {
    const double* row = &inverse_[i * most_pending_];
    for (std::size_t j = 0; j < pending_; ++j) shares[j] += row[j] * static_cast<double>(products[i]);
  }
  double sum = 0;
  for (std::size_t i = 0; i < pending_; ++i) sum += shares[i] * static_cast<double>(products[i]);
  return sum;
}

bool SpanStatistics::find_direction(std::size_t i) {
  KINGLET_ASSERT(i <= most_pending_);
  current_ = i;
  const float* a = prepared_whitened(i);
  const double all = inner(a, a);
  if (!(all < std::numeric_limits<double>::infinity())) throw_diverged();
  variance_ = all - explained(a, shares_);
  if (pending_ > 0 && variance_ < kDigitsLeft * all) return false;
  const std::size_t n = padded_size();
  std::copy_n(prepared_image(i), n, direction_.data());
  std::array<float, simd::kMostRotated> less{};
  for (std::size_t j = 0; j < pending_; ++j) less[j] = -static_cast<float>(shares_[j]);
  simd::add_rows(less.data(), pending_, images_.data(), stride_, n, direction_.data());
  return true;
}

void SpanStatistics::step(std::size_t output, double length) {
  const float by = storable(length);
  simd::add_rows(&by, 1, direction_.data(), 0, padded_size(), &coefficients_[output * stride_]);
}

// G⁻¹ ← [G⁻¹ + yyᵀ/δ, −y/δ; ·, 1/δ],  δ = v + r
void SpanStatistics::observe(double noise) {
  KINGLET_ASSERT(noise > 0);
  const double own = 1 / (variance_ + noise);
  const std::size_t n = pending_++;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) inverse_[i * most_pending_ + j] += shares_[i] * shares_[j] * own;
    inverse_[i * most_pending_ + n] = inverse_[n * most_pending_ + i] = -shares_[i] * own;
  }
  inverse_[n * most_pending_ + n] = own;
  noise_[n] = noise;
  std::copy_n(prepared_whitened(current_), padded_size(), &whitened_[n * stride_]);
  std::copy_n(prepared_image(current_), padded_size(), &images_[n * stride_]);
  if (pending_ == most_pending_) fold();
}

void SpanStatistics::fold() {
  if (pending_ > 0) root_.observe(whitened_.data(), stride_, noise_.data(), pending_, scratch_.data());
  pending_ = 0;
  ++folds_;
  look_after();
}

void SpanStatistics::look_after() {
  if (size() == 0) return;
  const std::size_t i = folds_ % size();
  const double variance = root_.variance(i);
  if (!(variance > 0) || !std::isfinite(variance)) throw_diverged();
  const auto prior = static_cast<double>(prior_variances_[i]);
  if (variance <= prior * (1 + kVarianceTolerance)) return;
  root_.shrink(i, std::sqrt(prior / variance));
  ++repairs_;
}

void SpanStatistics::variances(const simd::RowList& kernel_rows, std::span<double> out) const {
  AlignedFloats rows(kernel_rows.count * stride_);
  simd::multiply_transposed(root_.view(), kernel_rows, rows.data(), stride_);
  std::array<double, simd::kMostRotated> shares{};
  for (std::size_t q = 0; q < kernel_rows.count; ++q) {
    const float* a = &rows[q * stride_];
    out[q] = std::max(0.0, inner(a, a) - explained(a, shares));
  }
}

// U (I − A G⁻¹ Aᵀ) Uᵀ = U Uᵀ − Σ_ij g_i (G⁻¹)_ij g_jᵀ
std::vector<double> SpanStatistics::covariance() const {
  const std::size_t n = size();
  std::vector<double> out(n * n);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < n; ++c) {
      double sum = 0;
      for (std::size_t l = std::max(r, c); l < n; ++l) sum += root_.at(r, l) * root_.at(c, l);
      for (std::size_t i = 0; i < pending_; ++i) {
        for (std::size_t j = 0; j < pending_; ++j) {
          sum -= static_cast<double>(images_[i * stride_ + r]) * inverse_[i * most_pending_ + j] *
                 static_cast<double>(images_[j * stride_ + c]);
        }
      }
      out[r * n + c] = sum;
    }
  }
  return out;
}

void SpanStatistics::assign(std::span<const double> covariance) {
  root_.assign(covariance, size());
  pending_ = 0;
  ++folds_;
}

// --- growth and state ------------------------------------------------------------------------------------------------

void SpanStatistics::grow(std::size_t outputs) {
  if (outputs <= outputs_) return;
  add_rows(coefficients_, outputs_, outputs, stride_, size());
  outputs_ = outputs;
}

void SpanStatistics::save(StateWriter& out) const {
  root_.save(out);
  for (std::size_t c = 0; c < outputs_; ++c) out.put_array<float>({&coefficients_[c * stride_], size()});
  out.put_array<float>({prior_variances_.data(), size()});
  out.put<std::uint64_t>(pending_);
  for (std::size_t i = 0; i < pending_; ++i) {
    out.put_array<float>({&whitened_[i * stride_], size()});
    out.put_array<float>({&images_[i * stride_], size()});
    out.put(noise_[i]);
    for (std::size_t j = 0; j < pending_; ++j) out.put(inverse_[i * most_pending_ + j]);
  }
  out.put(folds_);
  out.put(repairs_);
}

void SpanStatistics::load(StateReader& in) {
  root_.load(in);
  const auto load_row = [&](float* to) {
    const auto row = in.get_array<float>();
    StateReader::require(row.size() == size(), "a row of the wrong length");
    StateReader::require(std::ranges::all_of(row, [](float value) { return std::isfinite(value); }),
                         "a number that is not finite");
    std::copy_n(row.begin(), row.size(), to);
    std::fill(to + size(), to + stride_, 0.0F);
  };
  for (std::size_t c = 0; c < outputs_; ++c) load_row(&coefficients_[c * stride_]);
  load_row(prior_variances_.data());
  pending_ = in.get_count(1);
  StateReader::require(pending_ < most_pending_, "too many pending observations");
  for (std::size_t i = 0; i < pending_; ++i) {
    load_row(&whitened_[i * stride_]);
    load_row(&images_[i * stride_]);
    noise_[i] = in.get<double>();
    StateReader::require(noise_[i] > 0 && std::isfinite(noise_[i]), "noise that is not positive");
    for (std::size_t j = 0; j < pending_; ++j) {
      inverse_[i * most_pending_ + j] = in.get<double>();
      StateReader::require(std::isfinite(inverse_[i * most_pending_ + j]), "a number that is not finite");
    }
  }
  folds_ = in.get<std::uint64_t>();
  repairs_ = in.get<std::uint64_t>();
}

// --- fewer centres ---------------------------------------------------------------------------------------------------

namespace {

// A dense matrix in double precision, of which rows and columns are crossed out.
struct Dense {
  std::vector<double> values;
  std::size_t n;
  double* operator[](std::size_t row) { return &values[row * n]; }
};

// Inverts a symmetric positive definite matrix by Gauss-Jordan elimination.
void invert(Dense& m) {
  for (std::size_t p = 0; p < m.n; ++p) {
    const double pivot = 1 / m[p][p];
    for (std::size_t i = 0; i < m.n; ++i) {
      if (i == p) continue;
      const double factor = m[i][p] * pivot;
      for (std::size_t j = 0; j < m.n; ++j) {
        if (j != p) m[i][j] -= factor * m[p][j];
      }
      m[i][p] = -factor;
    }
    for (std::size_t j = 0; j < m.n; ++j) m[p][j] *= pivot;
    m[p][p] = pivot;
  }
}

}  // namespace

std::vector<std::size_t> SpanStatistics::keep_most(std::size_t left, std::vector<double> kernel) {
  if (pending_ > 0) fold();
  const std::size_t n = size();
  Dense s{covariance(), n};
  Dense inverse{std::move(kernel), n};
  for (std::size_t j = 0; j < n; ++j) inverse[j][j] += prior_.ridge * (inverse[j][j] > 0 ? inverse[j][j] : 1);
  invert(inverse);
  std::vector<std::size_t> kept(n);
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  const auto loss = [&](std::size_t j) {  // ‖W_j‖² times the squared distance from the others, 1/(K⁻¹)_jj
    double weight = 0;
    for (std::size_t c = 0; c < outputs_; ++c) weight += coefficient(j, c) * coefficient(j, c);
    return weight / inverse[j][j];
  };
  std::vector<double> shares(n);
  while (kept.size() > left) {
    const auto found = std::ranges::min_element(kept, {}, loss);
    const std::size_t z = *found;
    kept.erase(found);
    for (const std::size_t i : kept) shares[i] = -inverse[i][z] / inverse[z][z];
    const double own = s[z][z];
    for (const std::size_t i : kept) {
      for (const std::size_t j : kept) {
        s[i][j] += shares[i] * s[z][j] + s[i][z] * shares[j] + shares[i] * own * shares[j];
        inverse[i][j] += shares[i] * inverse[z][j];
      }
      for (std::size_t c = 0; c < outputs_; ++c) {
        float& w = coefficients_[c * stride_ + i];
        w = storable(static_cast<double>(w) + shares[i] * coefficient(z, c));
      }
    }
  }
  std::vector<double> small;
  for (const std::size_t i : kept) {
    for (const std::size_t j : kept) small.push_back(s[i][j]);
  }
  root_.assign(small, kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    prior_variances_[i] = static_cast<float>(inverse[kept[i]][kept[i]] / prior_.precision);
    for (std::size_t c = 0; c < outputs_; ++c) {
      coefficients_[c * stride_ + i] = coefficients_[c * stride_ + kept[i]];
    }
  }
  for (std::size_t c = 0; c < outputs_; ++c) {
    std::fill(&coefficients_[c * stride_] + kept.size(), &coefficients_[c * stride_] + n, 0.0F);
  }
  return kept;
}

}  // namespace kinglet
