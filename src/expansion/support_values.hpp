// The values f_c(x_j) of an expansion at its own support vectors, updated with every change, and for one output the
// largest margin of a support vector without its own term:
//
//   max_j y_j (f(x_j) − a_j k(x_j, x_j))        y_j = 1 for label 1, else −1
//
// A term that enters or leaves changes all values by its kernel row, O(B). A vector that enters brings its row along;
// one that leaves needs it once more. Most vectors that leave are among the last two that entered, whose rows are
// remembered. After any other change the values are computed afresh, O(B²d).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>

#include "core/aligned.hpp"
#include "core/state.hpp"
#include "core/zeroed.hpp"
#include "expansion/expansion.hpp"
#include "simd/term_search.hpp"

namespace kinglet {

class SupportValues final : public ExpansionObserver {
 public:
  explicit SupportValues(Expansion& f);

  // f_c(x_slot).
  double value(std::size_t slot, std::size_t output) const { return f_.scale() * values_[output * stride_ + slot]; }
  // The same in stored units: output after output, stride() apart.
  const double* stored_values() const { return values_.data(); }
  std::size_t stride() const { return stride_; }

  // For one output and size() > 0: the largest margin of a vector without its own term, and that vector. Margins that
  // are below the largest by no more than rounding (kRounding) count as ties; ties go to the oldest. After the first
  // call of largest_margin(), it is found while the values are updated, in one pass through memory.
  double largest_margin();
  simd::LargestMargin best_without_help();
  // Whether a term, once it had entered, would have the largest margin without its own term, by more than rounding.
  bool would_be_best(const Term& term);
  static constexpr double kRounding = 1e-6;  // of a margin, relative to the numbers that it is the difference of

  std::size_t memory_bytes() const { return bytes(f_.outputs(), stride_); }
  static std::size_t bytes(std::size_t outputs, std::size_t capacity);
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  void before_change(const TermChange& change) override;
  void after_change(const TermChange& change) override;
  void after_approximation(const Approximation&) override { measure_afresh(); }
  void after_projection(const ProjectedTerm&) override { measure_afresh(); }
  void after_edit(std::size_t) override { measure_afresh(); }
  void after_rewrite() override { measure_afresh(); }
  void after_rescale() override { measure_afresh(); }
  void after_fold(double scale) override;
  void after_reserve(std::size_t old_stride) override;
  void after_growth(std::size_t old_outputs) override;

  // f has gained or lost a term with these kernel values.
  struct Gain {
    const float* kernel_row = nullptr;
    float sign = 1;
    std::size_t slot = kNobody;             // of the term that entered
    std::span<const float> coefficients{};  // of the term that left
  };
  void add(std::initializer_list<Gain> gains);
  void measure_afresh();
  void measure_values();
  void measure_own(std::size_t slot);
  void measure_own_of_all();
  simd::Margins margins();

  const float* remember_row(const Term& term, std::size_t slot);
  float* remembered_row(std::size_t slot);
  void forget_row(std::size_t slot, std::size_t last);

  Expansion& f_;
  std::size_t stride_ = 0;
  ZeroedDoubles values_;     // in stored units, rows of outputs as the coefficients
  std::uint64_t drift_ = 0;  // changes since they were computed afresh

  // The largest margin of a vector without its own term (simd/term_search.hpp).
  ZeroedFloats signs_;         // y_j
  ZeroedDoubles own_;          // a_j k(x_j, x_j)
  double largest_own_ = 0;     // no |own_[j]| is larger
  bool asked_margin_ = false;  // whether it is to be found together with the values
  bool knows_margin_ = false;  // whether largest_margin_ and tops_ are up to date
  double largest_margin_ = 0;  // in stored units
  ZeroedDoubles tops_;

  // The kernel rows that the last two vectors came with, the newest first. The third place is spare: its row may be
  // that of the last one to leave.
  static constexpr auto kNobody = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t kRecent = 2;
  struct Recent {
    std::size_t slot = kNobody;
    ZeroedFloats row;
  };
  std::array<Recent, kRecent + 1> recent_;
  std::span<Recent> recent() { return std::span(recent_).first(kRecent); }
  std::span<const Recent> recent() const { return std::span(recent_).first(kRecent); }
  const float* entering_row_ = nullptr;  // of a change that is under way
  float* leaving_row_ = nullptr;
};

}  // namespace kinglet
