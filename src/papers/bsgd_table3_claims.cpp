// The paper's words about many data sets are general ("generally", "on most data sets"), and so are the tests: a
// statement holds if it is true of more than half of the comparisons. "Similar", "comparable" and "competitive" mean
// within one point; "significantly" and "clearly" mean by more than both deviations together.
#include "papers/bsgd_table3_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "papers/significant.hpp"

namespace kinglet {
namespace {

using Rows = std::vector<std::string>;
using Test = std::function<bool(const CellResult&, const CellResult&)>;

constexpr double kSimilar = 1;  // points
const std::string kPlain = "no budget", kSmall = "B = 100", kLarge = "B = 500";

bool is_higher(const CellResult& a, const CellResult& b) { return a.ours.mean > b.ours.mean; }
bool is_clearly_higher(const CellResult& a, const CellResult& b) { return is_significant(a.ours, b.ours); }
bool is_similar(const CellResult& a, const CellResult& b) { return std::abs(a.ours.mean - b.ours.mean) <= kSimilar; }
bool is_competitive(const CellResult& a, const CellResult& b) { return a.ours.mean >= b.ours.mean - kSimilar; }
bool is_sparser(const CellResult& a, const CellResult& b) { return a.support_vectors.mean < b.support_vectors.mean; }

// Comparisons of cells, and of how many of them a test is true.
struct Count {
  std::size_t holds = 0;
  std::size_t all = 0;
  bool is_complete = true;  // everything has been measured

  void add(const CellResult* a, const CellResult* b, const Test& test) {
    is_complete = is_complete && a != nullptr && b != nullptr;
    if (!is_complete) return;
    ++all;
    holds += test(*a, *b) ? 1 : 0;
  }
  bool is_most() const { return 2 * holds > all; }
};

class Claims {
 public:
  explicit Claims(PaperResult& result) : result_(result), cells_(paper_experiment("bsgd-table3").cells(false)) {}

  // Compares each of the first learners with each of the others, on every data set and budget that both have.
  Count count(const Rows& first, const Rows& others, const Test& test,
              const std::vector<std::string>& sets = {}) const {
    Count found;
    for (const PaperCell& a : cells_) {
      if (std::ranges::find(first, a.row) == first.end()) continue;
      if (!sets.empty() && std::ranges::find(sets, a.column) == sets.end()) continue;
      for (const PaperCell& b : cells_) {
        if (std::ranges::find(others, b.row) == others.end() || b.column != a.column || b.variant != a.variant)
          continue;
        found.add(find(a.row, a.column, a.variant), find(b.row, b.column, b.variant), test);
      }
    }
    return found;
  }

  // Compares two learners on one data set, each with its budget.
  Count pair(std::string_view row, const std::string& variant, std::string_view other, const std::string& other_variant,
             std::string_view set, const Test& test) const {
    Count found;
    found.add(find(row, set, variant), find(other, set, other_variant), test);
    return found;
  }

  // More than half of the comparisons, or all of them.
  void most(const char* text, const Count& count) { add(text, count, count.is_most()); }
  void all(const char* text, const Count& count) { add(text, count, count.holds == count.all); }
  void add(const char* text, const Count& count, bool holds) {
    if (!count.is_complete) return;
    result_.claims.push_back({text, holds, fmt::format("in {} of {} comparisons", count.holds, count.all)});
  }

  // The mean accuracy of a learner over all data sets and budgets; NaN if something has not been measured.
  double mean_of(std::string_view row) const {
    double sum = 0;
    std::size_t count = 0;
    for (const PaperCell& cell : cells_) {
      if (cell.row != row) continue;
      const CellResult* found = find(cell.row, cell.column, cell.variant);
      sum += found == nullptr ? std::nan("") : found->ours.mean;
      ++count;
    }
    return sum / static_cast<double>(count);
  }
  void add(Claim claim) { result_.claims.push_back(std::move(claim)); }

  // How much less accurate Norma is than the mean of Pegasos and MP.
  double gap_of_norma(std::string_view set) const {
    const CellResult *norma = find("Norma", set, kPlain), *pegasos = find("Pegasos", set, kPlain),
                     *mp = find("MP", set, kPlain);
    if (norma == nullptr || pegasos == nullptr || mp == nullptr) return std::nan("");
    return (pegasos->ours.mean + mp->ours.mean) / 2 - norma->ours.mean;
  }

 private:
  const CellResult* find(std::string_view row, std::string_view set, std::string_view variant) const {
    return find_cell(result_, row, set, variant);
  }

