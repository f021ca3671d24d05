// RAMP, figures 3 to 6: accuracy, support vectors and kernel values along the stream of gauss; the cost of removing
// examples; and accuracy as a function of the number of labels.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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
constexpr const char* kSeconds = "seconds";
constexpr const char* kKept[] = {"0", "100", "1000"};
constexpr const char* kStream = "along gauss: ";
constexpr const char* kLabels = "labels: ";

struct RemovalSet {
  const char* name;
  const char* title;
  std::size_t most_runs;
};
constexpr RemovalSet kRemovalSets[] = {{"ramp-ncheckerboard", "removal on the noisy board: ", 0},
                                       {"ramp-cover", "removal on cover: ", 1}};

// The most labels that Greedy, which asks for one of five, can get from the training rows.
struct LabelSet {
  const char* name;
  const char* most;
};
constexpr LabelSet kLabelSets[] = {{"ramp-adult", "1000"},
                                   {"banana", "800"},
                                   {"ramp-checkerboard", "1000"},
                                   {"ramp-ncheckerboard", "1000"},
                                   {"ramp-cover", "1000"},
                                   {"ramp-dna", "400"},
                                   {"gauss", "1000"},
                                   {"ramp-usps", "1000"},
                                   {"ramp-waveform", "1000"}};

// Ways to choose the labels, on top of the ramp-loss SVM and of the SVM.
struct LabelLine {
  const char* row;
  const char* algorithm;
  const char* query;
  const char* like;  // the row of table 1 whose settings are used
};
constexpr LabelLine kLabelLines[] = {{"OnlineASVM^R", "onlinesvmr", "ramp", "OnlineASVM^R"},
                                     {"Greedy", "onlinesvmr", "greedy", "OnlineASVM^R"},
                                     {"QueryAll", "onlinesvmr", "all", "OnlineASVM^R"},
                                     {"Greedy, IDSVM", "idsvm", "greedy", "IDSVM"},
                                     {"QueryAll, IDSVM", "idsvm", "all", "IDSVM"}};

PaperCell cell_of(std::string row, const std::string& variant, std::string set, Options options, Measure measure) {
  PaperCell cell{.row = std::move(row), .column = variant, .variant = variant, .set = std::move(set)};
  cell.options = std::move(options);
  cell.measure = measure;
  return cell;
}

// The online learners stop as in the paper: also when a step gains less than this.
constexpr const char* kLeastGain = "1e-5";

Options stream_options(std::string_view algorithm) {
  Options options{{"algo", std::string(algorithm)}};
  if (algorithm.starts_with("online")) options.set("least-gain", kLeastGain);
  return options;
}

void add_stream(std::vector<PaperCell>& list) {
  std::vector<Panel> panels(std::begin(kPanels), std::end(kPanels));
  panels.push_back({Measure::seconds, kSeconds});
  for (const Learner& learner : kLearners) {
    for (const std::uint64_t rows : {500, 1000, 2000, 5000, 10000}) {
      for (const Panel& panel : panels) {
        list.push_back(cell_of(learner.row, kStream + std::string(panel.name), "gauss",
                               stream_options(learner.algorithm), panel.measure));
        list.back().settings = paper_settings("ramp-figures", "", list.back().set, "");
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
        Options options = {{"algo", "onlinesvmr"}, {"keep-non-sv", kept}, {"least-gain", kLeastGain}};
        list.push_back(cell_of(std::string("m = ") + kept, set.title + std::string(panel.name), set.name,
                               std::move(options), panel.measure));
        list.back().settings = paper_settings("ramp-figures", "", list.back().set, "");
        list.back().rows = rows;
        list.back().x = static_cast<double>(rows);
        list.back().most_runs = set.most_runs;
      }
    }
  }
}

