#include "cli/train_events.hpp"

#include "cli/output.hpp"

namespace kinglet::cli {

Json progress_json(const ProgressLine& line, TaskKind task) {
  const std::string name = task == TaskKind::regress ? "rmse" : "error";
  const auto known = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  return {{"examples", line.examples},
          {"recent_" + name, number_json(line.error_since)},
          {"overall_" + name, number_json(line.error_so_far)},
          {"labels", known(line.labels)},
          {"support_vectors", known(line.support_vectors)},
          {"examples_per_second", known(line.examples_per_second)}};
}

Json drift_json(const DriftAlarm& alarm) {
  return {{"at", alarm.at},
          {"since", alarm.since},
          {"recent_error", number_json(alarm.recent_error)},
          {"usual_error", number_json(alarm.usual_error)}};
}

void print_event(const char* kind, const Json& content) {
  Json line = {{"event", kind}};
  line.update(content);
  print(line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace kinglet::cli
