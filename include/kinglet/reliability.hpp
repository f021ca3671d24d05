// How reliable probabilities are, measured on examples whose class is known.
//
//   Brier score        the mean of Σ_c (p_c − [y = c])² over all classes c; for two classes (p_1 − [y = 1])²,
//                      half of it
//   log loss           the mean of −log p_y, with p_y at least 1e-15
//   calibration error  Σ_b n_b/n · |mean probability in bin b − share of its examples that were predicted right|
//
// There are ten bins of equal width. With two classes they divide the probability of the second class; with more, the
// probability of the predicted class.
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
    double sum = 0;  // the sum of the probabilities

    double mean() const;   // the mean probability; NaN if the bin is empty
    double share() const;  // the share that came true; NaN if the bin is empty
  };

  std::uint64_t examples = 0;
  double squares = 0;  // the sum of the Brier scores of all examples
  double losses = 0;   // the sum of their log losses
  std::array<Bin, kBins> bins{};

  // Adds one example: the probabilities of all classes, the predicted class and the true class.
  void add(std::span<const float> probabilities, ClassId predicted, ClassId truth);

  // Adds the examples of another one.
  void add(const Reliability& other);

  // NaN if there are no examples.
  double brier() const;
  double log_loss() const;
  double calibration_error() const;
};

}  // namespace kinglet
