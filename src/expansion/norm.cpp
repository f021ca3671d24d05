#include "expansion/norm.hpp"

#include <algorithm>

namespace kinglet {

Norm::Norm(Expansion& f) : f_(f) {
  f.log().add_observer(*this, {.shrinks = true, .single_terms = true});
  measure();
}

void Norm::measure() {
  squared_ = 0;
  for (std::size_t j = 0; j < f_.size(); ++j) squared_ += inner_product(j, j);
}

void Norm::set(double squared) { squared_ = std::max(0.0, squared); }

// ⟨f, α_slot k(x_at, ·)⟩ = Σ_c α_slot,c f_c(x_at)
double Norm::inner_product(std::size_t slot, std::size_t at) {
  const std::span<const float> unscaled = unscaled_scores(f_, at);
  const auto scale = static_cast<float>(f_.scale());
  double sum = 0;
  for (std::size_t c = 0; c < f_.outputs(); ++c) {
    sum += f_.coefficient(slot, c) * static_cast<double>(unscaled[c] * scale);
  }
  return sum;
}

void Norm::before_change(const TermChange& change) {
  if (change.entering != nullptr) {
    // ‖f + Σ_c a_c φ‖² = ‖f‖² + 2 Σ_c a_c f_c(x) + Σ_c a_c² k(x, x)
    const Term& term = *change.entering;
    const std::span<const float> scores = unscaled_scores(f_, term);
    double added = 0;
    for (std::size_t c = 0; c < f_.outputs(); ++c) {
      added += term.coefficients[c] *
               (2 * f_.scale() * static_cast<double>(scores[c]) + term.coefficients[c] * term.self_kernel);
    }
    set(squared_ + added);
  } else if (squared_weight(f_, change.slot) != 0) {
    const auto own = static_cast<double>(f_.sizes()[change.slot]);
    set(squared_ - 2 * inner_product(change.slot, change.slot) + f_.scale() * f_.scale() * own);
  }
}

void Norm::before_approximation(const Approximation& change) {
  pending_ = 0;
  for (const PartOfTerm& part : change.before) pending_ += part.share * inner_product(part.slot, part.at);
}

// ‖f − Δ‖² = ‖f‖² − 2⟨f, Δ⟩ + ‖Δ‖². The inner products with parts of f as it is after the change are taken with that f:
// the parts are such that Δ is orthogonal to them.
void Norm::after_approximation(const Approximation& change) {
  const double lost = change.squared_length;
  if (change.is_projection) return set(squared_ - f_.scale() * f_.scale() * lost);
  for (const PartOfTerm& part : change.after) pending_ -= part.share * inner_product(part.slot, part.at);
  set(squared_ - 2 * pending_ + f_.scale() * f_.scale() * lost);
}

// ‖f + Σ_c a_c Pφ‖² = ‖f‖² + 2 Σ_c a_c ⟨f_c, Pφ⟩ + Σ_c a_c² ‖Pφ‖². If f lies in the space that P projects on, ⟨f_c, Pφ⟩
// = f_c(x).
void Norm::before_projection(const ProjectedTerm& change) {
  pending_ = 0;
  const auto add = [&](double share, std::span<const float> unscaled, double length) {
    const auto scale = static_cast<float>(f_.scale());
    for (std::size_t c = 0; c < f_.outputs(); ++c) {
      const double amount = change.part * change.term.coefficients[c];
      pending_ += amount * (2 * share * static_cast<double>(unscaled[c] * scale) + amount * length);
    }
  };
  if (change.on_all) return add(1, unscaled_scores(f_, change.term), change.length);
  for (std::size_t j = 0; j < f_.size(); ++j) {
    if (change.shares[j] != 0) add(change.shares[j], unscaled_scores(f_, j), 0);
  }
  add(0, unscaled_scores(f_, change.term), change.length);
}

void Norm::after_projection(const ProjectedTerm&) { set(squared_ + pending_); }

}  // namespace kinglet
