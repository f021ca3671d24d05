// The exact support vector machine of all examples so far, after every example:
//   max Σ α_i − ½ Σ_ij a_i a_j k(x_i, x_j),   a_i = y_i α_i,   0 ≤ α_i ≤ C_i;   with a bias also Σ a_i = 0
// With g_i = 1 − y_i f(x_i), each example is in one of three states at the optimum:
//   out       α = 0,       g ≤ 0
//   full      α = C,       g ≥ 0
//   on the margin (the list S)   0 ≤ α ≤ C,   g = 0
//
// To learn example c, a_c moves away from 0, and the coefficients on the margin change so that their g stays 0:
//   Δa_S = −K_SS⁻¹ k_Sc Δa_c,   Δf(x_i) = (k_ic − k_iS K_SS⁻¹ k_Sc) Δa_c = ⟨φ_i, δ⟩ Δa_c,
//   δ = φ_c minus its projection on the span of S
// until an event: α_c reaches C; or g_c reaches 0 and c joins the margin; or an example on the margin reaches 0 or C
// and leaves it; or g of an example outside reaches 0 and it joins. Then the move continues in a new direction.
// Unlearning an example and reducing its box are moves in the opposite direction. With a bias, M = [0 1ᵀ; 1 K_SS]
// replaces K_SS, and while the margin is empty only the bias moves.
//
// Duplicates, or more examples on the margin than the feature space has dimensions, would make K_SS singular. This
// cannot happen: for an example in the span of S, f does not change with δ, so it causes no event. Rounding errors are
// repaired at the end: each example that violates its condition by more than a tolerance is moved like c, which can
// only increase the objective. If this takes too many events, plain coordinate ascent first brings all variables near
// the optimum.
//
// Cauwenberghs, Poggio: Incremental and Decremental Support Vector Machine Learning, NIPS (2000).
#pragma once

#include "solver/dual_solver.hpp"
#include "solver/margin_inverse.hpp"

namespace kinglet {

class IncrementalSvm final : public DualSolver {
 public:
  struct Settings {
    bool bias = false;
    std::size_t twins = 1;          // examples per slot of the store: example i is at slot i / twins of the store
    std::size_t most_events = 500;  // limit for learning an example, plus four times the size of the margin
  };
  IncrementalSvm() : IncrementalSvm(Settings{}) {}
  explicit IncrementalSvm(const Settings& settings);

  // Like remove(), counts slots of the store; with twins, each has `twins` examples.
  void append(double value) override;
  void learn(ExampleStore& store, std::size_t slot, double y, double box) override;
  // Takes the example out of the problem, as if it had never been learned. It may be learned again.
  void unlearn(ExampleStore& store, std::size_t slot);
  void set_box(ExampleStore& store, std::size_t slot, double box);

  double coefficient(std::size_t slot) const override { return coefficients_[slot]; }
  double bias() const override { return bias_; }
  double value(std::size_t slot) const { return values_[site(slot)]; }  // f(x) without the bias
  double value_at(const double* row) const;                             // the same for any x, from its exact kernel row
  double box(std::size_t slot) const { return boxes_[slot]; }
  bool is_learned(std::size_t slot) const { return signs_[slot] != 0; }
  std::size_t margin_size() const { return margin_.size(); }
  double violation(std::size_t slot) const;  // violation of the optimality condition, in units of f
  double objective() const;
  std::uint64_t fallbacks() const { return fallbacks_; }  // number of times coordinate ascent was needed

  void remove(std::size_t removed) override;

  std::size_t memory_bytes() const override;
  static std::size_t bytes(std::size_t count,
                           std::size_t margin);  // at most, with that many examples and on the margin
  void save(StateWriter& out) const override;
  void load(StateReader& in, std::size_t stored) override;

 private:
  enum class Place : std::uint8_t { apart, out, full, margin, loose };  // apart: not learned; loose: still moving
  enum class Ending : std::uint8_t { none, target, on_margin, leaves, joins };
  struct Event {
    double length = 0;
    Ending ending = Ending::none;
    std::size_t who = 0;  // leaves: position in the margin; joins: slot
    double goal = 0;      // leaves: its new α
  };
  // The target of a move of α_c, and whether the move ends when g_c reaches 0.
  struct Move {
    std::size_t c = 0;
    double target = 0;
    bool stops_on_margin = false;
    double direction = 1;  // of a_c
  };

