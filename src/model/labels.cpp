#include "model/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/option_texts.hpp"
#include "kinglet/error.hpp"

namespace kinglet {

ClassId Labels::find(std::string_view text) const {
  const auto found = ids_.find(std::string(text));
  return found == ids_.end() ? kNoClass : found->second;
}

ClassId Labels::add(const std::string& text) {
  const auto [place, is_new] = ids_.try_emplace(text, static_cast<ClassId>(texts_.size()));
  if (!is_new) return place->second;
  if (texts_.size() == kMaxClasses) {
    ids_.erase(place);
    throw Error(fmt::format("there are more than {} different labels: is '{}' really a class?", kMaxClasses, text));
  }
  texts_.push_back(text);
  return place->second;
}

void Labels::add_sorted(std::vector<std::string> texts) {
  const bool numbers =
      std::all_of(texts.begin(), texts.end(), [](const std::string& t) { return !std::isnan(number_or_nan(t)); });
  std::sort(texts.begin(), texts.end(), [&](const std::string& a, const std::string& b) {
    const double x = numbers ? number_or_nan(a) : 0;
    const double y = numbers ? number_or_nan(b) : 0;
    return x < y || (x == y && a < b);
  });
  for (const std::string& text : texts) add(text);
}

void SourceLabels::clear() {
  texts_.clear();
  classes_.clear();
}

ClassId SourceLabels::look_up(std::uint32_t source_id, const Labels& labels) {
  classes_.resize(texts_.size(), kNoClass);
  return classes_[source_id] = labels.find(texts_[source_id]);
}

}  // namespace kinglet
