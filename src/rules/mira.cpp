// MIRA: the smallest change of the model that ranks the true class first by a margin of β, with a step of at most 1.
//   minimise ½ k(x, x) Σ_r τ_r² + Σ_r τ_r g_r   subject to   τ_r ≤ δ_{ry},  Σ_r τ_r = 0
//   where    g_r = f_r(x) + β (1 − δ_{ry})
// With D_r = g_r/k(x, x) + δ_{ry} in decreasing order, θ = (Σ_{s≤k} D_(s) − 1)/k at the first k with D_(k+1) ≤ θ, and
// τ_r = min(θ − D_r, 0) + δ_{ry}. Two classes: τ = clip((β − y f(x))/k(x, x), 0, 1).
// Without the margin in g, the zero model would never change.
// Crammer, Singer: Ultraconservative Online Algorithms for Multiclass Problems, JMLR 3 (2003); on a budget: Crammer,
// Kandola, Singer, NIPS 16 (2003), with β = 0.01.
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "rules/update_rule.hpp"

namespace kinglet::rules {
namespace {

class Mira final : public UpdateRule {
 public:
  explicit Mira(double margin) : margin_(margin) {}

  Update on(const Scored& example, Random&) override {
    const double missing = margin_ - example.margin;
    if (!(missing > 0)) return {};
    if (example.scores.size() == 1) {
      return {.step = missing < example.weight * example.length ? missing / example.length : example.weight};
    }
    share(example);
    return {.step = *std::max_element(shares_.begin(), shares_.end())};
  }

  void prepare(std::size_t outputs) override {
    shares_.resize(outputs);
    sorted_.resize(outputs);
  }

  bool spread(std::span<double> out) const override {
    if (out.size() == 1) return false;
    std::ranges::copy(shares_, out.begin());
    return true;
  }

 private:
  // With an example weight w the limits are w δ_{ry}.
  void share(const Scored& example) {
    const double own = example.length / 2;  // ‖e_y − e_r‖² = 2
    const std::size_t classes = example.scores.size();
    const auto score = [&](std::size_t r) {
      return static_cast<double>(example.scores[r]) + (r == example.label ? 0 : margin_);
    };
    std::size_t rival = example.label == 0 ? 1 : 0;
    for (std::size_t r = 0; r < classes; ++r) {
      if (r != example.label && score(r) > score(rival)) rival = r;
    }
    // If k(x, x) is tiny, no step within these limits is long enough.
    if (!(own * example.weight > 1e-9 * (std::abs(score(rival)) + std::abs(score(example.label))))) {
      std::ranges::fill(shares_, 0.0);
      shares_[example.label] = example.weight;
      shares_[rival] = -example.weight;
      return;
    }
    for (std::size_t r = 0; r < classes; ++r) {
      shares_[r] = score(r) / own + (r == example.label ? example.weight : 0);
      sorted_[r] = shares_[r];
    }
    std::ranges::sort(sorted_, std::greater<>());
    double sum = 0;
    double theta = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      sum += sorted_[k];
      theta = (sum - example.weight) / static_cast<double>(k + 1);
      if (k + 1 < classes && sorted_[k + 1] <= theta) break;
    }
    for (std::size_t r = 0; r < classes; ++r) {
      shares_[r] = std::min(theta - shares_[r], 0.0) + (r == example.label ? example.weight : 0);
    }
  }

  double margin_;
  std::vector<double> shares_;  // τ
  std::vector<double> sorted_;
};

}  // namespace

extern const UpdateRuleEntry mira;
const UpdateRuleEntry mira{
    .entry =
        {.name = "mira",
         .summary = "the smallest change that ranks the true class first",
         .formula =
             "τ = argmin ½ k(x, x) ‖τ‖² + τ·f(x), τ_r ≤ δ_ry, Σ τ = 0;  two classes: clip((β − y f(x))/k(x, x), 0, 1)",
         .paper = "Crammer, Singer: Ultraconservative Online Algorithms for Multiclass Problems, JMLR 3 (2003)",
         .cost = "O(C log C)",
         .use = "For many classes: one step corrects the scores of all classes that come too close, not just the "
                "rival’s.",
         .options = {{.name = "margin",
                      .default_value = "0.01",
                      .help = "learn from examples whose margin is at most this value (β in the paper)",
                      .low = 0,
                      .low_open = true,
                      .search = {.low = 0.01, .high = 1}}}},
    .make = [](const Options& options) -> std::unique_ptr<UpdateRule> {
      return std::make_unique<Mira>(options.real("margin"));
    },
    .classes_only = true,
    .margin_option = "margin"};

}  // namespace kinglet::rules
