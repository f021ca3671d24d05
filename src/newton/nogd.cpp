// NOGD: online gradient descent on Nyström features. The first B examples with a margin below 1 become centres, by
// kernel gradient descent; from then on f stays in their span:
//   w ← w + η y (K + εD)⁻¹ k   on a margin below 1:   a step of η on the features φ(x) = (K + εD)^(−1/2) k
// Lu, Hoi, Wang, Zhao, Liu: Large Scale Online Kernel Learning, JMLR 17 (2016). The paper keeps the largest eigenvalues
// of K; here all are kept, and a ridge takes care of the smallest.
#include "rules/rule_options.hpp"
#include "span/span_learner.hpp"
#include "span/span_options.hpp"

namespace kinglet::learners {
namespace {

constexpr SpanKind kNogd{SpanRule::gradient, SpanGrowth::violators};

OptionSpec nogd_rate() {
  OptionSpec eta = eta_option();
  eta.default_value = "0.2";
  return eta;
}

}  // namespace

extern const LearnerEntry nogd;
const LearnerEntry nogd{
    .entry = {.name = "nogd",
              .summary =
                  "gradient descent in the span of the first B examples with a margin below 1 (Nyström features)",
              .formula = "if y f(x) < 1: w ← w + η y (K + εD)⁻¹ k",
              .paper = "Lu, Hoi, Wang, Zhao, Liu: Large Scale Online Kernel Learning, JMLR 17 (2016)",
              .cost = "O(B²) for an update",
              .use = "To compare with the literature: bnewton has the same cost and is more accurate.",
              .options = {nogd_rate(), ridge_option()}},
    .make = [](const Options& options, const Shape& shape) -> std::unique_ptr<Learner> {
      return std::make_unique<SpanLearner>(options, shape, kNogd);
    },
    .bounded = true,
    .keeps_examples = false,
    .squared_loss = true,
    .incompatibility = span_incompatibility,
    .memory = [](const Options& options, const Shape& shape) { return SpanLearner::bytes(options, shape); }};

}  // namespace kinglet::learners
