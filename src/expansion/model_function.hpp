// A model function with everything that is kept along with it. It owns the expansion and the observers that its rules
// ask for, and knows the layout of their saved state:
//
//   the expansion; the squared norm (0 where it is not kept); the values, if kept; the average, if kept
#pragma once

#include <cstddef>
#include <optional>

#include "expansion/expansion.hpp"
#include "expansion/maintenance_loss.hpp"
#include "expansion/norm.hpp"
#include "expansion/running_average.hpp"
#include "expansion/support_values.hpp"

namespace kinglet {

struct ModelFunction {
  struct Kept {
    bool norm = false;
    bool values = false;
    bool average = false;
    bool loss = false;
  };
  ModelFunction(const Kernel& kernel, const Shape& shape, std::size_t outputs, std::size_t capacity, const Kept& kept);

  void save(StateWriter& out) const;
  void load(StateReader& in);
  std::size_t memory_bytes() const;
  static std::size_t bytes(std::size_t outputs, std::size_t capacity, const Kept& kept);  // beside the vectors

  Expansion f;
  std::optional<Norm> norm;
  std::optional<SupportValues> values;
  std::optional<RunningAverage> average;
  std::optional<MaintenanceLoss> loss;
};

}  // namespace kinglet
