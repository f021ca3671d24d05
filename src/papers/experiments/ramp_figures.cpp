// RAMP, figures 3 to 6: accuracy, support vectors and kernel values along the stream of gauss; the cost of removing
// examples; and accuracy as a function of the number of labels.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "papers/paper.hpp"
#include "papers/paper_settings.hpp"

namespace kinglet::papers {
namespace ramp_figures_cells {

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
constexpr const char* kLabels = "labels: ";

struct RemovalSet {
  const char* name;
  const char* title;
  const char* options;
  std::size_t most_runs;
};
constexpr RemovalSet kRemovalSets[] = {
    {"ramp-ncheckerboard", "removal on the noisy board: ", "algo=onlinesvmr C=50 gamma=4", 0},
    {"ramp-cover", "removal on cover: ", "algo=onlinesvmr C=10 gamma=0.1481", 1}};

constexpr const char* kLabelSets[] = {"ramp-adult", "banana", "ramp-checkerboard", "ramp-ncheckerboard", "ramp-cover",
                                      "ramp-dna",   "gauss",  "ramp-usps",         "ramp-waveform"};
constexpr const char* kQueries[] = {"ramp", "greedy", "all"};

PaperCell cell_of(std::string row, const std::string& variant, std::string set, Options options, Measure measure) {
  PaperCell cell{.row = std::move(row), .column = variant, .variant = variant, .set = std::move(set)};
  cell.options = std::move(options);
  cell.measure = measure;
  return cell;
}

// The online learners stop as in the paper: also when a step gains less than this.
constexpr const char* kLeastGain = "1e-5";

Options stream_options(std::string_view algorithm) {
  Options options{{"algo", std::string(algorithm)}, {"C", "10"}, {"gamma", "1"}};
  if (algorithm.starts_with("online")) options.set("least-gain", kLeastGain);
  return options;
}

void add_stream(std::vector<PaperCell>& list) {
  for (const Learner& learner : kLearners) {
    for (const std::uint64_t rows : {500, 1000, 2000, 5000, 10000}) {
      if (std::string_view(learner.algorithm) == "idsvm" && rows > 2000) continue;  // the paper also stopped it early
      for (const Panel& panel : kPanels) {
        list.push_back(cell_of(learner.row, kStream + std::string(panel.name), "gauss",
                               stream_options(learner.algorithm), panel.measure));
        list.back().rows = rows;
        list.back().x = static_cast<double>(rows);
      }
    }
  }
}

void add_removal(std::vector<PaperCell>& list, const RemovalSet& set) {
  for (const char* kept : kKept) {
    for (const std::uint64_t rows : {1000, 3000, 10000}) {
      for (const Panel& panel : kPanels) {
        Options options = options_of(set.options);
        options.set("keep-non-sv", kept);
        options.set("least-gain", kLeastGain);
        list.push_back(cell_of(std::string("m = ") + kept, set.title + std::string(panel.name), set.name,
                               std::move(options), panel.measure));
        list.back().rows = rows;
        list.back().x = static_cast<double>(rows);
        list.back().most_runs = set.most_runs;
      }
    }
  }
}

// C and the kernel width are those of OnlineASVM^R in table 1, for all three ways to choose the labels.
void add_labels(std::vector<PaperCell>& list) {
  for (const char* set : kLabelSets) {
    for (const char* query : kQueries) {
      for (const char* labels : {"100", "300", "1000"}) {
        Options options = {
            {"algo", "onlinesvmr"}, {"query", query}, {"query-budget", labels}, {"least-gain", kLeastGain}};
        list.push_back(cell_of(query, kLabels + std::string(set), set, std::move(options), Measure::test_accuracy));
        list.back().settings = paper_settings("ramp", "OnlineASVM^R", set, "");
        list.back().x = std::stod(labels);
      }
    }
  }
}

std::vector<PaperCell> cells(bool) {
  std::vector<PaperCell> list;
  add_stream(list);
  for (const RemovalSet& set : kRemovalSets) add_removal(list, set);
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

// Retraining after every example costs the sum over t = 1, 2, … of training on the first t examples: the area under the
// curve of training once.
PaperSeries retraining(const PaperSeries& once) {
  PaperSeries series{.name = "retrained after every example", .points = {}};
  double sum = 0;
  PaperPoint last;
  for (const PaperPoint& point : once.points) {
    sum += (point.x - last.x) * (point.y.mean + (last.x > 0 ? last.y.mean : 0)) / 2;
    last = point;
    series.points.push_back({point.x, {.mean = sum, .deviation = std::nan("")}});
  }
  return series;
}

void conclude_stream(PaperResult& result) {
  for (const Panel& panel : kPanels) {
    add_figure(result, kStream + std::string(panel.name), "examples", panel.name,
               {"OnlineSVM^R", "OnlineASVM^R", "SVM^R", "IDSVM"});
  }
  const std::string cost = std::string(kStream) + "kernel values";
  const PaperSeries again = retraining(series_of(result, "SVM^R", cost, ""));
  const double online = last_of(result, "OnlineSVM^R", cost);
  const double offline = last_of(result, "SVM^R", cost);
  if (std::isnan(online) || again.points.empty()) return;
  result.figures.back().series.push_back(again);
  result.claims.push_back({"online training costs about as many kernel values as training offline once",
                           online <= 1.5 * offline, fmt::format("{:.3g} and {:.3g}", online, offline)});
  const double naive = again.points.back().y.mean;
  result.claims.push_back({"retraining after every example costs orders of magnitude more", naive >= 100 * online,
                           fmt::format("{:.2g} kernel values, {:.0f} times as many", naive, naive / online)});
}

void conclude_removal(PaperResult& result, const RemovalSet& set) {
  for (const Panel& panel : kPanels) {
    add_figure(result, set.title + std::string(panel.name), "examples", panel.name, {"m = 0", "m = 100", "m = 1000"});
  }
  const std::string accuracy = set.title + std::string("test accuracy %");
  const double none = last_of(result, "m = 0", accuracy);
  const double some = last_of(result, "m = 100", accuracy);
  const double many = last_of(result, "m = 1000", accuracy);
  if (std::isnan(none + some + many)) return;
  result.claims.push_back({fmt::format("{}m = 0 loses most accuracy, m = 1000 almost none", set.title),
                           none < some && none < many,
                           fmt::format("{:.2f}, {:.2f} and {:.2f} % with m = 0, 100 and 1000", none, some, many)});
}

// With the fewest labels, where the choice of queries matters most.
void conclude_labels(PaperResult& result) {
  std::vector<std::string> losing, ramp_wins, greedy_wins;
  std::size_t sets = 0;
  for (const char* set : kLabelSets) {
    const std::string variant = kLabels + std::string(set);
    add_figure(result, variant, "labels", "test accuracy %", {"ramp", "greedy", "all"});
    const auto first = [&](const char* query) {
      const PaperSeries series = series_of(result, query, variant, "");
      return series.points.empty() ? std::nan("") : series.points.front().y.mean;
    };
    const double ramp = first("ramp"), greedy = first("greedy"), all = first("all");
    if (std::isnan(ramp + greedy + all)) continue;
    ++sets;
    if (all < std::max(ramp, greedy)) losing.emplace_back(set);
    (ramp > greedy ? ramp_wins : greedy_wins).emplace_back(set);
  }
  if (sets == 0) return;
  result.claims.push_back(
      {"with 100 labels, choosing which labels to ask for beats taking the first ones", losing.size() == sets,
       fmt::format("on {} of {} data sets; asking inside the ramp is better on {}, the most uncertain of five on {}",
                   losing.size(), sets, fmt::join(ramp_wins, ", "), fmt::join(greedy_wins, ", "))});
}

void conclude(PaperResult& result) {
  conclude_stream(result);
  for (const RemovalSet& set : kRemovalSets) conclude_removal(result, set);
  conclude_labels(result);
}

}  // namespace ramp_figures_cells

extern const PaperExperiment ramp_figures;
const PaperExperiment ramp_figures{
    .name = "ramp-figures",
    .title = "The ramp-loss SVM: along the stream, with removal of examples, with few labels",
    .source = "Wang, Vucetic: Fast Online Training of Ramp Loss Support Vector Machines, ICDM (2009), figures 3 to 6",
    .protocol =
        "One pass, three runs; C = 10, gamma = 1 on gauss. Removal step: C = 50, gamma = 4 on the noisy checkerboard "
        "and C = 10, gamma = 0.15 on cover (one run). Labels: the settings of table 1.",
    .runs = 3,
    .cells = ramp_figures_cells::cells,
    .conclude = ramp_figures_cells::conclude};

}  // namespace kinglet::papers
