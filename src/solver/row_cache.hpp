// A cache for rows of the kernel matrix of a list of vectors that grows and shrinks. A row is computed on first use.
// The cache has a limit in bytes and evicts the least recently used row. When vectors are added, cached rows are
// extended on the next use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

#include "core/aligned.hpp"
#include "core/assert.hpp"

namespace kinglet {

template <class T>
class RowCache {
 public:
  explicit RowCache(std::size_t bytes) : limit_(bytes) {}

  // fill(slot, first, out) computes the entries from `first` on of the row of `slot`; `size` is the current number of
  // vectors. The row stays valid for at least one more call.
  template <class Fill>
  const T* row(std::size_t slot, std::size_t size, Fill fill) {
    Rows& rows = find(slot, size);
    Row& row = rows.front();
    if (row.known < size) {
      fill(slot, row.known, row.values.data());
      row.known = size;
    }
    return row.values.data();
  }

  // A vector was appended and its entry in the row of `slot` is known. It is stored if the row is otherwise complete.
  void extend(std::size_t slot, std::size_t next, T value) {
    if (slot >= where_.size() || where_[slot] == rows_.end()) return;
    Row& row = *where_[slot];
    if (row.known != next || row.values.size() <= next) return;
    row.values[next] = value;
    row.known = next + 1;
  }

  // Vector `slot` is removed, and the last of `size` moves into its slot. `moved(row slot, out)` computes the entry at
  // `slot` for a row that does not contain the last vector yet.
  template <class Moved>
  void remove(std::size_t slot, std::size_t size, Moved moved) {
    const std::size_t last = size - 1;
    if (slot < where_.size()) forget(slot);
    if (last < where_.size() && slot != last) {
      where_[slot] = where_[last];
      if (where_[slot] != rows_.end()) where_[slot]->slot = slot;
    }
    if (where_.size() > last) where_.resize(last, rows_.end());
    for (Row& row : rows_) {
      if (slot < row.known && slot != last) {
        if (row.known == size) {
          row.values[slot] = row.values[last];
        } else {
          moved(row.slot, row.values.data());
        }
      }
      row.known = row.known > last ? last : row.known;
    }
  }

  // Whether the rows of so many vectors fit, so that none is ever evicted and all that were returned stay valid.
  bool has_room_for_all(std::size_t size) const { return size * room_for(size) * sizeof(T) <= limit_; }

  std::size_t bytes() const { return bytes_; }

 private:
  struct Row {
    std::size_t slot = 0;
    std::size_t known = 0;  // number of entries computed so far
    std::vector<T, CacheLineAllocator<T>> values;
  };
  using Rows = std::list<Row>;  // most recently used first

  Rows& find(std::size_t slot, std::size_t size) {
    if (slot >= where_.size()) where_.resize(slot + 1, rows_.end());
    if (where_[slot] == rows_.end()) {
      rows_.emplace_front();
      rows_.front().slot = slot;
      where_[slot] = rows_.begin();
    } else {
      rows_.splice(rows_.begin(), rows_, where_[slot]);
    }
    Row& row = rows_.front();
    if (row.values.size() < round_up(size, 16)) {
      const std::size_t room = room_for(size);
      bytes_ += (room - row.values.size()) * sizeof(T);
      row.values.resize(room);
    }
    while (bytes_ > limit_ && rows_.size() > 2) forget(rows_.back().slot);
    return rows_;
  }

  // Entries of a row: a little more than the present vectors; not much more, as there are thousands of rows.
  static std::size_t room_for(std::size_t size) { return round_up(size + size / 8 + 16, 16); }

  void forget(std::size_t slot) {
    if (where_[slot] == rows_.end()) return;
    bytes_ -= where_[slot]->values.size() * sizeof(T);
    rows_.erase(where_[slot]);
    where_[slot] = rows_.end();
  }

  std::size_t limit_;
  std::size_t bytes_ = 0;
  Rows rows_;
  std::vector<typename Rows::iterator> where_;  // by slot; end(): not cached
};

}  // namespace kinglet
