// Generated data streams, such as `gen:NAME?n=1000000&seed=1&noise=0.1`. Without n, a stream never ends.
// One table declares all generators; help texts and documentation are made from it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.hpp"
#include "kinglet/message.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

struct GeneratorParameter {
  std::string_view name;
  std::string_view summary;
  double default_value;
  double lowest;
  double highest;
  bool whole = false;  // integers only
};

// Fills dense rows and their classes (positions in the list of classes), starting with row number `first`.
using FillRows =
    std::function<void(Random& random, std::uint64_t first, std::span<float> values, std::span<std::uint32_t> classes)>;

// The same for rows with a number instead of a class.
using FillNumberedRows = std::function<void(Random& random, std::span<float> values, std::span<float> numbers)>;

// The values of a generator's parameters, in the order of its entry.
using ParameterValues = std::span<const double>;

struct GeneratorEntry {
  std::string_view name{};
  Message summary{};
  std::uint32_t dimension = 0;
  std::vector<std::string> (*classes)(ParameterValues) = nullptr;  // label texts; null: rows have numbers instead
  std::vector<GeneratorParameter> parameters{};                    // its own parameters; all have n, seed and noise
  double noise = 0;                                                // default of the parameter noise
  FillRows (*make)(ParameterValues) = nullptr;                     // for classes
  FillNumberedRows (*make_numbers)(ParameterValues) = nullptr;     // for numbers
  // The least error that a classifier can have on average without noise, where it is known; null: it is not.
  std::optional<double> (*best_error)(ParameterValues) = nullptr;
};

std::span<const GeneratorEntry> generators();
std::vector<GeneratorEntry> still_streams();     // still_streams.cpp
std::vector<GeneratorEntry> drifting_streams();  // drifting_streams.cpp

// For their entries: the classes -1 and 1, the best error 0, and the most rows that a parameter may name.
std::vector<std::string> minus_and_plus(ParameterValues);
std::optional<double> never_wrong(ParameterValues);
inline constexpr double kMostGeneratedRows = 0x1p53;

// The least error with a share of `noise` labels replaced; nullopt where it is not known.
std::optional<double> best_error(const GeneratorEntry& entry, ParameterValues parameters, double noise);

// The parameters of all generators: n (number of rows; endless if not given), seed, and noise (the share of labels
// replaced by another class, or the deviation of noise added to numbers). An entry may set another default for noise.
std::span<const GeneratorParameter> common_generator_parameters();

// `spec` is "gen:NAME?...". Throws Error for unknown names, listing the known ones. With `numeric_labels`, the label
// texts of classes are converted to numbers.
std::unique_ptr<Source> open_generator(std::string_view spec, bool numeric_labels = false);

// Parses a count such as 10000000, 1e7 or 10M (K, M and G are 10^3, 10^6 and 10^9). Nullopt if it is not an integer
// from 0 to 2^53.
std::optional<std::uint64_t> parse_count(std::string_view text);

}  // namespace kinglet
