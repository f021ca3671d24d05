// How far the probabilities of a model can be trusted, in the same words everywhere.
#pragma once

#include <span>
#include <string>

#include "cli/json.hpp"
#include "cli/table.hpp"
#include "kinglet/model.hpp"
#include "kinglet/reliability.hpp"

namespace kinglet::cli {

// Throws Error where the model has no probabilities, with what to do about it.
void require_probabilities(const Model& model, const std::string& path);

// Brier score, log loss and calibration error; names begin with `when`: "online", "test" or nothing. Nothing is added
// where there were no examples.
void add_reliability(Listing& listing, const std::string& when, const Reliability& reliability);
void add_reliability(Json& json, const std::string& when, const Reliability& reliability);

// The bins that have examples: what was said, and what came true.
std::string bins_text(const Reliability& reliability, std::span<const std::string> labels);
Json bins_json(const Reliability& reliability);

// What bins are about: the second class of two, else the predicted one.
std::string watched_text(std::span<const std::string> labels);

}  // namespace kinglet::cli
