// Kernels as values, with a plain double-precision evaluation. Fast versions for a whole support set are in src/simd/
// (dense) and src/expansion/sparse_support_set.cpp (sparse); they must agree with this one.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "kinglet/example.hpp"
#include "kinglet/registry.hpp"

namespace kinglet {

enum class KernelKind { rbf, laplacian, linear, poly, hpoly, sigmoid };

// A function of the distance, with k(x, x) = 1.
constexpr bool is_radial(KernelKind kind) { return kind == KernelKind::rbf || kind == KernelKind::laplacian; }

struct Kernel {
  KernelKind kind = KernelKind::rbf;
  double gamma = 1;
  double coef0 = 0;  // poly, sigmoid
  int degree = 3;    // poly, hpoly

  // rbf: exp(−γ‖x−z‖²)   laplacian: exp(−γ‖x−z‖₁)   linear: x·z
  // poly: (γ x·z + c)^p   hpoly: (γ x·z)^p           sigmoid: tanh(γ x·z + c)
  double operator()(const Features& x, const Features& z) const;

  // The value as a function of the inner product and the two squared norms; all kernels except laplacian.
  double from_dot(double dot, double squared_norms) const;

  bool is_radial() const { return kinglet::is_radial(kind); }
};

struct KernelEntry {
  Entry entry;
  KernelKind kind;
};
std::span<const KernelEntry> kernel_entries();

// The kernel that complete options name.
KernelKind kernel_kind(const Options& options);
inline bool is_radial(const Options& options) { return is_radial(kernel_kind(options)); }

// Makes the kernel from complete options, whose gamma must be a number.
Kernel make_kernel(const Options& options);

// Describes the kernel of complete options if it is not positive definite; empty otherwise.
Message indefinite_kernel(const Options& options);

// The largest kernel value allowed. Sums and squares of larger ones would not fit into floats.
inline constexpr double kLargestKernel = 1e30;
// Throws the Error for kernel values that are too large.
[[noreturn]] void fail_kernel_range();

double dot(const Features& x, const Features& z);
double squared_norm(const Features& x);

}  // namespace kinglet
