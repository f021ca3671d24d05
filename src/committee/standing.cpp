#include "committee/standing.hpp"

#include <cmath>

namespace kinglet {

void ErrorSum::save(StateWriter& out) const {
  out.put(error);
  out.put(weight);
}

void ErrorSum::load(StateReader& in) {
  error = in.get<double>();
  weight = in.get<double>();
  const auto is_sum = [](double sum) { return std::isfinite(sum) && sum >= 0; };
  StateReader::require(is_sum(error) && is_sum(weight), "the errors of a member");
}

void Standing::begin(std::uint64_t examples_before, const Standing* like) {
  *this = {};
  began_ = examples_before;
  if (like == nullptr) return;
  recent_ = like->recent_;
  steady_ = like->steady_;
}

bool Standing::is_clearly_better(const Standing& other, double z, bool counts_mistakes) const {
  const auto is_clearly_less = [&](const ErrorSum& mine, const ErrorSum& theirs, double by) {
    if (!counts_mistakes) return mine.mean() < (1 - 0.05 * by) * theirs.mean();
    return theirs.error - mine.error > by * std::sqrt((mine.error + theirs.error) / 2);
  };
  if (is_clearly_less(recent_, other.recent_, z)) return true;
  return is_clearly_less(steady_, other.steady_, z / 2) && !is_clearly_less(other.recent_, recent_, z / 2);
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
