// Dual learners have one problem for each class against the rest; two classes share one, class 1 against class 0.
#pragma once

#include <cstddef>
#include <vector>

namespace kinglet {

// Adds the problems of outputs that are new: make() makes one, and learn(output) learns all examples. The problem of
// two classes becomes that of class 1 against the rest.
template <class Problem, class Make, class Learn>
void add_problems(std::vector<Problem>& problems, std::size_t outputs, const Make& make, const Learn& learn) {
  const std::size_t before = problems.size();
  if (before == 1) problems.insert(problems.begin(), make());
  while (problems.size() < outputs) problems.push_back(make());
  for (std::size_t c = 0; c < outputs; ++c) {
    if (c == 1 || (before > 1 && c < before)) continue;
    learn(c);
  }
}

}  // namespace kinglet
