// A dialogue in lines with another program: queries go out and answers come in, usually through two pipes.
//
// One loop serves both: step() waits for an answer, for room for queries, or for a stop, whichever comes first. So
// neither program waits for the other forever because a pipe is full, and Ctrl-C ends every wait.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/byte_reader.hpp"
#include "data/lines.hpp"
#include "kinglet/message.hpp"

namespace kinglet::cli {

class Dialogue {
 public:
  enum class Event {
    moved,    // queries were written, or nothing has changed
    answer,   // answer() is a new line
    end,      // there are no more answers
    stopped,  // the interrupt was raised
  };

  // Files, pipes or devices; "-" is standard output or standard input. Does not wait until the other program opens a
  // named pipe.
  Dialogue(const std::string& queries, const std::string& answers);
  ~Dialogue();
  Dialogue(const Dialogue&) = delete;
  Dialogue& operator=(const Dialogue&) = delete;

  void send(std::string_view line);  // writes as much as there is room for; step() writes the rest
  bool has_unsent() const { return !unsent_.empty(); }
  void forget_unsent() { unsent_.clear(); }
  void end_queries();  // the reader of the queries finds their end
  // Without `reads` it takes no answer; then something must be unsent.
  Event step(bool reads);

  const std::string& answer() const { return answer_; }         // without its '\n'
  [[noreturn]] void fail_at_answer(const Message& text) const;  // throws an Error with the position of the answer
  Interrupt& interrupt() { return interrupt_; }

 private:
  void open_queries(const std::string& path);
  [[noreturn]] void fail_queries() const;
  void write_some();
  void close_queries();
  bool has_unread() const;
  Supply read_answer();

  std::string queries_name_;  // for messages
  int queries_ = -1;          // -1: closed
  bool is_named_pipe_ = false;
  bool queries_end_ = false;
  std::string unsent_;
  std::string answers_name_;
  Lines lines_;
  Descriptor arrivals_;  // the pipe of the answers once more, to poll it
  std::string answer_;
  std::uint64_t line_ = 0;
  Interrupt interrupt_;
};

}  // namespace kinglet::cli
