// Descriptions of a model that several commands print.
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
void add_kept(Listing& listing,
              const LearnerStats& stats);  // stored examples and kernel evaluations, for dual learners only
void add_kept(Json& json, const LearnerStats& stats);
Json budget_json(const LearnerStats& stats);         // null without a budget
void add_parts(Json& json, const Options& options);  // algorithm, update, maintain, kernel, task
// Lists the labels of the test data that the model has never seen, if there are any.
void add_unknown(Listing& listing, const std::string& name, const Evaluation& result);
Json unknown_json(const Evaluation& result);
std::string f1_text(const Evaluation& result);        // class 1, or mean of the classes
std::string auc_text(const Ranking& ranking);         // 0.9712, – if it is unknown, or why there is none
std::string error_name(TaskKind task);                // error, or RMSE
std::string error_text(TaskKind task, double error);  // 0.0213, or an RMSE: 1.6203
void add_online(Listing& listing, const Model& model, const std::string& baseline);  // online error, or RMSE and MAE
void add_online(Json& json, const Model& model);
std::uint64_t answered_examples(const Model& model);                // without the one of a query that is still open
void add_labels(Listing& listing, const Model& model);              // labels used, for active learning only
void add_classes(Listing& listing, const Model& model);             // not for regression
std::string feature_name(const Model& model, std::size_t feature);  // its column, or "feature 3"

}  // namespace kinglet::cli
