// The multi-class SVM: one function per class and one slack per example,
//   min ½ Σ_r ‖f_r‖² + Σ_i C_i max(0, max_{r≠y_i} 1 + f_r(x_i) − f_{y_i}(x_i))
// Dual: f_r = Σ_i τ_ir k(x_i, ·),  min ½ Σ_ij k_ij τ_i·τ_j − Σ_i τ_{i,y_i}  subject to  τ_ir ≤ C_i δ_{r,y_i},  Σ_r τ_ir
// = 0. With the gradient g_ir = f_r(x_i) − δ_{r,y_i}, a solution is optimal if for every example
//   ψ_i = max_r g_ir − min {g_ir : τ_ir < C_i δ_{r,y_i}} ≤ 0
// The solver passes over the examples and optimises the τ of those with a large ψ, until all are below the tolerance.
// The problem of one example is that of MIRA (rules/mira.cpp). Crammer, Singer: On the Algorithmic Implementation of
// Multiclass Kernel-based Vector Machines, JMLR 2 (2001).
#pragma once

#include <span>
#include <vector>

#include "kinglet/example.hpp"
#include "solver/example_store.hpp"

namespace kinglet {

// τ by example and class, example after example.
std::vector<double> solve_crammer_singer(ExampleStore& store, std::span<const ClassId> labels,
                                         std::span<const double> boxes, std::size_t classes, double tolerance);

// The τ of one example that minimise ½ own ‖τ‖² + Σ_r linear_r τ_r subject to τ_r ≤ box δ_{r,label}, Σ_r τ_r = 0.
void solve_one_example(double own, std::span<const double> linear, std::size_t label, double box,
                       std::span<double> tau);

}  // namespace kinglet
