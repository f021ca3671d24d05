// Which of several scalings of the features gives a published number.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>

#include "papers/paper.hpp"

namespace kinglet::papers {

// The cell of a column whose result is nearest to its published number; null if one has not been measured.
inline const CellResult* nearest_cell(const PaperResult& result, std::string_view column) {
  const CellResult* nearest = nullptr;
  const auto distance = [](const CellResult& each) { return std::abs(each.ours.mean - each.cell.paper.value); };
  for (const CellResult& each : result.cells) {
    if (each.cell.column != column) continue;
    if (each.values.empty()) return nullptr;
    if (nearest == nullptr || distance(each) < distance(*nearest)) nearest = &each;
  }
  return nearest;
}

// Claims that of the scalings of a column, the result with the one called `scaling` is nearest to the published number.
inline void claim_scaling(PaperResult& result, const std::string& column, std::string text, std::string_view scaling) {
  const CellResult* nearest = nearest_cell(result, column);
  if (nearest == nullptr) return;
  const Published& paper = nearest->cell.paper;
  std::string evidence = fmt::format("the nearest is {}: {:.2f} %", nearest->cell.row, nearest->ours.mean);
  if (std::isnan(paper.support_vectors)) {
    evidence += fmt::format(", published {:.2f} %", paper.value);
  } else {
    evidence += fmt::format(" with {:.0f} vectors, published {:.2f} % with {:.0f}", nearest->support_vectors.mean,
                            paper.value, paper.support_vectors);
  }
  result.claims.push_back({column + ": " + text, nearest->cell.row == scaling, std::move(evidence)});
}

}  // namespace kinglet::papers
