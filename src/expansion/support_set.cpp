#include "expansion/support_set.hpp"

#include "expansion/dense_support_set.hpp"
#include "expansion/mixed_support_set.hpp"
#include "expansion/sparse_support_set.hpp"

namespace kinglet {

std::unique_ptr<SupportSet> make_support_set(const Kernel& kernel, const Shape& shape, std::size_t capacity) {
  switch (shape.storage) {
    case Storage::mixed:
      return std::make_unique<MixedSupportSet>(kernel, shape.dimension, capacity);
    case Storage::sparse:
      return std::make_unique<SparseSupportSet>(kernel, shape.dimension, capacity);
    case Storage::dense:
      break;
  }
  return std::make_unique<DenseSupportSet>(kernel, shape.dimension, capacity);
}

std::size_t support_set_bytes(const Shape& shape, std::size_t capacity) {
  if (shape.has_sparse_vectors()) return 0;
  return shape.storage == Storage::mixed ? MixedSupportSet::bytes(shape.dimension, capacity)
                                         : DenseSupportSet::bytes(shape.dimension, capacity);
}

std::size_t support_set_window(const Shape& shape) {
  if (shape.has_sparse_vectors()) return 1;
  return shape.storage == Storage::mixed ? MixedSupportSet::kWindow : DenseSupportSet::window_for(shape.dimension);
}

}  // namespace kinglet
