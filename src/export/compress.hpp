// Fewer support vectors for nearly the same functions.
//
//   min over z_1 … z_N and β of  ‖f − g‖²,   f_c = Σ_i α_ic φ(x_i),  g_c = Σ_j β_jc φ(z_j),  summed over the functions c
//
// 1. N vectors to begin with, found in two ways, of which the one that comes out nearer to f is taken:
//    merging (Gaussian kernel), always the two vectors whose merger loses least of all pairs, until N are left; or choosing
//    among the x_i, always the one that brings the projection of f on those chosen nearest to f.
// 2. β for these vectors by least squares in the kernel space: (K_zz + εI) β = K_zx α, all functions at once.
// 3. Gaussian kernel: the vectors move downhill, and β with them, by the method of Broyden, Fletcher, Goldfarb and Shanno
//    with limited memory. ∂/∂z_j ‖f − g‖² = −2 Σ_c β_jc ∇(f_c − g_c)(z_j).
//
// Biases stay as they are. No step makes the distance larger.
// Burges: Simplified Support Vector Decision Rules, ICML (1996); Schölkopf, Mika, Burges, Knirsch, Müller, Rätsch, Smola:
// Input Space Versus Feature Space in Kernel-Based Methods, IEEE Transactions on Neural Networks 10 (1999). Merging:
// expansion/merge_table.hpp. Choosing: Vincent, Bengio: Kernel Matching Pursuit, Machine Learning 48 (2002).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "learn/flat_model.hpp"

namespace kinglet {

struct CompressOptions {
  std::size_t budget = 0;                                         // N ≥ 1
  std::size_t rounds = 60;                                        // of moving the vectors
  unsigned threads = 0;                                           // 0: all cores; the result does not depend on it
  std::function<bool()> stopped = {};                             // asked now and then; true ends it
  std::function<void(const std::string&, double)> progress = {};  // what is being done, and how far it is, 0 to 1
};

struct Compression {
  FlatModel model;
  std::size_t before = 0;  // support vectors
  double norm = 0;         // ‖f‖
  std::string beginning;   // how the vectors were found: "merged", "chosen", "none" where nothing had to be done
  double begun = 0;        // ‖f − g‖ after step 1, with the coefficients that merging or choosing gave
  double refitted = 0;     // after step 2
  double distance = 0;     // after step 3
  bool stopped = false;    // the model is then the one given
};

// Throws Error for a kernel in whose space there are no distances (sigmoid, or poly with a negative constant).
Compression compress(const FlatModel& plain, const CompressOptions& options);

// Other vectors in the places of the model's, as after rounding them, with the coefficients of step 2. Where the kernel's
// space has no distances, the coefficients stay.
FlatModel refitted(const FlatModel& plain, std::vector<float> vectors);

}  // namespace kinglet
