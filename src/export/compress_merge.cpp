// Compression, step 1: merges pairs of vectors until as many as the budget allows are left.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/assert.hpp"
#include "expansion/merge_table.hpp"
#include "expansion/support_set.hpp"
#include "export/compress_steps.hpp"

namespace kinglet::compression {
namespace {

// Keeps the best partner of each vector; the best pair is the best of these. After a merge, vectors whose partner is
// gone or has moved need not search again at once: their old loss is a lower bound for all partners except the merged
// vector, which searches for itself. They search again when they become the best candidate.
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
  static ExactShares shares(double kappa, double h) { return exact_shares(std::log(std::max(kappa, 1e-30)), h); }

  // The approximate loss of a merge. Weights of equal sign: from the table. Opposite signs: the lighter vector is
  // removed and its projection is added to the heavier one. Several functions: the merged vector is placed at the
  // weighted mean, which is optimal for near vectors and good for all.
  double estimate(const MergeWeights& w, double kappa) const {
    const double light = std::min(w.m, w.n), heavy = std::max(w.m, w.n);
    if (w.product <= 0 || light == 0) return light * (1 - kappa * kappa);
    if (functions_ == 1) {
      const double root = table_.root_loss(std::sqrt(light / heavy), kappa);
      return light * root * root;
    }
    const double m = std::sqrt(w.m), n = std::sqrt(w.n);
    const auto [u, v] = shares(kappa, m / (m + n));
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
    const double h = best_merge_place(w, kappa);
    const auto [u, v] = shares(kappa, h);
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

}  // namespace

Reduced merged_vectors(const Problem& problem, std::size_t budget) { return Merger(problem).run(budget); }

}  // namespace kinglet::compression
