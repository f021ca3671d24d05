#include "committee/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/assert.hpp"
#include "core/compose.hpp"
#include "core/kernel.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"

namespace kinglet {
namespace {

// A line of the table. `settings` hold unless the user gave another value; those that the member's rules do not take
// are left out.
struct Line {
  MemberRole role;
  std::size_t share;
  double gamma;  // multiple of the committee's
  const char* algo;
  Options settings{};
};

std::span<const Line> table(bool regresses) {
  using enum MemberRole;
  static const Options window{{"maintain", "oldest"}, {"C", "10"}};
  static const std::vector<Line> classes{
      {scout, 1, 1, "bpegasos"},       {scout, 1, 4, "bpegasos"},  {scout, 1, 16, "bpegasos"},
      {scout, 1, 0.25, "bpegasos"},    {scout, 1, 64, "bpegasos"}, {tracker, 1, 4, "bpa-nn"},
      {tracker, 4, 1, "pa1", window},  {tracker, 1, 16, "bpa-nn"}, {tracker, 1, 1, "bpa-nn"},
      {tracker, 4, 16, "pa1", window}, {tracker, 1, 64, "bpa-nn"},
  };
  static const std::vector<Line> numbers{
      {scout, 1, 1, "bpa-m"},  {scout, 1, 0.25, "bpa-m"}, {scout, 1, 4, "bpa-m"},    {scout, 1, 0.0625, "bpa-m"},
      {scout, 1, 16, "bpa-m"}, {tracker, 4, 1, "bpa-nn"}, {tracker, 4, 4, "bpa-nn"}, {tracker, 4, 0.25, "bpa-nn"},
  };
  return regresses ? numbers : classes;
}

// Options of the committee that are the same for all members. A common option at its default is left out: members have
// the same default, unless other options make it meaningless for them.
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

// What the user gave and what `line` sets beyond that. Throws Error where they do not go together.
Options options_of(const Line& line, const Options& committee, double gamma) {
  Options given = common_part(committee);
  given.set("algo", line.algo);
  if (!committee.is_auto("budget")) {
    const auto budget = static_cast<std::size_t>(committee.integer("budget"));
    given.set("budget", std::to_string(member_budget(line.role, budget, line.share)));
  }
  if (committee.has("gamma") && committee.text(kGammas) == "grid") {
    given.set("gamma", fmt::format("{}", gamma));
  }
  if (line.role != MemberRole::scout && given.has("metric"))
    given.set("metric", "none");  // that of the scouts is shared
  for (const char* rule : {"update", "maintain"}) {
    if (line.settings.has(rule) && !given.has(rule)) given.set(rule, line.settings.text(rule));
  }
  const Options complete = complete_options(given);
  for (const auto& [name, value] : line.settings.all()) {
    if (complete.has(name) && !given.has(name)) given.set(name, value);
  }
  return complete_options(given);
}

// Not every rule is safe with every kernel: where values are not bounded by 1, the projections of bpa-nn diverge.
bool is_safe(const Line& line, const Options& committee) {
  return std::string_view(line.algo) != "bpa-nn" || is_radial(committee);
}

double base_gamma(const Options& committee) {
  return committee.has("gamma") && !committee.is_auto("gamma") ? committee.real("gamma") : 1;
}

// The first end of a chunk of 64 examples that is not before.
std::uint64_t at_chunk_end(std::uint64_t examples) { return (examples + 63) / 64 * 64; }

}  // namespace

std::size_t member_budget(MemberRole role, std::size_t budget, std::size_t share) {
  if (role == MemberRole::head) budget = std::min(budget, kMostCentres);
  if (role == MemberRole::tracker) budget = std::min(budget, kMostTracked);
  return std::max<std::size_t>(1, budget / share);
}

std::vector<MemberPlan> plan_members(const Options& committee) {
  std::vector<MemberPlan> plans;
  std::optional<Error> first_refusal;
  // Something must begin with the stream: where no scout is possible, the trackers that are take their place.
  for (const bool all_scouts : {false, true}) {
    for (Line line : table(committee.text("task") == "regress")) {
      if (!is_safe(line, committee)) continue;
      if (all_scouts) line.role = MemberRole::scout;
      try {
        MemberPlan plan{.role = line.role,
                        .share = line.share,
                        .options = options_of(line, committee, line.gamma * base_gamma(committee))};
        const auto same = [&](const MemberPlan& other) { return other.options.all() == plan.options.all(); };
        if (std::ranges::none_of(plans, same)) plans.push_back(std::move(plan));
      } catch (const Error& refusal) {
        if (!first_refusal) first_refusal = refusal;
      }
    }
    if (plans.empty()) {
      throw Error(compose("no member of {} takes these options together: {}; name another {}",
                          option("algo", committee.text("algo")), first_refusal->message(), option("algo")));
    }
    if (plans.front().role == MemberRole::scout) break;
    plans.clear();
  }
  return plans;
}

std::optional<MemberPlan> plan_head(const Options& committee, std::size_t share, double gamma) {
  try {
    const Line line{MemberRole::head, share, 1, "bnewton"};
    return MemberPlan{.role = line.role, .share = share, .options = options_of(line, committee, gamma)};
  } catch (const Error&) {
    return std::nullopt;  // an option was given that it does not take
  }
}

// --- the schedule ----------------------------------------------------------------------------------------------------

// 20 rows for each vector, but no more than some megabytes as long as there are 5 for each.
Schedule::Schedule(std::size_t budget, const Shape& shape) {
  budget = std::min(budget, kMostCentres);
  constexpr std::uint64_t kBytes = 8'000'000;
  const std::uint64_t fit = kBytes / (sizeof(float) * std::max<std::uint64_t>(1, shape.dimension));
  const std::uint64_t rows = std::clamp<std::uint64_t>(fit, 5 * budget, 20 * budget);
  kept = (std::max<std::uint64_t>(rows, 1) + 511) / 512 * 512;
}

std::optional<std::size_t> Schedule::scouts_at(std::uint64_t examples) const {
  if (examples == at_chunk_end(kept)) return 1;
  if (examples == at_chunk_end(kept / 2)) return 2;
  if (examples == at_chunk_end(kept / 4)) return 3;
  return std::nullopt;
}

std::span<const Schedule::HeadRung> Schedule::head_rungs() {
  static const std::vector<HeadRung> rungs{
      {8, 4, {1, 4, 0.25, 1.0 / 16, 1.0 / 64}}, {4, 2, {1, 4, 0.25}}, {2, 1, {1, 4}}, {1, 1, {1, 4}}};
  return rungs;
}

std::size_t Schedule::scouts_during(const HeadRung& rung) { return rung.divisor > 4 ? 5 : rung.divisor > 2 ? 3 : 2; }

const Schedule::HeadRung* Schedule::heads_at(std::uint64_t examples) const {
  for (const HeadRung& rung : head_rungs()) {
    if (examples == kept / rung.divisor) return &rung;
  }
  return nullptr;
}

bool Schedule::begins_generation_at(std::uint64_t examples) const {
  std::uint64_t at = examples;
  if (at % kept != 0) return false;
  for (at /= kept; at >= 4 && at % 4 == 0;) at /= 4;
  return at == 1 && examples > kept;
}

bool Schedule::marks_at(std::uint64_t examples) const {
  return examples == kept || (examples % 3 == 0 && begins_generation_at(examples / 3 * 2));
}

bool Schedule::settles_heads_at(std::uint64_t examples) const {
  return examples == 2 * kept || (examples % 2 == 0 && begins_generation_at(examples / 2));
}

}  // namespace kinglet
