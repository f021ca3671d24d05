#include "cli/dialogue.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstring>
#include <optional>

#include "cli/output.hpp"
#include "core/assert.hpp"
#include "core/fail_at.hpp"
#include "data/bytes.hpp"
#include "kinglet/error.hpp"

namespace kinglet::cli {
namespace {

constexpr std::size_t kLongestLine = 1u << 16;
constexpr std::size_t kAtomicWrite = PIPE_BUF;  // if poll() reports room in a pipe, a write of this size does not block
constexpr int kUnreadMilliseconds = 10;         // how often to look whether the last queries were read

// The descriptor that the shell passes for --query-out >(PROGRAM), as /dev/fd/63.
std::optional<int> passed_descriptor(std::string_view path) {
  constexpr std::string_view kFolder = "/dev/fd/";
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (!path.starts_with(kFolder)) return std::nullopt;
  int number = -1;
  const char* const end = path.data() + path.size();
  const auto [rest, problem] = std::from_chars(path.data() + kFolder.size(), end, number);
  return problem == std::errc() && rest == end && number >= 0 ? std::optional(number) : std::nullopt;
}

Descriptor open_to_poll(const std::string& path) {
  if (path == "-") return Descriptor(STDIN_FILENO, false);
  return Descriptor(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
}

}  // namespace

Dialogue::Dialogue(const std::string& queries, const std::string& answers)
    : queries_name_(queries),
      answers_name_(answers == "-" ? "<stdin>" : answers),
      lines_(open_bytes(answers), kLongestLine),
      arrivals_(open_to_poll(answers)) {
  open_queries(queries);
  std::signal(SIGPIPE, SIG_IGN);  // if the reader of the queries goes away, save what was learned before ending
}

Dialogue::~Dialogue() {
  if (queries_ > STDERR_FILENO) ::close(queries_);
}

void Dialogue::open_queries(const std::string& path) {
  if (path == "-") {
    queries_name_ = "standard output";
    queries_ = STDOUT_FILENO;
    return;
  }
  if (const auto passed = passed_descriptor(path)) {
    queries_ = *passed;
    return;
  }
  require_writable(path);
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  is_named_pipe_ = exists && S_ISFIFO(status.st_mode);
  // A named pipe is opened for reading too: otherwise this would block until somebody reads it, and fail whenever a
  // reader closes it before the next one opens it.
  const int direction = is_named_pipe_ ? O_RDWR | O_NONBLOCK : O_WRONLY | O_CREAT | O_TRUNC;
  queries_ = ::open(path.c_str(), direction | O_CLOEXEC, 0666);
  if (queries_ < 0) fail_queries();
}

void Dialogue::fail_queries() const {
  throw Error(fmt::format("cannot write to {}: {}", queries_name_, std::strerror(errno)));
}

void Dialogue::fail_at_answer(const Message& text) const { fail_at(answers_name_, line_, 1, text); }

void Dialogue::send(std::string_view line) {
  KINGLET_ASSERT(!queries_end_);
  unsent_ += line;
  pollfd item{.fd = queries_, .events = POLLOUT, .revents = 0};
  while (has_unsent() && ::poll(&item, 1, 0) > 0) write_some();
}

void Dialogue::write_some() {
  const auto written = ::write(queries_, unsent_.data(), std::min(unsent_.size(), kAtomicWrite));
  if (written >= 0) {
    unsent_.erase(0, static_cast<std::size_t>(written));
  } else if (errno != EINTR && errno != EAGAIN) {
    fail_queries();
  }
}

void Dialogue::end_queries() { queries_end_ = true; }

// What nobody has read is lost when a named pipe is closed: its reader may open it later.
bool Dialogue::has_unread() const {
  int bytes = 0;
  return is_named_pipe_ && ::ioctl(queries_, FIONREAD, &bytes) == 0 && bytes > 0;
}

void Dialogue::close_queries() {
  if (queries_ > STDERR_FILENO) {
    ::close(queries_);
  } else {  // the next file that is opened must not become standard output
    const Descriptor nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    ::dup2(nowhere.get(), queries_);
  }
  queries_ = -1;
}

Supply Dialogue::read_answer() {
  const Lines::Chunk chunk = lines_.next(false);
  if (chunk.supply != Supply::ready && !chunk.too_long) return chunk.supply;
  ++line_;
  if (chunk.too_long) fail_at_answer("the line is too long to be an answer");
  const std::size_t length = chunk.text.find('\n');
  answer_ = chunk.text.substr(0, length);
  lines_.consume(length + 1);
  return Supply::ready;
}

Dialogue::Event Dialogue::step(bool reads) {
  KINGLET_ASSERT(reads || has_unsent());
  if (interrupt_.raised()) return Event::stopped;
  const Supply supply = reads ? read_answer() : Supply::idle;
  if (supply == Supply::ready) return Event::answer;
  if (supply == Supply::end) return Event::end;
  if (queries_end_ && queries_ >= 0 && !has_unsent() && !has_unread()) close_queries();
  const bool is_closing = queries_end_ && queries_ >= 0;
  // poll() ignores negative descriptors.
  std::array<pollfd, 3> items{{{.fd = interrupt_.descriptor(), .events = POLLIN, .revents = 0},
                               {.fd = reads ? arrivals_.get() : -1, .events = POLLIN, .revents = 0},
                               {.fd = has_unsent() ? queries_ : -1, .events = POLLOUT, .revents = 0}}};
  const int changed = ::poll(items.data(), items.size(), is_closing ? kUnreadMilliseconds : -1);
  if (changed > 0 && items[2].revents != 0) write_some();
  return Event::moved;
}

}  // namespace kinglet::cli
