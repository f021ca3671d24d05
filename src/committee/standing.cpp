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
  if (like != nullptr) recent_ = like->recent_;
}

bool Standing::is_clearly_better(const Standing& other, double z, bool counts_mistakes) const {
  const double mine = recent_.error;
  const double theirs = other.recent_.error;
  if (counts_mistakes) return theirs - mine > z * std::sqrt((mine + theirs) / 2);
  return recent_error() < (1 - 0.05 * z) * other.recent_error();
}

void Standing::save(StateWriter& out) const {
  for (const std::uint64_t count : {began_, left_, examples_}) out.put(count);
  for (const ErrorSum* sum : {&total_, &since_mark_, &recent_}) sum->save(out);
}

void Standing::load(StateReader& in) {
  for (std::uint64_t* count : {&began_, &left_, &examples_}) *count = in.get<std::uint64_t>();
  for (ErrorSum* sum : {&total_, &since_mark_, &recent_}) sum->load(in);
}

}  // namespace kinglet
