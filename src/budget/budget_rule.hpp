// How an expansion takes in a new term and stays inside its budget.
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

  // Adds `term` to `f` (or does what the rule does instead). Afterwards f.size() ≤ budget.
  // Returns whether the budget forced it to act.
  virtual bool place(Expansion& f, const Term& term, Random& random) = 0;

  // For rules that go by the values f(x_j), as their entry says (needs_values): called once, before the first example.
  virtual void use_values(SupportValues&) {}

  // For rules that keep something for every class: called before the first example, and whenever classes or features
  // have been added.
  virtual void grow(std::uint32_t /*classes*/) {}

  // For rules that look at every example, learned or not: called before learning from one, with its kernel row.
  virtual bool watches() const { return false; }
  virtual void watch(const Expansion&, const float* /*kernel_row*/, ClassId /*label*/) {}

  // For rules that also learn from an example that the update rule leaves alone though its margin is below 1: the step of
  // `term` is the weight of the example. Returns whether f has changed.
  virtual bool learns_margin_errors() const { return false; }
  virtual bool on_margin_error(Expansion&, const Term&) { return false; }

  // What the rule itself holds, beside the expansion, once the budget is full.
  virtual std::size_t memory_bytes() const { return 0; }
  virtual void save(StateWriter&) const {}
  virtual void load(StateReader&) {}
};

struct BudgetRuleEntry {
  Entry entry;
  std::unique_ptr<BudgetRule> (*make)(const Options& options);
  // One sentence on why this rule does not go with the other (complete) options; empty where it does.
  Message (*incompatibility)(const Options& options) = nullptr;
  // Bytes of memory_bytes() for a budget, known before the rule is made.
  std::size_t (*memory)(std::size_t budget) = nullptr;
  // The same for what grows with the classes, if anything does.
  std::size_t (*memory_for_classes)(std::size_t budget, std::uint32_t classes) = nullptr;
  bool bounded = true;         // whether the rule takes a budget
  bool needs_values = false;   // whether it goes by the values f(x_j): use_values() is called
  bool rescales = false;       // whether it also scales the terms that stay: then nobody knows what a step loses
  bool keeps_vectors = false;  // whether no vector ever leaves or moves: then the average of all iterates works
  // Settles options that follow from others, as in UpdateRuleEntry.
  void (*settle)(const Options& given, Options& full) = nullptr;
};

// For rules that project: of a kernel that is no inner product there is nothing to project on.
inline Message needs_inner_product(const Options& options) {
  const Message kernel = indefinite_kernel(options);
  if (kernel.empty()) return {};
  return compose("{} needs a positive definite kernel, which {} is not: use another kernel, or {}",
                 option("budget-rule", options.text("maintain")), kernel, option("budget-rule", "smallest"));
}

// For rules that go by the labels of the support vectors.
inline Message needs_classes(const Options& options) {
  if (options.text("task") == "classify") return {};
  return compose("{} needs the classes of the support vectors, but {} has no classes",
                 option("budget-rule", options.text("maintain")), option("task", options.text("task")));
}

}  // namespace kinglet
