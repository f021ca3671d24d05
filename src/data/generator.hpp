// Synthetic streams, as `gen:NAME?n=1000000&seed=1&noise=0.1`. Without n a stream never ends.
// One table declares them all; help texts and documentation are made from it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

struct GeneratorParameter {
  std::string_view name;
  std::string_view summary;
  double default_value;  // what it is when not given
  double lowest;
  double highest;
  bool whole = false;  // whole numbers only
};

// Fills dense rows, and their classes as positions in the list of classes. Row `first` is the first one to fill.
using FillRows =
    std::function<void(Random& random, std::uint64_t first, std::span<float> values, std::span<std::uint32_t> classes)>;

// The same for rows that have a number instead of a class.
using FillNumberedRows = std::function<void(Random& random, std::span<float> values, std::span<float> numbers)>;

// The values of a generator's parameters, by their position in its entry.
using ParameterValues = std::span<const double>;

struct GeneratorEntry {
  std::string_view name;
  std::string_view summary;
  std::uint32_t dimension;
  std::vector<std::string> (*classes)(ParameterValues);         // label texts; null: rows have numbers instead
  std::vector<GeneratorParameter> parameters;                   // its own ones; n, seed and noise are common to all
  double noise;                                                 // the noise when not given
  FillRows (*make)(ParameterValues);                            // where there are classes
  FillNumberedRows (*make_numbers)(ParameterValues) = nullptr;  // where there are none
};

std::span<const GeneratorEntry> generators();

// n (rows; endless when not given), seed, and noise: the share of labels that are replaced by another class, or the
// deviation of what is added to numbers. The default of noise here is 0; an entry may state another one.
std::span<const GeneratorParameter> common_generator_parameters();

// `spec` is "gen:NAME?...". Throws Error for what it does not know, with what there is. With `numeric_labels` classes are
// given as the numbers that their texts are.
std::unique_ptr<Source> open_generator(std::string_view spec, bool numeric_labels = false);

// A count as people write it: 10000000, 1e7, 10M (K, M and G are 10^3, 10^6 and 10^9). Nullopt for anything else,
// and for what is not whole or not from 0 to 2^53.
std::optional<std::uint64_t> parse_count(std::string_view text);

}  // namespace kinglet
