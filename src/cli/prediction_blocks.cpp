#include "cli/prediction_blocks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <optional>

#include "cli/numbers.hpp"
#include "cli/probabilities.hpp"
#include "kinglet/registry.hpp"
#include "report/model_blocks.hpp"

namespace kinglet::cli {

using namespace report;

std::string percent_text(double share) {
  return std::isfinite(share) ? fmt::format("{:.2f}\u00a0%", 100 * share) : std::string("–");
}

std::string data_name(const std::string& where) {
  if (where == "-") return "standard input";
  if (where.starts_with("gen:")) return where.substr(4, where.find('?') - 4);
  const std::filesystem::path path(where);
  return path.filename().string();
}

FactList option_list(const Model& model) {
  FactList list{.title = "Options"};
  for (const auto& [name, value] : model.options().all()) {
    if (value.empty()) continue;
    const bool by_data = model.requested_options().has(name) && model.requested_options().text(name) != value;
    list.facts.push_back(
        {shown_name(name), value,
         by_data ? fmt::format("{}: chosen from the data", model.requested_options().text(name)) : ""});
  }
  return list;
}

void add_confusion_blocks(Section& section, std::string title, std::string caption, std::vector<std::string> labels,
                          std::vector<std::uint64_t> counts) {
  if (counts.empty() || labels.size() < 2) return;
  Table by_class = class_table(labels, counts);
  std::optional<Table> mistakes;
  if (labels.size() >= kManyClasses) mistakes = mistake_table(labels, counts);
  section.blocks.emplace_back(
      confusion_block(std::move(title), std::move(caption), std::move(labels), std::move(counts)));
  section.blocks.emplace_back(std::move(by_class));
  if (mistakes) section.blocks.emplace_back(std::move(*mistakes));
}

void add_reliability_blocks(Section& section, const Reliability& reliability, const std::string& where,
                            const Model& model) {
  if (reliability.examples == 0) return;
  section.blocks.emplace_back(reliability_chart(reliability, "Reliability " + where, watched_text(model.labels())));
  FactList list{.title = "Probabilities " + where};
  list.facts.push_back({"Brier score", number_text(reliability.brier()), "0 is perfect"});
  list.facts.push_back({"log loss", number_text(reliability.log_loss()), ""});
  list.facts.push_back({"calibration error", number_text(reliability.calibration_error()),
                        "mean distance of the bins from the diagonal"});
  list.facts.push_back({"examples", count_text(reliability.examples), ""});
  section.blocks.emplace_back(std::move(list));
}

}  // namespace kinglet::cli
