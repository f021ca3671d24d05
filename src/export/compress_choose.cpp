// Compression, step 1: chooses vectors of the model, each the one that brings the projection of f nearest to f.
#include <cmath>

#include "export/compress_steps.hpp"

namespace kinglet::compression {
namespace {

// A partial Cholesky factorisation of the kernel matrix of the x_i. After each chosen vector, `left` is the part of
// k(x_i, x_i) outside the span of the chosen vectors, and `rest` the part of f(x_i) outside of it.
std::vector<std::size_t> choose(const Problem& problem, std::size_t budget) {
  const Rowwise& x = problem.x();
  const Index n = x.rows(), most = index(budget);
  Matrix factor(n, most);
  Matrix rest = problem.values();
  Vector left(n);
  for (Index i = 0; i < n; ++i) {
    left[i] = problem.kernel()(Features::dense(problem.plain().vector(static_cast<std::size_t>(i))),
                               Features::dense(problem.plain().vector(static_cast<std::size_t>(i))));
  }
  const double least = 1e-7 * left.maxCoeff();
  std::vector<std::size_t> chosen;
  for (Index m = 0; m < most; ++m) {
    if (m % 8 == 0) problem.tell("choosing", static_cast<double>(m) / static_cast<double>(most));
    Index best = -1;
    double gain = 0;
    for (Index i = 0; i < n; ++i) {
      if (left[i] <= least) continue;
      const double own = rest.row(i).squaredNorm() / left[i];
      if (own > gain) {
        gain = own;
        best = i;
      }
    }
    if (best < 0) break;  // the remainder is only rounding error
    chosen.push_back(static_cast<std::size_t>(best));
    Vector column(n);
    in_pieces(static_cast<std::size_t>(n), problem.options().threads, [&](std::size_t, Index begin, Index count) {
      const Rowwise pivot = x.row(best);
      column.segment(begin, count) = problem.kernel_block(pivot, begin, count).row(0).transpose().cast<double>();
      column.segment(begin, count) -= factor.block(begin, 0, count, m) * factor.row(best).head(m).transpose();
    });
    const double root = std::sqrt(left[best]);
    column /= root;
    rest -= column * (rest.row(best) / root).eval();
    left -= column.cwiseAbs2();
    left[best] = 0;
    factor.col(m) = column;
  }
  if (chosen.empty()) chosen.push_back(0);  // f is 0, so any vector is as good
  return chosen;
}

}  // namespace

Reduced chosen_vectors(const Problem& problem, std::size_t budget) {
  const std::vector<std::size_t> chosen = choose(problem, budget);
  Reduced out;
  out.z.resize(index(chosen.size()), problem.x().cols());
  out.beta.resize(index(chosen.size()), problem.alpha().cols());
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    out.z.row(index(j)) = problem.x().row(index(chosen[j]));
    out.beta.row(index(j)) = problem.alpha().row(index(chosen[j]));
  }
  measure(problem, out);
  return out;
}

}  // namespace kinglet::compression
