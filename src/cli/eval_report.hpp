// The page that eval --report writes.
#pragma once

#include <string>
#include <vector>

#include "kinglet/model.hpp"
#include "lab/metrics.hpp"
#include "lab/ranking.hpp"
#include "lab/stream_record.hpp"
#include "report/report.hpp"

namespace kinglet::cli {

struct EvalSubject {
  const Model& model;
  const Evaluation& result;
  const Ranking& ranking;
  const StreamRecord& record;
  std::string model_path;
  std::string data;
  std::vector<std::string> feature_names;
};

report::Report eval_report(const EvalSubject& subject, const std::string& command);

}  // namespace kinglet::cli
