#include "committee/leader_history.hpp"

#include <bit>

namespace kinglet {

void LeaderHistory::save(StateWriter& out) const {
  out.put(width_);
  out.put(full_);
  out.put<std::uint64_t>(windows_.size());
  for (const Leadership& window : windows_) {
    out.put(window.end);
    out.put<std::uint64_t>(window.member);
    out.put(window.recent_error);
  }
}

void LeaderHistory::load(StateReader& in, std::size_t members) {
  width_ = in.get<std::uint64_t>();
  full_ = in.get<std::uint64_t>();
  StateReader::require(std::has_single_bit(width_) && width_ < std::uint64_t{1} << 53, "the history of its leaders");
  windows_.resize(in.get_count(3 * sizeof(std::uint64_t)));
  StateReader::require(windows_.size() <= kMostWindows, "the history of its leaders");
  std::uint64_t end = 0;
  for (Leadership& window : windows_) {
    window.end = in.get<std::uint64_t>();
    window.member = static_cast<std::size_t>(in.get<std::uint64_t>());
    window.recent_error = in.get<double>();
    StateReader::require(window.end > end && window.member < members, "the history of its leaders");
    end = window.end;
  }
}

}  // namespace kinglet
