// Claims about several data sets, or about several pairs of learners: on how many of them a statement is true.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <utility>
#include <vector>

#include "papers/paper.hpp"

namespace kinglet::papers {

// Where a statement was tested, and whether it is true there.
struct Tested {
  std::string where;
  bool holds = false;
};

// The claim that it is true in at least so many places; the evidence names the others. None if there are no places.
inline void claim_on(PaperResult& result, std::string text, std::size_t least, const std::vector<Tested>& tested) {
  if (tested.empty()) return;
  std::vector<std::string> others;
  for (const Tested& each : tested) {
    if (!each.holds) others.push_back(each.where);
  }
  const std::size_t count = tested.size() - others.size();
  result.claims.push_back({.text = std::move(text),
                           .holds = count >= least,
                           .evidence = fmt::format("on {} of {}{}{}", count, tested.size(),
                                                   others.empty() ? "" : "; not on ", fmt::join(others, ", "))});
}

// "Most" in numbers: more than half.
inline std::size_t most_of(std::size_t count) { return count / 2 + 1; }

}  // namespace kinglet::papers
