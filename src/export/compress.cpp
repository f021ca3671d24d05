#include "export/compress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <functional>
#include <limits>
#include <numeric>

#include "core/assert.hpp"
#include "core/parallel.hpp"
#include "expansion/merge_table.hpp"
#include "expansion/support_set.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

using Eigen::Index;
using Rowwise = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Index index(std::size_t i) { return static_cast<Index>(i); }

struct Stopped {};  // thrown when the caller asks to stop

// Ridge of the least squares problem, relative to the mean of the diagonal.
constexpr double kRefitRidge = 1e-9;
// The number of pieces of work does not depend on the number of threads, so that sums are always the same.
constexpr std::size_t kPieces = 16;

// Calls work(piece, begin, n) for every piece of 0 … count − 1 that is not empty.
void in_pieces(std::size_t count, unsigned threads, const std::function<void(std::size_t, Index, Index)>& work) {
  parallel_for(kPieces, threads, [&](std::size_t piece) {
    const std::size_t begin = count * piece / kPieces, end = count * (piece + 1) / kPieces;
    if (begin < end) work(piece, index(begin), index(end - begin));
  });
}

// The problem: f and the options.
class Problem {
 public:
  Problem(const FlatModel& plain, const CompressOptions& options)
      : plain_(plain),
        options_(options),
        x_(Eigen::Map<const Rowwise>(plain.vectors.data(), index(plain.size()), index(plain.dimension))),
        alpha_(Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
            plain.coefficients.data(), index(plain.size()), index(plain.functions))) {
    squares_ = x_.rowwise().squaredNorm();
    values_ = values_at(x_);
    squared_norm_ = std::max(0.0, alpha_.cwiseProduct(values_).sum());
  }

  const FlatModel& plain() const { return plain_; }
  const CompressOptions& options() const { return options_; }
  const Rowwise& x() const { return x_; }
  const Matrix& alpha() const { return alpha_; }
  const Matrix& values() const { return values_; }  // f_c(x_i)
  double squared_norm() const { return squared_norm_; }
  const Kernel& kernel() const { return plain_.kernel; }

  void tell(const std::string& what, double share) const {
    if (options_.stopped && options_.stopped()) throw Stopped();
    if (options_.progress) options_.progress(what, share);
  }

  // k(z_j, x_i) for a block of the x_i.
  Eigen::MatrixXf kernel_block(const Rowwise& z, Index begin, Index count) const {
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

  // f_c(z_j) without bias.
  Matrix values_at(const Rowwise& z) const {
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

  static Matrix total(const std::vector<Matrix>& parts, Index rows, Index columns) {
    Matrix sum = Matrix::Zero(rows, columns);
    for (const Matrix& part : parts) {
      if (part.size() > 0) sum += part;
    }
    return sum;
  }

  // Σ_i (β_j · α_i) k(z_j, x_i) x_i and, in the last column, the same without x_i: ∇ of Σ_c β_jc f_c at z_j is
  // 2γ (the first − the last · z_j). `values` becomes f at the z_j.
  Matrix pulls(const Rowwise& z, const Matrix& beta) const {
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

  // Among the z_j, in double precision.
  Matrix gram(const Rowwise& z) const {
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

 private:
  const FlatModel& plain_;
  const CompressOptions& options_;
  Rowwise x_;
  Matrix alpha_;
  Eigen::VectorXf squares_;
  Matrix values_;
  double squared_norm_ = 0;
};

// Vectors with their coefficients, and their distance from f.
struct Reduced {
  Rowwise z;
  Matrix beta;
  Matrix gram;    // kernel matrix of the z_j
  Matrix values;  // f(z_j)
  double squared_distance = 0;
};

// Of its vectors with these coefficients.
double squared_distance(const Problem& problem, const Reduced& r, const Matrix& beta) {
  const double cross = beta.cwiseProduct(r.values).sum();
  const double own = beta.cwiseProduct(r.gram * beta).sum();
  return std::max(0.0, problem.squared_norm() - 2 * cross + own);
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

// --- step 1: merging -------------------------------------------------------------------------------------------------

// Keeps the best partner of each vector; the best pair is the best of these. After a merge, vectors whose partner is gone
// or has moved need not search again at once: their old loss is a lower bound for all partners except the merged vector,
// which searches for itself. They search again when they become the best candidate.
class Merger {
 public:
  explicit Merger(const Problem& problem)
      : problem_(problem),
        functions_(problem.plain().functions),
        set_(make_support_set(problem.kernel(), {.dimension = problem.plain().dimension, .classes = 2},
                              problem.plain().size())),
        alpha_(problem.plain().coefficients),
        partners_(problem.plain().size()) {
    const FlatModel& plain = problem.plain();
    for (std::size_t j = 0; j < plain.size(); ++j) {
      set_->append(Features::dense(plain.vector(j)));
      sizes_.push_back(product(j, j));
    }
    row_.resize(set_->padded_size());
  }

  Reduced run(std::size_t budget) {
    const std::size_t all = set_->size();
    for (std::size_t i = 0; i < all; ++i) {
      if (i % 64 == 0) problem_.tell("merging", 0.3 * static_cast<double>(i) / static_cast<double>(all));
      look(i);
    }
    while (set_->size() > budget) {
      const std::size_t left = set_->size();
      if (left % 32 == 0) {
        problem_.tell("merging", 0.3 + 0.7 * static_cast<double>(all - left) / static_cast<double>(all - budget));
      }
      merge_best();
    }
    Reduced out;
    out.z.resize(index(set_->size()), index(set_->dimension()));
    out.beta.resize(index(set_->size()), index(functions_));
    for (std::size_t j = 0; j < set_->size(); ++j) {
      set_->copy_to(j, {out.z.row(index(j)).data(), set_->dimension()});
      for (std::size_t m = 0; m < functions_; ++m) out.beta(index(j), index(m)) = alpha_[j * functions_ + m];
    }
    measure(problem_, out);
    return out;
  }

 private:
  static constexpr auto kGone = std::numeric_limits<std::size_t>::max();
  struct Partner {
    std::size_t other = kGone;
    double loss = std::numeric_limits<double>::infinity();
  };

  double product(std::size_t i, std::size_t j) const {
    double sum = 0;
    for (std::size_t m = 0; m < functions_; ++m) sum += alpha_[i * functions_ + m] * alpha_[j * functions_ + m];
    return sum;
  }
  MergeWeights weights(std::size_t i, std::size_t j) const { return {sizes_[i], sizes_[j], product(i, j)}; }

  // The approximate loss of a merge. Weights of equal sign: from the table. Opposite signs: the lighter vector is removed
  // and its projection is added to the heavier one. Several functions: the merged vector is placed at the weighted mean,
  // which is optimal for near vectors and good for all.
  double estimate(const MergeWeights& w, double kappa) const {
    const double light = std::min(w.m, w.n), heavy = std::max(w.m, w.n);
    if (w.product <= 0 || light == 0) return light * (1 - kappa * kappa);
    if (functions_ == 1) {
      const double root = table_.root_loss(std::sqrt(light / heavy), kappa);
      return light * root * root;
    }
    const double m = std::sqrt(w.m), n = std::sqrt(w.n);
    const double h = m / (m + n), log_kappa = std::log(std::max(kappa, 1e-30));
    const double u = std::exp((1 - h) * (1 - h) * log_kappa), v = std::exp(h * h * log_kappa);
    return w.m + w.n + 2 * kappa * w.product - (u * u * w.m + v * v * w.n + 2 * u * v * w.product);
  }

  void look(std::size_t i) {
    set_->kernel_row_of(i, row_.data());
    Partner best;
    for (std::size_t j = 0; j < set_->size(); ++j) {
      if (j == i) continue;
      const double kappa = std::clamp(static_cast<double>(row_[j]), 0.0, 1.0);
      const double loss = estimate(weights(i, j), kappa);
      if (loss < best.loss) best = {j, loss};
    }
    partners_[i] = best;
  }

  std::size_t least() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < set_->size(); ++i) {
      if (partners_[i].loss < partners_[best].loss) best = i;
    }
    return best;
  }

  void merge_best() {
    std::size_t first = least();
    for (; partners_[first].other == kGone; first = least()) {
      look(first);
      // Every coefficient fits into a float, so losses are finite and every vector has a partner.
      KINGLET_ASSERT(partners_[first].other != kGone);
    }
    std::size_t second = partners_[first].other;
    if (second < first) std::swap(first, second);
    const MergeWeights w = weights(first, second);
    set_->kernel_row_of(first, row_.data());
    const double kappa = std::clamp(static_cast<double>(row_[second]), 0.0, 1.0);
    const double h = best_merge_place(w, kappa), log_kappa = std::log(std::max(kappa, 1e-30));
    const double u = std::exp((1 - h) * (1 - h) * log_kappa), v = std::exp(h * h * log_kappa);
    for (std::size_t m = 0; m < functions_; ++m) {
      double& a = alpha_[first * functions_ + m];
      a = u * a + v * alpha_[second * functions_ + m];
    }
    sizes_[first] = product(first, first);
    set_->blend(first, second, h);
    remove(second);
    for (std::size_t i = 0; i < set_->size(); ++i) {
      if (partners_[i].other == first) partners_[i].other = kGone;
    }
    look(first);
  }

  // The last vector moves into the slot of the one that is removed.
  void remove(std::size_t slot) {
    const std::size_t last = set_->size() - 1;
    set_->remove(slot);
    for (std::size_t m = 0; m < functions_; ++m) alpha_[slot * functions_ + m] = alpha_[last * functions_ + m];
    sizes_[slot] = sizes_[last];
    partners_[slot] = partners_[last];
    for (std::size_t i = 0; i < last; ++i) {
      if (partners_[i].other == slot) {
        partners_[i].other = kGone;
      } else if (partners_[i].other == last) {
        partners_[i].other = slot;
      }
    }
  }

  const Problem& problem_;
  const MergeTable& table_ = MergeTable::instance();
  std::size_t functions_;
  std::unique_ptr<SupportSet> set_;
  std::vector<double> alpha_;  // coefficients, vector by vector
  std::vector<double> sizes_;  // ‖α_j‖²
  AlignedFloats row_;
  std::vector<Partner> partners_;
};

// --- step 1: choosing ------------------------------------------------------------------------------------------------

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

// --- step 3 ----------------------------------------------------------------------------------------------------------

// −½ ∂‖f − g‖²/∂z_j / γ
Matrix downhill(const Problem& problem, const Reduced& r) {
  const Matrix z = r.z.cast<double>();
  const Matrix pulls = problem.pulls(r.z, r.beta);
  const Matrix weights = r.gram.cwiseProduct(r.beta * r.beta.transpose());
  const Vector net = pulls.rightCols(1) - weights.rowwise().sum();
  return pulls.leftCols(z.cols()) - weights * z - net.asDiagonal() * z;
}

// Limited-memory BFGS: the last steps approximate the curvature.
class Curvature {
 public:
  void add(const Matrix& step, const Matrix& change) {
    const double product = step.cwiseProduct(change).sum();
    if (!(product > 1e-12 * step.norm() * change.norm())) return;
    pairs_.push_back({step, change, 1 / product});
    if (pairs_.size() > kMost) pairs_.pop_front();
  }
  void clear() { pairs_.clear(); }
  bool empty() const { return pairs_.empty(); }

  // The step for a gradient.
  Matrix apply(Matrix q) const {
    std::vector<double> shares(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      shares[i] = pairs_[i].inverse * pairs_[i].step.cwiseProduct(q).sum();
      q -= shares[i] * pairs_[i].change;
    }
    if (!pairs_.empty()) q *= 1 / (pairs_.back().inverse * pairs_.back().change.squaredNorm());
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double share = pairs_[i].inverse * pairs_[i].change.cwiseProduct(q).sum();
      q += (shares[i] - share) * pairs_[i].step;
    }
    return q;
  }

 private:
  static constexpr std::size_t kMost = 10;
  struct Pair {
    Matrix step;
    Matrix change;
    double inverse;
  };
  std::deque<Pair> pairs_;
};

Reduced moved(const Problem& problem, const Reduced& from, const Matrix& step) {
  Reduced to;
  to.z = (from.z.cast<double>() + step).cast<float>();
  to.beta = from.beta;
  measure(problem, to);
  refit(problem, to);
  return to;
}

void move_vectors(const Problem& problem, Reduced& r) {
  constexpr int kMostTries = 6;
  // First step: the vector that moves most moves by a tenth of the kernel width.
  const double width = 0.1 / std::sqrt(problem.kernel().gamma);
  Curvature curvature;
  Matrix way = downhill(problem, r);
  for (std::size_t round = 0; round < problem.options().rounds; ++round) {
    problem.tell("moving", static_cast<double>(round) / static_cast<double>(problem.options().rounds));
    const double longest = way.rowwise().norm().maxCoeff();
    if (!(longest > 0)) return;
    Matrix step = curvature.empty() ? Matrix(way * (width / longest)) : curvature.apply(way);
    const double slope = step.cwiseProduct(way).sum();
    bool done = false;
    for (int attempt = 0; attempt < kMostTries && slope > 0 && !done; ++attempt) {
      Reduced next = moved(problem, r, step);
      const double gain = r.squared_distance - next.squared_distance;
      done = gain > 1e-7 * r.squared_distance;
      if (!done) {
        step *= 0.3;
        continue;
      }
      const Matrix next_way = downhill(problem, next);
      curvature.add(step, way - next_way);
      way = next_way;
      r = std::move(next);
    }
    if (done) continue;
    if (curvature.empty()) return;
    curvature.clear();
  }
}

FlatModel with_vectors(const FlatModel& plain, const Reduced& r) {
  FlatModel out = plain;
  out.vectors.clear();
  out.coefficients.clear();
  std::vector<double> row(plain.functions);
  for (Index j = 0; j < r.z.rows(); ++j) {
    for (std::size_t m = 0; m < row.size(); ++m) row[m] = r.beta(j, index(m));
    out.append({r.z.row(j).data(), plain.dimension}, row);
  }
  return out;
}

bool has_distances(const Kernel& kernel) {
  return kernel.kind != KernelKind::sigmoid && !(kernel.kind == KernelKind::poly && kernel.coef0 < 0);
}

Reduced beginning(const Problem& problem, std::size_t budget, Compression& out) {
  Reduced chosen = chosen_vectors(problem, budget);
  out.beginning = "chosen";
  out.begun = std::sqrt(chosen.squared_distance);
  refit(problem, chosen);
  if (problem.kernel().kind != KernelKind::rbf) return chosen;
  Reduced merged = Merger(problem).run(budget);
  const double begun = std::sqrt(merged.squared_distance);
  refit(problem, merged);
  if (merged.squared_distance > chosen.squared_distance) return chosen;
  out.beginning = "merged";
  out.begun = begun;
  return merged;
}

void run(const FlatModel& plain, const CompressOptions& options, Compression& out) {
  const Problem problem(plain, options);
  out.norm = std::sqrt(problem.squared_norm());
  if (plain.size() <= options.budget) return;
  Reduced reduced = beginning(problem, options.budget, out);
  out.refitted = std::sqrt(reduced.squared_distance);
  if (plain.kernel.kind == KernelKind::rbf) move_vectors(problem, reduced);
  out.distance = std::sqrt(reduced.squared_distance);
  out.model = with_vectors(plain, reduced);
}

}  // namespace

