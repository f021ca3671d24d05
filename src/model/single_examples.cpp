#include "model/single_examples.hpp"

namespace kinglet {

std::uint32_t SingleExamples::label_id(std::string_view text) {
  if (const auto known = ids_.find(text); known != ids_.end()) return known->second;
  const auto id = static_cast<std::uint32_t>(ids_.size());
  const auto place = ids_.emplace(text, id).first;
  labels_.take_note({&place->first, 1});
  return id;
}

void SingleExamples::set_row(std::span<const float> x, std::uint32_t label, std::optional<float> number, float weight) {
  const auto dimension = static_cast<std::uint32_t>(x.size());
  row_.dimension = dimension;
  row_.borrowed = {.count = 1, .dimension = dimension, .values = x.data(), .stride = dimension};
  row_.labels.assign(1, label);
  row_.targets.assign(number ? 1 : 0, number.value_or(0));
  row_.weights.assign(1, weight);
}

void SingleExamples::begin_keeping(std::span<const std::string> known_classes, const Position& position) {
  is_keeping_ = true;
  expected_.assign(known_classes.begin(), known_classes.end());
  position_ = position;
}

void SingleExamples::end_keeping() {
  is_keeping_ = false;
  kept_ = {};
  expected_ = {};
}

void SingleExamples::keep_row() {
  const Features x = row_.borrowed[0];
  kept_.dimension = row_.dimension;
  kept_.values.insert(kept_.values.end(), x.values, x.values + x.count);
  kept_.labels.push_back(row_.labels[0]);
  kept_.targets.insert(kept_.targets.end(), row_.targets.begin(), row_.targets.end());
  kept_.weights.push_back(row_.weights[0]);
}

void SingleExamples::drop_last() {
  kept_.values.resize(kept_.values.size() - kept_.dimension);
  kept_.labels.pop_back();
  if (!kept_.targets.empty()) kept_.targets.pop_back();
  kept_.weights.pop_back();
}

}  // namespace kinglet
