// Seeded random numbers that are the same on every machine and compiler: xoshiro256** (Blackman and Vigna, ACM
// Transactions on Mathematical Software 47, 2021), with its state filled from the seed by splitmix64. The distributions
// of the standard library are not portable, so the few we need are defined here. The whole state can be saved and
// restored.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace kinglet {

// The complete state of a Random, as plain numbers for a model file. `spare` is a normal variate kept for the next
// call.
struct RandomState {
  std::array<std::uint64_t, 4> words{};
  double spare = 0;
  std::uint64_t has_spare = 0;

  friend bool operator==(const RandomState&, const RandomState&) = default;
};

// One step of splitmix64: advances `x` and returns a well-mixed word.
inline std::uint64_t splitmix64(std::uint64_t& x) {
  std::uint64_t z = (x += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

class Random {
 public:
  explicit Random(std::uint64_t seed = 1) {
    for (auto& word : state_.words) word = splitmix64(seed);
  }

  std::uint64_t next() {
    auto& s = state_.words;
    const std::uint64_t result = std::rotl(s[1] * 5, 7) * 9;
    const std::uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = std::rotl(s[3], 45);
    return result;
  }

  // Uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  // Uniform among the integers in [0, n); n must not be 0. Lemire: ACM Transactions on Modeling and Computer Simulation
  // 29 (2019).
  std::uint64_t below(std::uint64_t n) {
    auto product = wide_multiply(next(), n);
    if (product.low < n) {
      const std::uint64_t threshold = (0 - n) % n;
      while (product.low < threshold) product = wide_multiply(next(), n);
    }
    return product.high;
  }

  // Standard normal, by the polar method, which computes two at a time; the second is kept for the next call.
  double normal() {
    if (state_.has_spare != 0) {
      state_.has_spare = 0;
      return state_.spare;
    }
    double u, v, s;
    do {
      u = 2 * uniform() - 1;
      v = 2 * uniform() - 1;
      s = u * u + v * v;
    } while (s >= 1 || s == 0);
    const double factor = std::sqrt(-2 * std::log(s) / s);
    state_.spare = v * factor;
    state_.has_spare = 1;
    return u * factor;
  }

  // True with probability p.
  bool coin(double p) { return uniform() < p; }

  const RandomState& state() const { return state_; }
  void set_state(const RandomState& state) { state_ = state; }

 private:
  struct Wide {
    std::uint64_t high, low;
  };
  static Wide wide_multiply(std::uint64_t a, std::uint64_t b) {
    __extension__ using Uint128 = unsigned __int128;
    const Uint128 product = static_cast<Uint128>(a) * b;
    return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
  }

  RandomState state_;
};

}  // namespace kinglet
