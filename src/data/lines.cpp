// Divides an input into chunks of whole lines.
#include "data/lines.hpp"

#include <algorithm>

#include "core/number.hpp"

namespace kinglet {
namespace {

constexpr std::size_t kChunkBytes = 1u << 20;

// The length of the whole lines among the first `limit` bytes, if the last line ends after `from`; else 0.
std::size_t whole_lines(std::string_view window, std::size_t from, std::size_t limit) {
  limit = std::min(limit, window.size());
  if (limit <= from) return 0;
  const std::size_t newline = window.substr(from, limit - from).rfind('\n');
  return newline == std::string_view::npos ? 0 : from + newline + 1;
}

}  // namespace

Lines::Chunk Lines::next(bool wait, std::size_t at_least) {
  if (in_rest_) {
    const std::string_view text(rest_.data() + rest_position_, rest_.size() - kNumberSlack - rest_position_);
    return text.empty() ? Chunk{} : Chunk{.supply = Supply::ready, .text = text, .last = true};
  }
  const std::size_t longest = max_row_bytes_ + 1;  // with its '\n'
  for (;;) {
    const std::string_view window = bytes_->window();
    // If no bytes after the window may be read, its end is left for rest_of_input().
    const std::size_t usable =
        bytes_->has_slack() ? window.size() : window.size() - std::min(window.size(), kNumberSlack);
    const std::string_view seen = window.substr(0, usable);
    const std::size_t from = std::max(at_least, searched_);
    std::size_t size = whole_lines(seen, from, std::min(kChunkBytes, longest));
    if (size == 0) size = whole_lines(seen, from, longest);
    if (size > 0) return {.supply = Supply::ready, .text = window.substr(0, size)};
    if (seen.size() >= longest) return {.too_long = true};
    searched_ = seen.size();
    const Supply supply = bytes_->grow(wait);
    if (supply == Supply::end) return rest_of_input();
    if (supply != Supply::ready) return {.supply = supply};
  }
}

// The window contains the rest of the input: a row that is not complete, or bytes that a parser could not read without
// passing the end of the memory.
Lines::Chunk Lines::rest_of_input() {
  const std::string_view window = bytes_->window();
  if (window.empty()) return {};
  const std::size_t first_line = std::min(window.find('\n'), window.size());
  if (first_line > max_row_bytes_) return {.too_long = true};
  rest_.clear();
  rest_.reserve(window.size() + 1 + kNumberSlack);
  rest_.assign(window);
  if (rest_.back() != '\n') rest_ += '\n';
  rest_.append(kNumberSlack, '\0');
  in_rest_ = true;
  rest_position_ = 0;
  bytes_->consume(window.size());
  return next(true);
}

void Lines::consume(std::size_t n) {
  if (n > 0) searched_ = 0;
  if (in_rest_) {
    rest_position_ += n;
  } else {
    bytes_->consume(n);
  }
}

void Lines::rewind() {
  bytes_->rewind();
  in_rest_ = false;
  searched_ = 0;
}

}  // namespace kinglet
