#include "expansion/gram_inverse.hpp"

#include <cmath>
#include <vector>

#include "core/assert.hpp"

namespace kinglet {
namespace {

constexpr double kTolerance = 1e-6;        // of the checked row of K K⁻¹
constexpr std::uint64_t kCheckEvery = 64;  // calls

Eigen::Index position(std::size_t i) { return static_cast<Eigen::Index>(i); }

}  // namespace

GramInverse::GramInverse(std::size_t capacity)
    : capacity_(capacity),
      inverse_(capacity),
      row_(inverse_.stride()),
      shares_(inverse_.stride()),
      side_(inverse_.stride()),
      guest_shares_(inverse_.stride()) {}

GramInverse::Matrix GramInverse::matrix(std::size_t size) {
  return {inverse_.data(), position(size), position(size), Eigen::OuterStride<>(position(inverse_.stride()))};
}

void GramInverse::multiply(std::size_t size) {
  SymmetricMatrix::pad(row_, size);
  inverse_.multiply(size, row_.data(), shares_.data());
}

void GramInverse::separate(std::size_t size, const SlotLabels& labels) {
  if (labels.of_slots == nullptr) return;
  for (std::size_t j = 0; j < size; ++j) {
    if (labels.of_slots[j] != labels.own) row_[j] = 0;
  }
}

void GramInverse::read_row(SupportSet& set, std::size_t slot, const ClassId* labels) {
  set.exact_row_of(slot, {row_.data(), set.size()});
  if (labels != nullptr) separate(set.size(), {.of_slots = labels, .own = labels[slot]});
}

GramInverse::Projection GramInverse::project(SupportSet& set, const Features& x, double self_kernel,
                                             const SlotLabels& labels) {
  const std::size_t size = set.size();
  set.exact_row(x, {row_.data(), size});
  separate(size, labels);
  multiply(size);
  const Eigen::Map<const Eigen::VectorXd> row(row_.data(), position(size)), shares(shares_.data(), position(size));
  const double length = row.dot(shares);
  return {{shares_.data(), size}, length, self_kernel - length};
}

double GramInverse::own(std::size_t slot) const {
  if (guest_ == kNobody) return inverse_.at(slot, slot);
  return (slot == guest_ ? 0 : inverse_.at(slot, slot)) + guest_shares_[slot] * guest_shares_[slot] / residual_;
}

void GramInverse::make_side(std::size_t slot, std::size_t size) {
  if (slot == guest_) {
    std::fill_n(side_.begin(), size, 0.0);
  } else {
    inverse_.copy_column(slot, std::min(size, guest_), side_.data());
  }
  if (guest_ != kNobody) {
    side_[guest_] = 0;
    const double weight = guest_shares_[slot] / residual_;
    for (std::size_t i = 0; i < size; ++i) side_[i] += weight * guest_shares_[i];
  }
  SymmetricMatrix::pad(side_, size);
}

GramInverse::Projection GramInverse::project_out(std::size_t slot, std::size_t size) {
  make_side(slot, size);
  const double diagonal = side_[slot];
  for (std::size_t i = 0; i < size; ++i) shares_[i] = -side_[i] / diagonal;
  return {{shares_.data(), size}, 0, 1 / diagonal};
}

void GramInverse::include(double residual, std::size_t size) {
  inverse_.append_zeros(size);
  shares_[size] = -1;
  SymmetricMatrix::pad(shares_, size + 1);
  inverse_.add_square(size + 1, 1 / residual, shares_.data());
}

void GramInverse::include_for_now(double residual, std::size_t size) {
  std::copy_n(shares_.begin(), size, guest_shares_.begin());
  guest_shares_[size] = -1;
  guest_ = size;
  residual_ = residual;
}

void GramInverse::exclude(std::size_t slot, std::size_t size) {
  if (guest_ != kNobody) {
    KINGLET_ASSERT(guest_ + 1 == size);
    if (slot != guest_) replace(slot);
    guest_ = kNobody;
    return;
  }
  make_side(slot, size);
  inverse_.add_square(size, -1 / side_[slot], side_.data());
  inverse_.remove(slot, size, side_.data());
}

void GramInverse::replace(std::size_t slot) {
  const std::size_t size = guest_;  // without the guest
  make_side(slot, size + 1);
  const double diagonal = side_[slot], guest_side = side_[guest_];
  const double weight = 1 / residual_, other_weight = -1 / diagonal;
  // The column of the guest, in the place of the one that goes.
  const double guest_weight = -guest_side / diagonal;
  for (std::size_t i = 0; i < size; ++i) shares_[i] = guest_weight * side_[i] - weight * guest_shares_[i];
  shares_[slot] = weight + guest_weight * guest_side;
  SymmetricMatrix::pad(guest_shares_, size);
  SymmetricMatrix::pad(side_, size);
  inverse_.add_squares(size, weight, guest_shares_.data(), other_weight, side_.data());
  inverse_.set_column(slot, size, shares_.data());
}

void GramInverse::look_after(SupportSet& set, const ClassId* labels) {
  const std::size_t size = set.size();
  if (++steps_ % kCheckEvery != 0 || size == 0) return;
  // One row of K K⁻¹ should be a row of the identity.
  const std::size_t slot = steps_ / kCheckEvery % size;
  read_row(set, slot, labels);
  multiply(size);
  shares_[slot] -= 1;
  const Eigen::Map<const Eigen::VectorXd> error(shares_.data(), position(size));
  if (!(error.cwiseAbs().maxCoeff() <= kTolerance)) refresh(set, labels);
}

void GramInverse::refresh(SupportSet& set, const ClassId* labels) {
  // K is built and inverted below the diagonal. The old inverse stands above it until K turns out to be positive
  // definite; its diagonal waits in shares_.
  const std::size_t size = set.size();
  const Eigen::Index n = position(size);
  Matrix inverse = matrix(size);
  Eigen::Map<Eigen::VectorXd> diagonal(shares_.data(), n);
  diagonal = inverse.diagonal();
  for (Eigen::Index j = 0; j < n; ++j) {
    read_row(set, static_cast<std::size_t>(j), labels);
    inverse.col(j).tail(n - j) = Eigen::Map<const Eigen::VectorXd>(row_.data(), n).tail(n - j);
    inverse(j, j) *= 1 + 1e-12;
  }
  if (invert_lower_half(inverse)) {
    for (Eigen::Index j = 1; j < n; ++j) inverse.col(j).head(j) = inverse.row(j).head(j);
  } else {
    inverse.diagonal() = diagonal;
  }
  inverse_.mirror_blocks(size);
}

bool GramInverse::invert_lower_half(Matrix matrix) {
  // One pivot after the other is swept into −K⁻¹:
  //   a_kk ← −1/a_kk,   a_ik ← a_ik/a_kk,   a_ij ← a_ij − a_ik a_jk/a_kk
  const Eigen::Index n = matrix.rows();
  Eigen::Map<Eigen::VectorXd> row(row_.data(), n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const double pivot = matrix(k, k);
    if (!(pivot > 0)) return false;
    row.head(k) = matrix.row(k).head(k);
    row.segment(k, n - k) = matrix.col(k).segment(k, n - k);
    for (Eigen::Index j = 0; j < n; ++j) {
      matrix.col(j).segment(j, n - j) -= (row(j) / pivot) * row.segment(j, n - j);
    }
    matrix.row(k).head(k) = row.head(k) / pivot;
    matrix.col(k).segment(k, n - k) = row.segment(k, n - k) / pivot;
    matrix(k, k) = -1 / pivot;
  }
  for (Eigen::Index j = 0; j < n; ++j) matrix.col(j).segment(j, n - j) *= -1;
  return true;
}

// The whole matrix, although its halves are alike: the file is the same however it is kept in memory.
void GramInverse::save(StateWriter& out) const {
  KINGLET_ASSERT(guest_ == kNobody);
  out.put(steps_);
  std::vector<double> whole(capacity_ * capacity_);
  for (std::size_t c = 0; c < capacity_; ++c) inverse_.copy_column(c, capacity_, &whole[c * capacity_]);
  out.put_array(whole);
}

void GramInverse::load(StateReader& in) {
  steps_ = in.get<std::uint64_t>();
  const auto values = in.get_array<double>();
  StateReader::require(values.size() == capacity_ * capacity_, "an inverse of another size");
  StateReader::require(std::ranges::all_of(values, [](double v) { return std::isfinite(v); }),
                       "an inverse that is not finite");
  for (std::size_t c = 0; c < capacity_; ++c) inverse_.set_upper_column(c, &values[c * capacity_]);
  inverse_.mirror_blocks(capacity_);
}

}  // namespace kinglet
