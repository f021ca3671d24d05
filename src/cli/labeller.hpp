// Somebody who labels examples while the program learns: `train --query-out QUERIES --labels-in LABELS`.
//
// Each query is one line of JSON on QUERIES, written at once:
//
//   {"id":17,"prediction":"wren","score":0.25,"certainty":0.25,"row":"1:0.5 3:2"}
//
// where the row is LIBSVM text of the example as it stands in the data, with indices that count as there. Then the
// program waits for the line `17 LABEL` on LABELS. The end of LABELS, a line that is no answer to the query and Ctrl-C
// all end learning with the query open: it is part of the model, and a run that goes on asks it again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/output.hpp"
#include "data/lines.hpp"
#include "kinglet/model.hpp"

namespace kinglet::cli {

class Labeller {
 public:
  Labeller(const std::string& queries, const std::string& labels, const Model& model);

  std::optional<std::string> operator()(const Query& query);  // an Oracle
  Bytes& input() { return lines_.bytes(); }                   // to stop the waiting
  std::uint64_t answers() const { return answers_; }
  const Message& problem() const { return problem_; }  // what was wrong, where something was

 private:
  void put(const Query& query);
  std::optional<std::string> next_line();
  std::optional<std::string> label_from(const std::string& line, std::uint64_t id);

  const Model& model_;
  Output queries_;
  std::string name_;  // of the labels, for messages
  Lines lines_;
  std::uint64_t line_ = 0;
  std::uint64_t answers_ = 0;
  Message problem_;
};

}  // namespace kinglet::cli
