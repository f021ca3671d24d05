// What commands say about a committee (the algorithm `auto`): what it settled on, and how its members compare. For
// other models nothing is added.
#pragma once

#include <optional>
#include <string>

#include "cli/json.hpp"
#include "cli/table.hpp"
#include "kinglet/model.hpp"
#include "report/report.hpp"

namespace kinglet::cli {

std::string member_text(const MemberStanding& member);  // "bnewton, gamma 0.0758"
// Two lines: the leader and the runner-up, each with its recent error.
void add_settled(Listing& listing, const Model& model);
void add_settled(Json& json, const Model& model);
// A table with a line for each member that has run; empty for other models.
std::string standings_text(const Model& model);
void add_standings(Json& json, const Model& model);
// Who led when; nullopt for other models.
std::optional<report::Lanes> leaders_block(const Model& model);
// The table of the members.
report::Section standings_section(const Model& model);

}  // namespace kinglet::cli
