// Parses a text on several threads, ahead of the reader that fills batches.
#include "data/parts_ahead.hpp"

#include <algorithm>
#include <exception>
#include <system_error>

#include "core/parallel.hpp"

namespace kinglet {
namespace {

// The first line that begins in the block; npos if there is none.
std::size_t first_line_in(std::string_view text, std::size_t block, std::size_t number) {
  if (number == 0) return 0;
  const std::size_t before = number * block - 1;
  if (before >= text.size()) return std::string_view::npos;
  const std::size_t end = text.substr(before, block).find('\n');
  return end == std::string_view::npos || before + end + 1 == text.size() ? std::string_view::npos : before + end + 1;
}

}  // namespace

std::string_view lines_of_block(std::string_view text, std::size_t block, std::size_t number) {
  const std::size_t begin = first_line_in(text, block, number);
  if (begin == std::string_view::npos) return {};
  std::size_t end = first_line_in(text, block, number + 1);
  if (end == std::string_view::npos) end = text.substr(0, std::min(text.size(), (number + 1) * block)).rfind('\n') + 1;
  return text.substr(begin, std::max(begin, end) - begin);
}

PartsAhead::PartsAhead(std::string_view text, const RowParser& parser, unsigned threads, std::size_t part_bytes)
    : text_(text), part_bytes_(part_bytes), count_((text.size() + part_bytes - 1) / part_bytes) {
  const std::size_t workers = std::min(thread_count(threads), count_);
  slots_.resize(std::min(2 * workers, count_));
  for (Slot& slot : slots_) slot.parser = parser.fork();
  threads_.reserve(workers);
  try {
    while (threads_.size() < workers) threads_.emplace_back([this] { run(); });
  } catch (const std::system_error&) {  // too many threads: those that run are enough
    if (threads_.empty()) throw;
  }
}

PartsAhead::~PartsAhead() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

PartsAhead::Part* PartsAhead::front() {
  std::unique_lock lock(mutex_);
  if (popped_ == count_) return nullptr;
  Slot& first = slot(popped_);
  changed_.wait(lock, [&] { return first.ready; });
  return &first.part;
}

void PartsAhead::pop() {
  {
    const std::scoped_lock lock(mutex_);
    slot(popped_).ready = false;
    ++popped_;
  }
  changed_.notify_all();
}

// A thread: parses parts, in their order, while there is room for them.
void PartsAhead::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || begun_ == count_ || begun_ < popped_ + slots_.size(); });
    if (stopping_ || begun_ == count_) return;
    const std::size_t number = begun_++;
    Slot& mine = slot(number);
    lock.unlock();
    parse(number, mine);
    lock.lock();
    mine.ready = true;
    changed_.notify_all();
  }
}

void PartsAhead::parse(std::size_t number, Slot& slot) const {
  Part& part = slot.part;
  part.text = lines_of_block(text_, part_bytes_, number);
  part.rows.taken = 0;
  part.rows.ids.clear();
  try {
    part.usable = part.text.find('\0') == std::string_view::npos;
    if (part.usable) part.used = slot.parser->parse_part(part.text, part.rows);
  } catch (const std::exception&) {
    part.usable = false;
  }
}

}  // namespace kinglet