Compression compress(const FlatModel& plain, const CompressOptions& options) {
  KINGLET_ASSERT(options.budget > 0);
  Compression out;
  out.before = plain.size();
  out.beginning = "none";
  out.model = plain.functions <= options.budget ? collapse_linear(plain) : plain;
  if (!has_distances(plain.kernel)) {
    if (plain.size() <= options.budget) return out;
    throw Error("compress needs a positive definite kernel, which sigmoid, and poly with a negative constant, are not");
  }
  if (plain.size() == 0) return out;
  try {
    run(FlatModel(out.model), options, out);
  } catch (const Stopped&) {
    out.stopped = true;
  }
  return out;
}

FlatModel refitted(const FlatModel& plain, std::vector<float> vectors) {
  KINGLET_ASSERT(vectors.size() == plain.vectors.size());
  FlatModel out = plain;
  out.vectors = std::move(vectors);
  if (!has_distances(plain.kernel) || plain.size() == 0) return out;
  const CompressOptions options;
  const Problem problem(plain, options);
  Reduced reduced{.z = Eigen::Map<const Rowwise>(out.vectors.data(), index(out.size()), index(out.dimension)),
                  .beta = problem.alpha()};
  measure(problem, reduced);
  refit(problem, reduced);
  return with_vectors(plain, reduced);
}

}  // namespace kinglet
