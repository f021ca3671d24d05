// The schema of records: what the columns of the data are, and which features each of them becomes.
//
//   number    one feature, scaled along the stream
//   category  one feature for each value (1 if the column has it), and a few for all values beyond the bound, by a hash
//   text      words; each adds to one of a fixed number of features, chosen by a hash; the features have length 1
//             together
//   time      the days since an origin, scaled like a number, and sine and cosine of the time of day, week and year.
//             In prediction a time outside of those learned counts as one of them (src/records/learned_times.hpp)
//
// A value that may be missing has one more feature, which says that it is.
//
//   features:  numbers and trends of times │ the other features of column 1 │ of column 2 │ …
//              0 … numbers − 1, scaled     │ on a scale of their own, never standardised
//
// The first rows fix the number of features, so the memory of a model is known. Only the list of a category's values
// grows later, into slots that were reserved for it. A schema without a category, text, time or missing value is not
// needed: then every column is one feature.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kinglet {

enum class ColumnKind : std::uint8_t { number, category, text, time, ignore };
// ISO 8601, or counted since 1970.
enum class TimeForm : std::uint8_t { iso, seconds, milliseconds, microseconds, nanoseconds };

std::string_view name_of(ColumnKind kind);

// The range of the times that were learned, in seconds since 1970.
struct LearnedTimes {
  double first = 0;
  double last = -1;

  bool any() const { return first <= last; }
  bool contains(double seconds) const { return seconds >= first && seconds <= last; }

  friend bool operator==(const LearnedTimes&, const LearnedTimes&) = default;
};

// One column. What `first` and `scaled` say follows from the rest (lay_out in src/records/schema.hpp).
struct ColumnPlan {
  ColumnKind kind = ColumnKind::number;
  bool indicator = false;                // its last feature says that the value is missing
  std::uint32_t slots = 0;               // category: features for values of their own; used up in the order of `values`
  std::vector<std::string> values = {};  // category: the values that have a slot
  std::uint32_t buckets = 0;             // category: features for all other values; text: for words
  TimeForm form = TimeForm::iso;         // time
  double origin = 0;                     // time: seconds since 1970 at which the trend is 0
  std::optional<LearnedTimes> learned = {};  // time: grows along the stream. Not given (a model of an earlier version):
                                             // every time is taken as it is

  std::uint32_t scaled = 0;  // number, time: the feature that is scaled
  std::uint32_t first = 0;   // the first of its other features

  friend bool operator==(const ColumnPlan&, const ColumnPlan&) = default;
};

struct Schema {
  std::vector<ColumnPlan> columns;
  std::uint32_t numbers = 0;    // so many first features are scaled
  std::uint32_t dimension = 0;  // number of features
  // Whether NULL, N/A and the like are missing values (src/records/missing.hpp); not in models of earlier versions.
  bool null_words = true;

  friend bool operator==(const Schema&, const Schema&) = default;
};

// What a user says about a column, by its name or its number from 1.
struct ColumnChoice {
  std::string column;
  ColumnKind kind = ColumnKind::number;
};

}  // namespace kinglet
