// How far probabilities can be trusted, measured on examples whose class is known.
//
//   Brier score        mean of Σ_c (p_c − [y = c])², the sum over all classes; for two classes half of it, (p_1 − [y = 1])²
//   log loss           mean of −log p_y, where p_y counts as 1e-15 at least
//   calibration error  Σ_b n_b/n · |mean probability in bin b − share of the examples in it where it came true|
//
// Bins are ten of equal width. For two classes they are of the probability of the second one; for more, of the
// probability of the class that was predicted.
//
// Brier: Verification of Forecasts Expressed in Terms of Probability, Monthly Weather Review 78 (1950). Naeini, Cooper,
// Hauskrecht: Obtaining Well Calibrated Probabilities Using Bayesian Binning, AAAI (2015).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "kinglet/example.hpp"

namespace kinglet {

struct Reliability {
  static constexpr std::size_t kBins = 10;
  struct Bin {
    std::uint64_t examples = 0;
    std::uint64_t came_true = 0;
    double sum = 0;  // of the probabilities

    double mean() const;   // NaN where the bin is empty
    double share() const;  // of the examples where it came true; likewise
  };

  std::uint64_t examples = 0;
  double squares = 0;  // sums over all examples
  double losses = 0;
  std::array<Bin, kBins> bins{};

  // One example: the probabilities of all classes (at least one), the class that was predicted, and the true one.
  void add(std::span<const float> probabilities, ClassId predicted, ClassId truth);

  // NaN where there are no examples.
  double brier() const;
  double log_loss() const;
  double calibration_error() const;
};

}  // namespace kinglet
