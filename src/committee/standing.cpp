#include "committee/standing.hpp"

#include <cmath>

namespace kinglet {
namespace {

bool is_less_by(double z, const ErrorSum& mine, const ErrorSum& theirs, bool counts_mistakes) {
  if (!counts_mistakes) return mine.mean() < (1 - 0.05 * z) * theirs.mean();
  return theirs.error - mine.error > z * std::sqrt(mine.squares + theirs.squares);
}

}  // namespace

bool is_clearly_less(ErrorSum mine, ErrorSum theirs, double z, bool counts_mistakes) {
  if (mine.weight > theirs.weight) mine.fade(theirs.weight / mine.weight);
  if (theirs.weight > mine.weight) theirs.fade(mine.weight / theirs.weight);
  return is_less_by(z, mine, theirs, counts_mistakes);
}

void ErrorSum::save(StateWriter& out) const {
  out.put(error);
  out.put(weight);
  out.put(squares);
}

void ErrorSum::load(StateReader& in) {
  error = in.get<double>();
  weight = in.get<double>();
  squares = in.get<double>();
  const auto is_sum = [](double sum) { return std::isfinite(sum) && sum >= 0; };
  StateReader::require(is_sum(error) && is_sum(weight) && is_sum(squares), "the errors of a member");
}

void Standing::begin(std::uint64_t examples_before, const Standing* like) {
  *this = {};
  began_ = examples_before;
  if (like == nullptr) return;
  recent_ = like->recent_;
  steady_ = like->steady_;
}

bool Standing::is_clearly_better(const Standing& other, double z, bool counts_mistakes) const {
  if (is_less_by(z, recent_, other.recent_, counts_mistakes)) return true;
  return is_less_by(z / 2, steady_, other.steady_, counts_mistakes) &&
         !is_less_by(z / 2, other.recent_, recent_, counts_mistakes);
}

void Standing::save(StateWriter& out) const {
  for (const std::uint64_t count : {began_, left_, examples_}) out.put(count);
  for (const ErrorSum* sum : {&total_, &since_mark_, &recent_, &steady_}) sum->save(out);
}

void Standing::load(StateReader& in) {
  for (std::uint64_t* count : {&began_, &left_, &examples_}) *count = in.get<std::uint64_t>();
  for (ErrorSum* sum : {&total_, &since_mark_, &recent_, &steady_}) sum->load(in);
}

}  // namespace kinglet
