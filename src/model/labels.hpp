// Label texts and class ids. Ids are given in order of appearance, except that the classes of the first batch are
// sorted (as numbers when all of them are numbers, else as text), so that {-1, 1} become 0 and 1 whichever comes first.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/state.hpp"
#include "kinglet/example.hpp"

namespace kinglet {

inline constexpr ClassId kNormal = 1;  // in novelty detection: the class of normal rows

class Labels {
 public:
  // More classes than this are probably a mistake: a column of numbers read as labels.
  static constexpr std::size_t kMaxClasses = 1u << 16;

  std::span<const std::string> texts() const { return texts_; }
  std::size_t size() const { return texts_.size(); }

  ClassId find(std::string_view text) const;  // kNoClass if unknown
  ClassId add(const std::string& text);       // appends it if it is new; throws Error if there are too many

  // Adds the given texts in sorted order; duplicates are allowed.
  void add_sorted(std::vector<std::string> texts);

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, ClassId> ids_;
};

// Maps the label ids of one source to class ids. A source gives the text of an id only once, in the batch that uses it
// first, so every batch must be passed to take_note().
class SourceLabels {
 public:
  void take_note(std::span<const std::string> new_labels) {
    texts_.insert(texts_.end(), new_labels.begin(), new_labels.end());
  }
  void clear();
  void forget_classes() { classes_.clear(); }  // class ids have changed

  std::size_t size() const { return texts_.size(); }
  const std::string& text(std::uint32_t source_id) const { return texts_[source_id]; }
  std::span<const std::string> texts() const { return texts_; }
  // kNoClass if `labels` does not contain the text. `source_id` must be below size().
  ClassId class_of(std::uint32_t source_id, const Labels& labels) {
    const bool is_known = source_id < classes_.size() && classes_[source_id] != kNoClass;
    return is_known ? classes_[source_id] : look_up(source_id, labels);
  }

 private:
  ClassId look_up(std::uint32_t source_id, const Labels& labels);

  std::vector<std::string> texts_;
  std::vector<ClassId> classes_;  // by source id, as far as known
};

}  // namespace kinglet
