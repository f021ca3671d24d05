// RAMP, table 1: the online ramp-loss SVM, with and without active learning, compared with an exact SVM online and
// offline.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "papers/experiments/claim_on.hpp"
#include "papers/paper.hpp"
#include "papers/paper_settings.hpp"

namespace kinglet::papers {
namespace ramp_table1_cells {

struct Line {
  const char* set;
  const char* column;
  Published svm, idsvm, pa, online, active;
};

const std::vector<Line>& lines() {
  static const std::vector<Line> list = {
      {"ramp-adult", "adult", {84.0, .3, 4275}, {84.3, .2, 4093}, {82.3, .2, 7764}, {84.5, .2, 2631}, {84.5, .2, 2497}},
      {"banana", "banana", {90.0, 1.0, 926}, {90.0, .8, 995}, {88.7, .4, 1195}, {90.8, 1.0, 713}, {89.9, .4, 303}},
      {"ramp-checkerboard",
       "checkerboard",
       {99.2, .1, 455},
       {99.1, .2, 477},
       {97.1, .3, 1990},
       {99.5, .0, 492},
       {99.0, .2, 438}},
      {"ramp-ncheckerboard",
       "ncheckerboard",
       {96.5, .3, 4679},
       {96.6, .5, 3196},
       {89.9, .7, 5605},
       {98.6, .2, 554},
       {98.0, .2, 987}},
      {"ramp-cover",
       "cover",
       {79.8, .4, 5164},
       {80.8, .4, 3529},
       {81.5, .4, 10000},
       {81.8, .4, 3898},
       {80.8, .4, 2408}},
      {"ramp-dna", "dna", {95.0, .0, 1080}, {95.2, .0, 817}, {93.8, .2, 1680}, {95.1, .1, 796}, {95.2, .0, 1097}},
      {"gauss", "gauss", {81.9, .3, 4183}, {81.5, .6, 2522}, {76.4, 5, 4767}, {81.8, .2, 465}, {81.8, .2, 304}},
      {"ramp-usps", "usps", {97.3, .0, 1126}, {97.3, .0, 1180}, {96.7, .3, 2205}, {97.5, .1, 1166}, {97.1, .0, 1152}},
      {"ramp-waveform",
       "waveform",
       {88.5, .2, 2629},
       {89.7, .5, 2545},
       {89.0, .4, 8273},
       {89.4, .3, 1796},
       {89.5, .4, 1711}},
  };
  return list;
}

// With more support vectors than this, a run of IDSVM takes one minute or more.
constexpr double kManyVectors = 3000;

// The paper stopped IDSVM on these sets after 5,000 seconds.
constexpr std::string_view kStopped[] = {"ramp-ncheckerboard", "ramp-cover", "gauss"};

// OnlineSVM^R and OnlineASVM^R stop as in the paper: also when a step gains less than 1e-5.
PaperCell cell_of(const Line& line, const char* row, const char* algorithm, const Published& paper) {
  PaperCell cell{.row = row, .column = line.column, .variant = {}, .set = line.set};
  cell.options = {{"algo", algorithm}};
  if (std::string_view(algorithm).starts_with("online")) cell.options.set("least-gain", "1e-5");
  cell.settings = paper_settings("ramp", row, line.set, "");
  cell.paper = paper;
  if (std::string_view(algorithm) == "idsvm") {
    if (paper.support_vectors > kManyVectors) cell.most_runs = 3;
    cell.compared = std::ranges::find(kStopped, line.set) == std::end(kStopped);
  }
  return cell;
}

std::vector<PaperCell> cells(bool) {
  std::vector<PaperCell> list;
  for (const Line& line : lines()) {
    list.push_back(cell_of(line, "LIBSVM", "svm", line.svm));
    list.push_back(cell_of(line, "IDSVM", "idsvm", line.idsvm));
    list.push_back(cell_of(line, "PA", "pa1", line.pa));
    list.push_back(cell_of(line, "OnlineSVM^R", "onlinesvmr", line.online));
    if (line.set == std::string_view("ramp-checkerboard")) {
      list.push_back(cell_of(line, "OnlineSVM^R (ours)", "onlinesvmr", line.online));
      list.back().compared = false;
    }
    list.push_back(cell_of(line, "OnlineASVM^R", "onlineasvmr", line.active));
  }
  return list;
}

using Cells = std::vector<const CellResult*>;

// The results of one learner on all sets, in the order of lines(). Empty if one has not been measured yet.
Cells results_of(const PaperResult& result, std::string_view row) {
  Cells list;
  for (const Line& line : lines()) {
    const CellResult* cell = find_cell(result, row, line.column);
    if (cell == nullptr) return {};
    list.push_back(cell);
  }
  return list;
}

// "Significantly more accurate": by more than both deviations together. With the paper's own numbers this gives the
// counts that it states.
bool is_significant(const Cells& cells) {
  const Summary &better = cells[0]->ours, &other = cells[1]->ours;
  return better.mean - other.mean > better.deviation + other.deviation;
}

// Of the first learner and the others.
bool is_near(const Cells& cells) {
  return std::ranges::all_of(cells, [&](const CellResult* each) { return cells[0]->ours.mean > each->ours.mean - 1; });
}

// For each set, whether the statement is true of the results of these learners; nothing if one has not been measured.
std::vector<Tested> on_sets(const PaperResult& result, const std::vector<std::string_view>& rows,
                            bool (*statement)(const Cells& cells)) {
  std::vector<Cells> found;
  for (const std::string_view row : rows) {
    found.push_back(results_of(result, row));
    if (found.back().empty()) return {};
  }
  std::vector<Tested> tested;
  for (std::size_t i = 0; i < lines().size(); ++i) {
    Cells cells;
    for (const Cells& row : found) cells.push_back(row[i]);
    tested.push_back({lines()[i].column, statement(cells)});
  }
  return tested;
}

void claim_accuracy(PaperResult& result, const char* other, std::size_t least) {
  claim_on(result, fmt::format("OnlineSVM^R is significantly more accurate than {} on {} of 9 data sets", other, least),
           least, on_sets(result, {"OnlineSVM^R", other}, is_significant));
}

// That OnlineSVM^R gains most over another learner on the two noisy sets.
void claim_largest_gains(PaperResult& result, const char* other) {
  const Cells online = results_of(result, "OnlineSVM^R"), others = results_of(result, other);
  if (online.empty() || others.empty()) return;
  std::vector<std::pair<double, std::string>> gains;
  for (std::size_t i = 0; i < online.size(); ++i) {
    gains.emplace_back(online[i]->ours.mean - others[i]->ours.mean, online[i]->cell.column);
  }
  std::ranges::sort(gains, std::greater());
  const auto is_noisy = [](const auto& gain) { return gain.second == "ncheckerboard" || gain.second == "cover"; };
  result.claims.push_back(
      {fmt::format("OnlineSVM^R gains most over {} on the noisy sets ncheckerboard and cover", other),
       is_noisy(gains[0]) && is_noisy(gains[1]),
       fmt::format("most on {} with {:.1f} points, then on {} with {:.1f}", gains[0].second, gains[0].first,
                   gains[1].second, gains[1].first)});
}

// Of the first learner, compared with the other four.
bool is_sparsest(const Cells& cells) {
  return std::ranges::all_of(cells, [&](const CellResult* each) {
    return each == cells[0] || cells[0]->support_vectors.mean < each->support_vectors.mean;
  });
}

bool is_densest(const Cells& cells) {
  return std::ranges::all_of(cells, [&](const CellResult* each) {
    return each == cells[0] || cells[0]->support_vectors.mean > each->support_vectors.mean;
  });
}

// "Much sparser" in numbers: both of the first two have at most this share of the vectors of each other learner.
constexpr double kMuchSparser = 0.8;
bool are_much_sparser(const Cells& cells) {
  const double most = std::max(cells[0]->support_vectors.mean, cells[1]->support_vectors.mean);
  return std::all_of(cells.begin() + 2, cells.end(),
                     [&](const CellResult* each) { return most <= kMuchSparser * each->support_vectors.mean; });
}

void claim_sparsity(PaperResult& result) {
  const std::vector<std::string_view> rows = {"OnlineASVM^R", "OnlineSVM^R", "LIBSVM", "IDSVM", "PA"};
  claim_on(result, "OnlineASVM^R has the fewest support vectors on 6 of 9 data sets", 6,
           on_sets(result, rows, is_sparsest));
  claim_on(result, "OnlineSVM^R has the fewest support vectors on 2 of 9 data sets", 2,
           on_sets(result, {"OnlineSVM^R", "OnlineASVM^R", "LIBSVM", "IDSVM", "PA"}, is_sparsest));
  claim_on(result, "OnlineASVM^R and OnlineSVM^R are much sparser than LIBSVM, IDSVM and PA on most data sets", 5,
           on_sets(result, rows, are_much_sparser));
  claim_on(result, "PA has the most support vectors on all data sets", lines().size(),
           on_sets(result, {"PA", "LIBSVM", "IDSVM", "OnlineSVM^R", "OnlineASVM^R"}, is_densest));
}

// Statements about a single set.
void claim_single(PaperResult& result) {
  const CellResult* online = find_cell(result, "OnlineSVM^R", "adult");
  const CellResult* exact = find_cell(result, "IDSVM", "adult");
  if (online != nullptr && exact != nullptr) {
    result.claims.push_back({"in table 1, OnlineSVM^R is more accurate than IDSVM on adult",
                             online->ours.mean > exact->ours.mean,
                             fmt::format("{:.2f} against {:.2f} %", online->ours.mean, exact->ours.mean)});
  }
  const CellResult* offline = find_cell(result, "LIBSVM", "gauss");
  for (const char* row : {"OnlineSVM^R", "OnlineASVM^R"}) {
    const CellResult* gauss = find_cell(result, row, "gauss");
    if (gauss == nullptr || offline == nullptr) continue;
    const double ratio = offline->support_vectors.mean / gauss->support_vectors.mean;
    result.claims.push_back({fmt::format("on gauss, {} is about 10 times as sparse as LIBSVM", row),
                             ratio >= 5 && ratio <= 20, fmt::format("{:.1f} times", ratio)});
  }
  if (const CellResult* passive = find_cell(result, "PA", "cover")) {
    result.claims.push_back({"on cover, all training rows are support vectors of PA",
                             passive->support_vectors.mean >= 9'999.5,
                             fmt::format("{:.0f} of 10,000", passive->support_vectors.mean)});
  }
}

void conclude(PaperResult& result) {
  claim_accuracy(result, "LIBSVM", 5);
  claim_accuracy(result, "IDSVM", 4);
  claim_accuracy(result, "PA", 7);
  claim_largest_gains(result, "LIBSVM");
  claim_largest_gains(result, "IDSVM");
  claim_on(result, "OnlineASVM^R is usually within 1 point of LIBSVM, IDSVM and OnlineSVM^R", 5,
           on_sets(result, {"OnlineASVM^R", "OnlineSVM^R", "LIBSVM", "IDSVM"}, is_near));
  claim_sparsity(result);
  claim_single(result);
}

}  // namespace ramp_table1_cells

extern const PaperExperiment ramp_table1;
const PaperExperiment ramp_table1{
    .name = "ramp-table1",
    .title = "The online ramp-loss SVM on nine data sets",
    .source = "Wang, Vucetic: Fast Online Training of Ramp Loss Support Vector Machines, ICDM (2009), table 1",
    .protocol =
        "One pass over a shuffle of at most 10,000 rows, Gaussian kernel, accuracy on the test rows; ten runs (three "
        "of IDSVM where the paper's keeps more than 3,000 vectors). On ncheckerboard, cover and gauss the paper "
        "stopped IDSVM after 5,000 seconds; ours learns all rows, so these three are not compared. C and the kernel "
        "width are chosen from the paper's grid on other draws or shuffles, except for OnlineSVM^R (ours), whose C = "
        "5000 and gamma = 2 lie outside of it.",
    .runs = 10,
    .cells = ramp_table1_cells::cells,
    .conclude = ramp_table1_cells::conclude};

}  // namespace kinglet::papers
