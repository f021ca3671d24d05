#include "expansion/scoring.hpp"

#include "core/aligned.hpp"

namespace kinglet {

float* kernel_value_scratch(std::size_t count) {
  thread_local AlignedFloats values;
  if (values.size() < count) values.resize(count);
  return values.data();
}

}  // namespace kinglet
