// The same words for the same things: how train, info and the others name a model's parts.
#pragma once

#include <span>
#include <string>

#include "cli/json.hpp"
#include "cli/table.hpp"
#include "kinglet/model.hpp"
#include "kinglet/options.hpp"
#include "lab/metrics.hpp"

namespace kinglet::cli {

std::string algorithm_text(const Options& options);            // bpegasos (pegasos + merge, rbf kernel)
std::string labels_text(std::span<const std::string> labels);  // 3 (a, b, c)
std::string support_text(const LearnerStats& stats);           // 87 of 500
void add_kept(Listing& listing, const LearnerStats& stats);    // what dual learners keep and compute; else nothing
void add_kept(Json& json, const LearnerStats& stats);
Json budget_json(const LearnerStats& stats);         // null without one
void add_parts(Json& json, const Options& options);  // algorithm, update, maintain, kernel, task
// The labels of a test that the model has never seen; nothing where there are none.
void add_unknown(Listing& listing, const std::string& name, const Evaluation& result);
Json unknown_json(const Evaluation& result);
std::string error_name(TaskKind task);                // error, or RMSE
std::string error_text(TaskKind task, double error);  // 0.0213; an RMSE with its digits: 1.6203
void add_online(Listing& listing, const Model& model, const std::string& baseline);  // online error, or RMSE and MAE
void add_online(Json& json, const Model& model);
void add_labels(Listing& listing, const Model& model);   // how many were asked for; nothing where that is all
void add_classes(Listing& listing, const Model& model);  // nothing for regression

}  // namespace kinglet::cli
