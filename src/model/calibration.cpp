#include "model/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/assert.hpp"

namespace kinglet {
namespace {

constexpr double kLeastRate = 1e-4;       // smallest share of a slope's history that is forgotten per example
constexpr double kSteepest = 10;          // limit for a gradient, so that a single example cannot dominate
constexpr double kLongestStep = 1;        // limit for a step of θ
constexpr double kLargestTheta = 20;      // e^20 times the usual slope is practically certainty
constexpr double kFarthest = -700;        // limit for u: the exponential of smaller numbers is 0
constexpr double kFirstCurvature = 1;     // initial curvature of the first slope
constexpr double kCurvatureOfOthers = 4;  // initial curvature of later slopes, which start from the mean of the others
constexpr double kCurvatureFloor = 0.1;

// The weight of the n-th value in a running mean that favours later values.
double rate(std::uint64_t n) { return std::max(std::min(1.0, 3 / static_cast<double>(n)), kLeastRate); }

// The share of a slope's history that is kept at its n-th example.
double kept(std::uint64_t n) { return 1 - std::max(std::min(1.0, 2 / static_cast<double>(n)), kLeastRate); }

// f_c − f_ŷ ≤ 0; 0 for scores that are NaN.
double behind(std::span<const float> scores, ClassId predicted, ClassId c) {
  if (c == predicted) return 0;
  if (scores.size() == 1) return std::min(0.0, -std::abs(static_cast<double>(scores[0])));
  return std::min(0.0, static_cast<double>(scores[c]) - static_cast<double>(scores[predicted]));
}

// The lead over the second best class.
double nearest_behind(std::span<const float> scores, ClassId predicted, std::size_t classes) {
  double nearest = -std::numeric_limits<double>::infinity();
  for (ClassId c = 0; c < classes; ++c) {
    if (c != predicted) nearest = std::max(nearest, behind(scores, predicted, c));
  }
  return nearest;
}

// Makes the predicted class the most probable one, even if rounding produced a tie.
void make_highest(ClassId predicted, std::span<float> out) {
  float most = 0;
  for (ClassId c = 0; c < out.size(); ++c) {
    if (c != predicted) most = std::max(most, out[c]);
  }
  if (out[predicted] > most) return;
  out[predicted] = std::nextafter(most, 2.0F);
  if (out.size() == 2) out[1 - predicted] = 1 - out[predicted];
}

// The probabilities of all classes with the slope `factor`.
void spread(std::span<const float> scores, ClassId predicted, double factor, std::span<float> out) {
  double sum = 0;
  for (ClassId c = 0; c < out.size(); ++c) {
    const double e = c == predicted ? 1 : std::exp(factor * behind(scores, predicted, c));
    out[c] = static_cast<float>(e);
    sum += e;
  }
  for (float& p : out) p = static_cast<float>(static_cast<double>(p) / sum);
  make_highest(predicted, out);
}

}  // namespace

void Calibration::grow(std::uint32_t classes) {
  slopes_.resize(std::max<std::size_t>(slopes_.size(), classes));
  row_.resize(slopes_.size());
}

double Calibration::mean_theta() const {
  double sum = 0;
  double weight = 0;
  for (const Slope& slope : slopes_) {
    sum += slope.curvature * slope.theta;
    weight += slope.curvature;
  }
  return weight > 0 ? sum / weight : 0;
}

double Calibration::theta_of(ClassId predicted) const {
  const Slope& slope = slopes_[predicted];
  return slope.examples > 0 ? slope.theta : mean_theta();
}

double Calibration::factor_of(ClassId predicted) const { return std::exp(theta_of(predicted) - log_lead_); }

void Calibration::probabilities(std::span<const float> scores, ClassId predicted, std::span<float> out) const {
  KINGLET_ASSERT(predicted < out.size() && out.size() <= slopes_.size());
  spread(scores, predicted, factor_of(predicted), out);
}

void Calibration::add_lead(double lead) {
  if (lead > 0 && std::isfinite(lead)) log_lead_ += rate(++leads_) * (std::log(lead) - log_lead_);
}

void Calibration::take_slopes(const Calibration& other) {
  const Reliability quality = reliability_;
  *this = other;
  reliability_ = quality;
}

void Calibration::add(const Calibration& other, std::span<const ClassId> classes) {
  const auto share = [](auto mine, auto theirs) {
    const auto sum = static_cast<double>(mine) + static_cast<double>(theirs);
    return sum > 0 ? static_cast<double>(theirs) / sum : 0;
  };
  for (std::size_t c = 0; c < other.slopes_.size(); ++c) {
    const Slope& from = other.slopes_[c];
    Slope& to = slopes_[classes[c]];
    to.theta += share(to.curvature, from.curvature) * (from.theta - to.theta);
    to.curvature += from.curvature;
    to.examples += from.examples;
    to.right += from.right;
    to.wrong += from.wrong;
  }
  log_lead_ += share(leads_, other.leads_) * (other.log_lead_ - log_lead_);
  leads_ += other.leads_;
  mean_weight_ += share(weights_, other.weights_) * (other.mean_weight_ - mean_weight_);
  weights_ += other.weights_;
  reliability_.add(other.reliability_);
}

void Calibration::update_mean_lead(std::span<const float> scores, ClassId predicted) {
  if (slopes_.size() >= 2) add_lead(-nearest_behind(scores, predicted, slopes_.size()));
}

void Calibration::learn(std::span<const float> scores, ClassId predicted, ClassId truth, double weight) {
  const std::size_t classes = slopes_.size();
  if (classes < 2) return;
  const double second = nearest_behind(scores, predicted, classes);
  add_lead(-second);
  if (weight > 0) mean_weight_ += rate(++weights_) * (weight - mean_weight_);
  const double factor = factor_of(predicted);
  spread(scores, predicted, factor, row_);
  reliability_.add(row_, predicted, truth);
  if (!(weight > 0)) return;

  Slope& slope = slopes_[predicted];
  if (slope.examples == 0) {
    slope.theta = mean_theta();
    const bool is_first = std::ranges::all_of(slopes_, [](const Slope& other) { return other.examples == 0; });
    slope.curvature = is_first ? kFirstCurvature : kCurvatureOfOthers;
  }
  const auto log_odds = [&](double behind) { return std::max(factor * behind, kFarthest); };
  double mean = 0;
  double square = 0;
  for (ClassId c = 0; c < classes; ++c) {
    const double u = log_odds(behind(scores, predicted, c));
    const auto p = static_cast<double>(row_[c]);
    mean += p * u;
    square += p * u * u;
  }
  const double past = kept(++slope.examples);
  slope.right *= past;
  slope.wrong *= past;
  double& count = truth == predicted ? slope.right : slope.wrong;
  count += 1;
  const double smoothing = 1 / (count + 2);
  const double expected =
      truth == predicted ? smoothing * log_odds(second) : (1 - smoothing) * log_odds(behind(scores, predicted, truth));
  const double gradient = std::clamp(mean - expected, -kSteepest, kSteepest);
  const double share = weight / mean_weight_;
  slope.curvature = past * slope.curvature + share * (square - mean * mean + gradient * gradient) / 2;
  const double step = share * gradient / (slope.curvature + kCurvatureFloor);
  slope.theta = std::clamp(slope.theta - std::clamp(step, -kLongestStep, kLongestStep), -kLargestTheta, kLargestTheta);
}

void Calibration::save(StateWriter& out) const {
  out.put<std::uint64_t>(slopes_.size());
  for (const Slope& slope : slopes_) {
    out.put(slope.theta);
    out.put(slope.curvature);
    out.put(slope.examples);
    out.put(slope.right);
    out.put(slope.wrong);
  }
  out.put(log_lead_);
  out.put(leads_);
  out.put(mean_weight_);
  out.put(weights_);
  out.put(reliability_.examples);
  out.put(reliability_.squares);
  out.put(reliability_.losses);
  for (const Reliability::Bin& bin : reliability_.bins) {
    out.put(bin.examples);
    out.put(bin.came_true);
    out.put(bin.sum);
  }
}

void Calibration::load(StateReader& in) {
  const auto amount = [&] {  // a finite number ≥ 0
    const auto value = in.get<double>();
    StateReader::require(value >= 0 && std::isfinite(value), "a number of its calibration");
    return value;
  };
  const auto logarithm = [&](double most) {
    const auto value = in.get<double>();
    StateReader::require(std::abs(value) <= most, "a slope of its calibration");
    return value;
  };
  constexpr double kLargestLog = 110;  // of any difference of two floats
  StateReader::require(in.get<std::uint64_t>() == slopes_.size(),
                       "the number of slopes differs from the number of classes");
  for (Slope& slope : slopes_) {
    slope.theta = logarithm(kLargestTheta);
    slope.curvature = amount();
    slope.examples = in.get<std::uint64_t>();
    slope.right = amount();
    slope.wrong = amount();
  }
  log_lead_ = logarithm(kLargestLog);
  leads_ = in.get<std::uint64_t>();
  mean_weight_ = amount();
  weights_ = in.get<std::uint64_t>();
  StateReader::require(mean_weight_ > 0 || weights_ == 0, "a mean weight of 0");
  reliability_.examples = in.get<std::uint64_t>();
  reliability_.squares = amount();
  reliability_.losses = amount();
  for (Reliability::Bin& bin : reliability_.bins) {
    bin.examples = in.get<std::uint64_t>();
    bin.came_true = in.get<std::uint64_t>();
    StateReader::require(bin.came_true <= bin.examples, "a bin of its calibration");
    bin.sum = amount();
  }
}

}  // namespace kinglet
