// Scores dense examples with a Gaussian expansion and compares the rate with the limit of the machine, measured in the
// same run:
//   in blocks:      B·d multiply-adds from registers, plus B exponentials
//   one at a time:  the larger of these multiply-adds and reading the support set from its cache level, plus B
//                   exponentials
#include <fmt/format.h>

#include <vector>

#include "core/aligned.hpp"
#include "core/random.hpp"
#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"
#include "machine_limits.hpp"
#include "simd/isa.hpp"
#include "stopwatch.hpp"

namespace kinglet::bench {
namespace {

struct Case {
  std::size_t budget;
  std::uint32_t dimension;
  double wanted;  // target: share of the limit when scoring in blocks
};

// A learner with B random points as support vectors (with random labels, a margin perceptron keeps all of them).
std::unique_ptr<Learner> full_learner(const Case& size, Random& random) {
  const double gamma = 0.5 / size.dimension;
  const Options options = complete_options({{"update", "mp"},
                                            {"eta", "1e-6"},
                                            {"maintain", "stop"},
                                            {"budget", std::to_string(size.budget)},
                                            {"gamma", fmt::format("{}", gamma)}});
  auto learner = make_learner(options, {.dimension = size.dimension, .classes = 2});
  std::vector<float> x(size.dimension);
  while (learner->stats().support_vectors < size.budget) {
    for (float& value : x) value = static_cast<float>(random.normal());
    learner->learn({Features::dense(x), static_cast<ClassId>(random.below(2))});
  }
  return learner;
}

void run(const Case& size) {
  Random random(1);
  const auto learner = full_learner(size, random);
  const std::size_t d = size.dimension;
  constexpr std::size_t kRows = 64;
  AlignedFloats rows(kRows * d);
  for (float& value : rows) value = static_cast<float>(random.normal());
  std::vector<float> out(kRows);
  const Rows all{.count = kRows, .dimension = size.dimension, .values = rows.data(), .stride = d};

  AlignedFloats exponents(1024, -1.5F);
  AlignedFloats set(round_up(size.budget * d, 64), 1.0F);
  Best fma, exp, read, block, single;
  const int slices = size.budget * d > 100000 ? 150 : 400;
  for (int i = 0; i < slices; ++i) {
    fma.slice(12 * 16 * 1000, [&] { keep(multiply_adds(12 * 16 * 1000)); });
    exp.slice(1024, [&] { keep(exponentials(exponents)); });
    read.slice(static_cast<double>(set.size()), [&] { keep(read_all(set)); });
    block.slice(kRows, [&] { learner->scores(all, out); });
    single.slice(16, [&] {
      for (std::size_t q = 0; q < 16; ++q) learner->scores(all.slice(q, 1), {out.data(), 1});
    });
  }
  const auto terms = static_cast<double>(size.budget * d);
  const double exps = static_cast<double>(size.budget) * exp.seconds();
  const double block_limit = 1 / (terms * fma.seconds() + exps);
  const double single_limit = 1 / (terms * std::max(fma.seconds(), read.seconds()) + exps);
  fmt::print(
      "| ({}, {}) | {:.0f} | {:.1f} | {:.0f} | {:.3g} | {:.3g} | {:.0f} % (≥ {:.0f}) | {:.3g} | {:.3g} | {:.0f} % |\n",
      size.budget, d, 2e-9 * fma.rate(), 1e-9 * exp.rate(), 4e-9 * read.rate(), block_limit * 1e-6, block.rate() * 1e-6,
      100 * block.rate() / block_limit, 100 * size.wanted, single_limit * 1e-6, single.rate() * 1e-6,
      100 * single.rate() / single_limit);
}

}  // namespace
}  // namespace kinglet::bench

int main() {
  fmt::print("Scoring with a Gaussian expansion, one core, {}. Rates in millions of examples per second.\n\n",
             kinglet::simd::current_isa());
  fmt::print(
      "| (B, d) | FMA GFLOP/s | G exp/s | read GB/s | limit, blocks | kinglet, blocks | share | limit, single | "
      "kinglet, single | share |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (const kinglet::bench::Case& size : {kinglet::bench::Case{100, 2, 0.55},
                                           {500, 2, 0.7},
                                           {500, 54, 0.7},
                                           {500, 123, 0.7},
                                           {1000, 300, 0.7},
                                           {2000, 784, 0.7}}) {
    kinglet::bench::run(size);
  }
}
