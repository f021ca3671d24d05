// Asks another program or a person for labels during training: `train --query-out QUERIES --labels-in LABELS`.
//
// Each query is one line of JSON on QUERIES, written at once:
//
//   {"id":17,"prediction":"wren","score":0.25,"certainty":0.25,"row":"1:0.5 3:2"}
//
// The row is the unscaled example as LIBSVM text, with the index base of the data. Then train waits for the answer, the
// line `17 LABEL` on LABELS. Training ends at the end of LABELS, at a line that does not answer the query, and on Ctrl-C.
// The open query is part of the saved model, and a resumed run asks it again.
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
  Bytes& input() { return lines_.bytes(); }                   // stopping it ends the wait for an answer
  std::uint64_t answers() const { return answers_; }
  const Message& problem() const { return problem_; }  // the error that ended the dialogue; empty if none did

 private:
  void put(const Query& query);
  std::optional<std::string> next_line();
  std::optional<std::string> label_from(const std::string& line, std::uint64_t id);

  const Model& model_;
  Output queries_;
  std::string name_;  // name of LABELS in messages
  Lines lines_;
  std::uint64_t line_ = 0;
  std::uint64_t answers_ = 0;
  Message problem_;
};

}  // namespace kinglet::cli
