// Lays out the features of a schema and names them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinglet/schema.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

// A time has sine and cosine of the day, the week and, last, the year.
inline constexpr std::uint32_t kCycleFeatures = 6;
inline constexpr std::uint32_t kSeasonFeatures = 2;  // those of the year
// A schema has at most so many features.
inline constexpr std::uint64_t kMostRecordFeatures = 1u << 24;

std::optional<ColumnKind> column_kind(std::string_view name);

// The features of a column that are not scaled.
std::uint32_t encoded_features(const ColumnPlan& plan);

// Sets what follows from the plans: `scaled` and `first` of each, the number of features. Throws Error if they are too
// many.
void lay_out(Schema& schema);

// The name of a column that is learned from; without a header, its number in the file as far as that is known.
std::string name_of_column(const Columns& columns, std::size_t column);

// One name per feature, such as age, job=cook, job=(free 1) (for a value to come), job#2 (a bucket), note#17, when (the
// trend), when.day.sin, job=? (missing). The columns have a schema.
std::vector<std::string> names_of_features(const Columns& columns);

// Whether `later` is `earlier`, perhaps with more values in its slots and more learned times.
bool continues(const Schema& earlier, const Schema& later);

}  // namespace kinglet
