#include "papers/judge.hpp"

#include <algorithm>
#include <cmath>

namespace kinglet {
namespace {

// Papers round to one decimal, so smaller deviations count as this one.
double least_deviation(Measure measure) { return measure == Measure::gradient_error ? 0.001 : 0.05; }

// By how much ours and the published result are better than always predicting the most frequent class; NaN if the
// measure has no such baseline. `deviation` is the paper's.
struct OverBaseline {
  double ours;
  double paper;
  double deviation;
};

Verdict verdict_on(const CellResult& result, const OverBaseline& over) {
  if (result.deviations < -1 && over.paper > over.deviation) return Verdict::short_of;
  const double own = std::isnan(result.ours.deviation) ? 0 : result.ours.deviation;
  if (std::abs(over.ours) <= std::max(own, least_deviation(result.cell.measure))) return Verdict::idle;
  if (result.deviations < -1) return Verdict::short_of;
  if (result.deviations <= 1) return Verdict::within;
  return over.ours <= 0 ? Verdict::idle : Verdict::better;
}

}  // namespace

void judge(CellResult& result, std::string_view experiment) {
  const Published& paper = result.cell.paper;
  if (std::isnan(paper.value) || !result.cell.compared || !paper_set(result.cell.set).comparable) return;
  if (!result.problem.empty()) result.verdict = Verdict::short_of;
  if (std::isnan(result.ours.mean)) return;
  const double least = least_deviation(result.cell.measure);
  const double given = std::isnan(paper.deviation) ? result.ours.deviation : paper.deviation;
  const double deviation = std::isnan(given) ? least : std::max(given, least);
  const double sign = higher_is_better(result.cell.measure) ? 1 : -1;
  result.deviations = sign * (result.ours.mean - paper.value) / deviation;
  result.verdict = verdict_on(result, {.ours = sign * (result.ours.mean - result.baseline),
                                       .paper = sign * (paper.value - result.baseline),
                                       .deviation = deviation});
  if (result.is_far()) {
    result.reason = paper_reason(experiment, result.cell.row, result.cell.set, result.cell.variant);
  }
}

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::within:
      return "within";
    case Verdict::better:
      return "better";
    case Verdict::short_of:
      return "short";
    case Verdict::idle:
      return "majority class";
    case Verdict::none:
      return "";
  }
  return "";
}

std::size_t PaperResult::judged() const {
  return count(Verdict::within) + count(Verdict::better) + count(Verdict::short_of);
}

std::size_t PaperResult::claims_judged() const {
  return static_cast<std::size_t>(std::ranges::count(claims, true, &Claim::judged));
}

std::size_t PaperResult::claims_that_hold() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(claims, [](const Claim& claim) { return claim.judged && claim.holds; }));
}

std::size_t PaperResult::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count(cells, verdict, &CellResult::verdict));
}

}  // namespace kinglet
