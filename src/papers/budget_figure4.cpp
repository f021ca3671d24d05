// BUDGET, figure 4: error and insertions of the budget perceptron against the size of its cache, with the cache that sizes
// itself and with MIRA, on three sets of characters.
#include <fmt/format.h>

#include <cmath>

#include "lab/paper.hpp"

namespace kinglet::papers {
namespace {

struct Set {
  const char* name;
  const char* options;  // homogeneous polynomials of degree 9 of normalised rows for pictures, as the paper has them
  std::vector<int> sizes;
};

const std::vector<Set>& sets() {
  static const std::vector<Set> list = {
      {"mnist", "kernel=hpoly degree=9 gamma=1 scale=unit", {500, 1000, 2000, 4000}},
      {"usps-pixels", "kernel=hpoly degree=9 gamma=1 scale=unit", {200, 400, 800, 1600}},
      {"letter", "kernel=rbf gamma=0.3", {500, 1000, 2000, 4000}}};
  return list;
}

struct Learner {
  const char* row;
  const char* algorithm;
  bool sized;  // whether it is run with several caches
};

constexpr Learner kLearners[] = {
    {"fixed cache", "budget-mira", true}, {"variable cache", "budget-mira-variable", false}, {"MIRA", "mira", false}};

struct Panel {
  Measure measure;
  const char* name;
};

constexpr Panel kPanels[] = {
    {Measure::test_error, "test error %"}, {Measure::online_error, "online error %"}, {Measure::updates, "insertions"}};

std::string variant_of(const Set& set, const Panel& panel) { return fmt::format("{}, {}", set.name, panel.name); }

std::vector<PaperCell> cells(bool quick) {
  std::vector<PaperCell> list;
  for (const Set& set : sets()) {
    for (const Learner& learner : kLearners) {
      for (const int size : set.sizes) {
        const bool is_last = size == set.sizes.back();
        if (!learner.sized && !is_last) continue;
        for (const Panel& panel : kPanels) {
          PaperCell cell{.row = learner.row, .column = set.name, .variant = variant_of(set, panel), .set = set.name};
          cell.options = options_of(set.options);
          cell.options.set("algo", learner.algorithm);
          if (learner.sized) cell.options.set("budget", std::to_string(quick ? size / 20 : size));
          if (std::string_view(learner.row) == "variable cache") cell.options.set("budget", quick ? "1000" : "20000");
          if (learner.row != std::string_view("MIRA")) cell.options.set("margin", "0.01");
          cell.measure = panel.measure;
          cell.x = size;
          if (std::string_view(set.name) == "mnist") cell.most_runs = 5;
          list.push_back(std::move(cell));
        }
      }
    }
  }
  return list;
}

// The least over all sizes of the cache.
double least_of(const PaperResult& result, const char* row, const std::string& variant) {
  const PaperSeries series = series_of(result, row, variant, "");
  double least = std::nan("");
  for (const PaperPoint& point : series.points) least = std::fmin(least, point.y.mean);
  return least;
}

// What the paper says of the three plots of a set.
void conclude_set(PaperResult& result, const Set& set) {
  const std::string test = variant_of(set, kPanels[0]);
  const std::string inserted = variant_of(set, kPanels[2]);
  const double fixed = least_of(result, "fixed cache", test);
  const double variable = least_of(result, "variable cache", test);
  const double plain = least_of(result, "MIRA", test);
  if (std::isnan(fixed + variable + plain)) return;
  result.claims.push_back({fmt::format("{}: with a good size the fixed cache beats MIRA without a limit", set.name),
                           fixed < plain, fmt::format("{:.2f} against {:.2f} % test error", fixed, plain)});
  result.claims.push_back({fmt::format("{}: so does the variable cache", set.name), variable < plain,
                           fmt::format("{:.2f} against {:.2f} % test error", variable, plain)});
  const double more = least_of(result, "variable cache", inserted), fewer = least_of(result, "fixed cache", inserted);
  result.claims.push_back({fmt::format("{}: the variable cache takes more insertions than a fixed one", set.name),
                           more > fewer, fmt::format("{:.0f} and {:.0f}", more, fewer)});
}

void conclude(PaperResult& result) {
  for (const Set& set : sets()) {
    for (const Panel& panel : kPanels) {
      const std::string variant = variant_of(set, panel);
      PaperFigure figure{.title = variant, .x_name = "cache", .y_name = panel.name, .log_x = true, .series = {}};
      for (const Learner& learner : kLearners) {
        PaperSeries series = series_of(result, learner.row, variant, learner.row);
        if (!series.points.empty()) figure.series.push_back(std::move(series));
      }
      if (!figure.series.empty()) result.figures.push_back(std::move(figure));
    }
    conclude_set(result, set);
  }
}

}  // namespace

extern const PaperExperiment budget_figure4;
const PaperExperiment budget_figure4{
    .name = "budget-figure4",
    .title = "The budget perceptron against the size of its cache",
    .source = "Crammer, Kandola, Singer: Online Classification on a Budget, NIPS 16 (2003), figure 4",
    .protocol =
        "One pass over a shuffle, β = 0.01; homogeneous polynomial kernel of degree 9 on rows of length 1 (mnist, "
        "usps), "
        "Gaussian (letter). Eleven runs, five of mnist.",
    .runs = 11,
    .cells = cells,
    .conclude = conclude};

}  // namespace kinglet::papers
