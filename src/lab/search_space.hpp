// Which options of a learner are worth searching, and where. A rule, a dual learner or a kernel says so itself, in the
// declaration of its options (OptionSpec::search), so a new one brings its own. An option becomes an axis with a grid of
// values in constant ratio, and a setting is a point of that grid in whole numbers: a quarter of a step of the declared range
// is 1, so the declared values are 0, 4, 8, …, and the same setting is found again however a search came there. Points
// below 0 or beyond the declared end are allowed as far as the option's own limits go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinglet/options.hpp"

namespace kinglet {

// What the ranges are relative to.
struct SearchScales {
  double gamma = 1;    // what `--gamma auto` makes of the data
  double targets = 1;  // deviation of the numbers to learn; 1 for classes
};

class SearchAxis {
 public:
  SearchAxis(const OptionSpec& spec, double scale);

  const std::string& name() const { return spec_.name; }
  int length() const { return length_; }  // the declared range goes from 0 to here
  // With three digits, so that it can be written down; nothing beyond the option's limits.
  std::optional<std::string> value(int at) const;

 private:
  OptionSpec spec_;
  double low_;
  int length_;
};

inline constexpr int kWholeStep = 4;

using Setting = std::vector<int>;  // a place on each axis

class SearchSpace {
 public:
  // The axes of the learner that `given` chooses; what is given is not searched. Throws Error where the options cannot be.
  SearchSpace(Options given, const SearchScales& scales);

  const std::vector<SearchAxis>& axes() const { return axes_; }
  // What was given together with the setting; nothing where the two do not go together.
  std::optional<Options> options(const Setting& setting) const;
  // The searched options alone.
  Options searched(const Setting& setting) const;

  // Settings that cover the declared ranges: the grid of declared values or, where that has more than `most` points, so
  // many of a sequence that fills the space evenly (Roberts' R sequence: frac(½ + i φ^−j) on axis j, φ^(d+1) = φ + 1).
  std::vector<Setting> spread(std::size_t most) const;
  // Settings that differ by `step` on one axis or on two.
  std::vector<Setting> neighbours(const Setting& setting, int step) const;

 private:
  std::vector<Setting> possible(std::vector<Setting> settings) const;

  Options given_;
  std::vector<SearchAxis> axes_;
};

}  // namespace kinglet
