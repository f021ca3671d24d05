#include "expansion/support_set.hpp"

#include "expansion/dense_support_set.hpp"
#include "expansion/sparse_support_set.hpp"

namespace kinglet {

std::unique_ptr<SupportSet> make_support_set(const Kernel& kernel, const Shape& shape, std::size_t capacity) {
  if (shape.sparse) return std::make_unique<SparseSupportSet>(kernel, shape.dimension, capacity);
  return std::make_unique<DenseSupportSet>(kernel, shape.dimension, capacity);
}

}  // namespace kinglet
