#include "cli/compare_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cli/compare_result.hpp"
#include "cli/flag_text.hpp"
#include "cli/numbers.hpp"

namespace kinglet::cli {
namespace {

using namespace report;

constexpr std::size_t kMostCurves = 8;

struct Subject {
  const std::vector<Contestant>& contestants;
  const ComparePlan& plan;
  const Comparison& result;

  const Contestant& of(const Standing& standing) const { return contestants[standing.contestant]; }
  std::string name(const Standing& standing) const {
    const Contestant& one = of(standing);
    return one.budget ? fmt::format("{}, B = {}", one.algorithm, *one.budget) : one.algorithm;
  }
  bool has_scores(const Standing& standing) const { return standing.problem.empty() && !standing.scores.empty(); }
  // The score of regression is the RMSE itself.
  Axis score_axis() const {
    if (result.regression) return {.label = result.progressive ? "online RMSE" : "test RMSE"};
    return {.label = result.progressive ? "online accuracy" : "test accuracy", .unit = Unit::share};
  }
};

Table standings_table(const Subject& s) {
  Table table{.title = "Results"};
  table.caption = fmt::format(
      "Mean ± standard deviation over {}. p: paired t-test against the best; if it is {} or more, the difference is "
      "not "
      "significant. Seconds are processor time.",
      plural(s.result.trials, "trial"), kSignificant);
  table.columns = {{.title = "learner", .number = false},
                   {.title = "budget"},
                   {.title = s.score_axis().label},
                   {.title = s.result.regression ? "online RMSE" : "online error"},
                   {.title = "seconds"},
                   {.title = "support vectors"},
                   {.title = "memory"},
                   {.title = "p"}};
  const double unit = s.result.regression ? 1 : 100;
  const int decimals = s.result.regression ? 4 : 2;
  for (const Standing& standing : s.result.standings) {
    if (!s.has_scores(standing)) continue;
    const Summary score = summary_of(standing.scores);
    const Summary online = summary_of(standing.online_errors);
    const double bytes = summary_of(standing.memory_bytes).mean;
    Row row;
    row.cells.push_back(words(s.of(standing).algorithm));
    row.cells.push_back(s.of(standing).budget ? count(*s.of(standing).budget) : words("–"));
    row.cells.push_back(measured(unit * score.mean, unit * score.deviation, decimals));
    row.cells.push_back(measured(unit * online.mean, unit * online.deviation, decimals));
    row.cells.push_back(number(summary_of(standing.seconds).mean, 4));
    row.cells.push_back(number(summary_of(standing.support_vectors).mean, 0));
    row.cells.push_back({.text = bytes_text(static_cast<std::uint64_t>(bytes)), .value = bytes});
    const bool is_equal = !standing.p || *standing.p >= kSignificant;
    row.cells.push_back(standing.p ? Cell{.text = fmt::format("{:.3f}", *standing.p),
                                          .value = *standing.p,
                                          .mark = is_equal ? Mark::good : Mark::muted}
                                   : words(&standing == &s.result.standings.front() ? "best" : "", Mark::muted));
    table.rows.push_back(std::move(row));
  }
  mark_best(table, 2, s.result.regression ? Best::least : Best::greatest);
  return table;
}

// One line per algorithm that has several budgets.
Chart budget_chart(const Subject& s) {
  Chart chart{.title = capital(s.score_axis().label) + " against the budget"};
  chart.x = {.label = "budget", .unit = Unit::count, .scale = Scale::log};
  chart.y = s.score_axis();
  std::map<std::string, Series> lines;
  for (const Standing& standing : s.result.standings) {
    if (!s.has_scores(standing) || !s.of(standing).budget) continue;
    Series& line = lines[s.of(standing).algorithm];
    line.name = s.of(standing).algorithm;
    line.drawn = Drawn::line_and_dots;
    const Summary score = summary_of(standing.scores);
    line.points.push_back(point(static_cast<double>(*s.of(standing).budget), score.mean, score.deviation));
  }
  for (auto& [name, line] : lines) {
    if (line.points.size() < 2) continue;
    std::ranges::sort(line.points, {}, &Point::x);
    chart.series.push_back(std::move(line));
  }
  return chart;
}

Chart time_chart(const Subject& s) {
  Chart chart{.title = capital(s.score_axis().label) + " against time"};
  chart.caption = "Each dot is a learner with its budget; bars show one standard deviation.";
  chart.x = {.label = "training seconds", .unit = Unit::seconds, .scale = Scale::log};
  chart.y = s.score_axis();
  std::map<std::string, Series> dots;
  for (const Standing& standing : s.result.standings) {
    if (!s.has_scores(standing)) continue;
    Series& series = dots[s.of(standing).algorithm];
    series.name = s.of(standing).algorithm;
    series.drawn = Drawn::dots;
    const Summary score = summary_of(standing.scores);
    const double seconds = std::max(summary_of(standing.seconds).mean, 1e-6);
    series.points.push_back(point(seconds, score.mean, score.deviation, s.name(standing)));
  }
  for (auto& [name, series] : dots) chart.series.push_back(std::move(series));
  return chart;
}

// The online error of the best learners along the stream, averaged over trials.
Chart stream_chart(const Subject& s) {
  Chart chart{.title = "Along the stream", .wide = true};
  chart.caption = "Overall online error: each example is predicted before it is learned. Mean over trials.";
  chart.x = {.label = "examples", .unit = Unit::count, .scale = Scale::log};
  chart.y = {.label = s.result.regression ? "online RMSE" : "online error",
             .unit = s.result.regression ? Unit::number : Unit::share};
  for (const Standing& standing : s.result.standings) {
    if (!s.has_scores(standing) || chart.series.size() == kMostCurves) continue;
    std::map<std::uint64_t, std::vector<double>> errors;
    bool learns_at_end = false;
    for (const std::size_t trial : standing.trials) {
      const TrialOutcome& outcome = s.result.outcomes[standing.contestant][trial];
      learns_at_end = learns_at_end || outcome.stats.learns_at_end;
      for (const ProgressLine& line : outcome.lines) errors[line.examples].push_back(line.error_so_far);
    }
    if (learns_at_end) continue;
    Series series{.name = s.name(standing)};
    for (const auto& [examples, values] : errors) {
      if (values.size() < standing.trials.size()) continue;  // the last line of folds of another size
      series.points.push_back(point(static_cast<double>(examples), summary_of(values).mean, kUnknown));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

// The confusion matrix of the best learner, summed over all trials.
std::optional<Confusion> confusion_of(const Subject& s) {
  const Standing& best = s.result.standings.front();
  if (s.result.regression || s.result.progressive || !s.has_scores(best)) return std::nullopt;
  Confusion confusion{.title = "Confusion matrix of " + s.name(best)};
  for (const std::size_t trial : best.trials) {
    const Evaluation& test = *s.result.outcomes[best.contestant][trial].test;
    if (confusion.labels.empty()) {
      confusion.labels = test.labels;
      confusion.counts.assign(test.confusion.size(), 0);
    }
    if (test.labels != confusion.labels) return std::nullopt;
    for (std::size_t i = 0; i < test.confusion.size(); ++i) confusion.counts[i] += test.confusion[i];
  }
  confusion.caption = "Sum over all trials.";
  return confusion;
}

}  // namespace

Report compare_report(const std::vector<Contestant>& contestants, const ComparePlan& plan, const Comparison& result,
                      const std::string& command) {
  const Subject s{contestants, plan, result};
  Report page{.title = fmt::format("{} on {}", plural(contestants.size(), "learner"), plan.data->name()),
              .command = command};
  page.subtitle =
      fmt::format("{}, {}; {}", plural(plan.data->rows(), "example"), plural(plan.data->dimension(), "feature"),
                  result.progressive ? "compared by online error"
                  : plan.test        ? fmt::format("compared on {}", plan.test->name())
                                     : fmt::format("{}-fold cross-validation", plan.folds));
  const Standing& best = result.standings.front();
  if (s.has_scores(best)) {
    const Summary score = summary_of(best.scores);
    page.facts.push_back({"best", s.name(best), ""});
    page.facts.push_back({s.score_axis().label,
                          result.regression ? number_text(score.mean) : fmt::format("{:.2f} %", 100 * score.mean),
                          result.regression ? fmt::format("predicting the mean: {}", number_text(result.baseline))
                                            : fmt::format("majority class: {:.2f} %", 100 * result.baseline)});
  }
  page.facts.push_back({"trials", count_text(result.trials), "per learner"});
  if (result.stopped) page.facts.push_back({"stopped", "yes", "before all trials had run"});
  Section standings{.title = "Ranking", .blocks = {standings_table(s)}};
  Section charts{.title = "Accuracy and cost", .blocks = {time_chart(s)}};
  if (Chart budgets = budget_chart(s); !budgets.series.empty()) charts.blocks.emplace_back(std::move(budgets));
  Section stream{.title = "Learning curves", .blocks = {stream_chart(s)}};
  if (auto confusion = confusion_of(s)) stream.blocks.emplace_back(std::move(*confusion));
  Note problems{.title = "Learners that failed"};
  for (const Standing& standing : result.standings) {
    if (!standing.problem.empty()) problems.lines.push_back(s.name(standing) + ": " + flag_text(standing.problem));
  }
  if (!problems.lines.empty()) standings.blocks.emplace_back(std::move(problems));
  page.sections = {std::move(standings), std::move(charts), std::move(stream)};
  return page;
}

}  // namespace kinglet::cli
