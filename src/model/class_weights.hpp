// The weights of examples by class, as the option `class-weight` gives them: all 1, a list, or balanced.
//
//   balanced: n / (K n_c)        n examples of K classes so far, n_c of them of class c, the example itself included
//
// This is scikit-learn's formula for 'balanced' with counts along the stream: the total weights of the classes become
// equal.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/option_texts.hpp"
#include "kinglet/example.hpp"

namespace kinglet {

class ClassWeights {
 public:
  ClassWeights() = default;  // all 1
  explicit ClassWeights(std::string_view option);

  // Call it with all classes, by id, whenever there are new ones.
  void grow(std::span<const std::string> labels);
  bool all_one() const { return !balanced_ && given_.empty(); }
  // The weight of the next example to learn, which is counted.
  float next(ClassId label);
  // The weight of an example that is not counted.
  float weight(ClassId label) const;

  bool is_balanced() const { return balanced_; }
  std::span<const std::uint64_t> counts() const { return counts_; }  // by class; only if is_balanced()
  void set_counts(std::vector<std::uint64_t> counts);

 private:
  bool balanced_ = false;
  std::vector<ClassWeight> given_;
  std::vector<float> weights_;         // by class, of the given list
  std::vector<std::uint64_t> counts_;  // by class
  std::uint64_t total_ = 0;            // of the counts
  std::uint64_t classes_ = 0;          // with a count above 0
};

}  // namespace kinglet
