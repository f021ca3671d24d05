#include "cli/train_result.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "cli/baseline.hpp"
#include "cli/describe.hpp"
#include "cli/numbers.hpp"
#include "cli/passes.hpp"
#include "cli/probabilities.hpp"
#include "cli/schema_text.hpp"
#include "cli/standings.hpp"
#include "cli/table.hpp"
#include "lab/peak_memory.hpp"

namespace kinglet::cli {
namespace {

double rate_of(const TrainingResult& training) {
  return training.seconds > 0 ? static_cast<double>(training.learned) / training.seconds : 0;
}

// Numbers with four digits, other text unchanged.
std::string brief(const std::string& value) {
  const Json number = Json::parse(value, nullptr, false);
  return number.is_number_float() ? fmt::format("{:.4g}", number.get<double>()) : value;
}

// The options that were chosen from the data, and always gamma; that of a committee is in what it settled on.
Listing resolved_options(const Model& model) {
  Listing listing;
  const bool is_committee = !model.standings().members.empty();
  for (const auto& [name, value] : model.options().all()) {
    if (name == "gamma" && is_committee) continue;
    if (name == "gamma" || model.requested_options().text(name) != value) listing.emplace_back(name, brief(value));
  }
  return listing;
}

void add_test(Listing& listing, TaskKind task, const Evaluation& test) {
  const std::string examples = plural(test.examples, "example");
  if (task != TaskKind::regress) {
    listing.emplace_back("test accuracy", fmt::format("{} on {} (majority class {})", fraction_text(test.accuracy()),
                                                      examples, fraction_text(1 - test.majority_error())));
    add_unknown(listing, "unknown labels", test);
    add_reliability(listing, "test", test.reliability);
    return;
  }
  listing.emplace_back("test RMSE", fmt::format("{} on {} (predicting the mean {})", number_text(test.rmse()), examples,
                                                number_text(test.baseline_rmse())));
  listing.emplace_back("test MAE", number_text(test.mae()));
  listing.emplace_back("test R²", number_text(test.r2()));
}

void add_test(Json& json, TaskKind task, const Evaluation& test) {
  json["test_beats_baseline"] = beats_baseline_json(against_baseline(test));
  if (task == TaskKind::regress) {
    json["test_rmse"] = number_json(test.rmse());
    json["test_mae"] = number_json(test.mae());
    json["test_r2"] = number_json(test.r2());
    json["test_examples"] = test.examples;
    json["test_baseline_rmse"] = number_json(test.baseline_rmse());
  } else {
    json["test_accuracy"] = number_json(test.accuracy());
    json["test_examples"] = test.examples;
    json["test_majority_error"] = number_json(test.majority_error());
    json["test_unknown_labels"] = unknown_json(test);
    add_reliability(json, "test", test.reliability);
    if (test.reliability.examples > 0) json["test_reliability"] = bins_json(test.reliability);
  }
}

std::string share_text(std::optional<double> share) { return share ? fraction_text(*share) : "-"; }
Json share_json(std::optional<double> share) { return share ? number_json(*share) : Json(nullptr); }

std::string stream_text(const TrainFlags& flags, const StreamResult& stream, const Model& model) {
  const StreamMetrics& metrics = stream.metrics;
  if (stream.judged.examples == 0) return fmt::format("\nalong the stream, {}\n", not_judged_text(flags, model));
  std::string title = fmt::format("\nalong the stream, {}", plural(stream.judged.examples, "example"));
  if (flags.delay > 0) title += fmt::format(", each label {} later", plural(flags.delay, "row"));
  Listing listing;
  if (model.task() == TaskKind::regress) {
    listing.emplace_back("RMSE", number_text(stream.rmse()));
    return title + "\n" + format_listing(listing);
  }
  const auto compared = [](std::optional<double> kappa, std::optional<double> with, std::string_view what) {
    return fmt::format("{} ({}: accuracy {})", share_text(kappa), what, share_text(with));
  };
  listing.emplace_back(
      "accuracy",
      fmt::format("{}, the last {} {}, fading {}", share_text(metrics.accuracy()), count_text(StreamMetrics::kRecent),
                  share_text(metrics.recent_accuracy()), share_text(metrics.fading_accuracy())));
  listing.emplace_back("Kappa", share_text(metrics.kappa()));
  listing.emplace_back("Kappa-M",
                       compared(metrics.kappa_m(), metrics.majority_accuracy(), "most frequent class so far"));
  listing.emplace_back("Kappa-T", compared(metrics.kappa_t(), metrics.repetition_accuracy(), "the last label again"));
  std::vector<Row> rows;
  for (std::size_t c = 0; c < metrics.classes().size(); ++c) {
    const StreamMetrics::OfClass& each = metrics.classes()[c];
    rows.push_back(
        {model.labels()[c], count_text(each.examples), share_text(each.recall()), share_text(each.precision())});
  }
  return title + "\n" + format_listing(listing) + "\n" +
         format_table({{"class", false}, {"examples"}, {"recall"}, {"precision"}}, rows);
}

Json stream_json(const TrainFlags& flags, const StreamResult& stream, const Model& model) {
  Json json = {{"delay", flags.delay}, {"examples", stream.judged.examples}};
  if (model.task() == TaskKind::regress) {
    json["rmse"] = number_json(stream.rmse());
    return json;
  }
  const StreamMetrics& metrics = stream.metrics;
  json["accuracy"] = share_json(metrics.accuracy());
  json["recent_accuracy"] = share_json(metrics.recent_accuracy());
  json["fading_accuracy"] = share_json(metrics.fading_accuracy());
  json["kappa"] = share_json(metrics.kappa());
  json["kappa_m"] = share_json(metrics.kappa_m());
  json["kappa_t"] = share_json(metrics.kappa_t());
  json["majority_accuracy"] = share_json(metrics.majority_accuracy());
  json["repetition_accuracy"] = share_json(metrics.repetition_accuracy());
  Json& classes = json["classes"] = Json::array();
  for (std::size_t c = 0; c < metrics.classes().size(); ++c) {
    const StreamMetrics::OfClass& each = metrics.classes()[c];
    classes.push_back({{"label", model.labels()[c]},
                       {"examples", each.examples},
                       {"recall", share_json(each.recall())},
                       {"precision", share_json(each.precision())}});
  }
  return json;
}

Json curve_json(const std::vector<CurvePoint>& curve) {
  Json list = Json::array();
  for (const CurvePoint& point : curve) {
    Json item = {
        {"labels", point.labels}, {"examples", point.examples}, {"online_error", number_json(point.error_since)}};
    if (point.test_accuracy) item["test_accuracy"] = number_json(*point.test_accuracy);
    list.push_back(item);
  }
  return list;
}

// What the online error is compared with, and with --delay that it is not the error of the predictions on arrival.
std::string online_remark(const TrainFlags& flags, const TrainingResult& training, const Model& model) {
  std::string remark = flags.delay > 0 && !model.stats().learns_at_end ? ", labels at once" : "";
  if (training.majority_error) remark += fmt::format(" (majority class {})", fraction_text(*training.majority_error));
  if (training.baseline_rmse) remark += fmt::format(" (predicting the mean {})", number_text(*training.baseline_rmse));
  return remark;
}

}  // namespace

double StreamResult::rmse() const { return std::sqrt(judged.loss / static_cast<double>(judged.examples)); }

std::string not_judged_text(const TrainFlags& flags, const Model& model) {
  const std::uint64_t unpredicted = flags.delay + kBatchRows;
  const bool is_short = flags.delay > 0 && model.progress().examples <= unpredicted;
  return is_short
             ? fmt::format("no row was judged: --delay {} needs more than {}", flags.delay, plural(unpredicted, "row"))
             : "no row was judged";
}

std::string result_text(const TrainFlags& flags, const Outcome& outcome, const Model& model) {
  const LearnerStats stats = model.stats();
  const TrainingResult& training = outcome.training;
  Listing listing = {{"algorithm", algorithm_text(model.options())}};
  add_settled(listing, model);
  listing.emplace_back("examples", fmt::format("{} in {}, {}", count_text(answered_examples(model)),
                                               seconds_text(training.seconds), rate_text(rate_of(training))));
  if (const std::string passes = passes_text(flags, model); !passes.empty()) listing.emplace_back("passes", passes);
  if (flags.data.skip_bad > 0) listing.emplace_back("bad rows", fmt::format("{} skipped", count_text(outcome.skipped)));
  add_gaps(listing, outcome.gaps, model.columns().get());
  add_labels(listing, model);
  add_online(listing, model, online_remark(flags, training, model));
  add_reliability(listing, "online", model.online_reliability());
  listing.emplace_back("support vectors", support_text(stats));
  add_kept(listing, stats);
  listing.emplace_back("features", count_text(stats.dimension));
  add_classes(listing, model);
  for (const auto& [name, value] : resolved_options(model)) listing.emplace_back(name, value);
  listing.emplace_back("memory", fmt::format("learner {}, process at most {}", bytes_text(stats.memory_bytes),
                                             bytes_text(peak_memory_bytes())));
  if (outcome.test) add_test(listing, model.task(), *outcome.test);
  if (!outcome.model.empty()) {
    std::error_code no_size;  // a pipe has none
    const auto bytes = std::filesystem::file_size(outcome.model, no_size);
    listing.emplace_back("model", no_size ? outcome.model : fmt::format("{}, {}", outcome.model, bytes_text(bytes)));
  }
  if (!flags.report.empty()) listing.emplace_back("report", flags.report);
  const std::string stream = outcome.stream ? stream_text(flags, *outcome.stream, model) : "";
  return "\n" + format_listing(listing) + stream;
}

Json result_json(const TrainFlags& flags, const Outcome& outcome, const Model& model) {
  const LearnerStats stats = model.stats();
  const Options& options = model.options();
  Json json;
  add_parts(json, options);
  add_settled(json, model);
  json["examples"] = answered_examples(model);
  json["passes"] = flags.passes;
  json["shuffle"] = flags.shuffle.empty() ? Json(nullptr) : Json(flags.shuffle);
  if (flags.data.skip_bad > 0) json["skipped_rows"] = outcome.skipped;
  add_gaps(json, outcome.gaps, model.columns().get());
  json["seconds"] = outcome.training.seconds;
  json["examples_per_second"] = rate_of(outcome.training);
  if (!outcome.training.curve.empty()) json["labels"] = model.progress().labels;
  add_online(json, model);
  add_reliability(json, "online", model.online_reliability());
  if (model.online_reliability().examples > 0) json["online_reliability"] = bins_json(model.online_reliability());
  if (outcome.training.majority_error) json["majority_error"] = *outcome.training.majority_error;
  if (outcome.training.baseline_rmse) json["baseline_rmse"] = *outcome.training.baseline_rmse;
  json["beats_baseline"] = beats_baseline_json(online_against_baseline(model, outcome.training));
  json["support_vectors"] = stats.support_vectors;
  json["budget"] = budget_json(stats);
  add_kept(json, stats);
  json["dimension"] = stats.dimension;
  json["columns"] = schema_json(model.columns().get());
  json["classes"] = stats.classes;
  const Options settled = model.settled_options();
  json["gamma"] = settled.has("gamma") && !settled.is_auto("gamma") ? Json(settled.real("gamma")) : Json(nullptr);
  json["memory_bytes"] = stats.memory_bytes;
  json["peak_rss_bytes"] = peak_memory_bytes();
  if (outcome.test) add_test(json, model.task(), *outcome.test);
  if (!outcome.training.curve.empty()) json["curve"] = curve_json(outcome.training.curve);
  if (outcome.stream) json["stream"] = stream_json(flags, *outcome.stream, model);
  json["stopped"] = outcome.training.stopped;
  if (!flags.query_out.empty()) json["answers_ended"] = outcome.training.labels_ended;
  json["model"] = outcome.model.empty() ? Json(nullptr) : Json(outcome.model);
  if (!flags.report.empty()) json["report"] = flags.report;
  json["options"] = options_json(options);
  return json;
}

}  // namespace kinglet::cli
