// Vector code that draws one of n terms, favouring light ones. With weights w_j and s = (n − 1)/Σ w, term j is drawn
// with probability max(0, 1 − s w_j)/(1 + E), where E = Σ max(0, s w_j − 1) is the excess of heavy terms
// (budget/bogdpp.cpp).
#pragma once

#include <cstddef>

namespace kinglet::simd {

struct LightDraw {
  const float* weights = nullptr;
  std::size_t count = 0;
  double scale = 0;   // s
  double excess = 0;  // E
};

// out[j] = √max(0, sizes[j]) for the first n, 0 in the padding of `out`; returns their sum.
double square_roots(const float* sizes, std::size_t n, float* out);

// Computes E from n, the weights and s.
double excess_of(const LightDraw& draw);

// factors[j] = 1/(1 − p_j) = (1 + E)/(E + s w_j) where p_j > 0, and 1 elsewhere, the padding included.
void make_up(const LightDraw& draw, float* factors);

// The term at which the cumulative probability, times 1 + E, exceeds `target`. If rounding prevents this, the last term
// with a positive probability.
std::size_t drawn(const LightDraw& draw, double target);

}  // namespace kinglet::simd
