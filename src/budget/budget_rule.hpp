// Budget rules add a new term to the expansion and keep it within its budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/compose.hpp"
#include "core/kernel.hpp"
#include "core/random.hpp"
#include "core/state.hpp"
#include "kinglet/example.hpp"
#include "kinglet/registry.hpp"

namespace kinglet {

class Expansion;
class SupportValues;
struct Term;

class BudgetRule {
 public:
  virtual ~BudgetRule() = default;

  // Adds `term` to `f`, or does what the rule does instead. Afterwards f.size() ≤ budget; in between there is room for
  // one term more. Returns whether the rule had to act because of the budget. A rule that drops the term leaves f
  // unchanged, by which the learner recognises it. If it throws Error, f must be as before. `random` is the only source
  // of random numbers: its state is saved with the model.
  virtual bool place(Expansion& f, const Term& term, Random& random) = 0;

  // For rules that use the values f(x_j) (needs_values in their entry): called once, before the first example.
  virtual void use_values(SupportValues&) {}

  // For rules with data for each class: called before the first example, and whenever classes or features are added.
  virtual void grow(std::uint32_t /*classes*/) {}

  // For rules that keep kernel values or what follows from them: the vectors of f have been rescaled (option `metric`).
  // A rule that cannot follow has `needs_fixed_metric` in its entry.
  virtual void after_rescale(Expansion&) {}

  // For rules that observe every example, learned or not: called before it is learned, with its kernel row.
  virtual bool watches() const { return false; }
  virtual void watch(const Expansion&, const float* /*kernel_row*/, ClassId /*label*/) {}

  // For rules that also learn from examples with a margin below 1 that the update rule does not learn from: the step of
  // `term` is the weight of the example. Returns whether f has changed.
  virtual bool learns_margin_errors() const { return false; }
  virtual bool on_margin_error(Expansion&, const Term&) { return false; }

  // For a budget that is lowered while learning goes on: removes a term of f, or merges or projects it, as the rule
  // does when the budget is full. f has at least two terms.
  virtual void take_one_out(Expansion& f, Random& random) = 0;
  // f has at most `budget` terms: from now on save() writes the state of a rule that was made with that budget. The
  // rule is not used any more.
  virtual void fit_to_budget(std::size_t /*budget*/) {}

  // Memory of the rule itself, without the expansion, once the budget is full.
  virtual std::size_t memory_bytes() const { return 0; }
  virtual void save(StateWriter&) const {}
  virtual void load(StateReader&) {}
};

struct BudgetRuleEntry {
  Entry entry;
  std::unique_ptr<BudgetRule> (*make)(const Options& options);
  // One sentence on why this rule cannot be combined with the other (complete) options; empty if it can.
  Message (*incompatibility)(const Options& options) = nullptr;
  // One sentence on why a new model shall not be made with these options, as in UpdateRuleEntry.
  Message (*objection)(const Options& given, const Options& full) = nullptr;
  // Bytes of memory_bytes() for a budget, known before the rule is made.
  std::size_t (*memory)(std::size_t budget) = nullptr;
  // The same for memory that grows with the number of classes, if any.
  std::size_t (*memory_for_classes)(std::size_t budget, std::uint32_t classes) = nullptr;
  bool bounded = true;              // whether the rule has a budget
  bool fills_budget = true;         // whether every new term gets a slot until the budget is full, and it stays full
  bool sizes_itself = false;        // whether it decides how many vectors there are: the budget is only a limit
  bool needs_values = false;        // whether it uses the values f(x_j): use_values() is called
  bool rescales = false;            // whether it also rescales the remaining terms, so that its loss is unknown
  bool needs_fixed_metric = false;  // whether it keeps what a new metric would invalidate, so that none may be learned
  bool keeps_vectors = false;       // whether f changes only by append() and log().project(), so that averaging works
  // Resolves options that depend on others, as in UpdateRuleEntry.
  void (*settle)(const Options& given, Options& full) = nullptr;
};

// The budget in complete options.
inline std::size_t budget_of(const Options& options) { return static_cast<std::size_t>(options.integer("budget")); }

// For rules that project, which needs a positive definite kernel.
inline Message needs_inner_product(const Options& options) {
  const Message kernel = indefinite_kernel(options);
  if (kernel.empty()) return {};
  return compose("{} needs a positive definite kernel, which {} is not: use another kernel, or {}",
                 option("budget-rule", options.text("maintain")), kernel, option("budget-rule", "smallest"));
}

// For rules that use the labels of the support vectors.
inline Message needs_classes(const Options& options) {
  if (options.text("task") == "classify") return {};
  return compose("{} needs the classes of the support vectors, but {} has no classes",
                 option("budget-rule", options.text("maintain")), option("task", options.text("task")));
}

}  // namespace kinglet
