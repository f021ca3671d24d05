// The examples that a dual learner keeps, support vectors or not, and rows of their kernel matrix.
//
// Examples are in slots 0 … size()−1; removing one moves the last into its slot. Rows are cached up to a limit in
// bytes. Computed kernel values are counted, as papers compare these numbers. The content of a row does not depend on
// when it was computed, so a learner that was saved and loaded, with an empty cache, continues bit for bit the same.
#pragma once

#include <memory>
#include <mutex>
#include <span>

#include "expansion/support_set.hpp"
#include "solver/row_cache.hpp"

namespace kinglet {

class ExampleStore {
 public:
  ExampleStore(const Kernel& kernel, const Shape& shape, std::size_t cache_bytes);

  std::size_t size() const { return set_->size(); }
  const SupportSet& set() const { return *set_; }
  double self_kernel(std::size_t slot) const { return set_->self_kernel(slot); }

  std::size_t append(const Features& x);  // returns the slot
  void remove(std::size_t slot);
  void grow(std::uint32_t dimension) { set_->grow(dimension); }

  // k(x_slot, x_j) for all j, in single precision, padded to whole blocks of 16 with finite numbers. A row stays valid
  // for one more call.
  const float* row(std::size_t slot);
  // The same in double precision, for matrices that are inverted.
  const double* exact_row(std::size_t slot);
  // Whether all rows fit into the cache. Then several threads may ask for rows at the same time, because all stay
  // valid.
  bool keeps_all_rows() const { return rows_.has_room_for_all(size()) && exact_rows_.has_room_for_all(size()); }
  // Passes k(x_slot, x_newest), computed elsewhere exactly as row(slot) would.
  void extend_row(std::size_t slot, float value);

  std::uint64_t evaluations() const { return evaluations_; }  // kernel values computed so far
  void count(std::uint64_t evaluations) { evaluations_ += evaluations; }
  std::size_t memory_bytes() const { return set_->memory_bytes() + rows_.bytes() + exact_rows_.bytes(); }

  void save(StateWriter& out) const { set_->save(out); }
  void load(StateReader& in);

 private:
  std::unique_ptr<SupportSet> set_;
  std::mutex mutex_;  // of the rows
  RowCache<float> rows_;
  RowCache<double> exact_rows_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace kinglet
