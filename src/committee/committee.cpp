// The committee, as the preset `auto` runs it (committee/committee_learner.hpp).
//   leader = argmin over the running members of Σ φ^age w e / Σ φ^age w,   e: its errors before learning
// Successive halving: Jamieson, Talwalkar: Non-stochastic Best Arm Identification and Hyperparameter Optimization,
// AISTATS (2016).
#include "committee/committee_learner.hpp"
#include "core/compose.hpp"
#include "core/kernel.hpp"
#include "core/learner_entry.hpp"
#include "kinglet/error.hpp"
#include "learn/registry_entries.hpp"

namespace kinglet::learners {
namespace {

// A given gamma is the only one. Only kernels whose values are at most 1 are safe with a gamma that was not asked for.
void settle_committee(const Options& given, Options& full) {
  if (!full.is_auto(kGammas)) return;
  const bool is_open = !given.has("gamma") || given.text("gamma") == "auto";
  full.set(kGammas, is_radial(full) && is_open ? "grid" : "one");
}

// Members are compared by their errors, and at least one of them must be possible.
Message committee_incompatibility(const Options& options) {
  if (options.text("task") == "novelty") {
    const std::string other = complete_options({{"task", "novelty"}}).text("algo");
    return compose("{} does not support {}: it has no errors to compare; use {}", option("algo", options.text("algo")),
                   option("task", "novelty"), option("algo", other));
  }
  try {
    plan_members(options);
  } catch (const Error& refusal) {
    return refusal.message();
  }
  return {};
}

// That of the first member, which leads the first examples.
Message committee_advice(const Options& options) {
  const std::vector<Message> own = advice(plan_members(options).front().options);
  return own.empty() ? Message() : own.front();
}

}  // namespace

extern const LearnerEntry committee;
const LearnerEntry committee{
    .entry = {.name = "committee",
              .summary = "several learners along the same stream, of which the best at present predicts",
              .formula = "leader = argmin Σ φ^age e / Σ φ^age, e: errors before learning",
              .paper = "the halving: Jamieson, Talwalkar: Non-stochastic Best Arm Identification and Hyperparameter "
                       "Optimization, AISTATS (2016)",
              .cost = "the sum over its members, of which few remain after some thousand examples",
              .use =
                  "When nothing is known about the data: it tries values of gamma and rules along the stream. Options "
                  "that are given are fixed for all members.",
              .options = {{.name = kGammas,
                           .kind = OptionKind::choice,
                           .default_value = "auto",
                           .help = {"gamma of the committee's members. grid: multiples of ", option("gamma"),
                                    "; one: the same for all; auto: grid, unless ", option("gamma"), " is given"},
                           .choices = {"grid", "one"},
                           .may_be_auto = true}}},
    .make = [](const Options& options, const Shape& shape) -> std::unique_ptr<Learner> {
      return std::make_unique<CommitteeLearner>(options, shape);
    },
    .bounded = true,
    .keeps_examples = false,
    .learns_metric = true,
    .prefers_metric = true,
    .passes_on = true,
    .settle = settle_committee,
    .incompatibility = committee_incompatibility,
    .advice = committee_advice,
    .memory = CommitteeLearner::bytes,
    .largest_budget = CommitteeLearner::largest_budget};

}  // namespace kinglet::learners