void add_labels(std::vector<PaperCell>& list) {
  for (const LabelSet& set : kLabelSets) {
    for (const LabelLine& line : kLabelLines) {
      for (const char* labels : {"100", "300", set.most}) {
        Options options = {{"algo", line.algorithm}, {"query", line.query}, {"query-budget", labels}};
        if (std::string_view(line.algorithm) == "onlinesvmr") options.set("least-gain", kLeastGain);
        list.push_back(
            cell_of(line.row, kLabels + std::string(set.name), set.name, std::move(options), Measure::test_accuracy));
        list.back().settings = paper_settings("ramp", line.like, set.name, "");
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

// "Comparable" cost: within this factor either way.
constexpr double kComparable = 2;

// Times are shown as ratios, since the paper's machine was another one: how many times as long as a learner IDSVM takes.
PaperSeries times_as_fast(const PaperResult& result, const char* row, const std::string& variant) {
  PaperSeries series{.name = std::string("IDSVM/") + row, .points = {}};
  const PaperSeries own = series_of(result, row, variant, ""), other = series_of(result, "IDSVM", variant, "");
  for (const PaperPoint& point : own.points) {
    const auto same = std::ranges::find(other.points, point.x, &PaperPoint::x);
    if (same == other.points.end()) continue;
    series.points.push_back({point.x, {.mean = same->y.mean / point.y.mean, .deviation = std::nan("")}});
  }
  return series;
}

void add_times(PaperResult& result) {
  PaperFigure figure{.title = kStream + std::string("time of IDSVM"),
                     .x_name = "examples",
                     .y_name = "times as long",
                     .log_x = true,
                     .series = {}};
  for (const char* row : {"OnlineSVM^R", "OnlineASVM^R"}) {
    PaperSeries series = times_as_fast(result, row, kStream + std::string(kSeconds));
    if (!series.points.empty()) figure.series.push_back(std::move(series));
  }
  if (!figure.series.empty()) result.figures.push_back(std::move(figure));
}

void conclude_stream(PaperResult& result) {
  for (const Panel& panel : kPanels) {
    add_figure(result, kStream + std::string(panel.name), "examples", panel.name,
               {"OnlineSVM^R", "OnlineASVM^R", "SVM^R", "IDSVM"});
  }
  add_times(result);
  for (const Learner& learner : kLearners) {
    if (!is_measured(result, learner.row, kStream + std::string(kPanels[0].name))) return;
  }
  const auto series = [&](const char* row, const char* panel) {
    return series_of(result, row, kStream + std::string(panel), "");
  };
  const PaperSeries again = retraining(series("SVM^R", "kernel values"));
  const auto last = [&](const char* row, const char* panel) {
    return last_of(result, row, kStream + std::string(panel));
  };
  const double online = last("OnlineSVM^R", "kernel values");
  const double offline = last("SVM^R", "kernel values");
  if (std::isnan(online + last("IDSVM", kSeconds)) || again.points.empty()) return;
  result.figures[2].series.push_back(again);

  const PaperSeries ramp = series("OnlineSVM^R", "test accuracy %"), exact = series("IDSVM", "test accuracy %");
  std::size_t higher = 0;
  for (std::size_t i = 0; i < exact.points.size(); ++i)
    higher += ramp.points[i].y.mean > exact.points[i].y.mean ? 1 : 0;
  result.claims.push_back({"along gauss, OnlineSVM^R is consistently more accurate than IDSVM",
                           higher == exact.points.size(),
                           fmt::format("at {} of {} lengths", higher, exact.points.size())});
  const double apart = last("OnlineSVM^R", "test accuracy %") - last("OnlineASVM^R", "test accuracy %");
  result.claims.push_back({"OnlineASVM^R reaches the accuracy of OnlineSVM^R after 10,000 examples",
                           apart <= ramp.points.back().y.deviation, fmt::format("{:.2f} points apart", apart)});
  result.claims.push_back(
      {"both have much sparser models than IDSVM",
       2 * std::max(last("OnlineSVM^R", "support vectors"), last("OnlineASVM^R", "support vectors")) <
           last("IDSVM", "support vectors"),
       fmt::format("{:.0f} and {:.0f} vectors against {:.0f}", last("OnlineSVM^R", "support vectors"),
                   last("OnlineASVM^R", "support vectors"), last("IDSVM", "support vectors"))});
  result.claims.push_back({"online training costs about as many kernel values as training offline once",
                           online <= kComparable * offline && offline <= kComparable * online,
                           fmt::format("{:.3g} and {:.3g}: 1 to {:.1f}", online, offline, offline / online)});
  const double naive = again.points.back().y.mean;
  result.claims.push_back({"retraining after every example costs orders of magnitude more", naive >= 100 * online,
                           fmt::format("{:.2g} kernel values, {:.0f} times as many", naive, naive / online)});
  const double time = last("IDSVM", kSeconds);
  const double slower = std::max(last("OnlineSVM^R", kSeconds), last("OnlineASVM^R", kSeconds));
  result.claims.push_back({"both train much faster than IDSVM", 2 * slower < time,
                           fmt::format("{:.1f} and {:.1f} times as fast", time / last("OnlineSVM^R", kSeconds),
                                       time / last("OnlineASVM^R", kSeconds))});
}

void conclude_removal(PaperResult& result, const RemovalSet& set) {
  for (const Panel& panel : kPanels) {
    add_figure(result, set.title + std::string(panel.name), "examples", panel.name, {"m = 0", "m = 100", "m = 1000"});
  }
  const std::string accuracy = set.title + std::string("test accuracy %");
  for (const char* kept : kKept) {
    if (!is_measured(result, std::string("m = ") + kept, accuracy)) return;
  }
  const double none = last_of(result, "m = 0", accuracy);
  const double some = last_of(result, "m = 100", accuracy);
  const double many = last_of(result, "m = 1000", accuracy);
  if (std::isnan(none + some + many)) return;
  result.claims.push_back({fmt::format("{}m = 0 loses most accuracy, m = 1000 almost none", set.title),
                           none < some && none < many,
                           fmt::format("{:.2f}, {:.2f} and {:.2f} % with m = 0, 100 and 1000", none, some, many)});
  const std::string cost = set.title + std::string("kernel values");
  const double least = last_of(result, "m = 0", cost), most = last_of(result, "m = 1000", cost);
  result.claims.push_back(
      {fmt::format("{}the cost decreases with m", set.title),
       least < last_of(result, "m = 100", cost) && last_of(result, "m = 100", cost) < most,
       fmt::format("{:.2f} times as many kernel values with m = 1000 as with m = 0", most / least)});
}

// The mean over the numbers of labels; NaN if one of them has not been measured.
double mean_of(const PaperResult& result, const char* row, const std::string& variant) {
  if (!is_measured(result, row, variant)) return std::nan("");
  const PaperSeries series = series_of(result, row, variant, "");
  double sum = 0;
  for (const PaperPoint& point : series.points) sum += point.y.mean;
  return series.points.empty() ? std::nan("") : sum / static_cast<double>(series.points.size());
}

// Who the paper says is better. "Similar" in numbers: half a point.
struct LabelWinner {
  const char* set;
  const char* winner;  // empty: similar
};
constexpr LabelWinner kLabelWinners[] = {{"ramp-dna", "Greedy"},
                                         {"ramp-usps", "Greedy"},
                                         {"ramp-waveform", "Greedy"},
                                         {"gauss", "OnlineASVM^R"},
                                         {"ramp-cover", "OnlineASVM^R"},
                                         {"ramp-checkerboard", "OnlineASVM^R"},
                                         {"ramp-ncheckerboard", "OnlineASVM^R"},
                                         {"ramp-adult", ""},
                                         {"banana", ""}};
constexpr double kSimilarAccuracy = 0.5;

void conclude_winners(PaperResult& result) {
  for (const LabelWinner& each : kLabelWinners) {
    const std::string variant = kLabels + std::string(each.set);
    const double ramp = mean_of(result, "OnlineASVM^R", variant), greedy = mean_of(result, "Greedy", variant);
    if (std::isnan(ramp + greedy)) continue;
    const std::string_view winner = each.winner;
    const bool holds = winner.empty() ? std::abs(ramp - greedy) <= kSimilarAccuracy
                                      : (winner == "Greedy" ? greedy > ramp : ramp > greedy);
    result.claims.push_back({winner.empty() ? fmt::format("labels, {}: Greedy and OnlineASVM^R are similar", each.set)
                                            : fmt::format("labels, {}: {} is better than {}", each.set, winner,
                                                          winner == "Greedy" ? "OnlineASVM^R" : "Greedy"),
                             holds,
                             fmt::format("on average {:.2f} % inside the ramp, {:.2f} % greedily", ramp, greedy)});
  }
}

void conclude_labels(PaperResult& result) {
  std::size_t sets = 0, below_both = 0, above_svm = 0;
  std::vector<std::string> exceptions;
  for (const LabelSet& set : kLabelSets) {
    const std::string variant = kLabels + std::string(set.name);
    add_figure(result, variant, "labels", "test accuracy %",
               {"OnlineASVM^R", "Greedy", "QueryAll", "Greedy, IDSVM", "QueryAll, IDSVM"});
    const double ramp = mean_of(result, "OnlineASVM^R", variant), greedy = mean_of(result, "Greedy", variant);
    const double all = mean_of(result, "QueryAll", variant), svm = mean_of(result, "QueryAll, IDSVM", variant);
    if (std::isnan(ramp + greedy + all + svm)) continue;
    ++sets;
    above_svm += all > svm ? 1 : 0;
    const bool below = all < ramp && all < greedy;
    below_both += below ? 1 : 0;
    if (!below) exceptions.emplace_back(set.name);
  }
  conclude_winners(result);
  if (sets < std::size(kLabelSets)) return;
  result.claims.push_back({"labels: QueryAll is consistently less accurate than Greedy and than OnlineASVM^R",
                           below_both == sets,
                           fmt::format("on {} of {} data sets{}{}", below_both, sets,
                                       exceptions.empty() ? "" : "; not on ", fmt::join(exceptions, ", "))});
  result.claims.push_back({"labels: OnlineSVM^R is better than IDSVM on the majority of data sets",
                           2 * above_svm > sets, fmt::format("on {} of {}, asking for every label", above_svm, sets)});
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
        "and C = 10, gamma = 0.15 on cover (one run). Labels: the settings of OnlineASVM^R in table 1 for the three "
        "ways to "
        "choose labels for the ramp-loss SVM, and those of IDSVM. Times are shown as ratios between learners.",
    .runs = 3,
    .cells = ramp_figures_cells::cells,
    .conclude = ramp_figures_cells::conclude};

}  // namespace kinglet::papers
