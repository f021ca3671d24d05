#include "cli/compare_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cli/compare_result.hpp"
#include "cli/flag_text.hpp"
#include "cli/numbers.hpp"
#include "cli/prediction_blocks.hpp"
#include "report/model_blocks.hpp"

namespace kinglet::cli {
namespace {

using namespace report;

constexpr std::size_t kMostCurves = 10;
constexpr std::size_t kMostTicks = 12;

struct Subject {
  const std::vector<Contestant>& contestants;
  const ComparePlan& plan;
  const Comparison& result;
  std::vector<std::string> algorithms;  // the best first: the place is the colour
  std::vector<std::uint64_t> budgets;   // ascending: the place is the dash

  const Contestant& of(const Standing& standing) const { return contestants[standing.contestant]; }
  std::string name(const Standing& standing) const {
    const Contestant& one = of(standing);
    return one.budget ? fmt::format("{}, B = {}", one.algorithm, count_text(*one.budget)) : one.algorithm;
  }
  // In every chart the colour is the learner, and the dash of a line the budget.
  Series series(const Standing& standing, Drawn drawn) const {
    const Contestant& one = of(standing);
    const auto colour = std::ranges::find(algorithms, one.algorithm) - algorithms.begin();
    Series made{.name = name(standing), .drawn = drawn, .colour = static_cast<int>(colour), .of = one.algorithm};
    if (one.budget && budgets.size() > 1) {
      made.dash = static_cast<int>(std::ranges::find(budgets, *one.budget) - budgets.begin());
      made.variant = fmt::format("B = {}", count_text(*one.budget));
    }
    return made;
  }
  bool has_scores(const Standing& standing) const { return standing.problem.empty() && !standing.scores.empty(); }
  // The score of regression is the RMSE itself.
  Axis score_axis() const {
    if (result.regression) return {.label = result.progressive ? "online RMSE" : "test RMSE"};
    return {.label = result.progressive ? "online accuracy" : "test accuracy", .unit = Unit::share};
  }
};

Subject subject_of(const std::vector<Contestant>& contestants, const ComparePlan& plan, const Comparison& result) {
  Subject s{contestants, plan, result, {}, {}};
  for (const Standing& standing : result.standings) {
    const Contestant& one = s.of(standing);
    if (std::ranges::find(s.algorithms, one.algorithm) == s.algorithms.end()) s.algorithms.push_back(one.algorithm);
    if (one.budget && std::ranges::find(s.budgets, *one.budget) == s.budgets.end()) s.budgets.push_back(*one.budget);
  }
  std::ranges::sort(s.budgets);
  return s;
}

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
    row.cells.push_back(
        standing.p
            ? Cell{.text = p_value_text(*standing.p), .value = *standing.p, .mark = is_equal ? Mark::good : Mark::muted}
            : words(&standing == &s.result.standings.front() ? "best" : "", Mark::muted));
    table.rows.push_back(std::move(row));
  }
  mark_best(table, 2, s.result.regression ? Best::least : Best::greatest);
  return table;
}

// One series for each algorithm, in the order of their colours; `place` gives the point of a standing.
template <class Place>
std::vector<Series> series_by_learner(const Subject& s, Drawn drawn, const Place& place) {
  std::vector<Series> made(s.algorithms.size());
  for (const Standing& standing : s.result.standings) {
    if (!s.has_scores(standing)) continue;
    const std::optional<Point> at = place(standing);
    if (!at) continue;
    const Series one = s.series(standing, drawn);
    Series& series = made[static_cast<std::size_t>(*one.colour)];
    series.name = one.of;
    series.drawn = drawn;
    series.colour = one.colour;
    series.points.push_back(*at);
  }
  std::erase_if(made, [](const Series& series) { return series.points.empty(); });
  return made;
}

