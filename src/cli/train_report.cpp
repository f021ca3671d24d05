#include "cli/train_report.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <sstream>

#include "cli/describe.hpp"
#include "cli/numbers.hpp"
#include "cli/passes.hpp"
#include "cli/prediction_blocks.hpp"
#include "cli/schema_text.hpp"
#include "cli/standings.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "lab/latency.hpp"
#include "lab/peak_memory.hpp"
#include "report/model_blocks.hpp"

namespace kinglet::cli {
namespace {

using namespace report;

constexpr std::size_t kFewestTimes = 20;

struct Subject {
  const TrainFlags& flags;
  const Outcome& outcome;
  const Model& model;
  const StreamRecord& record;
  std::vector<std::string> feature_names;  // may be empty

  bool regresses() const { return model.task() == TaskKind::regress; }
  // Whether the learner predicts during the pass.
  bool is_online() const { return !model.stats().learns_at_end && !record.windows().empty(); }
  // With --delay: the predictions that were made when the rows arrived. Null if there are none.
  const StreamResult* late() const {
    return flags.delay > 0 && outcome.stream && outcome.stream->judged.examples > 0 ? &*outcome.stream : nullptr;
  }
};

// --- the head --------------------------------------------------------------------------------------------------------

void add_test_fact(std::vector<Fact>& facts, const Subject& s) {
  if (!s.outcome.test) return;
  const Evaluation& test = *s.outcome.test;
  const std::string examples = plural(test.examples, "example");
  if (s.regresses()) {
    facts.push_back({"test RMSE", number_text(test.rmse()),
                     fmt::format("{}; predicting the mean: {}", examples, number_text(test.baseline_rmse()))});
    facts.push_back({"test R²", number_text(test.r2()), "share of the variance explained"});
  } else {
    facts.push_back({"test accuracy", percent_text(test.accuracy()),
                     fmt::format("{}; majority class: {}", examples, percent_text(1 - test.majority_error()))});
  }
}

void add_late_fact(std::vector<Fact>& facts, const Subject& s) {
  const StreamResult& late = *s.late();
  const std::string when = fmt::format("each label {} later; labels at once: ", plural(s.flags.delay, "row"));
  const Progress& progress = s.model.progress();
  if (s.regresses()) {
    facts.push_back({"online RMSE", number_text(late.rmse()), when + number_text(progress.online_rmse())});
  } else {
    facts.push_back({"online error", percent_text(late.error()), when + percent_text(progress.online_error())});
  }
}

void add_online_fact(std::vector<Fact>& facts, const Subject& s) {
  if (!s.is_online()) return;
  if (s.late() != nullptr) return add_late_fact(facts, s);
  const Progress& progress = s.model.progress();
  const TrainingResult& training = s.outcome.training;
  if (s.regresses()) {
    const std::string baseline =
        training.baseline_rmse ? fmt::format("; predicting the mean: {}", number_text(*training.baseline_rmse)) : "";
    facts.push_back({"online RMSE", number_text(progress.online_rmse()), "before learning each example" + baseline});
  } else {
    const std::string baseline =
        training.majority_error ? fmt::format("; majority class: {}", percent_text(*training.majority_error)) : "";
    facts.push_back({"online error", progress.judged() == 0 ? "–" : percent_text(progress.online_error()),
                     "before learning each example" + baseline});
  }
}

std::vector<Fact> key_facts(const Subject& s) {
  const LearnerStats stats = s.model.stats();
  const TrainingResult& training = s.outcome.training;
  std::vector<Fact> key;
  add_test_fact(key, s);
  add_online_fact(key, s);
  key.push_back({"support vectors", count_text(stats.support_vectors),
                 stats.budget > 0 ? fmt::format("budget {}", count_text(stats.budget)) : "no budget"});
  key.push_back({"examples", count_text(training.learned), fmt::format("in {}", seconds_text(training.seconds))});
  if (training.seconds > 0) {
    key.push_back({"throughput", rate_text(static_cast<double>(training.learned) / training.seconds),
                   "examples, including reading"});
  }
  key.push_back({"memory", bytes_text(stats.memory_bytes),
                 fmt::format("learner; process: at most {}", bytes_text(peak_memory_bytes()))});
  return key;
}

// The same for labels that came late.
std::string late_success_text(const Subject& s) {
  const StreamResult& late = *s.late();
  const std::string when = fmt::format("{} before {} came", plural(s.flags.delay, "row"),
                                       late.judged.examples == 1 ? "its label" : "their labels");
  if (s.regresses()) {
    return fmt::format("predicted {} with an RMSE of {}, {}", plural(late.judged.examples, "example"),
                       number_text(late.rmse()), when);
  }
  return fmt::format("predicted {} of {} right, {}, where the most frequent class so far is right for {}",
                     percent_text(1 - late.error()), plural(late.judged.examples, "example"), when,
                     percent_text(late.metrics.majority_accuracy().value_or(0)));
}

// What was predicted how well, against what needs no learning: "and predicted 91.77 % of them before learning them,
// where …".
std::string success_text(const Subject& s) {
  const TrainingResult& training = s.outcome.training;
  const Progress& progress = s.model.progress();
  if (s.outcome.test && s.regresses()) {
    const Evaluation& test = *s.outcome.test;
    return fmt::format("predicts the {} of {} with an RMSE of {}, where predicting the mean has {}",
                       plural(test.examples, "example"), data_name(s.flags.test), number_text(test.rmse()),
                       number_text(test.baseline_rmse()));
  }
  if (s.outcome.test) {
    const Evaluation& test = *s.outcome.test;
    return fmt::format("is right for {} of the {} of {}, where the majority class is right for {}",
                       percent_text(test.accuracy()), plural(test.examples, "example"), data_name(s.flags.test),
                       percent_text(1 - test.majority_error()));
  }
  if (s.is_online() && s.late() != nullptr) return late_success_text(s);
  if (s.is_online() && s.regresses()) {
    const std::string baseline =
        training.baseline_rmse ? fmt::format(", where predicting the mean has {}", number_text(*training.baseline_rmse))
                               : "";
    return fmt::format("predicted each before learning it, with an RMSE of {}{}", number_text(progress.online_rmse()),
                       baseline);
  }
  if (s.is_online() && progress.judged() > 0) {
    const std::string baseline = training.majority_error ? fmt::format(", where the majority class is right for {}",
                                                                       percent_text(1 - *training.majority_error))
                                                         : "";
    return fmt::format("predicted {} of them right before learning them{}", percent_text(1 - progress.online_error()),
                       baseline);
  }
  return fmt::format("has {}", plural(s.model.stats().support_vectors, "support vector"));
}

std::string summary_text(const Subject& s) {
  return fmt::format("{} learned {} of {}{} and {}.", algorithm_name(s.model.options()),
                     plural(s.outcome.training.learned, "example"), data_name(s.flags.data.data),
                     s.outcome.training.stopped ? ", was stopped," : "", success_text(s));
}

// --- along the stream ------------------------------------------------------------------------------------------------

void add_alarms(Chart& chart, const Standings& standings) {
  for (const DriftAlarm& alarm : standings.drift) chart.alarms.push_back(alarm.at);
  if (standings.drift.empty()) return;
  chart.caption += " Drift: the predictions became clearly worse there.";
  if (standings.alarms > standings.drift.size()) {
    chart.caption +=
        fmt::format(" Only the last {} of {} alarms are shown.", standings.drift.size(), count_text(standings.alarms));
  }
}

Chart error_chart(const Subject& s) {
  const std::string name = s.regresses() ? "RMSE" : "error";
  Series since{.name = "recent " + name, .faint = true, .colour = 0};
  Series so_far{.name = "overall " + name, .colour = 1};
  const auto mean = [&](double loss, std::uint64_t judged) {
    const double value = judged == 0 ? kUnknown : loss / static_cast<double>(judged);
    return s.regresses() ? std::sqrt(value) : value;
  };
  double loss = 0;
  std::uint64_t judged = 0;
  for (const StreamWindow& window : s.record.windows()) {
    const auto end = static_cast<double>(window.end);
    loss += window.loss;
    judged += window.judged;
    if (2 * window.examples >= s.record.windows().front().examples) {
      since.points.push_back({.x = end, .y = mean(window.loss, window.judged)});
    }
    so_far.points.push_back({.x = end, .y = mean(loss, judged)});
  }
  const std::uint64_t width = s.record.windows().front().examples;
  const std::string when = s.flags.delay == 0
                               ? "before it is learned"
                               : fmt::format("when it arrives, {} before it is learned", plural(s.flags.delay, "row"));
  Chart chart{
      .title = s.regresses() ? "Online RMSE" : "Online error",
      .caption = fmt::format("Each example is predicted {}. Recent: windows of {}.", when, plural(width, "example")),
      .x = {.label = "examples", .unit = Unit::count, .least = static_cast<double>(s.record.examples_before())},
      .y = {.label = name, .unit = s.regresses() ? Unit::number : Unit::share, .least = 0},
      .series = {std::move(since), std::move(so_far)},
      .wide = true};
  const TrainingResult& training = s.outcome.training;
  if (training.majority_error) chart.references.push_back({"majority class", *training.majority_error});
  if (training.baseline_rmse) chart.references.push_back({"predicting the mean", *training.baseline_rmse});
  add_alarms(chart, s.model.standings());
  return chart;
}

Chart support_chart(const Subject& s) {
  Series vectors{.name = "support vectors", .colour = 2};
  if (s.record.examples_before() == 0) vectors.points.push_back({.x = 0, .y = 0});
  for (const StreamWindow& window : s.record.windows()) {
    if (!window.support_vectors) continue;
    vectors.points.push_back({.x = static_cast<double>(window.end), .y = static_cast<double>(*window.support_vectors)});
  }
  Chart chart{.title = "Support vectors",
              .x = {.label = "examples", .unit = Unit::count, .least = static_cast<double>(s.record.examples_before())},
              .y = {.label = "support vectors", .unit = Unit::count, .least = 0},
              .series = {std::move(vectors)}};
  const LearnerStats stats = s.model.stats();
  if (stats.budget > 0) chart.references.push_back({"budget", static_cast<double>(stats.budget)});
  return chart;
}

// The measures of --metrics and --delay.
FactList measures_list(const Subject& s) {
  FactList list{.title = "Measures along the stream", .wide = true};
  const StreamResult& stream = *s.outcome.stream;
  list.caption = fmt::format("{} were judged", plural(stream.judged.examples, "example"));
  list.caption += s.flags.delay > 0 ? fmt::format(", each label {} later.", plural(s.flags.delay, "row")) : ".";
  if (s.regresses()) {
    list.facts.push_back({"RMSE", number_text(stream.rmse()), ""});
    return list;
  }
  const auto add = [&](std::string name, std::optional<double> value, std::string note) {
    list.facts.push_back({std::move(name), value ? fraction_text(*value) : "–", std::move(note)});
  };
  const auto beyond = [](std::string_view what, std::optional<double> accuracy) {
    return fmt::format("0: no better than {}, accuracy {}", what, fraction_text(accuracy.value_or(0)));
  };
  const StreamMetrics& metrics = stream.metrics;
  add("accuracy", metrics.accuracy(), "");
  add(fmt::format("accuracy, last {}", count_text(StreamMetrics::kRecent)), metrics.recent_accuracy(), "");
  add("accuracy, fading", metrics.fading_accuracy(), "each example counts 0.999 times as much as the next");
  add("Kappa", metrics.kappa(), "0: no better than guesses with the same frequencies");
  add("Kappa-M", metrics.kappa_m(), beyond("the most frequent class so far", metrics.majority_accuracy()));
  add("Kappa-T", metrics.kappa_t(), beyond("the last label again", metrics.repetition_accuracy()));
  return list;
}

Section stream_section(const Subject& s) {
  Section section{.title = "Along the stream"};
  if (s.flags.delay == 0 || s.late() != nullptr) section.blocks.emplace_back(error_chart(s));
  if (s.outcome.stream && s.outcome.stream->judged.examples > 0) {
    section.blocks.emplace_back(measures_list(s));
  } else if (s.outcome.stream) {
    section.blocks.emplace_back(
        Note{.title = "Measures along the stream", .lines = {not_judged_text(s.flags, s.model)}});
  }
  if (auto leaders = leaders_block(s.model)) section.blocks.emplace_back(std::move(*leaders));
  return section;
}

// --- active learning ------------------------------------------------------------------------------------------------

Section labels_section(const Subject& s) {
  const auto& curve = s.outcome.training.curve;
  Series test{.name = "test accuracy", .drawn = Drawn::line_and_dots};
  Series online{.name = "online accuracy since the previous point", .drawn = Drawn::line_and_dots, .dash = 1};
  Series asked{.name = "labels", .drawn = Drawn::line_and_dots, .colour = 2};
  for (const CurvePoint& point : curve) {
    const auto labels = static_cast<double>(point.labels);
    if (labels == 0) continue;
    online.points.push_back({.x = labels, .y = 1 - point.error_since});
    if (point.test_accuracy) test.points.push_back({.x = labels, .y = *point.test_accuracy});
    asked.points.push_back({.x = static_cast<double>(point.examples), .y = labels});
  }
  Chart chart{.title = "Accuracy by number of labels",
              .x = {.label = "labels", .unit = Unit::count, .scale = Scale::log},
              .y = {.label = "accuracy", .unit = Unit::share}};
  if (!test.points.empty()) chart.series.push_back(std::move(test));
  chart.series.push_back(std::move(online));
  Section section{.title = "Labels",
                  .text = fmt::format("The learner asked for {} of {}.", plural(s.model.progress().labels, "label"),
                                      plural(s.model.progress().examples, "example"))};
  section.blocks.emplace_back(std::move(chart));
  section.blocks.emplace_back(Chart{.title = "Labels along the stream",
                                    .x = {.label = "examples", .unit = Unit::count},
                                    .y = {.label = "labels", .unit = Unit::count, .least = 0},
                                    .series = {std::move(asked)}});
  return section;
}

// --- speed -----------------------------------------------------------------------------------------------------------

Chart throughput_chart(const Subject& s) {
  Series rate{.name = "examples per second", .drawn = Drawn::step};
  const auto& windows = s.record.windows();
  for (const StreamWindow& window : windows) {
    if (4 * window.batched < windows.front().examples) continue;  // too short to measure
    rate.points.push_back({.x = static_cast<double>(window.end),
                           .y = static_cast<double>(window.batched) / std::max(window.seconds, 1e-9)});
  }
  return {.title = "Training throughput",
          .caption = "Predicting and learning in batches, without reading the data, in the same windows.",
          .x = {.label = "examples", .unit = Unit::count},
          .y = {.label = "examples per second", .unit = Unit::count, .least = 0},
          .series = {std::move(rate)}};
}

Section speed_section(const Subject& s) {
  Section section{.title = "Speed"};
  std::vector<Times> times;
  const auto learning = s.record.learning_times();
  if (s.is_online() && learning.size() >= kFewestTimes) {
    times.push_back({"learning", {learning.begin(), learning.end()}});
  }
  times.push_back({"predicting", prediction_seconds(s.model, s.record.sample())});
  section.text =
      "Latency is the time of a single example on one thread. Learning includes the prediction before it, and is "
      "measured "
      "on some examples of every batch. Predicting is measured with the finished model on a sample of the stream. "
      "Batches are faster.";
  if (s.is_online()) section.blocks.emplace_back(throughput_chart(s));
  section.blocks.emplace_back(latency_chart(times));
  Table table = latency_table(std::move(times));
  table.wide = s.is_online();
  section.blocks.emplace_back(std::move(table));
  return section;
}

// --- predictions -----------------------------------------------------------------------------------------------------

void add_confusion(Section& section, const Subject& s) {
  const auto known = s.model.labels();
  std::vector<std::string> labels(known.begin(), known.end());
  std::vector<std::uint64_t> counts;
  std::string title;
  std::string caption;
  if (s.outcome.test) {
    title = "Confusion matrix of the test data";
    caption = fmt::format("{}; accuracy {}.", plural(s.outcome.test->examples, "example"),
                          percent_text(s.outcome.test->accuracy()));
    counts = s.outcome.test->confusion;
  } else if (s.is_online() && !s.record.confusion().empty()) {
    title = "Confusion matrix of the online predictions";
    caption = s.flags.delay == 0
                  ? "Each example was predicted before it was learned, including the mistakes at the beginning."
                  : "Each example was predicted when it arrived, including the mistakes at the beginning.";
    counts.assign(s.record.confusion().begin(), s.record.confusion().end());
    labels.resize(s.record.classes());
  }
  add_confusion_blocks(section, std::move(title), std::move(caption), std::move(labels), std::move(counts));
}

void add_probabilities(Section& section, const Subject& s) {
  const bool tested = s.outcome.test && s.outcome.test->reliability.examples > 0;
  add_reliability_blocks(section, tested ? s.outcome.test->reliability : s.model.online_reliability(),
                         tested ? "on the test data" : "of the online predictions", s.model);
}

void add_regression(Section& section, const Subject& s) {
  if (s.record.sample().rows.empty()) return;
  if (s.model.dimension() == 1) {
    section.blocks.emplace_back(function_chart(s.model, s.record.sample(), s.feature_names));
  }
  const bool tested = s.outcome.test_record && !s.outcome.test_record->sample().rows.empty();
  const SampledExamples& sample = tested ? s.outcome.test_record->sample() : s.record.sample();
  const std::string what = tested ? "test examples" : "training examples";
  section.blocks.emplace_back(fit_chart(s.model, sample, what));
  section.blocks.emplace_back(residual_chart(s.model, sample, what));
  FactList list{.title = "Errors", .wide = true};
  const Progress& progress = s.model.progress();
  if (s.is_online()) {
    const std::string when = s.flags.delay == 0 ? "" : "labels at once";
    list.facts.push_back({"online RMSE", number_text(progress.online_rmse()), when});
    list.facts.push_back({"online MAE", number_text(progress.online_mae()), when});
    if (s.outcome.training.baseline_rmse) {
      list.facts.push_back({"predicting the mean", number_text(*s.outcome.training.baseline_rmse), "RMSE"});
    }
  }
  if (s.outcome.test) {
    list.facts.push_back({"test RMSE", number_text(s.outcome.test->rmse()), ""});
    list.facts.push_back({"test MAE", number_text(s.outcome.test->mae()), ""});
    list.facts.push_back({"test R²", number_text(s.outcome.test->r2()), ""});
    list.facts.push_back({"test, predicting the mean", number_text(s.outcome.test->baseline_rmse()), "RMSE"});
  }
  section.blocks.emplace_back(std::move(list));
}

Section prediction_section(const Subject& s) {
  Section section{.title = "Predictions"};
  if (s.regresses()) {
    add_regression(section, s);
  } else {
    add_confusion(section, s);
    add_probabilities(section, s);
  }
  return section;
}

// --- the model -------------------------------------------------------------------------------------------------------

// The size given by --report-image; nullopt for none.
std::optional<PictureSize> given_size(const std::string& text) {
  PictureSize size;
  const char* end = text.data() + text.size();
  const auto [after, problem] = std::from_chars(text.data(), end, size.width);
  if (problem == std::errc() && after != end && *after == 'x') {
    const auto [rest, second] = std::from_chars(after + 1, end, size.height);
    if (second == std::errc() && rest == end && size.width > 0 && size.height > 0) return size;
  }
  return std::nullopt;
}

std::optional<PictureSize> picture_size(const Subject& s) {
  const std::string& given = s.flags.report_image;
  if (given == "none") return std::nullopt;
  const auto columns = s.model.columns();
  const bool may_be_pixels = !columns || (!columns->schema && columns->features.empty());
  if (given.empty()) return may_be_pixels ? guess_picture_size(s.model.dimension()) : std::nullopt;
  const auto size = given_size(given);
  return size && size->width * size->height >= s.model.dimension() ? size : std::nullopt;
}

Section model_section(const Subject& s) {
  Section section{.title = "The model"};
  if (s.model.dimension() == 2 && !s.record.sample().rows.empty()) {
    section.blocks.emplace_back(decision_map(s.model, s.record.sample(), s.feature_names));
  }
  if (s.is_online()) section.blocks.emplace_back(support_chart(s));
  if (s.model.has_feature_importances()) section.blocks.emplace_back(importance_bars(s.model, s.feature_names));
  if (const auto size = picture_size(s)) section.blocks.emplace_back(support_gallery(s.model, *size));
  return section;
}

// --- settings --------------------------------------------------------------------------------------------------------

FactList data_list(const Subject& s) {
  const LearnerStats stats = s.model.stats();
  FactList list{.title = "Data and model"};
  list.facts.push_back({"data", s.flags.data.data == "-" ? "standard input" : s.flags.data.data, ""});
  if (!s.flags.test.empty()) list.facts.push_back({"test", s.flags.test, ""});
  list.facts.push_back({"algorithm", algorithm_text(s.model.options()), ""});
  const std::string passes = passes_text(s.flags, s.model);
  list.facts.push_back({"passes", passes.empty() ? "1" : passes, ""});
  list.facts.push_back({"features", count_text(stats.dimension), ""});
  if (!s.regresses()) list.facts.push_back({"classes", labels_text(s.model.labels()), ""});
  Listing gaps;
  add_gaps(gaps, s.outcome.gaps, s.model.columns().get());
  for (const auto& [name, text] : gaps) list.facts.push_back({name, text, ""});
  list.facts.push_back({"updates", count_text(stats.updates), "examples that changed the model"});
  if (stats.maintenance > 0)
    list.facts.push_back({"maintenance", count_text(stats.maintenance), "steps of the budget rule"});
  if (stats.stored_examples > 0) list.facts.push_back({"stored examples", count_text(stats.stored_examples), ""});
  if (stats.kernel_evaluations > 0) {
    list.facts.push_back({"kernel evaluations", count_text(stats.kernel_evaluations), ""});
  }
  if (!s.outcome.model.empty()) list.facts.push_back({"model", s.outcome.model, ""});
  if (s.record.examples_before() > 0) {
    list.facts.push_back(
        {"learned before", count_text(s.record.examples_before()), "in earlier runs, not shown in the charts"});
  }
  if (s.outcome.training.stopped) list.facts.push_back({"stopped", "yes", "before the end of the data"});
  return list;
}

// The columns by kind, as train shows them: "  number    age, height". A line that continues a list begins farther to
// the right.
std::optional<FactList> columns_list(const Model& model) {
  FactList list{.title = "Columns"};
  std::istringstream text(schema_text(model.columns().get()));
  std::getline(text, list.caption);
  if (list.caption.empty()) return std::nullopt;
  for (std::string line; std::getline(text, line);) {
    const std::size_t begin = line.find_first_not_of(' ');
    const std::string_view words = std::string_view(line).substr(begin);
    if (begin > 2) {
      list.facts.back().value += fmt::format(" {}", words);
    } else {
      const std::size_t end = words.find(' ');
      list.facts.push_back(
          {std::string(words.substr(0, end)), std::string(words.substr(words.find_first_not_of(' ', end))), ""});
    }
  }
  list.caption[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(list.caption[0])));
  list.caption += ".";
  return list;
}

}  // namespace

