#include "kinglet/reliability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kinglet {
namespace {

constexpr double kLeastProbability = 1e-15;

double ratio(double sum, std::uint64_t count) {
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

}  // namespace

double Reliability::Bin::mean() const { return ratio(sum, examples); }
double Reliability::Bin::share() const { return ratio(static_cast<double>(came_true), examples); }

void Reliability::add(std::span<const float> probabilities, ClassId predicted, ClassId truth) {
  const bool two = probabilities.size() == 2;
  double square = 0;
  for (ClassId c = 0; c < probabilities.size(); ++c) {
    const double gap = static_cast<double>(probabilities[c]) - (c == truth ? 1 : 0);
    square += gap * gap;
  }
  ++examples;
  squares += two ? square / 2 : square;
  losses -= std::log(std::max(static_cast<double>(probabilities[truth]), kLeastProbability));
  const ClassId watched = two ? 1 : predicted;
  const auto p = static_cast<double>(probabilities[watched]);
  Bin& bin = bins[std::min(static_cast<std::size_t>(p * kBins), kBins - 1)];
  ++bin.examples;
  bin.came_true += truth == watched;
  bin.sum += p;
}

void Reliability::add(const Reliability& other) {
  examples += other.examples;
  squares += other.squares;
  losses += other.losses;
  for (std::size_t i = 0; i < kBins; ++i) {
    bins[i].examples += other.bins[i].examples;
    bins[i].came_true += other.bins[i].came_true;
    bins[i].sum += other.bins[i].sum;
  }
}

double Reliability::brier() const { return ratio(squares, examples); }
double Reliability::log_loss() const { return ratio(losses, examples); }

double Reliability::calibration_error() const {
  double sum = 0;
  for (const Bin& bin : bins) sum += std::abs(bin.sum - static_cast<double>(bin.came_true));
  return ratio(sum, examples);
}

}  // namespace kinglet
