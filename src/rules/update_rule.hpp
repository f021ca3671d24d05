// When and how much to learn from an example. A rule sees the margin of the prediction and answers with an Update;
// it neither sees nor touches the support set.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "core/state.hpp"
#include "kinglet/registry.hpp"

namespace kinglet {

// An example after scoring. Binary: margin = y f(x). Multi-class: margin = f_y(x) − max_{r≠y} f_r(x).
struct Scored {
  double margin = 0;
  double self_kernel = 1;  // k(x, x)
  double weight = 1;       // example weight times class weight
};

// f ← shrink · f;  then f_y ← f_y + step · k(x, ·) (and f_r ← f_r − step · k(x, ·) for the rival r of a multi-class
// learner);  then ‖f‖ is brought down to `radius` if it is larger.
struct Update {
  double shrink = 1;
  double step = 0;
  double radius = std::numeric_limits<double>::infinity();
};

class UpdateRule {
 public:
  virtual ~UpdateRule() = default;
  virtual Update on(const Scored& example) = 0;
  // Whether on() ever answers with a finite radius: the expansion then keeps its norm.
  virtual bool needs_norm() const { return false; }
  virtual void save(StateWriter& out) const = 0;
  virtual void load(StateReader& in) = 0;
};

struct UpdateRuleEntry {
  Entry entry;
  std::unique_ptr<UpdateRule> (*make)(const Options& options);
};

}  // namespace kinglet
