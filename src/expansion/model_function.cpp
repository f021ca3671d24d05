#include "expansion/model_function.hpp"

#include <cmath>

namespace kinglet {

// The norm is told of a change before the values: both use the scratch row of f, and the values keep theirs during the
// change.
ModelFunction::ModelFunction(const Kernel& kernel, const Shape& shape, std::size_t outputs, std::size_t capacity,
                             const Kept& kept)
    : f(kernel, shape, outputs, capacity) {
  if (kept.norm) norm.emplace(f);
  if (kept.values) values.emplace(f);
  if (kept.average) average.emplace(f);
  if (kept.loss) loss.emplace(f);
}

void ModelFunction::save(StateWriter& out) const {
  f.save(out);
  out.put(norm ? norm->squared() : 0.0);
  if (values) values->save(out);
  if (average) average->save(out);
}

void ModelFunction::load(StateReader& in) {
  f.load(in);
  const auto squared_norm = in.get<double>();
  StateReader::require(std::isfinite(squared_norm) && squared_norm >= 0, "the norm is not a number");
  if (norm) norm->set(squared_norm);
  if (values) values->load(in);
  if (average) average->load(in);
}

std::size_t ModelFunction::memory_bytes() const {
  return f.set().memory_bytes() + Expansion::bytes(f.outputs(), f.stored_outputs().stride) +
         (values ? values->memory_bytes() : 0) + (average ? average->memory_bytes() : 0);
}

std::size_t ModelFunction::bytes(std::size_t outputs, std::size_t capacity, const Kept& kept) {
  return Expansion::bytes(outputs, capacity) + (kept.values ? SupportValues::bytes(outputs, capacity) : 0) +
         (kept.average ? RunningAverage::bytes(outputs, capacity) : 0);
}

}  // namespace kinglet
