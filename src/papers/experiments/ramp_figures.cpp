// RAMP, figures 3 to 6: accuracy, support vectors and kernel values along the stream of gauss; the cost of removing
// examples; and accuracy as a function of the number of labels.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "papers/experiments/claim_on.hpp"
#include "papers/paper.hpp"
#include "papers/paper_settings.hpp"

namespace kinglet::papers {
namespace ramp_figures_cells {

struct Learner {
  const char* row;
  const char* algorithm;
  const char* like;  // the row of table 1 whose settings are used
};

constexpr Learner kLearners[] = {{"OnlineSVM^R", "onlinesvmr", "OnlineSVM^R"},
                                 {"OnlineASVM^R", "onlineasvmr", "OnlineASVM^R"},
                                 {"SVM^R", "svmr", "OnlineSVM^R"},
                                 {"IDSVM", "idsvm", "IDSVM"}};

struct Panel {
  Measure measure;
  const char* name;
};

constexpr Panel kPanels[] = {{Measure::test_accuracy, "test accuracy %"},
                             {Measure::support_vectors, "support vectors"},
                             {Measure::kernel_values, "kernel values"}};
constexpr const char* kSeconds = "seconds";
struct Kept {
  const char* row;
  const char* most;  // keep-non-sv
};
constexpr Kept kKept[] = {{"m = 0", "0"}, {"m = 100", "100"}, {"m = 1000", "1000"}, {"all kept", "inf"}};
constexpr const char* kStream = "along gauss: ";
constexpr const char* kLabels = "labels: ";

struct RemovalSet {
  const char* name;
  const char* title;
};
constexpr RemovalSet kRemovalSets[] = {{"ramp-ncheckerboard", "removal on the noisy board: "},
                                       {"ramp-cover", "removal on cover: "}};

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
        list.back().settings = paper_settings("ramp", learner.like, list.back().set, "");
        list.back().rows = rows;
        list.back().x = static_cast<double>(rows);
      }
    }
  }
}

