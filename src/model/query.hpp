// Active learning: decides for which rows of a stream to ask for the label. All others are only predicted.
//
//   all     every row
//   ramp    every row whose certainty is at most 1, so that its label can change a model with ramp loss. For
//           two classes: |f(x)| ≤ 1 (OnlineASVM^R, algorithm 3)
//   greedy  the least certain of every h rows; ties go to the earliest
//
// until the budget of labels is used up. Certainties are Learner::certainty of the model at the time of the row.
// Wang, Vucetic: Fast Online Training of Ramp Loss Support Vector Machines, ICDM 2009.
//
// The row whose label may be asked for is stored here as the candidate, with everything needed to learn it later: the
// window of greedy ends after it, and a run may be stopped while it waits for the answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/shape.hpp"
#include "core/state.hpp"
#include "kinglet/model.hpp"

namespace kinglet {

// A feature vector that owns its memory.
class StoredRow {
 public:
  void assign(const Features& x);
  Features view() const;
  // A view with `dimension` features; features that were added later are 0. Valid until the row changes.
  Rows as_rows(std::uint32_t dimension);
  // Feature f is multiplied by ratios[f].
  void rescale(std::span<const float> ratios);

  void save(StateWriter& out) const;
  void load(StateReader& in, std::uint32_t dimension);

 private:
  bool sparse_ = false;
  std::vector<std::uint32_t> indices_;  // sparse only
  std::vector<float> values_;
  std::uint64_t offsets_[2] = {0, 0};
};

struct Candidate {
  std::uint64_t example = 0;  // which one of the stream, from 1
  Prediction prediction;
  double certainty = 0;
  float weight = 1;
  std::optional<std::string> label;  // where the data have one
  StoredRow raw;                     // as in the data
  StoredRow scaled;                  // as it was predicted
  std::string row_id;                // not saved

  Query query() const { return {example, prediction, certainty, raw.view(), label ? &*label : nullptr, row_id}; }
};

class QueryRule {
 public:
  explicit QueryRule(const Options& options);  // complete ones

  bool takes_all() const { return kind_ == Kind::all && budget_ == 0; }
  bool may_ask(std::uint64_t labels) const { return budget_ == 0 || labels < budget_; }

  // Considers the next row. If true, it becomes the candidate, and the caller must fill candidate().
  bool prefers(double certainty);
  Candidate& candidate() { return candidate_; }
  const Candidate& candidate() const { return candidate_; }
  // Whether the candidate's label must be asked for before the next row; until answered() is called.
  bool is_due() const { return due_; }
  void answered();

  void save(StateWriter& out) const;
  // For a learner of this shape that has come to `examples`.
  void load(StateReader& in, const Shape& shape, std::uint64_t examples);

 private:
  enum class Kind { all, ramp, greedy };
  bool has_candidate() const { return due_ || seen_ > 0; }

  Kind kind_ = Kind::all;
  std::uint64_t budget_ = 0;  // 0: none
  std::uint64_t window_ = 1;  // greedy
  std::uint64_t seen_ = 0;    // rows of this window so far
  bool due_ = false;
  Candidate candidate_;
};

}  // namespace kinglet
