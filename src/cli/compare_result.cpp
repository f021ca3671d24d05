#include "cli/compare_result.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/flag_text.hpp"
#include "cli/numbers.hpp"
#include "cli/table.hpp"

namespace kinglet::cli {
namespace {

constexpr double kPercent = 100;

std::string budget_text(const Contestant& one) { return one.budget ? count_text(*one.budget) : "–"; }

std::string score_text(const Comparison& result, std::span<const double> scores) {
  const Summary summary = summary_of(scores);
  return result.regression ? spread_text(summary, 1, 4) : spread_text(summary, kPercent, 2);
}

std::string p_text(const Standing& standing, bool is_best) {
  if (is_best) return "best";
  if (!standing.p) return "";
  const std::string value = p_value_text(*standing.p);
  return *standing.p < kSignificant ? value : value + " =";
}

std::string mean_text(std::span<const double> numbers, fmt::string_view format) {
  return numbers.empty() ? "–" : fmt::format(fmt::runtime(format), summary_of(numbers).mean);
}

std::string number_csv(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

const char* score_name(const Comparison& result) { return result.regression ? "rmse" : "accuracy"; }

// The settings found by --tune, as options of train.
std::string settings_text(const std::vector<Contestant>& contestants, const Comparison& result) {
  Listing listing;
  for (const Standing& standing : result.standings) {
    const Contestant& one = contestants[standing.contestant];
    if (one.found.all().empty()) continue;
    std::string flags = "--algo " + one.options.text("algo");
    for (const auto& [name, value] : one.options.all()) {
      if (name != "algo") flags += fmt::format(" {} {}", flag_name(name), value);
    }
    listing.emplace_back(one.budget ? fmt::format("{}, {}", one.algorithm, *one.budget) : one.algorithm, flags);
  }
  return listing.empty() ? "" : "\nsettings found by --tune\n" + format_listing(listing);
}

}  // namespace

Json summary_json(const Summary& summary) {
  return {{"mean", number_json(summary.mean)}, {"deviation", number_json(summary.deviation)}};
}

std::string spread_text(const Summary& summary, double unit, int digits) {
  if (std::isnan(summary.mean)) return "–";
  if (std::isnan(summary.deviation)) return fmt::format("{:.{}f}", unit * summary.mean, digits);
  return fmt::format("{:.{}f} ± {:.{}f}", unit * summary.mean, digits, unit * summary.deviation, digits);
}

std::string p_value_text(double p) { return p < 0.001 ? "< 0.001" : fmt::format("{:.3f}", p); }

std::string problem_text(const std::vector<Contestant>& contestants, const Standing& standing) {
  return fmt::format("{}: {}", contestants[standing.contestant].algorithm, flag_text(standing.problem));
}

std::string comparison_text(const std::vector<Contestant>& contestants, const Comparison& result) {
  std::vector<Column> columns = {{"learner", false}, {"budget"}};
  if (!result.progressive) columns.push_back({result.regression ? "test RMSE" : "test accuracy %"});
  columns.push_back({result.regression ? "online RMSE" : "online error %"});
  for (const char* title : {"seconds", "vectors", "memory", "p"}) columns.push_back({title});
  std::vector<Row> rows;
  std::string problems;
  bool some_equal = false;
  for (const Standing& standing : result.standings) {
    const Contestant& one = contestants[standing.contestant];
    if (!standing.problem.empty()) {
      problems += problem_text(contestants, standing) + "\n";
      continue;
    }
    const bool is_best = &standing == &result.standings.front() && result.standings.size() > 1;
    some_equal = some_equal || (standing.p && *standing.p >= kSignificant);
    Row row = {one.algorithm, budget_text(one)};
    if (!result.progressive) row.push_back(score_text(result, standing.scores));
    row.push_back(score_text(result, standing.online_errors));
    row.push_back(mean_text(standing.seconds, "{:.3g}"));
    row.push_back(mean_text(standing.support_vectors, "{:.0f}"));
    const double bytes = summary_of(standing.memory_bytes).mean;
    row.push_back(std::isnan(bytes) ? "–" : bytes_text(static_cast<std::uint64_t>(bytes)));
    row.push_back(p_text(standing, is_best));
    rows.push_back(std::move(row));
  }
  Row baseline(columns.size());
  baseline[0] = result.regression ? "(predicting the mean)" : "(majority class)";
  const double value = result.progressive && !result.regression ? 1 - result.baseline : result.baseline;
  baseline[2] = score_text(result, std::span(&value, 1));
  rows.push_back(std::move(baseline));
  std::string text = format_table(columns, rows);
  if (some_equal)
    text += fmt::format("=: not significantly different from the best (paired t-test, p ≥ {})\n", kSignificant);
  return text + settings_text(contestants, result) + (problems.empty() ? "" : "\n" + problems);
}

Json comparison_json(const std::vector<Contestant>& contestants, const ComparePlan& plan, const Comparison& result) {
  Json json;
  json["data"] = plan.data->name();
  json["examples"] = plan.data->rows();
  json["dimension"] = plan.data->dimension();
  json["test"] = plan.test ? Json(plan.test->name()) : Json(nullptr);
  json["folds"] = plan.folds;
  json["runs"] = plan.runs;
  json["trials"] = result.trials;
  json["seed"] = plan.seed;
  json["judged_by"] = result.progressive ? "progressive validation" : plan.test ? "test data" : "cross-validation";
  json["baseline"] = number_json(result.baseline);
  json["stopped"] = result.stopped;
  json["learners"] = Json::array();
  for (const Standing& standing : result.standings) {
    const Contestant& one = contestants[standing.contestant];
    Json item;
    item["algorithm"] = one.algorithm;
    item["budget"] = one.budget ? Json(*one.budget) : Json(nullptr);
    if (!standing.problem.empty()) item["problem"] = flag_text(standing.problem);
    item[score_name(result)] = summary_json(summary_of(standing.scores));
    item[result.regression ? "online_rmse" : "online_error"] = summary_json(summary_of(standing.online_errors));
    item["seconds"] = summary_json(summary_of(standing.seconds));
    item["support_vectors"] = summary_json(summary_of(standing.support_vectors));
    item["memory_bytes"] = summary_json(summary_of(standing.memory_bytes));
    item["p"] = standing.p ? number_json(*standing.p) : Json(nullptr);
    item["scores"] = standing.scores;
    item["options"] = options_json(one.options);
    json["learners"].push_back(std::move(item));
  }
  return json;
}

std::string comparison_csv(const std::vector<Contestant>& contestants, const ComparePlan& plan,
                           const Comparison& result) {
  std::string text = fmt::format("algorithm,budget,run,fold,{},{},seconds,support_vectors,memory_bytes,settings\n",
                                 score_name(result), result.regression ? "online_rmse" : "online_error");
  const std::size_t folds = std::max<std::size_t>(plan.folds, 1);
  for (const Standing& standing : result.standings) {
    const Contestant& one = contestants[standing.contestant];
    std::string found;  // by --tune
    for (const auto& [name, value] : one.found.all())
      found += fmt::format("{}{}={}", found.empty() ? "" : " ", name, value);
    for (std::size_t i = 0; i < standing.scores.size(); ++i) {
      text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", one.algorithm,
                          one.budget ? std::to_string(*one.budget) : "", standing.trials[i] / folds + 1,
                          plan.folds > 0 ? std::to_string(standing.trials[i] % folds + 1) : "", standing.scores[i],
                          number_csv(standing.online_errors[i]), standing.seconds[i], standing.support_vectors[i],
                          standing.memory_bytes[i], found);
    }
  }
  return text;
}

}  // namespace kinglet::cli
