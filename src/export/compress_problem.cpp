#include "export/compress_problem.hpp"

#include <algorithm>
#include <cmath>
#include <Eigen/Cholesky>
#include <utility>
#include <vector>

#include "core/parallel.hpp"

namespace kinglet::compression {
namespace {

// Ridge of the least squares problem, relative to the mean of the diagonal.
constexpr double kRefitRidge = 1e-9;
constexpr std::size_t kPieces = 16;

Matrix total(const std::vector<Matrix>& parts, Index rows, Index columns) {
  Matrix sum = Matrix::Zero(rows, columns);
  for (const Matrix& part : parts) {
    if (part.size() > 0) sum += part;
  }
  return sum;
}

// Of its vectors with these coefficients.
double squared_distance(const Problem& problem, const Reduced& r, const Matrix& beta) {
  const double cross = beta.cwiseProduct(r.values).sum();
  const double own = beta.cwiseProduct(r.gram * beta).sum();
  return std::max(0.0, problem.squared_norm() - 2 * cross + own);
}

}  // namespace

void in_pieces(std::size_t count, unsigned threads, const std::function<void(std::size_t, Index, Index)>& work) {
  parallel_for(kPieces, threads, [&](std::size_t piece) {
    const std::size_t begin = count * piece / kPieces, end = count * (piece + 1) / kPieces;
    if (begin < end) work(piece, index(begin), index(end - begin));
  });
}

Problem::Problem(const FlatModel& plain, const CompressOptions& options)
    : plain_(plain),
      options_(options),
      x_(Eigen::Map<const Rowwise>(plain.vectors.data(), index(plain.size()), index(plain.dimension))),
      alpha_(Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
          plain.coefficients.data(), index(plain.size()), index(plain.functions))) {
  squares_ = x_.rowwise().squaredNorm();
  values_ = values_at(x_);
  squared_norm_ = std::max(0.0, alpha_.cwiseProduct(values_).sum());
}

void Problem::tell(const std::string& what, double share) const {
  if (options_.stopped && options_.stopped()) throw Stopped();
  if (options_.progress) options_.progress(what, share);
}

Eigen::MatrixXf Problem::kernel_block(const Rowwise& z, Index begin, Index count) const {
  const auto part = x_.middleRows(begin, count);
  if (kernel().kind == KernelKind::laplacian) {
    Eigen::MatrixXf out(z.rows(), count);
    for (Index j = 0; j < z.rows(); ++j) {
      for (Index i = 0; i < count; ++i) out(j, i) = (part.row(i) - z.row(j)).lpNorm<1>();
    }
    return (out * -static_cast<float>(kernel().gamma)).array().exp();
  }
  Eigen::MatrixXf dots = z * part.transpose();
  const auto gamma = static_cast<float>(kernel().gamma), coef0 = static_cast<float>(kernel().coef0);
  switch (kernel().kind) {
    case KernelKind::rbf: {
      dots *= -2;
      dots.colwise() += Eigen::VectorXf(z.rowwise().squaredNorm());
      dots.rowwise() += squares_.segment(begin, count).transpose();
      return (dots.array().max(0.0F) * -gamma).exp();
    }
    case KernelKind::linear:
      return dots;
    case KernelKind::poly:
      return (dots.array() * gamma + coef0).pow(kernel().degree);
    default:
      return (dots.array() * gamma).pow(kernel().degree);
  }
}

Matrix Problem::values_at(const Rowwise& z) const {
  std::vector<Matrix> parts(kPieces);
  in_pieces(plain_.size(), options_.threads, [&](std::size_t piece, Index begin, Index count) {
    constexpr Index kBlock = 256;
    Matrix sum = Matrix::Zero(z.rows(), alpha_.cols());
    for (Index at = begin; at < begin + count; at += kBlock) {
      const Index n = std::min(kBlock, begin + count - at);
      sum += kernel_block(z, at, n).cast<double>() * alpha_.middleRows(at, n);
    }
    parts[piece] = std::move(sum);
  });
  return total(parts, z.rows(), alpha_.cols());
}

Matrix Problem::pulls(const Rowwise& z, const Matrix& beta) const {
  std::vector<Matrix> parts(kPieces);
  const Eigen::MatrixXf b = beta.cast<float>();
  const Eigen::MatrixXf a = alpha_.cast<float>();
  in_pieces(plain_.size(), options_.threads, [&](std::size_t piece, Index begin, Index count) {
    constexpr Index kBlock = 512;
    Matrix sum = Matrix::Zero(z.rows(), z.cols() + 1);
    for (Index at = begin; at < begin + count; at += kBlock) {
      const Index n = std::min(kBlock, begin + count - at);
      const Eigen::MatrixXf weights = kernel_block(z, at, n).cwiseProduct(b * a.middleRows(at, n).transpose());
      sum.leftCols(z.cols()) += (weights * x_.middleRows(at, n)).cast<double>();
      sum.rightCols(1) += weights.cast<double>().rowwise().sum();
    }
    parts[piece] = std::move(sum);
  });
  return total(parts, z.rows(), z.cols() + 1);
}

Matrix Problem::gram(const Rowwise& z) const {
  Matrix out(z.rows(), z.rows());
  if (kernel().kind != KernelKind::laplacian) {
    const Matrix exact = z.cast<double>();
    out.noalias() = exact * exact.transpose();
    const Vector squares = out.diagonal();
    for (Index j = 0; j < out.cols(); ++j) {
      for (Index i = 0; i < out.rows(); ++i) out(i, j) = kernel().from_dot(out(i, j), squares[i] + squares[j]);
    }
    return out;
  }
  for (Index j = 0; j < out.cols(); ++j) {
    for (Index i = j; i < out.rows(); ++i) {
      const double apart = (z.row(i) - z.row(j)).cast<double>().lpNorm<1>();
      out(i, j) = out(j, i) = std::exp(-kernel().gamma * apart);
    }
  }
  return out;
}

void measure(const Problem& problem, Reduced& r) {
  r.gram = problem.gram(r.z);
  r.values = problem.values_at(r.z);
  r.squared_distance = squared_distance(problem, r, r.beta);
}

// Step 2. The ridge is increased until the factorisation succeeds. Coefficients that are no better are rejected.
void refit(const Problem& problem, Reduced& r) {
  const double mean = r.gram.diagonal().mean();
  for (double ridge = kRefitRidge; ridge < 1; ridge *= 100) {
    Matrix regular = r.gram;
    regular.diagonal().array() += ridge * mean;
    const Eigen::LLT<Eigen::Ref<Matrix>> factor(regular);  // in place
    if (factor.info() != Eigen::Success) continue;
    Matrix beta = factor.solve(r.values);
    if (!beta.allFinite()) continue;
    const double distance = squared_distance(problem, r, beta);
    if (distance <= r.squared_distance) {
      r.beta = std::move(beta);
      r.squared_distance = distance;
    }
    return;
  }
}

}  // namespace kinglet::compression
