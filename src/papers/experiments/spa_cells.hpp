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

inline PaperCell spa_cell(const SpaLine& line, const SpaSet& set, const Published& paper) {
  PaperCell cell{.row = line.row, .column = set.column, .variant = {}, .set = set.name};
  cell.options = options_of(line.options);
  const Options more = options_of(std::string_view(line.row).starts_with("SPA") ? set.spa : "");
  for (const auto& [name, value] : more.all()) cell.options.set(name, value);
  if (line.bounded) cell.options.set("budget", set.budget);
  cell.settings = paper_settings("spa", line.row, set.name, set.budget);
  cell.paper = paper;
  return cell;
}

}  // namespace kinglet::papers
