// The values of a category column: each gets a slot of its own while there are free ones; all others share buckets,
// chosen by a hash. So a new value is never an error, and the memory is bounded.
//
// A value keeps its slot for ever, and slots are given in the order of first appearance. Therefore rows are encoded
// alike by the values known then and by those known later, and a run that is resumed encodes its first rows as they
// were.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/text_map.hpp"
#include "kinglet/schema.hpp"

namespace kinglet {

class CategoryValues {
 public:
  // A longer value is hashed.
  static constexpr std::size_t kLongestValue = 100;

  explicit CategoryValues(const ColumnPlan& plan);

  // The feature of a value, from 0: a slot, or one of the buckets behind the slots. A new value takes a free slot if it
  // `may_stay`.
  std::uint32_t feature(std::string_view value, bool may_stay);

  const std::vector<std::string>& values() const { return values_; }

 private:
  std::uint32_t slots_;
  std::uint32_t buckets_;
  std::vector<std::string> values_;
  TextMap<std::uint32_t> slot_of_;
};

}  // namespace kinglet
