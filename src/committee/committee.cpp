// The committee, as the preset `auto` runs it (committee/committee_learner.hpp).
//   leader = argmin over the running members of Σ φ^age w e / Σ φ^age w,   e: its errors before learning
// Successive halving: Jamieson, Talwalkar: Non-stochastic Best Arm Identification and Hyperparameter Optimization, AISTATS
// (2016).
#include "committee/committee_learner.hpp"
#include "core/compose.hpp"
#include "core/learner_entry.hpp"
#include "kinglet/error.hpp"
#include "learn/registry_entries.hpp"

namespace kinglet::learners {
namespace {

// A given gamma is the only one. Only kernels whose values are at most 1 are safe with a gamma that was not asked for. The
// metric is learned wherever it can be.
void settle_committee(const Options& given, Options& full) {
  if (!given.has("metric")) {
    full.set("metric", "learned");
    if (!metric_incompatibility(full).empty()) full.set("metric", "none");
  }
  if (!full.is_auto(kGammas)) return;
  const bool is_radial = full.text("kernel") == "rbf" || full.text("kernel") == "laplacian";
  const bool is_open = !given.has("gamma") || given.text("gamma") == "auto";
  full.set(kGammas, is_radial && is_open ? "grid" : "one");
}

// Members are compared by their errors, and at least one of them must be possible.
Message committee_incompatibility(const Options& options) {
  if (options.text("task") == "novelty") {
    return compose("auto compares its members by their errors, which are unknown with {}: use bnorma",
                   option("task", "novelty"));
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
                           .help = {"members have a grid of values around ", option("gamma"),
                                    ", or one and the same; auto: the grid unless it is given"},
                           .choices = {"grid", "one"},
                           .may_be_auto = true}}},
    .make = [](const Options& options, const Shape& shape) -> std::unique_ptr<Learner> {
      return std::make_unique<CommitteeLearner>(options, shape);
    },
    .bounded = true,
    .keeps_examples = false,
    .learns_metric = true,
    .passes_on = true,
    .settle = settle_committee,
    .incompatibility = committee_incompatibility,
    .advice = committee_advice,
    .memory = CommitteeLearner::bytes,
    .largest_budget = CommitteeLearner::largest_budget};

}  // namespace kinglet::learners
