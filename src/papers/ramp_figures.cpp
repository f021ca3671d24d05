// RAMP, figures 3 to 6: along the stream of gauss, accuracy, support vectors and kernel values; what the removal of
// examples costs; and accuracy against labels.
#include <fmt/format.h>

#include <cmath>

#include "lab/paper.hpp"

namespace kinglet::papers {
namespace {

struct Learner {
  const char* row;
  const char* algorithm;
};

constexpr Learner kLearners[] = {
    {"OnlineSVM^R", "onlinesvmr"}, {"OnlineASVM^R", "onlineasvmr"}, {"SVM^R", "svmr"}, {"IDSVM", "idsvm"}};

struct Panel {
  Measure measure;
  const char* name;
};

constexpr Panel kPanels[] = {{Measure::test_accuracy, "test accuracy %"},
                             {Measure::support_vectors, "support vectors"},
                             {Measure::kernel_values, "kernel values"}};
constexpr const char* kKept[] = {"0", "100", "1000"};
constexpr const char* kStream = "along gauss: ";
constexpr const char* kRemoval = "removal on the noisy board: ";
constexpr const char* kLabels = "labels: ";

PaperCell cell_of(std::string row, const std::string& variant, std::string set, Options options, Measure measure) {
  PaperCell cell{.row = std::move(row), .column = variant, .variant = variant, .set = std::move(set)};
  cell.options = std::move(options);
  cell.measure = measure;
  return cell;
}

void add_stream(std::vector<PaperCell>& list) {
  for (const Learner& learner : kLearners) {
    for (const std::uint64_t rows : {500, 1000, 2000, 5000, 10000}) {
      if (std::string_view(learner.algorithm) == "idsvm" && rows > 2000) continue;  // the paper, too, ended it early
      for (const Panel& panel : kPanels) {
        list.push_back(cell_of(learner.row, kStream + std::string(panel.name), "gauss",
                               {{"algo", learner.algorithm}, {"C", "10"}, {"gamma", "1"}}, panel.measure));
        list.back().rows = rows;
        list.back().x = static_cast<double>(rows);
      }
    }
  }
}

void add_removal(std::vector<PaperCell>& list) {
  for (const char* kept : kKept) {
    for (const std::uint64_t rows : {1000, 3000, 10000}) {
      for (const Panel& panel : kPanels) {
        list.push_back(cell_of(std::string("m = ") + kept, kRemoval + std::string(panel.name), "ramp-ncheckerboard",
                               {{"algo", "onlinesvmr"}, {"C", "50"}, {"gamma", "4"}, {"keep-non-sv", kept}},
                               panel.measure));
        list.back().rows = rows;
        list.back().x = static_cast<double>(rows);
      }
    }
  }
}

void add_labels(std::vector<PaperCell>& list) {
  for (const char* set : {"banana", "gauss", "ramp-ncheckerboard"}) {
    for (const char* query : {"ramp", "greedy", "all"}) {
      for (const char* labels : {"100", "300", "1000"}) {
        Options options = {
            {"algo", "onlinesvmr"}, {"C", "10"}, {"gamma", "4"}, {"query", query}, {"query-budget", labels}};
        list.push_back(cell_of(query, kLabels + std::string(set), set, std::move(options), Measure::test_accuracy));
        list.back().x = std::stod(labels);
      }
    }
  }
}

std::vector<PaperCell> cells(bool) {
  std::vector<PaperCell> list;
  add_stream(list);
  add_removal(list);
  add_labels(list);
  return list;
}

void add_figure(PaperResult& result, const std::string& variant, std::string x, std::string y,
                const std::vector<std::string>& rows) {
  PaperFigure figure{.title = variant, .x_name = std::move(x), .y_name = std::move(y), .log_x = true, .series = {}};
  for (const std::string& row : rows) {
    PaperSeries series = series_of(result, row, variant, row);
    if (!series.points.empty()) figure.series.push_back(std::move(series));
  }
  if (!figure.series.empty()) result.figures.push_back(std::move(figure));
}

double last_of(const PaperResult& result, std::string_view row, const std::string& variant) {
  const PaperSeries series = series_of(result, row, variant, "");
  return series.points.empty() ? std::nan("") : series.points.back().y.mean;
}

void conclude(PaperResult& result) {
  for (const Panel& panel : kPanels) {
    add_figure(result, kStream + std::string(panel.name), "examples", panel.name,
               {"OnlineSVM^R", "OnlineASVM^R", "SVM^R", "IDSVM"});
  }
  for (const Panel& panel : kPanels) {
    add_figure(result, kRemoval + std::string(panel.name), "examples", panel.name, {"m = 0", "m = 100", "m = 1000"});
  }
  for (const char* set : {"banana", "gauss", "ramp-ncheckerboard"}) {
    add_figure(result, kLabels + std::string(set), "labels", "test accuracy %", {"ramp", "greedy", "all"});
  }
  const double online = last_of(result, "OnlineSVM^R", "along gauss: kernel values");
  const double offline = last_of(result, "SVM^R", "along gauss: kernel values");
  result.claims.push_back({"online training costs about as many kernel values as training offline once",
                           online <= 1.5 * offline, fmt::format("{:.3g} and {:.3g}", online, offline)});
  const double none = last_of(result, "m = 0", "removal on the noisy board: test accuracy %");
  const double some = last_of(result, "m = 100", "removal on the noisy board: test accuracy %");
  const double many = last_of(result, "m = 1000", "removal on the noisy board: test accuracy %");
  result.claims.push_back({"the more examples are kept, the better: m = 0 is worst", none < some && none < many,
                           fmt::format("{:.2f}, {:.2f} and {:.2f} % with m = 0, 100 and 1000", none, some, many)});
}

}  // namespace

extern const PaperExperiment ramp_figures;
const PaperExperiment ramp_figures{
    .name = "ramp-figures",
    .title = "The ramp-loss SVM along the stream, its removal step, and its labels",
    .source = "Wang, Vucetic: Fast Online Training of Ramp Loss Support Vector Machines, ICDM (2009), figures 3 to 6",
    .protocol =
        "One pass; C = 10, gamma = 1 on gauss, C = 50, gamma = 4 for the removal step, C = 10, gamma = 4 for labels. "
        "Three runs.",
    .runs = 3,
    .cells = cells,
    .conclude = conclude};

}  // namespace kinglet::papers
