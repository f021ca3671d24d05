// Parses a text on several threads, ahead of the reader that fills batches.
//
//   text ─▶ parts of whole lines ─▶ forks of the parser, one part each ─▶ rows of parts ─▶ TextSource: batches, in order
//                                   (several threads)                     (a ring)         (the thread that reads)
//
// A fork is only a fast way to do what the parser would do with the same text, and the reader uses its rows only if
// they are certainly those. Everything else it leaves to the parser, which reads the text of that part itself:
//
//   - Cutting. Part i holds the lines that begin in the i-th block of part_bytes, so any thread finds its part without
//     knowing the others. A line end inside the quotes of a CSV field is a wrong place to cut. The reader notices, as the row
//     before it does not end there, and the parser reads on until a row ends where a part begins.
//   - Errors. A part with an error or a NUL byte is not usable, and a part ends before a line that is longer than a block. The
//     parser finds the error again, with its line and column, after all rows before it, and skips the row if that is allowed.
//   - Labels. A fork numbers the labels of its part from 0. The reader translates them row by row, so that ids are assigned in
//     the order of the rows, and a new label comes with the batch that uses it first. A part whose labels might exceed the
//     limit is left to the parser.
//   - Features. A fork notes the rows that have a higher index than those before. From these, the reader finds the dimension
//     at the end of each batch.
//   - What the first rows decide (header, columns, index base): the first batch of a pass is read by the parser alone.
//
// So batches, labels and errors do not depend on the number of threads or the size of parts. Memory is bounded: the
// ring has a fixed number of parts, and threads wait until the reader has finished with one of them. As they wait, they
// are threads of their own, not those of core/parallel.hpp, which a learner may need at the same time.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "data/row_parser.hpp"

namespace kinglet {

class PartsAhead {
 public:
  struct Part {
    std::string_view text;  // whole lines; may be empty
    bool usable = false;    // false: only the parser can read this text
    std::size_t used = 0;   // number of bytes of the rows; the last row may continue in the next part
    PartRows rows;
  };

  // `text` begins with a row and, like the parser, must outlive the object. Threads start at once.
  PartsAhead(std::string_view text, const RowParser& parser, unsigned threads, std::size_t part_bytes);
  ~PartsAhead();
  PartsAhead(const PartsAhead&) = delete;
  PartsAhead& operator=(const PartsAhead&) = delete;

  // The first part that was not popped, once it is parsed. Null after the last one.
  Part* front();
  // Its memory is used for a later part.
  void pop();

 private:
  struct Slot {
    std::unique_ptr<RowParser> parser;
    Part part;
    bool ready = false;
  };

  void run();
  void parse(std::size_t number, Slot& slot) const;
  Slot& slot(std::size_t number) { return slots_[number % slots_.size()]; }

  std::string_view text_;
  std::size_t part_bytes_;
  std::size_t count_;  // number of parts
  // A slot that is ready belongs to the reader until it is popped; otherwise to the thread that parses into it.
  std::vector<Slot> slots_;
  std::mutex mutex_;  // guards Slot::ready and the numbers below
  std::condition_variable changed_;
  std::size_t begun_ = 0;   // number of parts that a thread has taken
  std::size_t popped_ = 0;  // number of parts that the reader has finished
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

// The lines of `text` that begin in block `number` of `block` bytes, without a last line that is longer than a block.
// `text` begins with a line and ends with '\n'.
std::string_view lines_of_block(std::string_view text, std::size_t block, std::size_t number);

}  // namespace kinglet
