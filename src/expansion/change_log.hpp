// The log of changes of an Expansion. It has two kinds of readers:
//
//   the learner    asks afterwards: how many edits there were, and which slots hold another vector now
//   observers      are told at once: each keeps one quantity up to date with every change (norm.hpp,
//                  support_values.hpp, running_average.hpp, maintenance_loss.hpp)
//
// Quantities "in stored units" are divided by the scale of the expansion once for each coefficient in them, as the
// stored coefficients are (expansion.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "expansion/term.hpp"

namespace kinglet {

// One term enters, or one leaves, or one takes the slot of another.
struct TermChange {
  std::size_t slot = 0;                      // of a term that is appended: the new slot
  const Term* entering = nullptr;            // null: none enters
  bool leaving = false;                      // whether the term of the slot leaves
  std::span<const float> left_coefficients;  // of the term that leaves, stored units; only valid in after_change()
};

// The part share · α_slot k(x_at, ·) of an expansion.
struct PartOfTerm {
  std::size_t slot = 0;
  std::size_t at = 0;
  double share = 1;
};

// A budget rule replaces a part of f by something close to it: f ← f − Δ, where Δ = Σ before − Σ after. Merging is an
// example: `before` are the two terms, `after` is the merged one (merge_terms.hpp). If no vector moves, all of Δ can be
// written as `before`, with negative shares for what is added (hand_over.hpp).
struct Approximation {
  double squared_length = 0;                // ‖Δ‖² in stored units
  std::span<const PartOfTerm> before = {};  // parts of f as it is before the change
  std::span<const PartOfTerm> after = {};   // parts of f as it is after the change; their sum is orthogonal to Δ
  bool is_projection = false;  // Δ is orthogonal to what is left of f; `before` and `after` are not needed
};

// `part` of the projection Σ_j shares[j] k(x_j, ·) of a new term is added to f; the term gets no slot.
struct ProjectedTerm {
  const Term& term;
  std::span<const double> shares;
  double length = 0;   // squared length of the projection of k(x, ·)
  double part = 1;     // 0 ≤ part ≤ 1
  bool on_all = true;  // whether the projection is on all support vectors, so that f lies in the space
};

class ExpansionObserver {
 public:
  ExpansionObserver() = default;
  ExpansionObserver(const ExpansionObserver&) = delete;
  ExpansionObserver& operator=(const ExpansionObserver&) = delete;
  virtual ~ExpansionObserver() = default;

  virtual void before_change(const TermChange&) {}
  virtual void after_change(const TermChange&) {}
  virtual void before_approximation(const Approximation&) {}
  virtual void after_approximation(const Approximation&) {}
  virtual void before_projection(const ProjectedTerm&) {}
  virtual void after_projection(const ProjectedTerm&) {}
  // A term of this size ‖α‖² k(x, x) came and got no slot of its own; of it, or of others, f lost this squared length.
  virtual void after_passing(double /*squared_size*/, double /*squared_loss*/) {}
  // The coefficients or the vector of one slot were changed. How far f moved is announced as an approximation.
  virtual void after_edit(std::size_t /*slot*/) {}
  // Any coefficients were changed, outside a compound change; how far f moved is unknown.
  virtual void after_rewrite() {}
  // All vectors were multiplied, feature by feature: kernel values have changed, coefficients have not.
  virtual void after_rescale() {}
  virtual void after_shrink(double /*factor*/) {}
  // The scale moves into the coefficients: stored values are multiplied by `scale`, the scale becomes 1.
  virtual void before_fold() {}
  virtual void after_fold(double /*scale*/) {}
  // There is room for more slots: rows of outputs are another stride apart.
  virtual void after_reserve(std::size_t /*old_stride*/) {}
  // There are more outputs.
  virtual void after_growth(std::size_t /*old_outputs*/) {}
};

class ChangeLog {
 public:
  struct Interest {
    bool shrinks = false;       // whether the observer wants after_shrink(), which mostly comes with every example
    bool single_terms = false;  // whether it must see each term enter and leave by itself
  };
  // The observer must live as long as the log. Observers are told in the order in which they came.
  void add_observer(ExpansionObserver& observer, const Interest& interest) {
    observers_.push_back(&observer);
    tells_shrinks_ |= interest.shrinks;
    single_terms_ |= interest.single_terms;
  }
  // Whether every new term must first be appended to a slot of its own, even if it is then merged, and every old one
  // removed by itself. Expansion::replace() takes care of this; a rule that changes f without appending the term asks
  // first.
  bool wants_single_terms() const { return single_terms_; }
  bool tells_shrinks() const { return tells_shrinks_; }
  template <class Act>
  void tell(Act act) const {
    for (ExpansionObserver* observer : observers_) act(*observer);
  }

  // Budget rules announce a compound change; `act` carries it out. If `act` throws, it must not have changed anything.
  template <class Act>
  void approximate(const Approximation& change, Act act) {
    const CompoundChange open(*this);
    tell([&](ExpansionObserver& observer) { observer.before_approximation(change); });
    act();
    tell([&](ExpansionObserver& observer) { observer.after_approximation(change); });
  }
  template <class Act>
  void project(const ProjectedTerm& change, Act act) {
    const CompoundChange open(*this);
    tell([&](ExpansionObserver& observer) { observer.before_projection(change); });
    act();
    tell([&](ExpansionObserver& observer) { observer.after_projection(change); });
  }

  bool is_in_compound_change() const { return open_changes_ > 0; }

  // The number of changes that were more than a shrink.
  std::uint64_t edits() const { return edits_; }
  void count_edit() { ++edits_; }

  // Slots whose vector changed since the last clear(): kernel values kept for them are out of date.
  std::span<const std::uint32_t> changed() const { return changed_; }
  void mark(std::size_t slot) {
    const auto id = static_cast<std::uint32_t>(slot);
    if (std::ranges::find(changed_, id) == changed_.end()) changed_.push_back(id);
  }
  void unmark(std::size_t slot) { std::erase(changed_, static_cast<std::uint32_t>(slot)); }
  void clear() { changed_.clear(); }
  void reserve(std::size_t slots) { changed_.reserve(slots); }

 private:
  class CompoundChange {
   public:
    explicit CompoundChange(ChangeLog& log) : log_(log) { ++log_.open_changes_; }
    ~CompoundChange() { --log_.open_changes_; }
    CompoundChange(const CompoundChange&) = delete;
    CompoundChange& operator=(const CompoundChange&) = delete;

   private:
    ChangeLog& log_;
  };

  int open_changes_ = 0;
  std::vector<ExpansionObserver*> observers_;
  bool tells_shrinks_ = false;
  bool single_terms_ = false;
  std::uint64_t edits_ = 0;
  std::vector<std::uint32_t> changed_;
};

}  // namespace kinglet
