#include "records/category_values.hpp"

#include "records/record_hash.hpp"

namespace kinglet {

CategoryValues::CategoryValues(const ColumnPlan& plan)
    : slots_(plan.slots), buckets_(plan.buckets), values_(plan.values) {
  for (const std::string& value : values_) slot_of_.emplace(value, static_cast<std::uint32_t>(slot_of_.size()));
}

std::uint32_t CategoryValues::feature(std::string_view value, bool may_stay) {
  const auto found = slot_of_.find(value);
  if (found != slot_of_.end()) return found->second;
  if (!may_stay || values_.size() == slots_ || value.size() > kLongestValue)
    return slots_ + bucket_of(record_hash(value), buckets_);
  const auto slot = static_cast<std::uint32_t>(values_.size());
  slot_of_.emplace(values_.emplace_back(value), slot);
  return slot;
}

}  // namespace kinglet
