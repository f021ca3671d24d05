// The search space of `tune`. Rules, dual learners and kernels declare which of their options are worth searching, and
// in which range (OptionSpec::search). Each such option is an axis with a grid of values in constant ratio. A setting
// is a point of the grid with integer coordinates, in which a declared step is 4: the declared values are 0, 4, 8, ….
// So a setting is recognised however the search arrived there. Points below 0 or beyond the declared end are allowed
// within the limits of the option.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinglet/options.hpp"

namespace kinglet {

// The scales to which the ranges are relative.
struct SearchScales {
  double gamma = 1;    // the value of gamma `auto`
  double targets = 1;  // deviation of the targets; 1 for classes
};

class SearchAxis {
 public:
  SearchAxis(const OptionSpec& spec, double scale);

  const std::string& name() const { return spec_.name; }
  int length() const { return length_; }  // the end of the declared range, which begins at 0
  // Rounded to three digits, to be easy to write down; nullopt beyond the limits of the option.
  std::optional<std::string> value(int at) const;

 private:
  OptionSpec spec_;
  double low_;
  int length_;
};

inline constexpr int kWholeStep = 4;

using Setting = std::vector<int>;  // a position on each axis

// Whether the learner of complete options is a committee, which tries settings by itself.
bool is_committee(const Options& complete);
// The algorithm to search where none is named. If the default is a committee, it is that of its first member: bpegasos
// for classification, bpa-m for regression.
std::string algorithm_to_search(const Options& given);

class SearchSpace {
 public:
  // The axes of the learner that `given` selects; options in `given` are not searched. Throws Error for invalid
  // options.
  SearchSpace(Options given, const SearchScales& scales);

  const std::vector<SearchAxis>& axes() const { return axes_; }
  // The given options together with the setting; nullopt if the combination is invalid.
  std::optional<Options> options(const Setting& setting) const;
  // Only the searched options.
  Options searched(const Setting& setting) const;

  // Settings that cover the declared ranges: the grid of declared values or, if it has more than `most` points, `most`
  // points of a sequence that fills the space evenly (Roberts' R sequence: frac(½ + i φ^−j) on axis j, φ^(d+1) = φ +
  // 1).
  std::vector<Setting> spread(std::size_t most) const;
  // Settings that differ by `step` on one or two axes.
  std::vector<Setting> neighbours(const Setting& setting, int step) const;

 private:
  std::vector<Setting> possible(std::vector<Setting> settings) const;

  Options given_;
  std::vector<SearchAxis> axes_;
};

}  // namespace kinglet
