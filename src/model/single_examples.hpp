// Examples that are learned one at a time: the current one as a batch of one row, the ids of their labels, and the
// first examples, which are kept until there are kBatchRows of them.
//
// The first rows decide the scaling, gamma and more (model_start.cpp), so learning starts again with all of them
// whenever their number has doubled. That costs twice the work for the first 1024 examples. It gives a model that
// predicts from the first example on and does not depend, from the 1024th on, on how the examples arrived.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kinglet/source.hpp"
#include "model/labels.hpp"
#include "model/model_access.hpp"

namespace kinglet {

class SingleExamples {
 public:
  // The id of a label, which row() and the kept rows use.
  std::uint32_t label_id(std::string_view text);
  SourceLabels& labels() { return labels_; }

  // Makes row() the example x. `x` must live as long as the row is used.
  void set_row(std::span<const float> x, std::uint32_t label, std::optional<float> number, float weight);
  const Batch& row() const { return row_; }

  // Keeping begins with the first example, if nothing was learned before.
  bool is_keeping() const { return is_keeping_; }
  void begin_keeping(std::span<const std::string> known_classes, const Position& position);
  void end_keeping();
  void keep_row();  // appends row()
  void drop_last();
  const Batch& kept() const { return kept_; }

  // The classes that were expected, and the position in the data, before the first kept row.
  void expect_class(const std::string& text) { expected_.push_back(text); }
  std::span<const std::string> expected_classes() const { return expected_; }
  const Position& position() const { return position_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  SourceLabels labels_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> ids_;
  Batch row_;
  Batch kept_;
  bool is_keeping_ = false;
  std::vector<std::string> expected_;
  Position position_;
};

}  // namespace kinglet