void add_removal(std::vector<PaperCell>& list, const RemovalSet& set) {
  for (const Kept& kept : kKept) {
    for (const std::uint64_t rows : {1000, 3000, 10000}) {
      for (const Panel& panel : kPanels) {
        Options options = {{"algo", "onlinesvmr"}, {"keep-non-sv", kept.most}, {"least-gain", kLeastGain}};
        list.push_back(
            cell_of(kept.row, set.title + std::string(panel.name), set.name, std::move(options), panel.measure));
        list.back().settings = paper_settings("ramp", "OnlineSVM^R", list.back().set, "");
        list.back().rows = rows;
        list.back().x = static_cast<double>(rows);
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

// Times are shown as ratios, since the paper's machine was another one: how many times as long as a learner IDSVM
// takes.
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
  std::vector<std::string> rows;
  for (const Kept& kept : kKept) rows.emplace_back(kept.row);
  for (const Panel& panel : kPanels)
    add_figure(result, set.title + std::string(panel.name), "examples", panel.name, rows);
  std::vector<Summary> accuracies;
  std::vector<double> costs;
  for (const std::string& row : rows) {
    const PaperSeries accuracy = series_of(result, row, set.title + std::string(kPanels[0].name), "");
    const PaperSeries cost = series_of(result, row, set.title + std::string(kPanels[2].name), "");
    if (accuracy.points.empty() || !is_measured(result, row, set.title + std::string(kPanels[0].name))) return;
    accuracies.push_back(accuracy.points.back().y);
    costs.push_back(cost.points.back().y.mean);
  }
  enum : std::size_t { kNone, kHundred, kThousand, kAll };
  const auto loss = [&](std::size_t kept) { return accuracies[kAll].mean - accuracies[kept].mean; };
  const auto deviations = [&](std::size_t kept) { return accuracies[kAll].deviation + accuracies[kept].deviation; };
  const auto loss_text = [&](std::size_t kept) {
    return fmt::format("{:.2f} ± {:.2f} % against {:.2f} ± {:.2f} % if all are kept", accuracies[kept].mean,
                       accuracies[kept].deviation, accuracies[kAll].mean, accuracies[kAll].deviation);
  };
  result.claims.push_back({fmt::format("{}with m = 0, the loss of accuracy is significant", set.title),
                           loss(kNone) > deviations(kNone), loss_text(kNone)});
  result.claims.push_back({fmt::format("{}with m = 100, only a little accuracy is lost (at most one point)", set.title),
                           loss(kHundred) <= 1, loss_text(kHundred)});
  result.claims.push_back(
      {fmt::format("{}with m = 1000, almost no accuracy is lost (at most one deviation)", set.title),
       loss(kThousand) <= accuracies[kAll].deviation, loss_text(kThousand)});
  result.claims.push_back(
      {fmt::format("{}a smaller m costs less, and m = 1000 less than keeping all", set.title),
       std::ranges::is_sorted(costs, std::less_equal()),
       fmt::format("{:.2f}, {:.2f} and {:.2f} times the kernel values of keeping all with m = 0, 100 and 1000",
                   costs[kNone] / costs[kAll], costs[kHundred] / costs[kAll], costs[kThousand] / costs[kAll])});
}

// The mean over the numbers of labels; NaN if one of them has not been measured.
double mean_of(const PaperResult& result, const char* row, const std::string& variant) {
  if (!is_measured(result, row, variant)) return std::nan("");
  const PaperSeries series = series_of(result, row, variant, "");
  double sum = 0;
  for (const PaperPoint& point : series.points) sum += point.y.mean;
  return series.points.empty() ? std::nan("") : sum / static_cast<double>(series.points.size());
}

// "Significantly less accurate": by more than both deviations together, on average over the numbers of labels; zero or
// less if not.
double significance(const PaperResult& result, const char* row, const char* better, const std::string& variant) {
  const PaperSeries low = series_of(result, row, variant, ""), high = series_of(result, better, variant, "");
  double sum = 0;
  for (std::size_t i = 0; i < low.points.size() && i < high.points.size(); ++i) {
    const Summary &a = low.points[i].y, &b = high.points[i].y;
    sum += b.mean - a.mean - a.deviation - b.deviation;
  }
  return sum;
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
  std::vector<Tested> below, significant, above_svm;
  for (const LabelSet& set : kLabelSets) {
    const std::string variant = kLabels + std::string(set.name);
    add_figure(result, variant, "labels", "test accuracy %",
               {"OnlineASVM^R", "Greedy", "QueryAll", "Greedy, IDSVM", "QueryAll, IDSVM"});
    const double ramp = mean_of(result, "OnlineASVM^R", variant), greedy = mean_of(result, "Greedy", variant);
    const double all = mean_of(result, "QueryAll", variant), svm = mean_of(result, "QueryAll, IDSVM", variant);
    if (std::isnan(ramp + greedy + all + svm)) continue;
    below.push_back({set.name, all < ramp && all < greedy});
    significant.push_back({set.name, significance(result, "QueryAll", "Greedy", variant) > 0 &&
                                         significance(result, "QueryAll", "OnlineASVM^R", variant) > 0});
    above_svm.push_back({set.name, all > svm});
  }
  conclude_winners(result);
  if (below.size() < std::size(kLabelSets)) return;
  claim_on(result, "labels: QueryAll is consistently less accurate than Greedy and than OnlineASVM^R", below.size(),
           below);
  claim_on(result, "labels: QueryAll is significantly less accurate than Greedy and than OnlineASVM^R",
           significant.size(), significant);
  claim_on(result, "labels: OnlineSVM^R is better than IDSVM on the majority of data sets, asking for every label",
           most_of(above_svm.size()), above_svm);
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
        "One pass, three runs. Each learner has its settings of table 1, SVM^R those of OnlineSVM^R. Labels: the "
        "settings of OnlineASVM^R for the three ways to choose labels for the ramp-loss SVM, and those of IDSVM. "
        "Times are shown as ratios between learners.",
    .runs = 3,
    .cells = ramp_figures_cells::cells,
    .conclude = ramp_figures_cells::conclude};

}  // namespace kinglet::papers
