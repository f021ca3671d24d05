// --gamma auto: the median heuristic. With pairs of rows drawn from the scaled head,
//   rbf: γ = 1 / median ‖x − z‖²    laplacian: γ = 1 / median ‖x − z‖₁    poly, hpoly, sigmoid: γ = 1 / dimension
// so that a typical pair of examples has a kernel value of 1/e. If half of the pairs are equal, the mean replaces the
// median; if all are equal, γ = 1.
#pragma once

#include <cstdint>

#include "core/kernel.hpp"
#include "learn/scaler.hpp"

namespace kinglet {

double auto_gamma(KernelKind kind, const Rows& head, const Scaler& scaler, std::uint64_t seed);

}  // namespace kinglet
