// Asks another program or a person for labels during training: `train --query-out QUERIES --labels-in LABELS`.
//
// Each query is one line of JSON on QUERIES, written at once:
//
//   {"id":17,"prediction":"wren","score":0.25,"certainty":0.25,"row":"1:0.5 3:2"}
//
// The row is the unscaled example as LIBSVM text, with the index base of the data. The answer is a line on LABELS, `17
// LABEL` or {"id":17,"label":"wren"}, in which the label null says that nobody knows it: the row is not learned then.
// With --id-column, queries have the row's own id, too: "row_id":"B-4711", and {"row_id":"B-4711","label":"wren"} is an
// answer.
//
// Without --delay, train waits for each answer before it goes on. With --delay N it asks for every row as it arrives,
// and goes on until N rows came after it; answers come in any order. So up to N + kBatchRows queries are open, and as
// many answers wait here for their row. QUERIES ends when every row was asked for.
//
// LABELS may also be a file that was complete before: an answer to a query that was not asked yet waits, and with it
// the rest of the file.
//
// Training ends at the end of LABELS, at a line that answers no open query, and on Ctrl-C. A resumed run asks the
// queries again whose answers were not learned.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "cli/dialogue.hpp"
#include "kinglet/model.hpp"

namespace kinglet::cli {

class Labeller {
 public:
  Labeller(const std::string& queries, const std::string& labels, const Model& model);

  std::optional<std::string> operator()(const Query& query);  // an Oracle
  // Asks for the label of a row (a batch of one) that is learned later. Ids grow by 1 from call to call.
  void ask_early(const Batch& row, std::uint64_t id, const std::optional<Prediction>& prediction);
  void end_early() { all_asked_ = true; }  // the last row was asked for
  bool has_asked_early(std::uint64_t id) const { return early_.count > 0 && id >= early_.first && id <= early_.last(); }
  Interrupt& interrupt() { return dialogue_.interrupt(); }  // ends the wait for an answer, or for room for a query
  const Message& problem() const { return problem_; }       // the error that ended the dialogue; empty if none did

 private:
  struct Answer {
    std::uint64_t id = 0;
    std::string row_id;  // instead of the id; empty: it has the id
    std::string label;   // empty: nobody knows it
  };
  // The queries that ask_early() made.
  struct Early {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    std::uint64_t last() const { return first + count - 1; }
  };

  void name_row(std::uint64_t id, std::string_view row_id);
  void put(const Query& query, std::uint32_t index_base);
  std::optional<std::string> wait_for(std::uint64_t id);
  bool step();
  bool is_asked(const Answer& answer) const;
  void take(Answer answer);
  Answer parsed(std::string_view line) const;
  Answer parsed_words(std::string_view line) const;
  Answer parsed_json(std::string_view line) const;
  [[noreturn]] void refuse(std::string_view line) const;
  [[noreturn]] void refuse_unasked(const Answer& answer) const;
  [[noreturn]] void refuse_id(std::uint64_t id) const;

  const Model& model_;
  Dialogue dialogue_;
  Early early_;
  bool all_asked_ = false;
  bool answers_ended_ = false;
  bool has_row_ids_ = false;                              // with --id-column
  bool has_dropped_ = false;                              // a query, and so all that follow: training ends at its row
  std::uint64_t open_ = 0;                                // the oldest open query
  std::uint64_t last_ = 0;                                // the last query
  std::unordered_map<std::uint64_t, std::string> known_;  // labels that came before they were needed, by id
  std::optional<Answer> ahead_;                           // an answer whose query was not asked yet
  std::unordered_map<std::string, std::uint64_t> ids_;    // of open queries, by the id of their row
  std::unordered_map<std::uint64_t, std::string> row_ids_;
  Message problem_;
};

}  // namespace kinglet::cli
