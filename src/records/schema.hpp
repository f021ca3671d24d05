// Lays out the features of a schema and names them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinglet/schema.hpp"

namespace kinglet {

// A time has sine and cosine of the day, the week and the year.
inline constexpr std::uint32_t kCycleFeatures = 6;
// A schema has at most so many features.
inline constexpr std::uint64_t kMostRecordFeatures = 1u << 24;

std::optional<ColumnKind> column_kind(std::string_view name);

// The features of a column that are not scaled.
std::uint32_t encoded_features(const ColumnPlan& plan);

// Sets what follows from the plans: `scaled` and `first` of each, the number of features. Throws Error if they are too many.
void lay_out(Schema& schema);

// One name per feature, such as age, job=cook, job#2 (a bucket), note#17, when (the trend), when.day.sin, job=? (missing).
// `columns` are the names of the columns; empty: they are called 1, 2, ...
std::vector<std::string> names_of_features(const Schema& schema, const std::vector<std::string>& columns);

// Whether `later` is `earlier`, perhaps with more values in its slots.
bool continues(const Schema& earlier, const Schema& later);

}  // namespace kinglet
