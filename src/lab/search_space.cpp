// The axes of a search and the settings to try.
#include "lab/search_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "committee/members.hpp"
#include "core/compose.hpp"
#include "core/kernel.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "learn/registry_entries.hpp"

namespace kinglet {
namespace {

// The registry entries (rules, kernel) that complete options select.
std::vector<const Entry*> parts_of(const Options& complete) {
  std::vector<const Entry*> parts;
  if (const LearnerEntry* learner = learner_entry(complete)) {
    parts.push_back(&learner->entry);
  } else {
    parts = {&update_rule_entry(complete.text("update")).entry, &budget_rule_entry(complete.text("maintain")).entry};
  }
  for (const Entry* kernel : kernels()) {
    if (kernel->name == complete.text("kernel")) parts.push_back(kernel);
  }
  return parts;
}

double scale_of(const OptionSpec& spec, const Options& complete, const SearchScales& scales) {
  if (spec.default_value == "auto") return scales.gamma;
  // With a squared loss, steps are proportional to the error, so they do not depend on its unit.
  const bool squared = complete.has("loss") && complete.text("loss") == "squared";
  return squared ? 1 : std::pow(scales.targets, spec.search.target_power);
}

// φ with φ^(d+1) = φ + 1
double harmonious_number(std::size_t dimensions) {
  double phi = 1.5;
  for (int i = 0; i < 50; ++i) phi = std::pow(1 + phi, 1 / static_cast<double>(dimensions + 1));
  return phi;
}

}  // namespace

SearchAxis::SearchAxis(const OptionSpec& spec, double scale) : spec_(spec), low_(spec.search.low * scale) {
  const double steps = std::log(spec.search.high / spec.search.low) / std::log(spec.search.step);
  length_ = kWholeStep * static_cast<int>(std::lround(steps));
}

std::optional<std::string> SearchAxis::value(int at) const {
  const double exact = low_ * std::pow(spec_.search.step, static_cast<double>(at) / kWholeStep);
  std::string text = fmt::format("{:.3g}", exact);
  if (!spec_.problem(text).empty()) return std::nullopt;
  return text;
}

bool is_committee(const Options& complete) {
  const LearnerEntry* learner = learner_entry(complete);
  return learner != nullptr && learner->passes_on;
}

std::string algorithm_to_search(const Options& given) {
  if (given.has("algo")) return given.text("algo");
  const Options full = complete_options(with_stream_length(given, 1));
  return is_committee(full) ? plan_members(full).front().options.text("algo") : full.text("algo");
}

SearchSpace::SearchSpace(Options given, const SearchScales& scales) : given_(std::move(given)) {
  const Options full = complete_options(given_);
  if (is_committee(full)) {
    throw Error(compose("{} tries several settings by itself, so there is nothing to search: name another algorithm",
                        option("algo", full.text("algo"))));
  }
  const auto consider = [&](const OptionSpec& spec) {
    const bool open = full.has(spec.name) && !given_.has(spec.name);
    if (open && spec.search.high > 0) axes_.emplace_back(spec, scale_of(spec, full, scales));
  };
  for (const OptionSpec& spec : common_options()) consider(spec);
  for (const Entry* part : parts_of(full)) std::ranges::for_each(part->options, consider);
}

Options SearchSpace::searched(const Setting& setting) const {
  Options options;
  for (std::size_t i = 0; i < axes_.size(); ++i) options.set(axes_[i].name(), axes_[i].value(setting[i]).value());
  return options;
}

std::optional<Options> SearchSpace::options(const Setting& setting) const {
  Options options = given_;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const auto value = axes_[i].value(setting[i]);
    if (!value) return std::nullopt;
    options.set(axes_[i].name(), *value);
  }
  try {
    complete_options(options);
  } catch (const Error&) {
    return std::nullopt;
  }
  return options;
}

std::vector<Setting> SearchSpace::possible(std::vector<Setting> settings) const {
  std::erase_if(settings, [&](const Setting& setting) { return !options(setting); });
  return settings;
}

std::vector<Setting> SearchSpace::spread(std::size_t most) const {
  std::vector<Setting> grid = {{}};
  for (const SearchAxis& axis : axes_) {
    std::vector<Setting> longer;
    for (const Setting& start : grid) {
      for (int at = 0; at <= axis.length(); at += kWholeStep) {
        longer.push_back(start);
        longer.back().push_back(at);
      }
    }
    grid = std::move(longer);
  }
  if (grid.size() <= most) return possible(grid);
  const double phi = harmonious_number(axes_.size());
  std::vector<Setting> settings;
  for (std::size_t i = 0; i < most; ++i) {
    Setting setting;
    double ratio = 1;
    for (const SearchAxis& axis : axes_) {
      ratio /= phi;
      const double place = 0.5 + static_cast<double>(i) * ratio;
      setting.push_back(static_cast<int>(std::lround((place - std::floor(place)) * axis.length())));
    }
    settings.push_back(setting);
  }
  return possible(settings);
}

std::vector<Setting> SearchSpace::neighbours(const Setting& setting, int step) const {
  std::vector<Setting> settings;
  const auto moved = [](Setting from, std::size_t axis, int by) {
    from[axis] += by;
    return from;
  };
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    for (const int by : {-step, step}) {
      const Setting one = moved(setting, i, by);
      settings.push_back(one);
      for (std::size_t j = 0; j < i; ++j) {
        for (const int too : {-step, step}) settings.push_back(moved(one, j, too));
      }
    }
  }
  return possible(settings);
}

}  // namespace kinglet
