// The shape of the data: how many features and classes there are, and how support vectors are stored.
#pragma once

#include <cstdint>

namespace kinglet {

// Dimension and classes may grow while a learner learns.
struct Shape {
  std::uint32_t dimension = 0;
  std::uint32_t classes = 0;  // 0 for regression, 2 for novelty
  bool sparse = false;        // store support vectors in sparse form
};

}  // namespace kinglet
