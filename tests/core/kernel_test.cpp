// Kernels in double precision: their formulas on dense and sparse vectors.
#include "core/kernel.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "kinglet/error.hpp"

namespace kinglet {
namespace {

struct SparseVector {
  std::vector<std::uint32_t> indices;
  std::vector<float> values;
  Features features() const { return Features::sparse(indices, values); }
};

SparseVector sparse_form(const std::vector<float>& x) {
  SparseVector sparse;
  for (std::uint32_t f = 0; f < x.size(); ++f) {
    if (x[f] == 0) continue;
    sparse.indices.push_back(f);
    sparse.values.push_back(x[f]);
  }
  return sparse;
}

std::vector<float> gen_vector(std::size_t dimension) {
  std::vector<float> x(dimension);
  for (float& value : x) value = static_cast<float>(*rc::gen::inRange(-20, 21)) / 8;  // some are 0
  return x;
}

double value_by_formula(const Kernel& k, const std::vector<float>& x, const std::vector<float>& z) {
  double product = 0, squared = 0, absolute = 0;
  for (std::size_t f = 0; f < x.size(); ++f) {
    const double a = static_cast<double>(x[f]), b = static_cast<double>(z[f]);
    product += a * b;
    squared += (a - b) * (a - b);
    absolute += std::abs(a - b);
  }
  switch (k.kind) {
    case KernelKind::rbf:
      return std::exp(-k.gamma * squared);
    case KernelKind::laplacian:
      return std::exp(-k.gamma * absolute);
    case KernelKind::linear:
      return product;
    case KernelKind::poly:
      return std::pow(k.gamma * product + k.coef0, k.degree);
    case KernelKind::hpoly:
      return std::pow(k.gamma * product, k.degree);
    case KernelKind::sigmoid:
      return std::tanh(k.gamma * product + k.coef0);
  }
  return 0;
}

TEST(Kernel, FollowsItsFormulaOnDenseAndSparseVectors) {
  EXPECT_TRUE(rc::check([] {
    const auto dimension = static_cast<std::size_t>(*rc::gen::inRange(0, 30));
    const auto x = gen_vector(dimension);
    const auto z = gen_vector(dimension);
    for (const KernelEntry& entry : kernel_entries()) {
      const Kernel k{.kind = entry.kind, .gamma = 0.3, .coef0 = 0.5, .degree = 3};
      const double expected = value_by_formula(k, x, z);
      const double tolerance = 1e-12 * (1 + std::abs(expected));
      const auto sparse_x = sparse_form(x);
      const auto sparse_z = sparse_form(z);
      RC_ASSERT(std::abs(k(Features::dense(x), Features::dense(z)) - expected) <= tolerance);
      RC_ASSERT(std::abs(k(sparse_x.features(), sparse_z.features()) - expected) <= tolerance);
      RC_ASSERT(std::abs(k(Features::dense(x), sparse_z.features()) - expected) <= tolerance);
    }
  }));
}

TEST(Kernel, IsSymmetric) {
  EXPECT_TRUE(rc::check([] {
    const auto x = gen_vector(7);
    const auto z = gen_vector(7);
    for (const KernelEntry& entry : kernel_entries()) {
      const Kernel k{.kind = entry.kind, .gamma = 0.2, .coef0 = 1, .degree = 2};
      RC_ASSERT(k(Features::dense(x), Features::dense(z)) == k(Features::dense(z), Features::dense(x)));
    }
  }));
}

TEST(Kernel, OfAVectorWithItselfIsOneWhereItIsRadial) {
  const std::vector<float> x{1, -2, 3};
  for (const KernelEntry& entry : kernel_entries()) {
    const Kernel k{.kind = entry.kind};
    if (!k.is_radial()) continue;
    EXPECT_EQ(k(Features::dense(x), Features::dense(x)), 1) << entry.entry.name;
  }
}

TEST(Kernel, IsRadialIfItsEntrySaysSo) {
  for (const KernelEntry& entry : kernel_entries()) {
    const Options options{{"kernel", entry.entry.name}};
    EXPECT_EQ(kernel_kind(options), entry.kind);
    const bool expected = entry.entry.name == "rbf" || entry.entry.name == "laplacian";
    EXPECT_EQ(is_radial(options), expected) << entry.entry.name;
  }
}

TEST(Kernel, ComesFromTheInnerProductAndTheNorms) {
  EXPECT_TRUE(rc::check([] {
    const auto a = gen_vector(5);
    const auto b = gen_vector(5);
    const auto x = Features::dense(a);
    const auto z = Features::dense(b);
    for (const KernelEntry& entry : kernel_entries()) {
      if (entry.kind == KernelKind::laplacian) continue;
      const Kernel k{.kind = entry.kind, .gamma = 0.1, .coef0 = 1, .degree = 3};
      const double direct = k(x, z);
      RC_ASSERT(std::abs(k.from_dot(dot(x, z), squared_norm(x) + squared_norm(z)) - direct) <=
                1e-10 * (1 + std::abs(direct)));
    }
  }));
}

TEST(Kernel, IsMadeFromOptions) {
  const Kernel k = make_kernel({{"kernel", "poly"}, {"gamma", "0.25"}, {"coef0", "2"}, {"degree", "4"}});
  EXPECT_EQ(k.kind, KernelKind::poly);
  EXPECT_EQ(k.gamma, 0.25);
  EXPECT_EQ(k.coef0, 2);
  EXPECT_EQ(k.degree, 4);
}

TEST(Kernel, TreatsAnEmptySparseVectorAsTheOrigin) {
  const std::vector<float> x{3, 4};
  // An empty vector needs no values. A non-null `indices` still marks it as sparse.
  const std::uint32_t none = 0;
  const Features zero{.values = nullptr, .indices = &none, .count = 0};
  EXPECT_EQ(dot(Features::dense(x), zero), 0);
  EXPECT_DOUBLE_EQ((Kernel{.kind = KernelKind::rbf, .gamma = 0.1}(Features::dense(x), zero)), std::exp(-2.5));
}

}  // namespace
}  // namespace kinglet
