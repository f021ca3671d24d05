// Compresses a model: approximates its functions with fewer support vectors.
//
//   min over z_1 … z_N and β of  ‖f − g‖²,   f_c = Σ_i α_ic φ(x_i),  g_c = Σ_j β_jc φ(z_j),  summed over the functions c
//
// 1. Find N initial vectors in two ways and take those that approximate f better: by merging (Gaussian kernel only),
// which
//    repeatedly merges the pair with the smallest loss until N vectors are left; and by choosing, which repeatedly adds the
//    x_i that brings the projection of f on the chosen vectors nearest to f.
// 2. Compute β for these vectors by least squares in the kernel space: (K_zz + εI) β = K_zx α, all functions at once.
// 3. Gaussian kernel only: move the vectors, and β with them, by gradient descent with limited-memory BFGS.
//    ∂/∂z_j ‖f − g‖² = −2 Σ_c β_jc ∇(f_c − g_c)(z_j).
//
// Biases do not change. No step increases the distance.
// Burges: Simplified Support Vector Decision Rules, ICML (1996); Schölkopf, Mika, Burges, Knirsch, Müller, Rätsch,
// Smola:
// Input Space Versus Feature Space in Kernel-Based Methods, IEEE Transactions on Neural Networks 10 (1999). Merging:
// expansion/merge_table.hpp. Choosing: Vincent, Bengio: Kernel Matching Pursuit, Machine Learning 48 (2002).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "kinglet/mix.hpp"
#include "learn/flat_model.hpp"

namespace kinglet {

struct CompressOptions {
  std::size_t budget = 0;                                         // N ≥ 1
  std::size_t rounds = kDefaultRounds;                            // number of steps that move the vectors
  unsigned threads = 0;                                           // 0: all cores; the result does not depend on it
  std::function<bool()> stopped = {};                             // called from time to time; true: stop
  std::function<void(const std::string&, double)> progress = {};  // name of the current step, and progress from 0 to 1
};

struct Compression {
  FlatModel model;
  std::size_t before = 0;  // number of support vectors of the original model
  double norm = 0;         // ‖f‖
  std::string beginning;   // how the vectors were found: "merged", "chosen", or "none" if nothing had to be done
  double begun = 0;        // ‖f − g‖ after step 1, with the coefficients from merging or choosing
  double refitted = 0;     // ‖f − g‖ after step 2
  double distance = 0;     // ‖f − g‖ after step 3
  bool stopped = false;    // if true, the model is the original one
};

// Throws Error for a kernel that is not positive definite (sigmoid, or poly with a negative constant).
Compression compress(const FlatModel& plain, const CompressOptions& options);

// Replaces the vectors of the model, for example by rounded ones, and refits the coefficients as in step 2. If the
// kernel is not positive definite, the coefficients do not change.
FlatModel refitted(const FlatModel& plain, std::vector<float> vectors);

}  // namespace kinglet
