// The cells that the two tables of the paper on SPA are made of: each learner on each set, with the set's budget.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "papers/paper.hpp"
#include "papers/paper_settings.hpp"

namespace kinglet::papers {

struct SpaSet {
  const char* name;    // of paper_data.hpp
  const char* column;  // as the paper has it
  const char* budget;
  const char* spa;  // its options as the paper states them
};

struct SpaLine {
  const char* row;
  const char* options;
  bool bounded;
  std::vector<Published> values;  // by set
};

// The results of these learners on a set; empty if one has not been measured.
inline std::vector<const CellResult*> results_of(const PaperResult& result, const SpaSet& set,
                                                 const std::vector<const char*>& rows) {
  std::vector<const CellResult*> list;
  for (const char* row : rows) {
    list.push_back(find_cell(result, row, set.column));
    if (list.back() == nullptr) return {};
  }
  return list;
}

inline double accuracy_of(const CellResult* of) { return of->ours.mean; }
inline double seconds_of(const CellResult* of) { return of->seconds.mean; }

inline PaperCell spa_cell(const SpaLine& line, const SpaSet& set, const Published& paper) {
  PaperCell cell{.row = line.row, .column = set.column, .variant = {}, .set = set.name};
  cell.options = options_of(line.options);
  const Options more = options_of(std::string_view(line.row).starts_with("SPA") ? set.spa : "");
  for (const auto& [name, value] : more.all()) cell.options.set(name, value);
  if (line.bounded) cell.options.set("budget", set.budget);
  cell.settings = paper_settings("spa", line.row, set.name, set.budget);
  cell.paper = paper;
  cell.compared = !cell.row.ends_with("(ours)");
  return cell;
}

}  // namespace kinglet::papers