  std::size_t size() const { return signs_.size(); }
  std::size_t sites() const { return values_.size(); }
  std::size_t site(std::size_t slot) const { return settings_.twins == 1 ? slot : slot / settings_.twins; }
  double alpha(std::size_t slot) const { return signs_[slot] * coefficients_[slot]; }
  double slack(std::size_t slot) const { return 1 - signs_[slot] * (value(slot) + bias_); }  // g
  double largest_own(ExampleStore& store, std::size_t slot) const;

  void set_place(std::size_t slot, Place place);
  void place_at_bound(std::size_t slot) { set_place(slot, alpha(slot) == 0 ? Place::out : Place::full); }
  void bar(std::size_t slot, std::vector<std::uint32_t>& list);
  void unbar(std::vector<std::uint32_t>& list);

  void make_column(const double* row);
  double spread_of(std::size_t slot, std::span<const double> shares) const;
  bool try_join(ExampleStore& store, std::size_t slot);
  bool join(ExampleStore& store, std::size_t slot);
  void leave(std::size_t position, Place place);
  void leave_margin(std::size_t slot);
  void rebuild_margin(ExampleStore& store);

  void find_direction(ExampleStore& store, std::size_t c);
  void add_rows(ExampleStore& store);
  void first_of_margin(double direction, Event& first) const;
  void first_outside(const Move& move, double noise, Event& first) const;
  Event next_event(ExampleStore& store, const Move& move);
  void advance(const Move& move, double length);
  bool move_bias(ExampleStore& store, const Move& move);
  bool step(ExampleStore& store, Move& move);
  bool drive(ExampleStore& store, Move move);
  void seek(ExampleStore& store, std::size_t c);
  void force(ExampleStore& store, std::size_t c, double target);
  void jump(ExampleStore& store, std::size_t c, double target);

  // Repairing rounding errors (incremental_repair.cpp).
  void change(ExampleStore& store, std::size_t slot, double by);
  void correct_margin(ExampleStore& store);
  double worst(std::size_t& slot) const;
  void start();
  void allot_events();
  double tolerance() const;
  void check_values(ExampleStore& store);
  bool settle_once(ExampleStore& store);
  void settle(ExampleStore& store);
  void ascend(ExampleStore& store);
  bool ascend_single(ExampleStore& store);
  bool ascend_pair(ExampleStore& store);

  void note_changes();

  static constexpr std::size_t kPadding = 8;  // of sums of rows

  Settings settings_;
  std::vector<double> signs_;         // y; 0: not part of the problem
  std::vector<double> boxes_;         // C
  std::vector<double> coefficients_;  // a
  std::vector<double> values_;        // by site: f without the bias, also of examples that are not part of the problem
  double bias_ = 0;
  std::vector<std::uint32_t> margin_;  // S
  MarginInverse inverse_;              // in that order
  std::uint64_t fallbacks_ = 0;
  std::uint64_t checks_ = 0;

  std::vector<Place> places_;  // these three are derived from the members above
  std::vector<double> sides_;  // 1: out, −1: full, 0: cannot cause an event
  std::vector<double> wants_;  // side times y

  std::vector<double> column_;  // scratch: a column of M
  std::vector<double> rates_;   // Δb and Δa_S for Δa_c = 1
  AlignedDoubles flow_;         // Δf without Δb, likewise, by site, padded
  double spread_ = 0;           // Σ √k(x, x) |Δa|, likewise: the scale of rounding errors of the flow
  std::size_t events_left_ = 0;
  double noise_ = 0;                             // rounding error of f
  std::vector<double> roots_;                    // √k(x, x), by site
  std::vector<std::uint32_t> left_, dependent_;  // examples that cause no events for a while
  std::vector<char> touched_;
};

}  // namespace kinglet
