#include "export/compress.hpp"

#include <cmath>
#include <utility>

#include "core/assert.hpp"
#include "export/compress_steps.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace compression {
namespace {

FlatModel with_vectors(const FlatModel& plain, const Reduced& r) {
  FlatModel out = plain;
  out.vectors.clear();
  out.coefficients.clear();
  std::vector<double> row(plain.functions);
  for (Index j = 0; j < r.z.rows(); ++j) {
    for (std::size_t m = 0; m < row.size(); ++m) row[m] = r.beta(j, index(m));
    out.append({r.z.row(j).data(), plain.dimension}, row);
  }
  return out;
}

bool has_distances(const Kernel& kernel) {
  return kernel.kind != KernelKind::sigmoid && !(kernel.kind == KernelKind::poly && kernel.coef0 < 0);
}

Reduced beginning(const Problem& problem, std::size_t budget, Compression& out) {
  Reduced chosen = chosen_vectors(problem, budget);
  out.beginning = "chosen";
  out.begun = std::sqrt(chosen.squared_distance);
  refit(problem, chosen);
  if (problem.kernel().kind != KernelKind::rbf) return chosen;
  Reduced merged = merged_vectors(problem, budget);
  const double begun = std::sqrt(merged.squared_distance);
  refit(problem, merged);
  if (merged.squared_distance > chosen.squared_distance) return chosen;
  out.beginning = "merged";
  out.begun = begun;
  return merged;
}

void run(const FlatModel& plain, const CompressOptions& options, Compression& out) {
  const Problem problem(plain, options);
  out.norm = std::sqrt(problem.squared_norm());
  if (plain.size() <= options.budget) return;
  Reduced reduced = beginning(problem, options.budget, out);
  out.refitted = std::sqrt(reduced.squared_distance);
  if (plain.kernel.kind == KernelKind::rbf) move_vectors(problem, reduced);
  out.distance = std::sqrt(reduced.squared_distance);
  out.model = with_vectors(plain, reduced);
}

// The model with other vectors, as many as before, and the best coefficients for them.
FlatModel fitted(const FlatModel& plain, const std::vector<float>& vectors) {
  const CompressOptions options;
  const Problem problem(plain, options);
  Reduced reduced{.z = Eigen::Map<const Rowwise>(vectors.data(), index(plain.size()), index(plain.dimension)),
                  .beta = problem.alpha()};
  measure(problem, reduced);
  refit(problem, reduced);
  return with_vectors(plain, reduced);
}

}  // namespace
}  // namespace compression

Compression compress(const FlatModel& plain, const CompressOptions& options) {
  KINGLET_ASSERT(options.budget > 0);
  Compression out;
  out.before = plain.size();
  out.beginning = "none";
  out.model = plain.functions <= options.budget ? collapse_linear(plain) : plain;
  if (!compression::has_distances(plain.kernel)) {
    if (plain.size() <= options.budget) return out;
    throw Error("compress needs a positive definite kernel, which sigmoid, and poly with a negative constant, are not");
  }
  if (plain.size() == 0) return out;
  try {
    compression::run(FlatModel(out.model), options, out);
  } catch (const compression::Stopped&) {
    out.stopped = true;
  }
  return out;
}

FlatModel refitted(const FlatModel& plain, std::vector<float> vectors) {
  KINGLET_ASSERT(vectors.size() == plain.vectors.size());
  if (compression::has_distances(plain.kernel) && plain.size() > 0) return compression::fitted(plain, vectors);
  FlatModel out = plain;
  out.vectors = std::move(vectors);
  return out;
}

}  // namespace kinglet
