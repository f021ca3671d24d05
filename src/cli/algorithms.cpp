// kinglet algorithms: lists the presets, update rules, budget rules, other learners and kernels of the registry.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/flag_text.hpp"
#include "cli/help.hpp"
#include "cli/json.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "core/suggestion.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "learn/registry_entries.hpp"

namespace kinglet::cli {
namespace {

constexpr const char* kAlgorithmsExamples =
    "  kinglet algorithms\n"
    "  kinglet algorithms merge\n"
    "  kinglet algorithms --json\n";

constexpr std::string_view kBudgetRuleFlag = "--budget-rule";
constexpr const char* kTermText =
    "  A term is a support vector with its coefficient; its weight is the size of the coefficient.\n";

struct Kind {
  const char* title;  // of the list
  const char* heading;
  const char* single;     // of one entry
  const char* key;        // in JSON
  std::string_view flag;  // of train
  std::span<const Entry* const> entries;
};

std::array<Kind, 4> kinds() {
  return {{{"update rules", "Update rules", "update rule", "update_rules", "--update", update_rules()},
           {"budget rules", "Budget rules", "budget rule", "budget_rules", kBudgetRuleFlag, budget_rules()},
           {"other learners", "Other learners", "learner", "dual_learners", "--algo", whole_learners()},
           {"kernels", "Kernels", "kernel", "kernels", "--kernel", kernels()}}};
}

// The learner of a preset, by the name of its list.
const std::string& learner_of(const Algorithm& algorithm) {
  return name_for_users(*find_entry(whole_learners(), algorithm.learner));
}

// --- text ------------------------------------------------------------------------------------------------------------

std::string overview() {
  std::vector<Row> rows;
  for (const Algorithm& each : algorithms())
    rows.push_back({"  " + each.name, each.learner.empty() ? each.update : "(" + learner_of(each) + ")", each.maintain,
                    each.summary});
  std::string text = "algorithms (--algo)\n" +
                     format_table({{"  name", false}, {"update", false}, {"budget rule", false}, {"", false}}, rows);
  for (const Kind& kind : kinds()) {
    Listing listing;
    for (const Entry* entry : kind.entries) listing.emplace_back("  " + name_for_users(*entry), entry->summary);
    text += fmt::format("\n{} ({})\n", kind.title, kind.flag) + format_listing(listing);
    if (kind.flag == kBudgetRuleFlag) text += kTermText;
  }
  return text + "\nkinglet algorithms NAME shows the details of one.\n";
}

std::string options_text(std::span<const OptionSpec> options) {
  std::vector<Row> rows;
  for (const OptionSpec& spec : options)
    rows.push_back({"  " + flag_name(spec.name), spec.default_value, spec.range(), flag_text(spec.help)});
  return rows.empty()
             ? ""
             : "\n" + format_table({{"  option", false}, {"default", false}, {"range", false}, {"", false}}, rows);
}

std::string indented(std::string_view text) {
  std::string out = "  ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out + "\n";
}

std::string entry_text(const Kind& kind, const Entry& entry) {
  std::string text =
      fmt::format("{} ({}, {} {})\n{}\n", entry.name, kind.single, kind.flag, name_for_users(entry), entry.summary);
  if (!entry.formula.empty()) text += "\n" + indented(entry.formula);
  Listing listing;
  if (!entry.use.empty()) listing.emplace_back("use", flag_text(entry.use));
  if (!entry.cost.empty()) listing.emplace_back("cost", entry.cost);
  if (!entry.paper.empty()) listing.emplace_back("paper", entry.paper);
  if (!listing.empty()) text += "\n" + format_listing(listing);
  return text + options_text(entry.options);
}

std::string algorithm_help(const Algorithm& algorithm) {
  Listing listing;
  if (algorithm.learner.empty()) {
    listing = {{"update rule", algorithm.update}, {"budget rule", algorithm.maintain}};
  } else {
    listing = {{"learner", learner_of(algorithm)}};
  }
  for (const auto& [name, value] : algorithm.settings.all()) listing.emplace_back(flag_name(name), value);
  const char* scoring = algorithm.learner.empty() ? " for an update, O(B d) to score an example" : "";
  listing.emplace_back("cost", algorithm.cost + scoring);
  listing.emplace_back("paper", algorithm.paper);
  return fmt::format("{} (algorithm, --algo {})\n{}\n\n", algorithm.name, algorithm.name, algorithm.summary) +
         format_listing(listing);
}

// --- Markdown, for docs/algorithms.md -------------------------------------------------------------------------------

std::string flag_markdown(const OptionMention& mention) { return "`" + flag_text(mention) + "`"; }

std::string options_markdown(std::span<const OptionSpec> options) {
  std::string text;
  for (const OptionSpec& spec : options) {
    text += fmt::format("- `{}` ({}; default {}): {}\n", flag_name(spec.name), spec.range(), spec.default_value,
                        spec.help.text(flag_markdown));
  }
  return text.empty() ? "" : "\n" + text;
}

std::string entry_markdown(const Entry& entry) {
  std::string text = fmt::format("\n### {}\n\n{}.\n", name_for_users(entry), capital(entry.summary));
  if (!entry.formula.empty()) text += fmt::format("\n    {}\n", entry.formula);
  if (!entry.use.empty()) text += fmt::format("\n**When:** {}\n", entry.use.text(flag_markdown));
  std::string facts;
  if (!entry.cost.empty()) facts = fmt::format("**Cost:** {}.", entry.cost);
  if (!entry.paper.empty()) facts += fmt::format("{}**Paper:** {}.", facts.empty() ? "" : " ", entry.paper);
  return text + "\n" + facts + "\n" + options_markdown(entry.options);
}

std::string settings_markdown(const Options& settings) {
  std::string text;
  for (const auto& [name, value] : settings.all()) text += fmt::format(" `{} {}`", flag_name(name), value);
  return text;
}

// Escapes bars, which would end the cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string as_markdown() {
  std::string text =
      "## Presets\n\n| `--algo` | `--update`, or learner | `--budget-rule` | an update costs | what it is | paper "
      "|\n"
      "|---|---|---|---|---|---|\n";
  for (const Algorithm& each : algorithms()) {
    const bool is_whole = !each.learner.empty();
    text += fmt::format("| {} | {} | {}{} | {} | {} | {} |\n", each.name, is_whole ? learner_of(each) : each.update,
                        is_whole ? "–" : each.maintain, settings_markdown(each.settings), cell(each.cost),
                        cell(each.summary), each.paper);
  }
  for (const Kind& kind : kinds()) {
    text += fmt::format("\n## {} (`{}`)\n", kind.heading, kind.flag);
    for (const Entry* entry : kind.entries) text += entry_markdown(*entry);
  }
  return text;
}

// --- JSON ------------------------------------------------------------------------------------------------------------

Json entry_json(const Entry& entry) {
  Json json;
  json["name"] = entry.name;
  json["summary"] = entry.summary;
  json["formula"] = entry.formula;
  json["paper"] = entry.paper;
  json["cost"] = entry.cost;
  json["use"] = flag_text(entry.use);
  json["options"] = Json::array();
  for (const OptionSpec& spec : entry.options) json["options"].push_back(spec_json(spec));
  return json;
}

Json algorithm_json(const Algorithm& algorithm) {
  Json json;
  json["name"] = algorithm.name;
  json["update"] = algorithm.update;
  json["maintain"] = algorithm.maintain;
  json["dual"] = algorithm.learner;
  json["summary"] = algorithm.summary;
  json["paper"] = algorithm.paper;
  json["cost"] = algorithm.cost;
  json["settings"] = Json::object();
  for (const auto& [name, value] : algorithm.settings.all()) json["settings"][name] = value;
  return json;
}

// --- all, or those of one name ---------------------------------------------------------------------------------------

bool wanted(const std::string& name, const std::string& asked) { return asked.empty() || name == asked; }
bool wanted(const Entry& entry, const std::string& asked) {
  return wanted(entry.name, asked) || wanted(name_for_users(entry), asked);
}

Json as_json(const std::string& asked) {
  Json json;
  for (const Algorithm& each : algorithms()) {
    if (wanted(each.name, asked)) json["algorithms"].push_back(algorithm_json(each));
  }
  for (const Kind& kind : kinds()) {
    for (const Entry* entry : kind.entries) {
      if (wanted(*entry, asked)) json[kind.key].push_back(entry_json(*entry));
    }
  }
  if (!asked.empty()) return json;
  for (const OptionSpec& spec : common_options()) json["common_options"].push_back(spec_json(spec));
  return json;
}

std::string as_text(const std::string& asked) {
  std::string text;
  const auto append = [&](const std::string& part) { text += text.empty() ? part : "\n" + part; };
  for (const Algorithm& each : algorithms()) {
    if (each.name == asked) append(algorithm_help(each));
  }
  for (const Kind& kind : kinds()) {
    for (const Entry* entry : kind.entries) {
      if (wanted(*entry, asked)) append(entry_text(kind, *entry));
    }
  }
  return text;
}

void require_known(const std::string& asked) {
  std::vector<std::string> names;
  for (const Algorithm& each : algorithms()) names.push_back(each.name);
  for (const Kind& kind : kinds()) {
    for (const Entry* entry : kind.entries) names.push_back(entry->name);
  }
  if (std::find(names.begin(), names.end(), asked) != names.end()) return;
  throw Error(fmt::format("no algorithm, rule or kernel is called {}{}", asked, suggestion(asked, names)));
}

}  // namespace

int algorithms_command(const Arguments& arguments) {
  std::string name;
  bool json = false;
  bool markdown = false;
  CLI::App app("Lists the algorithms, rules and kernels. With a name, shows its formula, cost, paper and options.",
               "kinglet algorithms");
  app.add_option("NAME", name, "show the algorithm, rule or kernel of this name in detail")
      ->type_name(kOptionalArgument);
  app.add_flag("--json", json, "print the list as JSON")->group(kMainSection);
  app.add_flag("--markdown", markdown, "print everything as Markdown, for docs/algorithms.md")->group(kMainSection);
  app.footer(kAlgorithmsExamples);
  if (!parse(app, arguments)) return kSuccess;
  if (!name.empty()) require_known(name);
  if (markdown && (json || !name.empty())) throw Error("--markdown prints everything: do not give NAME or --json");
  if (markdown) {
    print(as_markdown());
  } else if (json) {
    print_json(as_json(name));
  } else {
    print(name.empty() ? overview() : as_text(name));
  }
  return kSuccess;
}

}  // namespace kinglet::cli
