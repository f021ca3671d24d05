#include "cli/eval_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/describe.hpp"
#include "cli/numbers.hpp"
#include "cli/prediction_blocks.hpp"
#include "report/model_blocks.hpp"

namespace kinglet::cli {
namespace {

using namespace report;

bool regresses(const EvalSubject& s) { return s.model.task() == TaskKind::regress; }

std::vector<Fact> key_facts(const EvalSubject& s) {
  const Evaluation& result = s.result;
  std::vector<Fact> key;
  if (regresses(s)) {
    key.push_back({"RMSE", number_text(result.rmse()),
                   fmt::format("predicting the mean: {}", number_text(result.baseline_rmse()))});
    key.push_back({"R²", number_text(result.r2()), "share of the variance explained"});
    key.push_back({"MAE", number_text(result.mae()), "mean absolute error"});
  } else {
    key.push_back({"accuracy", percent_text(result.accuracy()),
                   fmt::format("majority class: {}", percent_text(1 - result.majority_error()))});
    key.push_back({"balanced accuracy", percent_text(result.balanced_accuracy()), "mean recall of the classes"});
    key.push_back({"F1", number_text(result.f1()), f1_text(result)});
    key.push_back({"AUC", auc_text(s.ranking), "area under the ROC curve"});
  }
  key.push_back({"examples", count_text(result.examples), fmt::format("in {}", seconds_text(result.seconds))});
  return key;
}

std::string summary_text(const EvalSubject& s) {
  const std::string data = fmt::format("{} of {}", plural(s.result.examples, "example"), data_name(s.data));
  if (regresses(s)) {
    return fmt::format("{} predicts the {} with an RMSE of {}, where predicting the mean has {}.",
                       data_name(s.model_path), data, number_text(s.result.rmse()),
                       number_text(s.result.baseline_rmse()));
  }
  return fmt::format("{} is right for {} of the {}, where the majority class is right for {}.", data_name(s.model_path),
                     percent_text(s.result.accuracy()), data, percent_text(1 - s.result.majority_error()));
}

// Errors in windows along the data: a change of the data shows here.
Chart error_chart(const EvalSubject& s) {
  Series errors{.name = regresses(s) ? "RMSE" : "error", .drawn = Drawn::step};
  for (const StreamWindow& window : s.record.windows()) {
    if (window.judged == 0) continue;
    const double mean = window.loss / static_cast<double>(window.judged);
    errors.points.push_back({.x = static_cast<double>(window.end - s.record.examples_before()),
                             .y = regresses(s) ? std::sqrt(mean) : mean});
  }
  Chart chart{.title = regresses(s) ? "RMSE along the data" : "Error along the data",
              .caption = fmt::format("In windows of {}.", plural(s.record.windows().front().examples, "example")),
              .x = {.label = "examples", .unit = Unit::count},
              .y = {.label = errors.name, .unit = regresses(s) ? Unit::number : Unit::share, .least = 0},
              .wide = true};
  chart.series.push_back(std::move(errors));
  chart.references.push_back(regresses(s) ? Reference{"predicting the mean", s.result.baseline_rmse()}
                                          : Reference{"majority class", s.result.majority_error()});
  return chart;
}

Section prediction_section(const EvalSubject& s) {
  Section section{.title = "Predictions"};
  if (regresses(s)) {
    section.blocks.emplace_back(fit_chart(s.model, s.record.sample(), "examples"));
    section.blocks.emplace_back(residual_chart(s.model, s.record.sample(), "examples"));
  } else {
    add_confusion_blocks(section, "Confusion matrix", fmt::format("{}.", plural(s.result.examples, "example")),
                         s.result.labels, s.result.confusion);
    add_reliability_blocks(section, s.result.reliability, "on these data", s.model);
  }
  section.blocks.emplace_back(error_chart(s));
  return section;
}

Section model_section(const EvalSubject& s) {
  Section section{.title = "The model"};
  if (s.model.dimension() == 2 && s.record.sample().dimension <= 2) {
    section.blocks.emplace_back(decision_map(s.model, s.record.sample(), s.feature_names));
  }
  return section;
}

FactList data_list(const EvalSubject& s) {
  const LearnerStats stats = s.model.stats();
  FactList list{.title = "Data and model"};
  list.facts.push_back({"data", s.data == "-" ? "standard input" : s.data, ""});
  list.facts.push_back({"model", s.model_path, ""});
  list.facts.push_back({"support vectors", support_text(stats), ""});
  list.facts.push_back({"features", count_text(stats.dimension), ""});
  if (!regresses(s)) list.facts.push_back({"classes", labels_text(s.model.labels()), ""});
  Listing unknown;
  add_unknown(unknown, "unknown labels", s.result);
  for (const auto& [name, value] : unknown) list.facts.push_back({name, value, ""});
  if (s.result.stopped) list.facts.push_back({"stopped", "yes", "before the end of the data"});
  return list;
}

}  // namespace

Report eval_report(const EvalSubject& s, const std::string& command) {
  Report page{.title = fmt::format("{} on {}", data_name(s.model_path), data_name(s.data)),
              .summary = summary_text(s),
              .subtitle = fmt::format("{} learned", plural(s.model.progress().examples, "example")),
              .facts = key_facts(s),
              .command = command};
  if (s.result.examples > 0) {
    if (Section section = model_section(s); !section.blocks.empty()) page.sections.push_back(std::move(section));
    page.sections.push_back(prediction_section(s));
  }
  page.sections.push_back({.title = "Settings", .blocks = {data_list(s), option_list(s.model)}});
  return page;
}

}  // namespace kinglet::cli
