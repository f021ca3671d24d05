#include "papers/judge.hpp"

#include <algorithm>
#include <cmath>

namespace kinglet {
namespace {

// Papers round to one decimal, so smaller deviations count as this one.
double least_deviation(Measure measure) { return measure == Measure::gradient_error ? 0.001 : 0.05; }

Verdict verdict_on(const CellResult& result, double over_baseline) {
  const double own = std::isnan(result.ours.deviation) ? 0 : result.ours.deviation;
  if (std::abs(over_baseline) <= std::max(own, least_deviation(result.cell.measure))) return Verdict::idle;
  if (result.deviations < -1) return Verdict::short_of;
  if (result.deviations <= 1) return Verdict::within;
  return over_baseline <= 0 ? Verdict::idle : Verdict::better;
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
  result.verdict = verdict_on(result, sign * (result.ours.mean - result.baseline));  // NaN if there is no baseline
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

std::size_t PaperResult::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count(cells, verdict, &CellResult::verdict));
}

}  // namespace kinglet