void check_report_image(const std::string& text) {
  if (text.empty() || text == "none" || given_size(text)) return;
  throw Error(fmt::format("--report-image {}: give WIDTHxHEIGHT, as in 28x28, or none", text));
}

void check_report_image(const std::string& text, std::uint32_t dimension) {
  const auto size = given_size(text);
  if (!size || size->width * size->height >= dimension) return;
  throw Error(fmt::format("--report-image {}: the examples have {}, more than the picture has pixels", text,
                          plural(dimension, "feature")));
}

report::Report train_report(const TrainFlags& flags, const Outcome& outcome, const Model& model,
                            const StreamRecord& record, const std::string& command) {
  const auto names = model.feature_names();
  const Subject s{flags, outcome, model, record, {names.begin(), names.end()}};
  Report page{.title = fmt::format("{} on {}", algorithm_name(model.options()), data_name(flags.data.data)),
              .summary = summary_text(s),
              .subtitle = algorithm_text(model.options()),
              .facts = key_facts(s),
              .command = command};
  const auto add = [&](Section section) {
    if (!section.blocks.empty()) page.sections.push_back(std::move(section));
  };
  if (s.is_online()) add(stream_section(s));
  add(model_section(s));
  add(standings_section(model));
  if (!outcome.training.curve.empty()) add(labels_section(s));
  add(prediction_section(s));
  add(speed_section(s));
  page.sections.push_back({.title = "Settings", .blocks = {data_list(s)}});
  if (auto columns = columns_list(model)) page.sections.back().blocks.emplace_back(std::move(*columns));
  page.sections.back().blocks.emplace_back(option_list(model));
  return page;
}

}  // namespace kinglet::cli
