// The same words for the same things.
#include "cli/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/numbers.hpp"

namespace kinglet::cli {

std::string algorithm_text(const Options& options) {
  return fmt::format("{} ({} + {}, {} kernel)", options.text("algo"), options.text("update"), options.text("maintain"),
                     options.text("kernel"));
}

std::string labels_text(std::span<const std::string> labels) {
  constexpr std::size_t kShown = 8;
  const auto shown = labels.first(std::min(labels.size(), kShown));
  const char* more = labels.size() > kShown ? ", …" : "";
  return fmt::format("{} ({}{})", count_text(labels.size()), fmt::join(shown, ", "), more);
}

std::string support_text(const Facts& facts) {
  if (facts.budget == 0) return count_text(facts.support_vectors) + " (no budget)";
  return fmt::format("{} of {}", count_text(facts.support_vectors), count_text(facts.budget));
}

Json budget_json(const Facts& facts) { return facts.budget > 0 ? Json(facts.budget) : Json(nullptr); }

void add_parts(Json& json, const Options& options) {
  json["algorithm"] = options.text("algo");
  for (const char* part : {"update", "maintain", "kernel"}) json[part] = options.text(part);
}

}  // namespace kinglet::cli
