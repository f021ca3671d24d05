#include "solver/example_store.hpp"

namespace kinglet {

ExampleStore::ExampleStore(const Kernel& kernel, const Shape& shape, std::size_t cache_bytes)
    : set_(make_support_set(kernel, shape, 0)), rows_(cache_bytes), exact_rows_(cache_bytes) {}

std::size_t ExampleStore::append(const Features& x) {
  set_->append(x);
  return size() - 1;
}

void ExampleStore::remove(std::size_t slot) {
  const std::size_t before = size();
  set_->remove(slot);
  rows_.remove(slot, before, [&](std::size_t row, float* out) {
    set_->kernel_row_part(row, slot, slot + 1, out);
    ++evaluations_;
  });
  exact_rows_.remove(slot, before, [&](std::size_t row, double* out) {
    set_->exact_row_part(row, slot, slot + 1, out);
    ++evaluations_;
  });
}

const float* ExampleStore::row(std::size_t slot) {
  const std::scoped_lock lock(mutex_);
  return rows_.row(slot, size(), [&](std::size_t of, std::size_t first, float* out) {
    set_->kernel_row_part(of, first, size(), out);
    evaluations_ += size() - first;
  });
}

const double* ExampleStore::exact_row(std::size_t slot) {
  const std::scoped_lock lock(mutex_);
  return exact_rows_.row(slot, size(), [&](std::size_t of, std::size_t first, double* out) {
    set_->exact_row_part(of, first, size(), out);
    evaluations_ += size() - first;
  });
}

void ExampleStore::extend_row(std::size_t slot, float value) { rows_.extend(slot, size() - 1, value); }

void ExampleStore::load(StateReader& in) {
  KINGLET_ASSERT(size() == 0);
  set_->load(in);
}

}  // namespace kinglet
