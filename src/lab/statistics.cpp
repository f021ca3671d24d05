#include "lab/statistics.hpp"

#include <cmath>
#include <limits>
#include <unsupported/Eigen/SpecialFunctions>
#include <vector>

#include "core/assert.hpp"

namespace kinglet {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Summary summary_of(std::span<const double> numbers) {
  Summary summary{.count = numbers.size(), .mean = kNone, .deviation = kNone};
  const auto n = static_cast<double>(numbers.size());
  if (numbers.empty()) return summary;
  double sum = 0;
  for (const double number : numbers) sum += number;
  summary.mean = sum / n;
  if (numbers.size() < 2) return summary;
  double squares = 0;
  for (const double number : numbers) squares += (number - summary.mean) * (number - summary.mean);
  summary.deviation = std::sqrt(squares / (n - 1));
  return summary;
}

double paired_t_test(std::span<const double> a, std::span<const double> b, double overlap) {
  KINGLET_ASSERT(a.size() == b.size());
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  const Summary difference = summary_of(differences);
  if (difference.count < 2) return kNone;
  if (difference.deviation == 0) return difference.mean == 0 ? 1 : 0;
  const auto n = static_cast<double>(difference.count);
  const double t = difference.mean / (std::sqrt(1 / n + overlap) * difference.deviation);
  return Eigen::numext::betainc((n - 1) / 2, 0.5, (n - 1) / (n - 1 + t * t));
}

}  // namespace kinglet
