#include "lab/paper_settings.hpp"

#include "lab/paper.hpp"

namespace kinglet {
namespace {

struct Setting {
  std::string_view paper;
  std::string_view row;  // empty: all
  std::string_view set;
  std::string_view budget;  // empty: all
  std::string_view words;   // added to those of the lines before that fit
};

constexpr Setting kSettings[] = {
    {"bsgd", "", "checkerboard", "", "gamma=6"}, {"bsgd", "BPegasos+merge", "checkerboard", "", "lambda=1e-5"},
    {"bsgd", "", "ijcnn1", "", "gamma=0.15"},    {"bsgd", "BPegasos+merge", "ijcnn1", "", "lambda=3e-5"},
    {"bsgd", "", "adult", "", "gamma=0.004"},    {"bsgd", "BPegasos+merge", "adult", "", "lambda=3e-4"},
    {"bsgd", "", "usps", "", "gamma=0.006"},     {"bsgd", "BPegasos+merge", "usps", "", "lambda=3e-4"},
    {"bsgd", "", "letter", "", "gamma=0.3"},     {"bsgd", "BPegasos+merge", "letter", "", "lambda=1e-4"},
};

}  // namespace

Options paper_settings(std::string_view paper, std::string_view row, std::string_view set, std::string_view budget) {
  Options options;
  for (const Setting& setting : kSettings) {
    const bool fits = setting.paper == paper && (setting.row.empty() || setting.row == row) && setting.set == set &&
                      (setting.budget.empty() || setting.budget == budget);
    if (!fits) continue;
    const Options found = options_of(setting.words);
    for (const auto& [name, value] : found.all()) options.set(name, value);
  }
  return options;
}

}  // namespace kinglet
