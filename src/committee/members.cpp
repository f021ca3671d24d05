#include "committee/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/assert.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"

namespace kinglet {
namespace {

// A line of the table. `settings` hold unless the user gave another value; those that the member's rules do not take are
// left out.
struct Line {
  MemberRole role;
  std::size_t share;
  double gamma;  // multiple of the committee's
  const char* algo;
  Options settings{};
};

std::span<const Line> table(bool regresses) {
  using enum MemberRole;
  const Options window{{"maintain", "oldest"}, {"C", "10"}};
  static const std::vector<Line> classes{
      {scout, 1, 1, "bpegasos"},       {scout, 1, 4, "bpegasos"},  {scout, 1, 16, "bpegasos"},
      {scout, 1, 0.25, "bpegasos"},    {scout, 1, 64, "bpegasos"}, {tracker, 4, 4, "bpa-nn"},
      {tracker, 4, 1, "pa1", window},  {tracker, 4, 16, "bpa-nn"}, {tracker, 4, 1, "bpa-nn"},
      {tracker, 4, 16, "pa1", window}, {tracker, 4, 64, "bpa-nn"},
  };
  static const std::vector<Line> numbers{
      {scout, 1, 1, "bpa-m"},  {scout, 1, 0.25, "bpa-m"}, {scout, 1, 4, "bpa-m"},    {scout, 1, 0.0625, "bpa-m"},
      {scout, 1, 16, "bpa-m"}, {tracker, 4, 1, "bpa-nn"}, {tracker, 4, 4, "bpa-nn"}, {tracker, 4, 0.25, "bpa-nn"},
  };
  return regresses ? numbers : classes;
}

// Options of the committee that are the same for all members. A common option at its default is left out: members have the
// same default, unless other options make it meaningless for them.
Options common_part(const Options& committee) {
  Options shared;
  for (const auto& [name, value] : committee.all()) {
    if (name == "algo" || name == "memory" || name == "budget" || name == kGammas) continue;
    const auto specs = common_options();
    const auto spec = std::ranges::find(specs, name, &OptionSpec::name);
    const bool chosen = name == "update" || name == "maintain" || name == "output";  // the committee has no default
    if (spec != specs.end() && !chosen && value == spec->default_value) continue;
    shared.set(name, value);
  }
  return shared;
}

Options options_of(const Line& line, const Options& committee, const Options& shared) {
  Options given = shared;
  given.set("algo", line.algo);
  if (!committee.is_auto("budget")) {
    const auto budget = static_cast<std::size_t>(committee.integer("budget"));
    given.set("budget", std::to_string(budget_share(budget, line.share)));
  }
  if (committee.has("gamma") && !committee.is_auto("gamma") && committee.text(kGammas) == "grid") {
    given.set("gamma", fmt::format("{}", line.gamma * committee.real("gamma")));
  }
  for (const char* rule : {"update", "maintain"}) {
    if (line.settings.has(rule) && !shared.has(rule)) given.set(rule, line.settings.text(rule));
  }
  Options complete = complete_options(given);
  for (const auto& [name, value] : line.settings.all()) {
    if (complete.has(name) && !given.has(name)) given.set(name, value);
  }
  return complete_options(given);
}

}  // namespace

std::size_t budget_share(std::size_t budget, std::size_t share) { return std::max<std::size_t>(1, budget / share); }

std::vector<MemberPlan> plan_members(const Options& committee) {
  const Options shared = common_part(committee);
  std::vector<MemberPlan> plans;
  std::optional<Error> first_refusal;
  for (const Line& line : table(committee.text("task") == "regress")) {
    try {
      MemberPlan plan{.role = line.role, .share = line.share, .options = options_of(line, committee, shared)};
      const auto same = [&](const MemberPlan& other) { return other.options.all() == plan.options.all(); };
      if (std::ranges::none_of(plans, same)) plans.push_back(std::move(plan));
    } catch (const Error& refusal) {
      if (!first_refusal) first_refusal = refusal;
    }
  }
  if (plans.empty()) throw Error(*first_refusal);
  // Something must begin with the stream: where no scout is possible, the trackers that are take their place.
  if (plans.front().role != MemberRole::scout) {
    for (MemberPlan& plan : plans) plan.role = MemberRole::scout;
  }
  return plans;
}

std::span<const Rung> rungs() {
  static constexpr Rung kRungs[] = {{1024, 3}, {2048, 2}, {8192, 1}};
  return kRungs;
}

}  // namespace kinglet
