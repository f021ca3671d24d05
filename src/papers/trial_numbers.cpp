#include "papers/trial_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>

namespace kinglet {
namespace {

// BSGD's gradient error Ē = Σ_t ‖Δ_t‖/η_t / N over all N rounds, most of which lose nothing. The paper has one weight
// vector per class even for two classes: a step adds η φ to one and subtracts it from the other, and has length √2 η.
double gradient_error(const LearnerStats& stats) {
  if (stats.maintenance == 0) return 0;
  const double steps = static_cast<double>(stats.maintenance) / static_cast<double>(stats.examples);
  return std::numbers::sqrt2 * stats.maintenance_loss * steps;
}

double rounded_to(double value, int digits) {
  const bool is_whole = value == std::floor(value);
  return std::isnan(value) || is_whole ? value : std::stod(fmt::format("{:.{}g}", value, digits));
}

}  // namespace

void complete(TrialNumbers& numbers) {
  numbers.value(Measure::test_error) = 100 - numbers.value(Measure::test_accuracy);
  numbers.value(Measure::online_accuracy) = 100 - numbers.value(Measure::online_error);
}

double TrialNumbers::baseline(Measure measure) const {
  if (!is_share(measure)) return std::nan("");
  const bool on_test = measure == Measure::test_accuracy || measure == Measure::test_error;
  const double error = on_test ? test_majority : online_majority;
  return higher_is_better(measure) ? 100 - error : error;
}

double classes_of(const Model& model) {
  constexpr std::size_t kMost = 100;
  const std::size_t count = model.stats().support_vectors;
  if (count > kMost) return std::nan("");
  std::set<std::ptrdiff_t> classes;
  for (const SupportVector& vector : model.support_vectors(count)) {
    if (vector.coefficients.size() < 2) return std::nan("");
    classes.insert(std::ranges::max_element(vector.coefficients) - vector.coefficients.begin());
  }
  return static_cast<double>(classes.size());
}

TrialNumbers numbers_of(const TrialOutcome& outcome, double classes) {
  TrialNumbers numbers;
  const double accuracy = outcome.test ? outcome.test->accuracy() : std::nan("");
  numbers.value(Measure::test_accuracy) = 100 * accuracy;
  numbers.value(Measure::online_error) = 100 * outcome.progress.online_error();
  numbers.value(Measure::support_vectors) = static_cast<double>(outcome.stats.support_vectors);
  numbers.value(Measure::kernel_values) = static_cast<double>(outcome.stats.kernel_evaluations);
  numbers.value(Measure::updates) = static_cast<double>(outcome.stats.updates);
  numbers.value(Measure::labels) = static_cast<double>(outcome.progress.labels);
  numbers.value(Measure::gradient_error) = gradient_error(outcome.stats);
  numbers.value(Measure::classes) = classes;
  numbers.value(Measure::seconds) = outcome.seconds;
  numbers.test_majority = outcome.test ? 100 * outcome.test->majority_error() : std::nan("");
  numbers.online_majority = outcome.majority_error ? 100 * *outcome.majority_error : std::nan("");
  constexpr int kDigits = 8, kDigitsOfTime = 4;
  for (double& value : numbers.values) value = rounded_to(value, kDigits);
  double& seconds = numbers.value(Measure::seconds);
  seconds = rounded_to(seconds, kDigitsOfTime);
  numbers.test_majority = rounded_to(numbers.test_majority, kDigits);
  numbers.online_majority = rounded_to(numbers.online_majority, kDigits);
  complete(numbers);
  return numbers;
}

}  // namespace kinglet
