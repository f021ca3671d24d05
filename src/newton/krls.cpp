// KRLS: kernel recursive least squares. An example that is not in the span of the centres so far becomes a centre,
// while there is room (span/dictionary.hpp); every example is learned by exact least squares in the span:
//   w ← w + (y − f(x))/(v + r) h,   S ← S − h hᵀ/(v + r)         h = S k,  v = kᵀh
// Classes are learned as the numbers ±1.
// Engel, Mannor, Meir: The Kernel Recursive Least-Squares Algorithm, IEEE Transactions on Signal Processing 52 (2004).
// The paper has no prior (λ → 0) and no budget.
#include "span/span_learner.hpp"
#include "span/span_options.hpp"

namespace kinglet::learners {
namespace {

constexpr SpanKind kKrls{SpanRule::squares, SpanGrowth::independent};

}  // namespace

extern const LearnerEntry krls;
const LearnerEntry krls{
    .entry = {.name = "krls",
              .summary = "recursive least squares in the span of examples that are nearly linearly independent",
              .formula = "h = S k, v = kᵀh: w ← w + (y − f(x))/(v + r) h, S ← S − h hᵀ/(v + r)",
              .paper =
                  "Engel, Mannor, Meir: The Kernel Recursive Least-Squares Algorithm, IEEE Trans. Signal Processing "
                  "52 (2004)",
              .cost = "O(B²) for an example",
              .use = "Regression with error bars from the first examples on. Classes are learned as the numbers ±1.",
              .options = {{.name = "dependence",
                           .default_value = "0.01",
                           .help = "squared distance from the span of the centres, relative to k(x, x), above which an "
                                   "example becomes a centre (ν in the paper)",
                           .own_meaning = true,
                           .low = 1e-6,
                           .high = 1},
                          ridge_option(),
                          prior_option("1e-3"),
                          noise_option("1")}},
    .make = [](const Options& options, const Shape& shape) -> std::unique_ptr<Learner> {
      return std::make_unique<SpanLearner>(options, shape, kKrls);
    },
    .bounded = true,
    .keeps_examples = false,
    .squared_loss = true,
    .incompatibility = span_incompatibility,
    .memory = [](const Options& options, const Shape& shape) { return SpanLearner::bytes(options, shape, kKrls); }};

}  // namespace kinglet::learners
