// SpanLearner: what a learner that adds up does with its sums (span_sums.hpp). It takes its coefficients from them at
// the end of a pass, begins where another one ended, and becomes the sum of learners that share its start.
#include <algorithm>
#include <numeric>

#include "core/assert.hpp"
#include "span/span_learner.hpp"

namespace kinglet {

// λ (K + εD)
std::vector<double> SpanLearner::prior_precision() const {
  const std::size_t n = set_->size();
  std::vector<double> prior(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    set_->exact_row_of(i, std::span(prior).subspan(i * n, n));
    double& own = prior[i * n + i];
    own += settings_.prior.ridge * (own > 0 ? own : 1);
  }
  for (double& entry : prior) entry *= settings_.prior.precision;
  return prior;
}

void SpanLearner::take_coefficients(const SpanSolution& solution) {
  const std::size_t n = set_->size();
  for (std::size_t c = 0; c < outputs(); ++c) {
    for (std::size_t j = 0; j < n; ++j) statistics_.set_coefficient(j, c, solution.coefficients[c * n + j]);
  }
}

void SpanLearner::finish() {
  residuals_.hold();
  if (sums_ && examples_ > 0) take_coefficients(sums_->solve(prior_precision(), set_->size(), false));
}

void SpanLearner::begin_at(const SpanLearner& other) {
  KINGLET_ASSERT(sums_ && examples_ == 0 && other.set_->size() == set_->size() && other.outputs() == outputs());
  for (std::size_t c = 0; c < outputs(); ++c) {
    for (std::size_t j = 0; j < set_->size(); ++j) {
      const double value = other.statistics_.coefficient(j, c);
      statistics_.set_coefficient(j, c, value);
      sums_->set_origin(j, c, value);
    }
  }
}

bool SpanLearner::has_start_of(const SpanLearner& other) const {
  if (outputs() > other.outputs()) return other.has_start_of(*this);
  if (!sums_ || !other.sums_ || task_ != other.task_) return false;
  StateWriter mine, theirs;
  set_->save(mine);
  other.set_->save(theirs);
  if (mine.bytes() != theirs.bytes()) return false;
  std::vector<ClassId> same(classes_);
  std::iota(same.begin(), same.end(), ClassId{0});
  return other.sums_->has_origin_of(*sums_, set_->size(), same);
}

void SpanLearner::become_sum(std::span<const SpanLearner* const> parts, std::span<const std::vector<ClassId>> classes) {
  KINGLET_ASSERT(sums_ && examples_ == 0 && !parts.empty() && parts.size() == classes.size());
  const std::size_t n = set_->size();
  sums_->take_origin(*parts[0]->sums_, n, classes[0]);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const SpanLearner& part = *parts[i];
    KINGLET_ASSERT(part.set_->size() == n);
    sums_->add(*part.sums_, n, classes[i]);
    residuals_.add(part.residuals_);
    examples_ += part.examples_;
    updates_ += part.updates_;
  }
  const SpanSolution solution = sums_->solve(prior_precision(), n, true);
  take_coefficients(solution);
  statistics_.assign(solution.covariance);
}

}  // namespace kinglet
