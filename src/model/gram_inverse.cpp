#include "model/gram_inverse.hpp"

#include <algorithm>
#include <cmath>

namespace kinglet {
namespace {

constexpr double kTolerance = 1e-6;        // of the checked row of K K⁻¹
constexpr std::uint64_t kCheckEvery = 64;  // calls

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

}  // namespace

GramInverse::GramInverse(std::size_t capacity)
    : inverse_(Eigen::MatrixXd::Zero(index(capacity), index(capacity))),
      row_(Eigen::VectorXd::Zero(index(capacity))),
      shares_(Eigen::VectorXd::Zero(index(capacity))) {}

GramInverse::Projection GramInverse::project(SupportSet& set, const Features& x, double self_kernel) {
  const Eigen::Index n = index(set.size());
  set.exact_row(x, {row_.data(), set.size()});
  shares_.head(n).noalias() = inverse_.topLeftCorner(n, n) * row_.head(n);
  const double length = row_.head(n).dot(shares_.head(n));
  return {{shares_.data(), set.size()}, length, self_kernel - length};
}

GramInverse::Projection GramInverse::project_out(std::size_t slot, std::size_t size) {
  const double diagonal = own(slot);
  shares_.head(index(size)) = -inverse_.col(index(slot)).head(index(size)) / diagonal;
  return {{shares_.data(), size}, 0, 1 / diagonal};
}

void GramInverse::include(double residual, std::size_t size) {
  const Eigen::Index n = index(size);
  shares_(n) = -1;
  inverse_.row(n).head(n + 1).setZero();
  inverse_.col(n).head(n + 1).setZero();
  const auto side = shares_.head(n + 1);
  inverse_.topLeftCorner(n + 1, n + 1).noalias() += side * (side / residual).transpose();
}

void GramInverse::exclude(std::size_t slot, std::size_t size) {
  const Eigen::Index p = index(slot), last = index(size) - 1;
  const double diagonal = own(slot);
  shares_.head(last + 1) = inverse_.col(p).head(last + 1);
  const auto side = shares_.head(last + 1);
  inverse_.topLeftCorner(last + 1, last + 1).noalias() -= side * (side / diagonal).transpose();
  if (p == last) return;
  inverse_.row(p).head(last) = inverse_.row(last).head(last);
  inverse_.col(p).head(last) = inverse_.col(last).head(last);
  inverse_(p, p) = inverse_(last, last);
}

void GramInverse::look_after(SupportSet& set) {
  if (++steps_ % kCheckEvery != 0 || set.size() == 0) return;
  // One row of K K⁻¹ should be a row of the identity.
  const Eigen::Index n = index(set.size());
  const Eigen::Index slot = static_cast<Eigen::Index>(steps_ / kCheckEvery) % n;
  set.exact_row_of(static_cast<std::size_t>(slot), {row_.data(), set.size()});
  shares_.head(n).noalias() = inverse_.topLeftCorner(n, n) * row_.head(n);
  shares_(slot) -= 1;
  if (!(shares_.head(n).cwiseAbs().maxCoeff() <= kTolerance)) refresh(set);
}

void GramInverse::refresh(SupportSet& set) {
  // K is built and inverted below the diagonal. The old inverse, of which that half is a copy but for rounding, stands
  // above it until K turns out to be positive definite; its diagonal waits in shares_.
  const Eigen::Index n = index(set.size());
  auto inverse = inverse_.topLeftCorner(n, n);
  shares_.head(n) = inverse.diagonal();
  for (Eigen::Index j = 0; j < n; ++j) {
    set.exact_row_of(static_cast<std::size_t>(j), {row_.data(), set.size()});
    inverse.col(j).tail(n - j) = row_.segment(j, n - j);
    inverse(j, j) *= 1 + 1e-12;
  }
  if (invert_lower_half(n)) {
    for (Eigen::Index j = 1; j < n; ++j) inverse.col(j).head(j) = inverse.row(j).head(j);
  } else {
    for (Eigen::Index j = 1; j < n; ++j) inverse.row(j).head(j) = inverse.col(j).head(j);
    inverse.diagonal() = shares_.head(n);
  }
}

bool GramInverse::invert_lower_half(Eigen::Index n) {
  // One pivot after the other is swept into −K⁻¹:
  //   a_kk ← −1/a_kk,   a_ik ← a_ik/a_kk,   a_ij ← a_ij − a_ik a_jk/a_kk
  for (Eigen::Index k = 0; k < n; ++k) {
    const double pivot = inverse_(k, k);
    if (!(pivot > 0)) return false;
    row_.head(k) = inverse_.row(k).head(k);
    row_.segment(k, n - k) = inverse_.col(k).segment(k, n - k);
    for (Eigen::Index j = 0; j < n; ++j) {
      inverse_.col(j).segment(j, n - j) -= (row_(j) / pivot) * row_.segment(j, n - j);
    }
    inverse_.row(k).head(k) = row_.head(k) / pivot;
    inverse_.col(k).segment(k, n - k) = row_.segment(k, n - k) / pivot;
    inverse_(k, k) = -1 / pivot;
  }
  for (Eigen::Index j = 0; j < n; ++j) inverse_.col(j).segment(j, n - j) *= -1;
  return true;
}

void GramInverse::save(StateWriter& out) const {
  out.put(steps_);
  out.put_array(std::span<const double>(inverse_.data(), static_cast<std::size_t>(inverse_.size())));
}

void GramInverse::load(StateReader& in) {
  steps_ = in.get<std::uint64_t>();
  const auto values = in.get_array<double>();
  StateReader::require(values.size() == static_cast<std::size_t>(inverse_.size()), "an inverse of another size");
  StateReader::require(std::ranges::all_of(values, [](double v) { return std::isfinite(v); }),
                       "an inverse that is not finite");
  std::ranges::copy(values, inverse_.data());
}

}  // namespace kinglet
