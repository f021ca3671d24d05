#include "model/gamma.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/random.hpp"

namespace kinglet {
namespace {

constexpr std::size_t kPairs = 2000;  // enough for the median to be within a few percent

// Σ_f each(x_f − z_f)
template <class Each>
double sum_of_differences(const Features& x, const Features& z, Each each) {
  double sum = 0;
  if (!x.is_sparse() && !z.is_sparse()) {
    for (std::uint32_t f = 0; f < x.count; ++f)
      sum += each(static_cast<double>(x.values[f]) - static_cast<double>(z.values[f]));
    return sum;
  }
  std::uint32_t i = 0;
  std::uint32_t j = 0;
  while (i < x.count || j < z.count) {
    const std::uint32_t in_x = i < x.count ? x.indices[i] : kNoClass;
    const std::uint32_t in_z = j < z.count ? z.indices[j] : kNoClass;
    const double a = in_x <= in_z ? static_cast<double>(x.values[i++]) : 0;
    const double b = in_z <= in_x ? static_cast<double>(z.values[j++]) : 0;
    sum += each(a - b);
  }
  return sum;
}

double distance(KernelKind kind, const Features& x, const Features& z) {
  if (kind == KernelKind::laplacian) return sum_of_differences(x, z, [](double d) { return std::abs(d); });
  return sum_of_differences(x, z, [](double d) { return d * d; });
}

// Pairs of different rows: all of them if they are few, else a random selection.
std::vector<std::pair<std::size_t, std::size_t>> draw_pairs(std::size_t rows, std::uint64_t seed) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  if (rows * (rows - 1) / 2 <= kPairs) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = i + 1; j < rows; ++j) pairs.emplace_back(i, j);
    }
    return pairs;
  }
  Random random(seed);
  while (pairs.size() < kPairs) {
    const std::size_t i = random.below(rows);
    const std::size_t j = random.below(rows);
    if (i != j) pairs.emplace_back(i, j);
  }
  return pairs;
}

// The median, or the mean if the median is 0.
double typical(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (*middle > 0) return *middle;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double auto_gamma(KernelKind kind, const Rows& head, const Scaler& scaler, std::uint64_t seed) {
  if (kind != KernelKind::rbf && kind != KernelKind::laplacian) return 1.0 / std::max(scaler.dimension(), 1u);
  if (head.count < 2) return 1;
  std::vector<double> distances;
  RowBuffer one;
  RowBuffer other;
  for (const auto& [i, j] : draw_pairs(head.count, seed)) {
    const Rows x = scaler.transform(head.slice(i, 1), one);
    const Rows z = scaler.transform(head.slice(j, 1), other);
    distances.push_back(distance(kind, x[0], z[0]));
  }
  const double scale = typical(distances);
  return scale > 0 ? std::clamp(1 / scale, 1e-30, 1e30) : 1;
}

}  // namespace kinglet
