#include "cli/probabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/numbers.hpp"
#include "kinglet/error.hpp"

namespace kinglet::cli {
namespace {

double edge(std::size_t bin) { return static_cast<double>(bin) / Reliability::kBins; }

std::string named(const std::string& when, const std::string& what, char between) {
  return when.empty() ? what : when + between + what;
}

}  // namespace

void require_probabilities(const Model& model, const std::string& path) {
  if (model.gives_probabilities()) return;
  if (model.task() != TaskKind::classify) {
    throw Error(fmt::format("--proba: {} was trained with --task {}, which has no classes", path,
                            model.options().text("task")));
  }
  throw Error(fmt::format("--proba: {} has no probabilities, because it was not trained with --proba", path));
}

void add_reliability(Listing& listing, const std::string& when, const Reliability& reliability) {
  if (reliability.examples == 0) return;
  listing.emplace_back(named(when, "Brier score", ' '), number_text(reliability.brier()));
  listing.emplace_back(named(when, "log loss", ' '), number_text(reliability.log_loss()));
  listing.emplace_back(named(when, "calibration error", ' '), number_text(reliability.calibration_error()));
}

void add_reliability(Json& json, const std::string& when, const Reliability& reliability) {
  if (reliability.examples == 0) return;
  json[named(when, "brier_score", '_')] = reliability.brier();
  json[named(when, "log_loss", '_')] = reliability.log_loss();
  json[named(when, "calibration_error", '_')] = reliability.calibration_error();
}

std::string watched_text(std::span<const std::string> labels) {
  return labels.size() == 2 ? "class " + labels[1] : "the predicted class";
}

// One line of the reliability plot, from 0 to 1: the bar shows the observed frequency, | the mean predicted
// probability. In a calibrated model the bar ends at the |.
std::string bar_text(const Reliability::Bin& bin) {
  constexpr double kBarWidth = 24;
  std::string bar(static_cast<std::size_t>(kBarWidth) + 1, '.');
  std::fill_n(bar.begin(), std::lround(kBarWidth * bin.share()), '=');
  bar[static_cast<std::size_t>(std::lround(kBarWidth * bin.mean()))] = '|';
  return bar;
}

std::string bins_text(const Reliability& reliability, std::span<const std::string> labels) {
  std::vector<Row> rows;
  for (std::size_t b = 0; b < Reliability::kBins; ++b) {
    const Reliability::Bin& bin = reliability.bins[b];
    if (bin.examples == 0) continue;
    rows.push_back({fmt::format("{:.1f} … {:.1f}", edge(b), edge(b + 1)), fraction_text(bin.mean()),
                    fraction_text(bin.share()), count_text(bin.examples), bar_text(bin)});
  }
  return format_table({{"probability of " + watched_text(labels), false},
                       {"mean"},
                       {"observed"},
                       {"examples"},
                       {"bar: observed, | mean", false}},
                      rows);
}

Json bins_json(const Reliability& reliability) {
  Json list = Json::array();
  for (std::size_t b = 0; b < Reliability::kBins; ++b) {
    const Reliability::Bin& bin = reliability.bins[b];
    list.push_back({{"from", edge(b)},
                    {"to", edge(b + 1)},
                    {"examples", bin.examples},
                    {"mean_probability", number_json(bin.mean())},
                    {"came_true", number_json(bin.share())}});
  }
  return list;
}

}  // namespace kinglet::cli
