// Update rules decide when to learn from an example, and how much. A rule gets the margin of the prediction and returns
// an Update; it has no access to the support set.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/random.hpp"
#include "core/state.hpp"
#include "kinglet/example.hpp"
#include "kinglet/registry.hpp"

namespace kinglet {

// An example after scoring. The margin says how well the example is fitted; it depends on the task (learn/tasks.hpp):
//   two classes    y f(x)                         direction u = y
//   more classes   f_y(x) − max_{r≠y} f_r(x)      direction u = e_y − e_r
//   regression     1 + ε − |y − f(x)|             direction u = sign(y − f(x))
//   novelty        f(x)                           direction u = 1
// A step of length τ along u raises the margin by τ · length.
struct Scored {
  double margin = 0;
  double length = 1;              // ‖u‖² k(x, x)
  double weight = 1;              // example weight times class weight
  std::span<const float> scores;  // f_c(x) of every output
  ClassId label = kNoClass;       // if the task has classes
};

// f ← shrink · f;  then f ← f + step · u k(x, ·);  then f is scaled down to ‖f‖ = `radius` if its norm is larger.
struct Update {
  double shrink = 1;
  double step = 0;
  double radius = std::numeric_limits<double>::infinity();
};

class UpdateRule {
 public:
  virtual ~UpdateRule() = default;
  virtual Update on(const Scored& example, Random& random) = 0;
  // A factor by which f is shrunk before its margin is computed; on() gets that margin and returns the same shrink
  // factor.
  virtual double shrink_first() const { return 1; }
  // For a rule that distributes its last step over more outputs than u does: writes out[c] for every output c.
  virtual bool spread(std::span<double>) const { return false; }
  // Sets the number of outputs, before the first example and whenever it increases.
  virtual void prepare(std::size_t /*outputs*/) {}
  // Whether on() may return a finite radius; the expansion then maintains its norm.
  virtual bool needs_norm() const { return false; }
  virtual void save(StateWriter&) const {}
  virtual void load(StateReader&) {}
};

// For a rule that uses the length of the stream. If the user did not give the option, the caller that opens the data
// fills it in (with_stream_length() in registry.hpp).
struct StreamLengthUse {
  std::string option{};  // holds the length, 0 if unknown; an empty name: the rule does not use it
  bool (*wanted)(const Options& full) = nullptr;  // whether the rule uses it with these options
  std::string if_exceeded{};                      // what may happen if the stream is longer, as a clause
};

struct UpdateRuleEntry {
  Entry entry;
  std::unique_ptr<UpdateRule> (*make)(const Options& options);
  // One sentence on why this rule cannot be combined with the other (complete) options; empty if it can.
  Message (*incompatibility)(const Options& options) = nullptr;
  // One sentence on why a new model shall not be made with these options, although models that have them load; empty if
  // it may. `given` are the options that the user gave, `full` all of them.
  Message (*objection)(const Options& given, const Options& full) = nullptr;
  bool classes_only = false;  // whether the rule supports only classification
  bool samples = false;  // whether it learns from a sample of the examples only, so that few become support vectors
  // For a rule that learns from mistakes only: the option that holds the margin β up to which an example counts as one.
  // Empty: the rule learns up to a margin of 1.
  std::string margin_option{};
  // Computes options that follow from others: the value of an `auto` that does not depend on the data, or a budget that
  // the rule computes. `given` contains the options that the user gave, `full` all options.
  void (*settle)(const Options& given, Options& full) = nullptr;
  StreamLengthUse stream_length{};
  // Advice about complete options that are allowed but work badly; empty: none.
  Message (*advice)(const Options& options) = nullptr;

  bool learns_mistakes_only() const { return !margin_option.empty(); }
};

// All update rules, and one of them by its name in complete options. The registry (learn/registry.cpp) holds the list.
std::span<const UpdateRuleEntry* const> update_rule_entries();
const UpdateRuleEntry& update_rule_entry(std::string_view name);

// Counts the examples, for rules whose steps decrease.
class Rounds {
 public:
  double next() { return static_cast<double>(++count_); }
  bool is_first() const { return count_ == 1; }
  void save(StateWriter& out) const { out.put(count_); }
  void load(StateReader& in) {
    count_ = in.get<std::uint64_t>();
    StateReader::require(count_ < std::uint64_t{1} << 62, "an impossible number of rounds");
  }

 private:
  std::uint64_t count_ = 0;
};

}  // namespace kinglet
