#include "papers/paper.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/assert.hpp"
#include "core/suggestion.hpp"
#include "kinglet/error.hpp"

namespace kinglet {

#define KINGLET_RULE(stem) extern const PaperExperiment stem;
namespace papers {
#include "paper_experiments.inc"
}
#undef KINGLET_RULE

bool is_share(Measure measure) {
  return measure == Measure::test_accuracy || measure == Measure::test_error || measure == Measure::online_accuracy ||
         measure == Measure::online_error;
}

int decimals_of(Measure measure) {
  if (is_share(measure)) return 2;
  return measure == Measure::seconds || measure == Measure::gradient_error ? 3 : 0;
}

bool higher_is_better(Measure measure) {
  return measure == Measure::test_accuracy || measure == Measure::online_accuracy;
}

std::string_view measure_name(Measure measure) {
  switch (measure) {
    case Measure::test_accuracy:
      return "test accuracy %";
    case Measure::test_error:
      return "test error %";
    case Measure::online_accuracy:
      return "online accuracy %";
    case Measure::online_error:
      return "online error %";
    case Measure::support_vectors:
      return "support vectors";
    case Measure::kernel_values:
      return "kernel values";
    case Measure::updates:
      return "updates";
    case Measure::labels:
      return "labels";
    case Measure::gradient_error:
      return "gradient error";
    case Measure::classes:
      return "classes";
    case Measure::seconds:
      return "seconds";
  }
  return "";
}

std::span<const PaperExperiment* const> paper_experiments() {
#define KINGLET_RULE(stem) &papers::stem,
  static const std::vector<const PaperExperiment*> list = {
#include "paper_experiments.inc"
  };
#undef KINGLET_RULE
  return list;
}

const PaperExperiment& paper_experiment(std::string_view name) {
  std::vector<std::string> names;
  for (const PaperExperiment* experiment : paper_experiments()) {
    if (experiment->name == name) return *experiment;
    names.push_back(experiment->name);
  }
  throw Error(fmt::format("unknown experiment '{}'{}; kinglet paper list shows all", name,
                          suggestion(std::string(name), names, "")));
}

std::string_view evaluates_tuned_rows(const PaperCell& cell) {
  const PaperSet& set = paper_set(cell.set);
  if (paper_files(set).empty()) return "no";
  if (cell.measure == Measure::online_accuracy || cell.measure == Measure::online_error) return "yes";
  return set.test.empty() ? "in part" : "no";
}

bool is_settled(const PaperCell& cell) { return cell.choices.empty() || !cell.settings.origin.empty(); }

PaperSeries series_of(const PaperResult& result, std::string_view row, std::string_view variant, std::string name) {
  PaperSeries series{.name = std::move(name), .points = {}};
  for (const CellResult& cell : result.cells) {
    if (cell.cell.row != row || cell.cell.variant != variant || cell.values.empty()) continue;
    series.points.push_back({cell.cell.x, cell.ours});
  }
  std::ranges::stable_sort(series.points, {}, &PaperPoint::x);
  return series;
}

bool is_measured(const PaperResult& result, std::string_view row, std::string_view variant) {
  return std::ranges::all_of(result.cells, [&](const CellResult& each) {
    return each.cell.row != row || each.cell.variant != variant || !each.values.empty();
  });
}

const CellResult* find_cell(const PaperResult& result, std::string_view row, std::string_view column,
                            std::string_view variant) {
  const auto found = std::ranges::find_if(result.cells, [&](const CellResult& each) {
    return each.cell.row == row && each.cell.column == column && each.cell.variant == variant && !each.values.empty();
  });
  return found == result.cells.end() ? nullptr : &*found;
}

Options options_of(std::string_view words) {
  Options options;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(word.size() + 1, words.size()));
    const std::size_t equals = word.find('=');
    KINGLET_ASSERT(equals != std::string_view::npos);
    options.set(std::string(word.substr(0, equals)), std::string(word.substr(equals + 1)));
  }
  return options;
}

}  // namespace kinglet
