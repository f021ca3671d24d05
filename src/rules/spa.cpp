// SPA, sparse passive-aggressive learning: an example becomes a support vector with a probability that depends on its
// loss; the step is passive-aggressive, limited to η divided by the probability.
//   ρ = min(α, ℓ)/β;  Z ~ Bernoulli(ρ);  τ = min(η Z/ρ, ℓ/(‖u‖² k(x, x)));  f ← f + τ u k(x, ·)
// No term is ever removed, and E|S| ≤ αT/β after T examples, so that β = αT/N gives N support vectors in expectation. A
// budget (budget rule stop) drops the few terms beyond it. The result is the average of all f_t.
// Lu, Zhao, Hoi: Online Sparse Passive Aggressive Learning with Kernels, SDM (2016).
#include <algorithm>
#include <cmath>

#include "core/compose.hpp"
#include "kinglet/error.hpp"
#include "rules/rule_options.hpp"
#include "rules/update_rule.hpp"

namespace kinglet::rules {
namespace {

constexpr int kBeta = 20;  // default of beta

class SparsePassiveAggressive final : public UpdateRule {
 public:
  SparsePassiveAggressive(double alpha, double beta, double eta) : alpha_(alpha), beta_(beta), eta_(eta) {
    if (alpha > beta) {
      throw Error(
          compose("spa needs {} ≤ {}, because min(α, loss)/β is a probability", option("alpha"), option("beta")));
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

bool has_expectation(const Options& options) {
  return options.has("expected-budget") && options.integer("expected-budget") > 0;
}

// β as given, or computed from the expected number of support vectors and the length of the stream.
double beta_of(const Options& options) {
  if (!has_expectation(options)) return options.real("beta");
  if (options.integer("stream-length") == 0) {
    throw Error(
        compose("{} needs the length of the stream: give {}", option("expected-budget"), option("stream-length")));
  }
  const double alpha = options.real("alpha");
  return std::max(alpha, alpha * options.real("stream-length") / options.real("expected-budget"));
}

// The budget must be at least the expected number.
Message incompatibility(const Options& options) {
  const OptionMention expectation = option("expected-budget");
  if (!has_expectation(options)) {
    if (options.integer("stream-length") == 0) return {};
    return compose("{} needs {}, which was not given", option("stream-length"), expectation);
  }
  const bool too_many = options.has("budget") && !options.is_auto("budget") &&
                        options.integer("budget") < options.integer("expected-budget");
  return too_many ? compose("{} is larger than {}: raise {}", expectation, option("budget"), option("budget"))
                  : Message();
}

// β and the expected number of support vectors determine each other.
Message objection(const Options& given, const Options& full) {
  if (!given.has("beta") || !has_expectation(full)) return {};
  return compose("give {} or {}, not both", option("beta"), option("expected-budget"));
}

// The budget leaves room for random variation: three standard deviations above the expected number.
void settle(const Options& given, Options& full) {
  if (!has_expectation(full) || !full.has("budget") || given.has("budget") || given.has("memory")) return;
  const auto expected = static_cast<double>(full.integer("expected-budget"));
  full.set("budget", fmt::format("{:.0f}", std::ceil(expected + 3 * std::sqrt(expected))));
}

}  // namespace

extern const UpdateRuleEntry spa;
const UpdateRuleEntry spa{
    .entry =
        {.name = "spa",
         .summary = "passive-aggressive steps on examples sampled by their loss",
         .formula = "Z ~ Bernoulli(ρ), ρ = min(α, ℓ)/β: f ← f + y min(η Z/ρ, ℓ/k(x, x)) k(x, ·)",
         .paper = "Lu, Zhao, Hoi: Online Sparse Passive Aggressive Learning with Kernels, SDM (2016)",
         .cost = "O(1)",
         .use = "If the support set must stay small without ever losing a vector, together with averaging; the "
                "least work per example.",
         .options = {{.name = "alpha",
                      .default_value = "1",
                      .help = "loss above which the sampling probability no longer grows",
                      .low = 0,
                      .low_open = true},
                     {.name = "beta",
                      .default_value = std::to_string(kBeta),
                      .help =
                          "sampling probabilities are min(alpha, loss)/beta; larger values give fewer support vectors",
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
                               "; 0: take it from the data, if known"},
                      .low = 0,
                      .high = 9007199254740992}}},
    .make = [](const Options& options) -> std::unique_ptr<UpdateRule> {
      return std::make_unique<SparsePassiveAggressive>(options.real("alpha"), beta_of(options), options.real("eta"));
    },
    .incompatibility = incompatibility,
    .objection = objection,
    .samples = true,
    .settle = settle,
    .stream_length = {.option = "stream-length",
                      .wanted = has_expectation,
                      .if_exceeded = "more support vectors than expected may be kept"}};

}  // namespace kinglet::rules
