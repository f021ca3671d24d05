// How an expansion takes in a new term and stays inside its budget.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/random.hpp"
#include "core/state.hpp"
#include "kinglet/registry.hpp"

namespace kinglet {

class Expansion;
struct Term;
struct Shape;

class BudgetRule {
 public:
  virtual ~BudgetRule() = default;

  // Adds `term` to `f` (or does what the rule does instead). Afterwards f.size() ≤ budget.
  // Returns whether the budget forced it to act.
  virtual bool place(Expansion& f, const Term& term, Random& random) = 0;

  // What the rule itself holds, beside the expansion, once the budget is full.
  virtual std::size_t memory_bytes() const { return 0; }
  virtual void save(StateWriter&) const {}
  virtual void load(StateReader&) {}
};

struct BudgetRuleEntry {
  Entry entry;
  std::unique_ptr<BudgetRule> (*make)(const Options& options);
  // One sentence on why this rule does not go with the other (complete) options, or an empty string.
  std::string (*refusal)(const Options& options) = nullptr;
  // Bytes of memory_bytes() for a budget, known before the rule is made.
  std::size_t (*memory)(std::size_t budget) = nullptr;
  bool bounded = true;  // whether the rule takes --budget
};

}  // namespace kinglet
