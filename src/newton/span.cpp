// Span: bnewton with statistics that add up. It also keeps its observations as sums in double precision
// (span/span_sums.hpp), so that models which learned apart from one start (kinglet span) can be added up (kinglet mix):
//   Λ = Λ₀ + Σ_i (Λ_i − Λ₀),   W = Λ⁻¹ Σ_i Λ_i W_i          Λ = S⁻¹
#include "span/scouted_learner.hpp"
#include "span/span_options.hpp"

namespace kinglet::learners {
namespace {

constexpr SpanKind kAddsUp{.adds_up = true};

}  // namespace

extern const LearnerEntry span;
const LearnerEntry span{
    .entry = {.name = "span",
              .summary = "bnewton variant whose models, trained separately from a shared start, can be added up",
              .formula = "h = S k, v = kᵀh; if y f(x) < 1: w ← w + y (1 − y f(x))/(v + r) h, S ← S − h hᵀ/(v + r)",
              .paper = "Crammer, Kulesza, Dredze: Adaptive Regularization of Weight Vectors, NIPS (2009)",
              .cost = "O(B²) for an update",
              .use = "To train on parts of the data separately, such as on several machines, and combine the models. "
                     "For a single model bnewton learns the same in less time and memory.",
              .options = {scout_option(),
                          scout_lambda_option(),
                          ridge_option(),
                          prior_option("1e-3"),
                          noise_option("10"),
                          {.name = "thin-after",
                           .kind = OptionKind::integer,
                           .default_value = std::to_string(SpanSettings::kManyUpdates),
                           .help = "after this many updates, learn only one in four correctly classified examples "
                                   "inside the margin, with four times the weight",
                           .low = 0,
                           .high = 1e15}}},
    .make = [](const Options& options, const Shape& shape) -> std::unique_ptr<Learner> {
      return std::make_unique<ScoutedLearner>(options, shape, kAddsUp);
    },
    .bounded = true,
    .keeps_examples = false,
    .learns_metric = true,
    .squared_loss = true,
    .adds_up = kAddsUp.adds_up,
    .incompatibility = span_incompatibility,
    .memory = [](const Options& options,
                 const Shape& shape) { return ScoutedLearner::bytes(options, shape, kAddsUp); }};

}  // namespace kinglet::learners
