#include "learn/flat_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/assert.hpp"
#include "kinglet/error.hpp"

namespace kinglet {

void FlatModel::append(std::span<const float> x, std::span<const double> row) {
  KINGLET_ASSERT(x.size() == dimension && row.size() == functions);
  vectors.insert(vectors.end(), x.begin(), x.end());
  coefficients.insert(coefficients.end(), row.begin(), row.end());
}

std::size_t functions_for(Decision decision, std::size_t classes) {
  if (decision == Decision::largest) return classes;
  return decision == Decision::votes ? classes * (classes - 1) / 2 : 1;
}

FlatModel collapse_linear(const FlatModel& plain) {
  if (plain.kernel.kind != KernelKind::linear || plain.size() <= plain.functions) return plain;
  FlatModel out = plain;
  out.vectors.clear();
  out.coefficients.clear();
  for (std::size_t m = 0; m < plain.functions; ++m) {
    std::vector<double> sum(plain.dimension);
    for (std::size_t j = 0; j < plain.size(); ++j) {
      const double a = plain.row(j)[m];
      const auto x = plain.vector(j);
      for (std::size_t f = 0; f < sum.size(); ++f) sum[f] += a * static_cast<double>(x[f]);
    }
    std::vector<double> row(plain.functions);
    row[m] = 1;
    out.append(std::vector<float>(sum.begin(), sum.end()), row);
  }
  return out;
}

void count_votes(std::span<const float> pairs, std::span<float> votes) {
  std::ranges::fill(votes, 0.0F);
  std::size_t pair = 0;
  for (std::size_t a = 0; a < votes.size(); ++a) {
    for (std::size_t b = a + 1; b < votes.size(); ++b) votes[pairs[pair++] > 0 ? a : b] += 1;
  }
}

void check_flat(const FlatModel& plain, const std::string& what) {
  const auto require = [&](bool holds, const char* why) {
    if (!holds) throw Error(fmt::format("{}: {}", what, why));
  };
  const auto finite = [](const auto& values) {
    return std::ranges::all_of(values, [](auto x) { return std::isfinite(static_cast<float>(x)); });
  };
  const bool has_classes = plain.decision != Decision::value;
  require(has_classes == (plain.task != TaskKind::regress), "a decision that does not fit its task");
  require(plain.dimension > 0, "it has no features");
  require(plain.labels.size() >= 2 || !has_classes, "it has fewer than two classes");
  require(plain.decision != Decision::sign || plain.labels.size() == 2, "one function and more than two classes");
  require(plain.functions == functions_for(plain.decision, plain.labels.size()), "the wrong number of functions");
  require(plain.biases.size() == plain.functions && plain.coefficients.size() == plain.size() * plain.functions &&
              plain.vectors.size() == plain.size() * plain.dimension,
          "its parts differ in length");
  const std::size_t shifts =
      plain.scale == ScaleKind::standard || plain.scale == ScaleKind::minmax ? plain.dimension : 0;
  require(plain.shift.size() == shifts && plain.factor.size() == shifts, "a scaling of the wrong length");
  require(!plain.columns || plain.columns->encoded_dimension() == plain.dimension, "columns that are not its features");
  require(plain.fillers.empty() || plain.fillers.size() == plain.dimension, "a scaling of the wrong length");
  require(finite(plain.vectors) && finite(plain.coefficients) && finite(plain.biases) && finite(plain.shift) &&
              finite(plain.factor) && finite(plain.fillers),
          "a number that is infinite or NaN");
}

}  // namespace kinglet