// One line per algorithm that has several budgets.
Chart budget_chart(const Subject& s) {
  Chart chart{.title = capital(s.score_axis().label) + " against the budget"};
  chart.x = {.label = "budget", .unit = Unit::count, .scale = Scale::log};
  if (s.budgets.size() <= kMostTicks) chart.x.ticks.assign(s.budgets.begin(), s.budgets.end());
  chart.y = s.score_axis();
  for (Series& line : series_by_learner(s, Drawn::line_and_dots, [&](const Standing& standing) -> std::optional<Point> {
         if (!s.of(standing).budget) return std::nullopt;
         const Summary score = summary_of(standing.scores);
         return point(static_cast<double>(*s.of(standing).budget), score.mean, score.deviation);
       })) {
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
  chart.series = series_by_learner(s, Drawn::dots, [&](const Standing& standing) -> std::optional<Point> {
    const Summary score = summary_of(standing.scores);
    const double seconds = std::max(summary_of(standing.seconds).mean, 1e-6);
    return point(seconds, score.mean, score.deviation, s.name(standing));
  });
  return chart;
}

// The online error of the best learners along the stream, averaged over trials.
Chart stream_chart(const Subject& s) {
  Chart chart{.title = "Along the stream", .wide = true};
  chart.caption = "Overall online error: each example is predicted before it is learned. Mean over trials.";
  if (s.result.standings.size() > kMostCurves) chart.caption += fmt::format(" The {} best.", kMostCurves);
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
    Series series = s.series(standing, Drawn::line);
    for (const auto& [examples, values] : errors) {
      if (values.size() < standing.trials.size()) continue;  // the last line of folds of another size
      series.points.push_back(point(static_cast<double>(examples), summary_of(values).mean, kUnknown));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

// The confusion matrix of the best learner, summed over all trials.
std::optional<Confusion> confusion_of_best(const Subject& s) {
  const Standing& best = s.result.standings.front();
  if (s.result.regression || s.result.progressive || !s.has_scores(best)) return std::nullopt;
  std::vector<std::string> labels;
  std::vector<std::uint64_t> counts;
  for (const std::size_t trial : best.trials) {
    const Evaluation& test = *s.result.outcomes[best.contestant][trial].test;
    if (labels.empty()) {
      labels = test.labels;
      counts.assign(test.confusion.size(), 0);
    }
    if (test.labels != labels) return std::nullopt;
    for (std::size_t i = 0; i < test.confusion.size(); ++i) counts[i] += test.confusion[i];
  }
  return confusion_block("Confusion matrix of " + s.name(best), "Sum over all trials.", std::move(labels),
                         std::move(counts));
}

std::string score_text(const Subject& s, double score) {
  return s.result.regression ? number_text(score) : percent_text(score);
}

std::string summary_text(const Subject& s) {
  const Standing& best = s.result.standings.front();
  if (!s.has_scores(best)) return fmt::format("None of {} could be measured.", plural(s.contestants.size(), "learner"));
  const auto others = std::ranges::count_if(
      s.result.standings, [](const Standing& standing) { return standing.p && *standing.p >= kSignificant; });
  const std::string equal = others == 0
                                ? "the others are significantly worse or were not tested"
                                : fmt::format("{} not significantly worse",
                                              others == 1 ? "one other is" : fmt::format("{} others are", others));
  const Contestant& one = s.of(best);
  return fmt::format("Of {}, {}{} has the best {}, {} over {}; {}.", plural(s.contestants.size(), "learner"),
                     one.algorithm, one.budget ? fmt::format(" with budget {}", count_text(*one.budget)) : "",
                     s.score_axis().label, score_text(s, summary_of(best.scores).mean),
                     plural(s.result.trials, "trial"), equal);
}

}  // namespace

Report compare_report(const std::vector<Contestant>& contestants, const ComparePlan& plan, const Comparison& result,
                      const std::string& command) {
  const Subject s = subject_of(contestants, plan, result);
  Report page{.title = fmt::format("{} on {}", plural(contestants.size(), "learner"), data_name(plan.data->name())),
              .summary = summary_text(s),
              .command = command};
  page.subtitle =
      fmt::format("{}, {}; {}", plural(plan.data->rows(), "example"), plural(plan.data->dimension(), "feature"),
                  result.progressive ? "compared by online error"
                  : plan.test        ? fmt::format("compared on {}", data_name(plan.test->name()))
                                     : fmt::format("{}-fold cross-validation", plan.folds));
  const Standing& best = result.standings.front();
  if (s.has_scores(best)) {
    const Summary score = summary_of(best.scores);
    page.facts.push_back({"best", s.name(best), ""});
    page.facts.push_back({s.score_axis().label, score_text(s, score.mean),
                          fmt::format("{}: {}", result.regression ? "predicting the mean" : "majority class",
                                      score_text(s, result.baseline))});
  }
  page.facts.push_back({"trials", count_text(result.trials), "per learner"});
  if (result.stopped) page.facts.push_back({"stopped", "yes", "before all trials had run"});
  Section standings{.title = "Ranking", .blocks = {standings_table(s)}};
  Section charts{.title = "Accuracy and cost", .blocks = {time_chart(s)}};
  if (Chart budgets = budget_chart(s); !budgets.series.empty()) charts.blocks.emplace_back(std::move(budgets));
  Section stream{.title = "Learning curves", .blocks = {stream_chart(s)}};
  if (auto confusion = confusion_of_best(s)) stream.blocks.emplace_back(std::move(*confusion));
  Note problems{.title = "Learners that failed"};
  for (const Standing& standing : result.standings) {
    if (!standing.problem.empty()) problems.lines.push_back(s.name(standing) + ": " + flag_text(standing.problem));
  }
  if (!problems.lines.empty()) standings.blocks.emplace_back(std::move(problems));
  page.sections = {std::move(standings), std::move(charts), std::move(stream)};
  return page;
}

}  // namespace kinglet::cli
