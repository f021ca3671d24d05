// The quality of predicted probabilities: Brier score, log loss, calibration error and a reliability table.
#pragma once

#include <span>
#include <string>

#include "cli/json.hpp"
#include "cli/table.hpp"
#include "kinglet/model.hpp"
#include "kinglet/reliability.hpp"

namespace kinglet::cli {

// Throws Error if the model has no probabilities.
void require_probabilities(const Model& model, const std::string& path);

// Adds Brier score, log loss and calibration error, with names that begin with `when`: "online", "test" or "". Adds
// nothing if there were no examples.
void add_reliability(Listing& listing, const std::string& when, const Reliability& reliability);
void add_reliability(Json& json, const std::string& when, const Reliability& reliability);

// The reliability table: for each bin of predicted probabilities, their mean and the observed frequency.
std::string bins_text(const Reliability& reliability, std::span<const std::string> labels);
Json bins_json(const Reliability& reliability);

// Whose probability the bins are about: the second of two classes, or the predicted class if there are more.
std::string watched_text(std::span<const std::string> labels);

}  // namespace kinglet::cli
