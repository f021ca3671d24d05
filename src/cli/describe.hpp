// The same words for the same things: how train, info and the others name a model's parts.
#pragma once

#include <span>
#include <string>

#include "cli/json.hpp"
#include "kinglet/learner.hpp"
#include "kinglet/options.hpp"

namespace kinglet::cli {

std::string algorithm_text(const Options& options);            // bpegasos (pegasos + merge, rbf kernel)
std::string labels_text(std::span<const std::string> labels);  // 3 (a, b, c)
std::string support_text(const Facts& facts);                  // 87 of 500
Json budget_json(const Facts& facts);                          // null without one
void add_parts(Json& json, const Options& options);            // algorithm, update, maintain, kernel

}  // namespace kinglet::cli
