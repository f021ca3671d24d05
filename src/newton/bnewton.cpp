// BNewton: a second-order learner in the span of the support vectors that a first-order scout finds
// (span/scouted_learner.hpp).
//   h = S k,  v = kᵀh;   on a margin m < 1:  w ← w + y (1 − m)/(v + r) h,   S ← S − h hᵀ/(v + r)
// Kin of AROW (Crammer, Kulesza, Dredze: NIPS 2009), and of PROS-N-KONS (Calandriello, Lazaric, Valko: NIPS 2017).
#include "span/scouted_learner.hpp"
#include "span/span_options.hpp"

namespace kinglet::learners {

extern const LearnerEntry bnewton;
const LearnerEntry bnewton{
    .entry = {.name = "bnewton",
              .summary =
                  "second-order steps in the span of the support vectors that BPegasos finds on the first examples",
              .formula = "h = S k, v = kᵀh; if y f(x) < 1: w ← w + y (1 − y f(x))/(v + r) h, S ← S − h hᵀ/(v + r)",
              .paper = "Crammer, Kulesza, Dredze: Adaptive Regularization of Weight Vectors, NIPS (2009)",
              .cost = "O(B²) for an update",
              .use = "When accuracy for a given number of support vectors matters most and the stream does not change: "
                     "there is no step size to choose. Its updates cost more than those of bpegasos.",
              .options = {scout_option(), scout_lambda_option(), ridge_option(), prior_option("1e-3"),
                          noise_option("10")}},
    .make = [](const Options& options, const Shape& shape) -> std::unique_ptr<Learner> {
      return std::make_unique<ScoutedLearner>(options, shape);
    },
    .bounded = true,
    .keeps_examples = false,
    .learns_metric = true,
    .squared_loss = true,
    .incompatibility = span_incompatibility,
    .memory = [](const Options& options, const Shape& shape) { return ScoutedLearner::bytes(options, shape); }};

}  // namespace kinglet::learners
