#include "cli/standings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cli/describe.hpp"
#include "cli/numbers.hpp"
#include "cli/train_events.hpp"

namespace kinglet::cli {
namespace {

using State = MemberStanding::State;

bool runs(const MemberStanding& member) { return member.state == State::running || member.state == State::leading; }

std::string state_text(const MemberStanding& member) {
  switch (member.state) {
    case State::leading:
      return "leads";
    case State::running:
      return "runs";
    case State::left:
      return fmt::format("left at {}", count_text(member.left));
    case State::waiting:
      break;
  }
  return "waits";
}

const char* state_name(State state) {
  switch (state) {
    case State::leading:
      return "leading";
    case State::running:
      return "running";
    case State::left:
      return "left";
    case State::waiting:
      break;
  }
  return "waiting";
}

// The best of the others that still run; if none does, of those that left last.
const MemberStanding* runner_up(const Standings& standings) {
  const MemberStanding* best = nullptr;
  const auto is_before = [](const MemberStanding& a, const MemberStanding& b) {
    if (runs(a) != runs(b)) return runs(a);
    if (a.left != b.left) return a.left > b.left;
    return a.recent_error < b.recent_error;
  };
  for (const MemberStanding& member : standings.members) {
    if (member.state == State::leading || member.state == State::waiting || std::isnan(member.recent_error)) continue;
    if (best == nullptr || is_before(member, *best)) best = &member;
  }
  return best;
}

std::string recent_text(const Model& model, const MemberStanding& member) {
  const bool is_new = member.examples == 0 && !member.reviewed;  // its errors are those of its predecessor
  if (is_new && runs(member))
    return fmt::format("{}: learned all rows again at the end of the pass", member_text(member));
  const std::string error = error_text(model.task(), member.recent_error);
  const std::string_view kReviewed = " on a sample of all rows in random order, because their order mattered";
  return fmt::format("{}{}{}{}", member_text(member),
                     error.empty() ? "" : fmt::format(": recent {} {}", error_name(model.task()), error),
                     member.reviewed ? kReviewed : "",
                     member.state == State::left ? fmt::format(" ({} examples)", state_text(member)) : "");
}

Json member_json(const MemberStanding& member) {
  return {{"algorithm", member.algorithm},
          {"gamma", number_json(member.gamma)},
          {"state", state_name(member.state)},
          {"began", member.began},
          {"left", member.left > 0 ? Json(member.left) : Json(nullptr)},
          {"examples", member.examples},
          {"error", number_json(member.error)},
          {"recent_error", number_json(member.recent_error)},
          {"reviewed", member.reviewed},
          {"options", options_json(member.options)}};
}

// One lane for each setting that ever led, in the order of their first lead; the colour is that of its algorithm.
// Several members may have had the same setting.
report::Lanes leader_lanes(const Model& model, const Standings& standings) {
  using namespace report;
  Lanes block{.title = "Who led",
              .caption = "The member that predicted, along the stream. The colour is that of its algorithm.",
              .x = {.label = "examples", .unit = Unit::count, .least = 0}};
  std::vector<std::string> algorithms;
  std::map<std::string, std::size_t> lane_of;
  double from = 0;
  for (const Leadership& window : standings.history) {
    const MemberStanding& member = standings.members[window.member];
    const auto [found, is_new] = lane_of.try_emplace(member_text(member), block.lanes.size());
    if (is_new) {
      auto algorithm = std::ranges::find(algorithms, member.algorithm);
      if (algorithm == algorithms.end()) algorithm = algorithms.insert(algorithms.end(), member.algorithm);
      block.lanes.push_back(
          {.name = found->first, .colour = static_cast<int>(algorithm - algorithms.begin()), .spans = {}});
    }
    std::vector<Span>& spans = block.lanes[found->second].spans;
    const auto to = static_cast<double>(window.end);
    if (!spans.empty() && spans.back().to == from) {
      spans.back().to = to;
    } else {
      spans.push_back({.from = from, .to = to, .label = ""});
    }
    spans.back().label =
        fmt::format("recent {} {}", error_name(model.task()), error_text(model.task(), window.recent_error));
    from = to;
  }
  return block;
}

}  // namespace

std::string member_text(const MemberStanding& member) {
  if (std::isnan(member.gamma)) return member.algorithm;
  return fmt::format("{}, gamma {:.3g}", member.algorithm, member.gamma);
}

void add_settled(Listing& listing, const Model& model) {
  const Standings standings = model.standings();
  if (standings.members.empty()) return;
  listing.emplace_back("settled on", recent_text(model, standings.members[standings.leader]));
  if (const MemberStanding* next = runner_up(standings)) listing.emplace_back("runner-up", recent_text(model, *next));
  if (standings.alarms > 0) {
    listing.emplace_back("drift", fmt::format("{}, the last one at {}", plural(standings.alarms, "alarm"),
                                              count_text(standings.drift.back().at)));
  }
}

void add_settled(Json& json, const Model& model) {
  const Standings standings = model.standings();
  if (standings.members.empty()) return;
  json["settled"] = member_json(standings.members[standings.leader]);
  const MemberStanding* next = runner_up(standings);
  json["runner_up"] = next == nullptr ? Json(nullptr) : member_json(*next);
  json["drift_alarms"] = standings.alarms;
  json["drift"] = Json::array();
  for (const DriftAlarm& alarm : standings.drift) json["drift"].push_back(drift_json(alarm));
}

std::string standings_text(const Model& model) {
  const Standings standings = model.standings();
  if (standings.members.empty()) return "";
  std::vector<Row> rows;
  for (const MemberStanding& member : standings.members) {
    if (member.state == State::waiting) continue;
    rows.push_back({"  " + member.algorithm, std::isnan(member.gamma) ? "" : fmt::format("{:.3g}", member.gamma),
                    count_text(member.began), count_text(member.examples), error_text(model.task(), member.error),
                    error_text(model.task(), member.recent_error), state_text(member)});
  }
  const std::string name = error_name(model.task());
  return "\nmembers\n" +
         format_table(
             {{"  name", false}, {"gamma"}, {"began at"}, {"examples"}, {name}, {"recent " + name}, {"state", false}},
             rows);
}

void add_standings(Json& json, const Model& model) {
  const Standings standings = model.standings();
  if (standings.members.empty()) return;
  add_settled(json, model);
  json["members"] = Json::array();
  for (const MemberStanding& member : standings.members) json["members"].push_back(member_json(member));
  json["leaders"] = Json::array();
  for (const Leadership& window : standings.history) {
    json["leaders"].push_back(
        {{"end", window.end}, {"member", window.member}, {"recent_error", number_json(window.recent_error)}});
  }
}

std::optional<report::Lanes> leaders_block(const Model& model) {
  const Standings standings = model.standings();
  if (standings.history.empty()) return std::nullopt;
  report::Lanes lanes = leader_lanes(model, standings);
  for (const DriftAlarm& alarm : standings.drift) lanes.alarms.push_back(alarm.at);
  return lanes;
}

report::Section standings_section(const Model& model) {
  using namespace report;
  const Standings standings = model.standings();
  if (standings.members.empty()) return {};
  report::Section section{
      .title = "The committee",
      .text = "Several learners saw the same examples; the one with the least recent error predicted."};
  const std::string name = error_name(model.task());
  report::Table table{
      .title = "Members",
      .caption = fmt::format("The {} is that of predictions before learning, since the member began.", name),
      .columns = {
          {"member", false}, {"gamma"}, {"began at"}, {"examples"}, {name}, {"recent " + name}, {"state", false}}};
  const int digits = model.task() == TaskKind::regress ? 3 : 4;
  for (const MemberStanding& member : standings.members) {
    if (member.state == State::waiting) continue;
    table.rows.push_back({.cells = {words(member.algorithm),
                                    Cell{.text = std::isnan(member.gamma) ? "" : fmt::format("{:.3g}", member.gamma),
                                         .value = member.gamma},
                                    count(member.began), count(member.examples), number(member.error, digits),
                                    number(member.recent_error, digits),
                                    words(state_text(member), member.state == State::leading ? Mark::best
                                                              : member.state == State::left  ? Mark::muted
                                                                                             : Mark::none)},
                          .heading = ""});
  }
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace kinglet::cli
