#include "expansion/lane_support_set.hpp"

namespace kinglet {

LaneSupportSet::LaneSupportSet(const Kernel& kernel, std::uint32_t dimension, std::size_t capacity)
    : SupportSet(kernel), vectors_(dimension, capacity), query_(dimension) {}

void LaneSupportSet::blend(std::size_t into, const Features& x, double h) {
  expand(x, query_);
  blend_with_query(into, h);
}

void LaneSupportSet::blend(std::size_t into, std::size_t other, double h) {
  vectors_.copy_to(other, query_.data());
  blend_with_query(into, h);
}

void LaneSupportSet::blend_with_query(std::size_t into, double h) {
  vectors_.blend(into, h, query_.data());
  after_blend(into);
}

void LaneSupportSet::exact_row(const Features& x, std::span<double> out) const {
  thread_local AlignedFloats query;
  query.resize(dimension());
  expand(x, query);
  vectors_.exact_values(kernel_, query.data(), 0, size_, out.data());
}

void LaneSupportSet::exact_row_of(std::size_t slot, std::span<double> out) {
  exact_row_part(slot, 0, size_, out.data());
}

void LaneSupportSet::exact_row_part(std::size_t slot, std::size_t first, std::size_t last, double* out) {
  vectors_.copy_to(slot, query_.data());
  share_slots(first, last, 1, dimension(), [&](std::size_t begin, std::size_t end) {
    vectors_.exact_values(kernel_, query_.data(), begin, end, out);
  });
}

void LaneSupportSet::load_vectors(StateReader& in) {
  vectors_.load(in, [&](const std::vector<float>& x) { append(Features::dense(x)); });
}

}  // namespace kinglet
