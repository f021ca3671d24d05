// Base of tighter and tightest: removes the vector whose removal leaves the smallest error on the support set,
// including the new vector and the removed one.
//   r = argmin_r Σ_j Σ_y n_j(y) [f − α_r k(x_r, ·) is wrong at x_j for class y]
// Ties go to the vector that f classifies best without its own term (budget/margins.hpp), then to the oldest. The
// support set is used both as the model and as the validation set; n_j(y) is the number of examples of class y that
// vector j represents:
//   tighter    itself only
//   tightest   the examples of the stream that were nearest to it in the feature space (smallest k_jj − 2 k(x_j, x));
//              when a vector is removed, its nearest neighbour takes over its examples
// The kernel matrix of the support vectors is kept; an insertion writes one row and column, and a removal costs O(B² C)
// arithmetic and no kernel values. It is not saved: kernel values depend only on their pair, so they can be recomputed.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "budget/budget_rule.hpp"
#include "budget/margins.hpp"
#include "budget/values_rule.hpp"
#include "core/zeroed.hpp"

namespace kinglet {

class LeastError final : public ValuesRule {
 public:
  enum class Counts { itself, stream };

  LeastError(std::size_t budget, Counts counts)
      : budget_(budget),
        stride_(stride_for(budget)),
        counts_stream_(counts == Counts::stream),
        kernel_((budget + 1) * stride_),
        watched_(no_slot()),
        rounding_(stride_),
        rights_(stride_),
        distances_(stride_) {
    LeastError::grow(0);
  }

  void grow(std::uint32_t classes) override {
    is_known_ = false;  // with more features, kernel values are rounded differently
    counts_.resize(rows_for(classes) * stride_);
    leaving_.resize(rows_for(classes));
  }

  void after_rescale(Expansion&) override { is_known_ = false; }

  bool watches() const override { return counts_stream_; }
  void watch(const Expansion& f, const float* kernel_row, ClassId label) override {
    watched_ = no_slot();
    if (f.size() == 0) return;
    watched_ = nearest(f, kernel_row);
    count(label, watched_) += 1;
  }

  bool place(Expansion& f, const Term& term, Random&) override {
    if (!is_known_) compute(f);
    const std::size_t newest = f.append(term);
    // An example that becomes a support vector represents itself.
    if (watched_ < newest) count(term.label, watched_) -= 1;
    watched_ = no_slot();
    include(f, term, newest);
    if (f.size() <= budget_) return false;
    const std::size_t r = least_error(f);
    if (counts_stream_) hand_counts_over(f, r);
    exclude(r, newest);
    f.remove(r);
    return true;
  }

  void take_one_out(Expansion& f, Random&) override {
    if (!is_known_) compute(f);
    const std::size_t r = least_error(f);
    if (counts_stream_) hand_counts_over(f, r);
    exclude(r, f.size() - 1);
    f.remove(r);
  }
  void fit_to_budget(std::size_t budget) override {
    const std::size_t stride = stride_for(budget);
    ZeroedDoubles counts(classes() * stride);
    for (std::size_t c = 0; c < classes(); ++c) std::copy_n(&count(c, 0), stride, &counts[c * stride]);
    counts_ = std::move(counts);
    stride_ = stride;
  }

  std::size_t memory_bytes() const override {
    return bytes(budget_) + counts_.size() * sizeof(double) + leaving_.size() * sizeof(float);
  }
  static std::size_t bytes(std::size_t budget) {
    return stride_for(budget) * ((budget + 2) * sizeof(float) + 2 * sizeof(double));
  }
  static std::size_t bytes_for_classes(std::size_t budget, std::uint32_t classes) {
    return rows_for(classes) * (stride_for(budget) * sizeof(double) + sizeof(float));
  }

  void save(StateWriter& out) const override {
    if (!counts_stream_) return;
    out.put_array(std::span<const double>(counts_.data(), counts_.size()));
  }
  void load(StateReader& in) override {
    is_known_ = false;
    watched_ = no_slot();
    if (!counts_stream_) return;
    const auto counts = in.get_array<double>();
    StateReader::require(counts.size() == counts_.size(), "counts of another number of vectors or classes");
    StateReader::require(std::ranges::all_of(counts, [](double n) { return n >= 0 && n <= kMostExamples; }),
                         "a count that cannot be");
    std::ranges::copy(counts, counts_.begin());
  }

