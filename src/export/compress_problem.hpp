// The problem that compression solves (compress.hpp): f, the expansion to approximate, and g, vectors with
// coefficients, with the distance between the two. All steps work on these.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>

#include "export/compress.hpp"

namespace kinglet::compression {

using Eigen::Index;
using Rowwise = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

inline Index index(std::size_t i) { return static_cast<Index>(i); }

struct Stopped {};  // thrown when the caller asks to stop

// Calls work(piece, begin, n) for every piece of 0 … count − 1 that is not empty. The number of pieces does not depend
// on the number of threads, so that sums are always the same.
void in_pieces(std::size_t count, unsigned threads, const std::function<void(std::size_t, Index, Index)>& work);

// f and the options, which must outlive it.
class Problem {
 public:
  Problem(const FlatModel& plain, const CompressOptions& options);

  const FlatModel& plain() const { return plain_; }
  const CompressOptions& options() const { return options_; }
  const Rowwise& x() const { return x_; }
  const Matrix& alpha() const { return alpha_; }
  const Matrix& values() const { return values_; }  // f_c(x_i)
  double squared_norm() const { return squared_norm_; }
  const Kernel& kernel() const { return plain_.kernel; }

  // Reports progress; throws Stopped.
  void tell(const std::string& what, double share) const;

  // k(z_j, x_i) for a block of the x_i.
  Eigen::MatrixXf kernel_block(const Rowwise& z, Index begin, Index count) const;
  // f_c(z_j) without bias.
  Matrix values_at(const Rowwise& z) const;
  // Σ_i (β_j · α_i) k(z_j, x_i) x_i and, in the last column, the same without x_i: ∇ of Σ_c β_jc f_c at z_j is
  // 2γ (the first − the last · z_j).
  Matrix pulls(const Rowwise& z, const Matrix& beta) const;
  // Among the z_j, in double precision.
  Matrix gram(const Rowwise& z) const;

 private:
  const FlatModel& plain_;
  const CompressOptions& options_;
  Rowwise x_;
  Matrix alpha_;
  Eigen::VectorXf squares_;
  Matrix values_;
  double squared_norm_ = 0;
};

// g: vectors with their coefficients, and their distance from f.
struct Reduced {
  Rowwise z;
  Matrix beta;
  Matrix gram;    // kernel matrix of the z_j
  Matrix values;  // f(z_j)
  double squared_distance = 0;
};

// Fills in what follows from the vectors and coefficients.
void measure(const Problem& problem, Reduced& r);
// Step 2: the best coefficients of the vectors. Those that are no better than the present ones are rejected.
void refit(const Problem& problem, Reduced& r);

}  // namespace kinglet::compression