  PaperResult& result_;
  std::vector<PaperCell> cells_;
};

Count operator+(const Count& a, const Count& b) {
  return {.holds = a.holds + b.holds, .all = a.all + b.all, .is_complete = a.is_complete && b.is_complete};
}

// "The gap is larger on IJCNN, Checkerboard, DNA, and Covertype": than the largest gap elsewhere.
void claim_gap(Claims& claims) {
  double least = 100, most = -100;
  for (const char* set : {"ijcnn1", "checkerboard", "dna", "covertype"})
    least = std::min(claims.gap_of_norma(set), least);
  for (const char* set :
       {"banana", "gauss", "adult", "satimage", "usps", "pendigits", "letter", "shuttle", "waveform"}) {
    most = std::max(claims.gap_of_norma(set), most);
  }
  if (std::isnan(least + most)) return;
  claims.add({"the gap between Norma and the two is larger on ijcnn1, checkerboard, dna and covertype than elsewhere",
              least > most, fmt::format("at least {:.2f} points there, at most {:.2f} elsewhere", least, most)});
}

void claim_plain(Claims& claims) {
  const Rows exact = {"LIBSVM", "IDSVM"}, online = {"Pegasos", "MP", "Norma"};
  const std::vector<std::string> whole = {"banana", "gauss",     "dna",    "satimage",
                                          "usps",   "pendigits", "letter", "shuttle"};  // learned to the end by all
  claims.most("the exact solvers LIBSVM and IDSVM are more accurate than Pegasos, MP and Norma",
              claims.count(exact, online, is_higher));
  claims.most("LIBSVM and IDSVM have fewer vectors than Pegasos, MP and Norma",
              claims.count(exact, online, is_sparser, whole));
  claims.most("Pegasos and MP are similarly accurate on most data sets", claims.count({"Pegasos"}, {"MP"}, is_similar));
  claims.all("Pegasos significantly outperforms MP on gauss and waveform",
             claims.count({"Pegasos"}, {"MP"}, is_clearly_higher, {"gauss", "waveform"}));
  claims.most("Norma is generally less accurate than Pegasos and MP",
              claims.count({"Pegasos", "MP"}, {"Norma"}, is_higher));
  claim_gap(claims);
  claims.most("Norma generates more vectors than Pegasos and MP",
              claims.count({"Pegasos", "MP"}, {"Norma"}, is_sparser, whole));
}

void claim_most_accurate(Claims& claims) {
  const double merge = claims.mean_of("BPegasos+merge"), ball = claims.mean_of("BMP+merge");
  double others = 0;
  std::string best;
  for (const char* row :
       {"Projectron++", "MP+stop", "MP+random", "BPegasos+remove", "BPegasos+project", "BNorma+merge"}) {
    const double mean = claims.mean_of(row);
    if (std::isnan(mean)) return;
    if (mean > others) best = row;
    others = std::max(mean, others);
  }
  if (std::isnan(merge + ball)) return;
  claims.add(
      {"BPegasos+merge and BMP+merge are the two most accurate of the learners with a budget for any number of classes",
       std::min(merge, ball) > others,
       fmt::format("on average {:.2f} and {:.2f} %; {} {:.2f} %", merge, ball, best, others)});
}

void claim_budgeted(Claims& claims) {
  const Rows merge = {"BPegasos+merge"}, perceptrons = {"Projectron++", "MP+stop", "MP+random"};
  claim_most_accurate(claims);
  claims.most("BPegasos+merge and BMP+merge are comparable on most data sets",
              claims.count(merge, {"BMP+merge"}, is_similar));
  claims.all("BPegasos+merge largely outperforms BMP+merge on covertype",
             claims.count(merge, {"BMP+merge"}, is_clearly_higher, {"covertype"}));
  claims.most("BPegasos+project is highly competitive with BPegasos+merge and BMP+merge",
              claims.count({"BPegasos+project"}, {"BPegasos+merge", "BMP+merge"}, is_competitive));
  claims.most("TVM and BPA-NN are comparable to BPegasos+merge on two classes",
              claims.count({"TVM", "BPA-NN"}, merge, is_similar));
  claims.all("BPA-NN is less accurate than BPegasos+merge on ijcnn1",
             claims.count(merge, {"BPA-NN"}, is_clearly_higher, {"ijcnn1"}));
  claims.most("Projectron++, MP+stop and MP+random are significantly less accurate than BPegasos+merge",
              claims.count(merge, perceptrons, is_clearly_higher));
  claims.most("of these three, Projectron++ is the most accurate",
              claims.count({"Projectron++"}, {"MP+stop", "MP+random"}, is_higher));
  claims.most("removal is significantly less accurate than projection and merging",
              claims.count({"BPegasos+project", "BPegasos+merge"}, {"BPegasos+remove"}, is_clearly_higher));
}

// The best learner with a budget, and learners without one.
void claim_best(Claims& claims) {
  const auto merged = [&](const char* set, const char* other) {
    return claims.pair("BPegasos+merge", kLarge, other, kPlain, set, is_higher);
  };
  claims.all(
      "with B = 500, BPegasos+merge is more accurate than Pegasos and LIBSVM on checkerboard, and than Pegasos on "
      "waveform",
      merged("checkerboard", "Pegasos") + merged("checkerboard", "LIBSVM") + merged("waveform", "Pegasos"));
  const auto on_both = [&](const char* row, const std::string& variant, const char* other,
                           const std::string& other_variant) {
    return claims.pair(row, variant, other, other_variant, "covertype", is_clearly_higher) +
           claims.pair(row, variant, other, other_variant, "letter", is_clearly_higher);
  };
  claims.all("on covertype and letter, the gap between BPegasos+merge with B = 500 and Pegasos remains large",
             on_both("Pegasos", kPlain, "BPegasos+merge", kLarge));
  claims.all("on covertype and letter, BPegasos+merge clearly improves from B = 100 to 500",
             on_both("BPegasos+merge", kLarge, "BPegasos+merge", kSmall));
}

}  // namespace

void conclude_bsgd_table3(PaperResult& result) {
  Claims claims(result);
  claim_plain(claims);
  claim_budgeted(claims);
  claim_best(claims);
}

}  // namespace kinglet