 private:
  static constexpr double kMostExamples = 9007199254740992;  // 2^53: sums of counts are exact

  static std::size_t stride_for(std::size_t budget) { return round_up(budget + 1, 16); }
  static std::size_t rows_for(std::uint32_t classes) { return std::max<std::size_t>(classes, 2); }

  double& count(std::size_t label, std::size_t slot) { return counts_[label * stride_ + slot]; }
  std::size_t classes() const { return counts_.size() / stride_; }
  std::size_t no_slot() const { return budget_ + 1; }
  static float own(const Expansion& f, std::size_t slot) { return static_cast<float>(f.self_kernels()[slot]); }
  float* row(std::size_t slot) { return &kernel_[slot * stride_]; }

  // Recomputes the kernel matrix after loading and after growing.
  void compute(Expansion& f) {
    for (std::size_t j = 0; j < f.size(); ++j) {
      f.set().kernel_row_of(j, row(j));
      row(j)[j] = own(f, j);
      if (counts_stream_) continue;
      for (std::size_t c = 0; c < classes(); ++c) count(c, j) = c == f.labels()[j] ? 1 : 0;
    }
    is_known_ = true;
  }

  void include(const Expansion& f, const Term& term, std::size_t slot) {
    std::copy_n(term.kernel_row, slot, row(slot));
    for (std::size_t j = 0; j < slot; ++j) row(j)[slot] = term.kernel_row[j];
    row(slot)[slot] = own(f, slot);
    count(term.label, slot) = 1;
  }

  // Like f.remove(): the last vector moves into the slot.
  void exclude(std::size_t slot, std::size_t last) {
    if (slot != last) {
      for (std::size_t j = 0; j < last; ++j) row(j)[slot] = row(j)[last];
      std::copy_n(row(last), last, row(slot));
      row(slot)[slot] = row(last)[last];
    }
    for (std::size_t c = 0; c < classes(); ++c) {
      if (slot != last) count(c, slot) = count(c, last);
      count(c, last) = 0;
    }
  }

  std::size_t least_error(const Expansion& f) {
    for (std::size_t j = 0; j < f.size(); ++j) rounding_[j] = rounding_at(f, values(), j) / f.scale();
    for (std::size_t r = 0; r < f.size(); ++r) {
      for (std::size_t c = 0; c < f.outputs(); ++c) leaving_[c] = f.stored(r, c);
      rights_[r] = simd::weight_of_winners({.k = row(r),
                                            .coefficients = leaving_.data(),
                                            .values = values().stored_values(),
                                            .stride = values().stride(),
                                            .outputs = f.outputs(),
                                            .rounding = rounding_.data(),
                                            .weights = counts_.data(),
                                            .weight_stride = stride_},
                                           f.set().padded_size());
    }
    const double most = *std::max_element(rights_.begin(), rights_.begin() + f.size());
    return largest_margin_without(f, values(), [&](std::size_t r) { return rights_[r] == most; }).slot;
  }

  // The vector nearest to the one whose kernel row is given; ties go to the oldest.
  std::size_t nearest(const Expansion& f, const float* kernel_row) {
    for (std::size_t j = 0; j < f.size(); ++j) distances_[j] = own(f, j) - 2 * kernel_row[j];
    return simd::smallest(distances_.data(), f.births(), f.size());
  }

  void hand_counts_over(const Expansion& f, std::size_t r) {
    for (std::size_t j = 0; j < f.size(); ++j) distances_[j] = own(f, j) - 2 * row(r)[j];
    distances_[r] = std::numeric_limits<float>::infinity();
    const std::size_t heir = simd::smallest(distances_.data(), f.births(), f.size());
    if (heir == r) return;  // all other vectors are too far away
    for (std::size_t c = 0; c < classes(); ++c) count(c, heir) += count(c, r);
  }

  std::size_t budget_;
  std::size_t stride_;
  bool counts_stream_;     // whether the stream is counted
  ZeroedFloats kernel_;    // k(x_i, x_j), row after row
  ZeroedDoubles counts_;   // n_j(y), class by class; zero for empty slots
  bool is_known_ = false;  // whether kernel_ is up to date
  std::size_t watched_;    // the vector to which the current example was assigned

  ZeroedDoubles rounding_;  // scratch
  ZeroedDoubles rights_;    // number of correct predictions without each vector
  ZeroedFloats distances_;
  std::vector<float> leaving_;
};

}  // namespace kinglet
