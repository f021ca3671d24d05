// SPA, sparse passive-aggressive learning: an example becomes a support vector by the toss of a coin that is biased by its
// loss; the step is the passive-aggressive one, cut at η over the chance.
//   ρ = min(α, ℓ)/β;  Z ~ Bernoulli(ρ);  τ = min(η Z/ρ, ℓ/(‖u‖² k(x, x)));  f ← f + τ u k(x, ·)
// No term is ever removed, and E|S| ≤ αT/β after T examples, so that β = αT/N makes N support vectors to be expected. A
// budget (budget rule stop) cuts off the rare draw that exceeds it. The result is the average of all f_t.
// Lu, Zhao, Hoi: Online Sparse Passive Aggressive Learning with Kernels, SDM (2016).
#include <algorithm>
#include <cmath>

#include "core/compose.hpp"
#include "kinglet/error.hpp"
#include "rules/rule_options.hpp"
#include "rules/update_rule.hpp"

namespace kinglet::rules {
namespace {

constexpr int kBeta = 20;  // unless given

class SparsePassiveAggressive final : public UpdateRule {
 public:
  SparsePassiveAggressive(double alpha, double beta, double eta) : alpha_(alpha), beta_(beta), eta_(eta) {
    if (alpha > beta) {
      throw Error(
          compose("spa needs {} ≤ {}: the chance min(α, loss)/β is a probability", option("alpha"), option("beta")));
    }
  }
  Update on(const Scored& example, Random& random) override {
    const double loss = 1 - example.margin;
    if (!(loss > 0)) return {};
    const double chance = std::min(alpha_, loss) / beta_;
    if (!random.coin(chance)) return {};
    const double longest = example.weight * eta_ / chance;
    return {.step = example.length > 0 ? std::min(longest, loss / example.length) : longest};
  }

 private:
  double alpha_;
  double beta_;
  double eta_;
};

bool has_expectation(const Options& options) { return options.integer("expected-budget") > 0; }

// β as given, or from the number of support vectors to be expected of a stream of known length.
double beta_of(const Options& options) {
  if (!has_expectation(options)) return options.real("beta");
  if (options.integer("stream-length") == 0) {
    throw Error(
        compose("{} needs the length of the stream: give {}", option("expected-budget"), option("stream-length")));
  }
  const double alpha = options.real("alpha");
  return std::max(alpha, alpha * options.real("stream-length") / options.real("expected-budget"));
}

// β and the expected number say the same thing in two ways, and the budget must allow what is expected.
Message incompatibility(const Options& options) {
  const OptionMention expectation = option("expected-budget");
  if (!has_expectation(options)) {
    if (options.integer("stream-length") == 0) return {};
    return compose("{} is for {}, which was not given", option("stream-length"), expectation);
  }
  if (options.real("beta") != kBeta) return compose("{} and {}: give one of them", option("beta"), expectation);
  const bool too_many = options.has("budget") && !options.is_auto("budget") &&
                        options.integer("budget") < options.integer("expected-budget");
  return too_many ? compose("{} is more than {} allows: raise {}", expectation, option("budget"), option("budget"))
                  : Message();
}

// The budget leaves room for the luck of the draw: three standard deviations above the number that is expected.
void settle(const Options& given, Options& full) {
  if (!has_expectation(full) || !full.has("budget") || given.has("budget") || given.has("memory")) return;
  const auto expected = static_cast<double>(full.integer("expected-budget"));
  full.set("budget", fmt::format("{:.0f}", std::ceil(expected + 3 * std::sqrt(expected))));
}

}  // namespace

extern const UpdateRuleEntry spa;
const UpdateRuleEntry spa{
    .entry = {.name = "spa",
              .summary = "passive-aggressive steps on examples drawn by their loss",
              .formula = "Z ~ Bernoulli(ρ), ρ = min(α, ℓ)/β: f ← f + y min(η Z/ρ, ℓ/k(x, x)) k(x, ·)",
              .paper = "Lu, Zhao, Hoi: Online Sparse Passive Aggressive Learning with Kernels, SDM (2016)",
              .cost = "O(1)",
              .use = "Where the support set must stay small without ever losing a vector, and the average is wanted: "
                     "the least work for an example.",
              .options = {{.name = "alpha",
                           .default_value = "1",
                           .help = "loss from which the chance grows no more",
                           .low = 0,
                           .low_open = true},
                          {.name = "beta",
                           .default_value = std::to_string(kBeta),
                           .help = "inverse of the largest chance, times alpha",
                           .low = 0,
                           .low_open = true},
                          eta_option(),
                          {.name = "expected-budget",
                           .kind = OptionKind::integer,
                           .default_value = "0",
                           .help = {"expected number of support vectors; 0: use ", option("beta"), " instead"},
                           .low = 0,
                           .high = 1e9},
                          {.name = "stream-length",
                           .kind = OptionKind::integer,
                           .default_value = "0",
                           .help = {"number of examples to come, for ", option("expected-budget"),
                                    "; 0: as many as the data have, if that is known"},
                           .low = 0,
                           .high = 9007199254740992}}},
    .make = [](const Options& options) -> std::unique_ptr<UpdateRule> {
      return std::make_unique<SparsePassiveAggressive>(options.real("alpha"), beta_of(options), options.real("eta"));
    },
    .incompatibility = incompatibility,
    .settle = settle,
    .stream_length = {.option = "stream-length",
                      .wanted = has_expectation,
                      .if_exceeded = "more support vectors than expected may be kept"}};

}  // namespace kinglet::rules
