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

// Notes which scaling of a column gives the result that is nearest to the published number. The papers say nothing
// about it, so this is no claim of theirs.
inline void note_scaling(PaperResult& result, const std::string& column) {
  const CellResult* nearest = nearest_cell(result, column);
  if (nearest == nullptr) return;
  const Published& paper = nearest->cell.paper;
  std::string evidence = fmt::format("{:.2f} %", nearest->ours.mean);
  if (std::isnan(paper.support_vectors)) {
    evidence += fmt::format(", published {:.2f} %", paper.value);
  } else {
    evidence += fmt::format(" with {:.0f} vectors, published {:.2f} % with {:.0f}", nearest->support_vectors.mean,
                            paper.value, paper.support_vectors);
  }
  result.claims.push_back({.text = fmt::format("{}: the nearest is {}", column, nearest->cell.row),
                           .evidence = std::move(evidence),
                           .judged = false});
}

}  // namespace kinglet::papers
