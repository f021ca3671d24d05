// Compression, step 3: moves the vectors downhill, by limited-memory BFGS.
#include <cmath>
#include <deque>
#include <utility>

#include "export/compress_steps.hpp"

namespace kinglet::compression {
namespace {

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

}  // namespace

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

}  // namespace kinglet::compression
