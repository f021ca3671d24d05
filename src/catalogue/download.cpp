// Downloads over HTTP and HTTPS that can be resumed.
#include "catalogue/download.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string_view>

#include "kinglet/error.hpp"

namespace kinglet {
namespace {

constexpr long kWhole = 200;
constexpr long kRest = 206;
constexpr long kNothingLeft = 416;

struct FreeHandle {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The headers of the last response; a redirection starts a new one.
struct Headers {
  std::string etag;
  std::string last_modified;
  std::optional<std::uint64_t> length;       // Content-Length
  std::optional<std::uint64_t> range_begin;  // Content-Range: bytes begin-end/total
  std::optional<std::uint64_t> range_total;

  void add(std::string_view line) {
    if (line.starts_with("HTTP/")) *this = {};
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return;
    const std::string name = lower(line.substr(0, colon));
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (name == "etag") etag = value;
    if (name == "last-modified") last_modified = value;
    if (name == "content-length") length = whole_number(value);
    if (name == "content-range") add_range(value);
  }

  // If-Range must not use a weak ETag (W/"…"), which different files may share.
  std::string version() const { return etag.starts_with('"') ? etag : last_modified; }

 private:
  void add_range(std::string_view value) {
    constexpr std::string_view kUnit = "bytes ";
    if (!value.starts_with(kUnit)) return;
    value.remove_prefix(kUnit.size());
    const std::size_t slash = value.find('/');
    if (slash == std::string_view::npos) return;
    range_begin = whole_number(value.substr(0, value.find('-')));
    range_total = whole_number(value.substr(slash + 1));
  }
};

std::string host_of(std::string_view address) {
  const std::size_t begin = address.find("://");
  if (begin != std::string_view::npos) address.remove_prefix(begin + 3);
  return std::string(address.substr(0, address.find('/')));
}

// A file of trusted certificates from the usual environment variables; nullptr: use those of the system.
const char* own_authorities() {
  for (const char* variable : {"CURL_CA_BUNDLE", "SSL_CERT_FILE"}) {
    if (const char* file = std::getenv(variable); file != nullptr && *file != 0) return file;
  }
  return nullptr;
}

// One request. libcurl calls the static functions; an exception is stored there until libcurl has returned.
class Transfer {
 public:
  Transfer(const std::string& address, PartFile& part, const DownloadOptions& options)
      : address_(address), part_(part), options_(options), handle_(curl_easy_init()) {
    if (!handle_) throw std::bad_alloc();
  }

  enum class End { whole, stopped, useless_part };
  End run();
  const TransferState& state() const { return state_; }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    if (curl_easy_setopt(handle_.get(), option, value) != CURLE_OK)
      throw Error("this version of libcurl does not support all options needed for downloads");
  }
  void prepare();
  void ask_for_rest();
  long status() const;
  bool begin_body();
  End end_of_answer();
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void break_off(const std::string& what) const;  // throws an error after which the download can resume
  [[noreturn]] void fail_transfer(CURLcode code) const;
  [[noreturn]] void fail_status() const;

  static std::size_t on_header(char* data, std::size_t, std::size_t size, void* self);
  static std::size_t on_body(char* data, std::size_t, std::size_t size, void* self);
  static int on_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

  const std::string& address_;
  PartFile& part_;
  const DownloadOptions& options_;
  std::unique_ptr<CURL, FreeHandle> handle_;
  std::unique_ptr<curl_slist, FreeHandle> headers_to_send_;
  std::array<char, CURL_ERROR_SIZE> message_ = {};
  Headers headers_;
  TransferState state_;
  bool body_begun_ = false;
  bool useless_part_ = false;
  std::exception_ptr thrown_;
};

void Transfer::prepare() {
  set(CURLOPT_URL, address_.c_str());
#if LIBCURL_VERSION_NUM >= 0x075500
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
  set(CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  set(CURLOPT_REDIR_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
  if (const char* authorities = own_authorities()) set(CURLOPT_CAINFO, authorities);
  set(CURLOPT_FOLLOWLOCATION, 1L);
  set(CURLOPT_MAXREDIRS, 10L);
  set(CURLOPT_USERAGENT, "kinglet/" KINGLET_VERSION);
  const long patience = static_cast<long>(options_.patience.count());
  set(CURLOPT_CONNECTTIMEOUT, patience);
  set(CURLOPT_LOW_SPEED_LIMIT, 1L);  // bytes per second, averaged over the time limit
  set(CURLOPT_LOW_SPEED_TIME, patience);
  set(CURLOPT_ERRORBUFFER, message_.data());
  set(CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  set(CURLOPT_HEADERDATA, static_cast<void*>(this));
  set(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  set(CURLOPT_WRITEDATA, static_cast<void*>(this));
  set(CURLOPT_XFERINFOFUNCTION, &Transfer::on_progress);
  set(CURLOPT_XFERINFODATA, static_cast<void*>(this));
  set(CURLOPT_NOPROGRESS, 0L);
}

// Nothing to do without earlier bytes, or if the server gave no version for them.
void Transfer::ask_for_rest() {
  const std::string version = part_.version_from(address_);
  if (version.empty()) return;
  state_.bytes = state_.resumed_at = part_.size();
  set(CURLOPT_RANGE, fmt::format("{}-", part_.size()).c_str());
  headers_to_send_.reset(curl_slist_append(nullptr, ("If-Range: " + version).c_str()));
  set(CURLOPT_HTTPHEADER, headers_to_send_.get());
}

Transfer::End Transfer::run() {
  prepare();
  ask_for_rest();
  const CURLcode code = curl_easy_perform(handle_.get());
  if (thrown_) std::rethrow_exception(thrown_);
  if (useless_part_ && state_.resumed_at == 0) fail("the server sends a part of the file that was not requested");
  if (useless_part_) return End::useless_part;
  if (code == CURLE_ABORTED_BY_CALLBACK) return End::stopped;
  if (code != CURLE_OK) fail_transfer(code);
  return end_of_answer();
}

Transfer::End Transfer::end_of_answer() {
  if (status() == kNothingLeft && state_.resumed_at > 0) {
    // The version is right, or the server would have sent the whole file. So we have all of it, or too much.
    return headers_.range_total == part_.size() ? End::whole : End::useless_part;
  }
  if (status() != kWhole && status() != kRest) fail_status();
  if (!body_begun_ && !begin_body()) return End::useless_part;  // an empty file
  return End::whole;
}

long Transfer::status() const {
  long code = 0;
  curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &code);
  return code;
}

// Called before the first byte of the file is stored. False if the response does not continue our bytes, because the
// server supports Range but ignores If-Range.
bool Transfer::begin_body() {
  body_begun_ = true;
  if (status() == kRest) {
    state_.total = headers_.range_total;
    const std::string version = headers_.version();
    return headers_.range_begin == part_.size() && (version.empty() || version == part_.version_from(address_));
  }
  part_.begin(address_, headers_.version());
  state_ = {.total = headers_.length};
  return true;
}

void Transfer::fail(const std::string& what) const { throw Error(fmt::format("{}: {}", address_, what)); }

void Transfer::break_off(const std::string& what) const {
  const bool kept = !part_.version_from(address_).empty();
  fail(what + (kept ? "; run the same command again to resume" : ""));
}

void Transfer::fail_transfer(CURLcode code) const {
  const std::string host = host_of(address_);
  const auto patience = options_.patience.count();
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      break_off(fmt::format("cannot find the host {}; is there a network connection?", host));
    case CURLE_COULDNT_CONNECT:
      break_off(fmt::format("cannot connect to {}", host));
    case CURLE_OPERATION_TIMEDOUT:
      break_off(fmt::format("received nothing from {} for {} s", host, patience));
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
      break_off("the connection was closed");
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
      fail("the address must begin with http:// or https://");
    default:
      break_off(message_[0] != 0 ? message_.data() : curl_easy_strerror(code));
  }
}

void Transfer::fail_status() const {
  const long code = status();
  if (code == 404 || code == 410) fail(fmt::format("the file does not exist on the server ({})", code));
  fail(fmt::format("the server responded with status {}", code));
}

std::size_t Transfer::on_header(char* data, std::size_t, std::size_t size, void* self) {
  static_cast<Transfer*>(self)->headers_.add({data, size});
  return size;
}

std::size_t Transfer::on_body(char* data, std::size_t, std::size_t size, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  const long code = transfer.status();
  if (code != kWhole && code != kRest) return size;  // an error page
  try {
    if (!transfer.body_begun_ && !transfer.begin_body()) {
      transfer.useless_part_ = true;
      return 0;  // ends the transfer
    }
    transfer.part_.append({data, size});
    transfer.state_.bytes = transfer.part_.size();
    return size;
  } catch (...) {
    transfer.thrown_ = std::current_exception();
    return 0;
  }
}

int Transfer::on_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  auto& transfer = *static_cast<Transfer*>(self);
  if (!transfer.options_.on_progress) return 0;
  try {
    return transfer.options_.on_progress(transfer.state_) ? 0 : 1;
  } catch (...) {
    transfer.thrown_ = std::current_exception();
    return 1;
  }
}

void start_libcurl_once() {
  static const CURLcode kStarted = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (kStarted != CURLE_OK) throw Error(fmt::format("cannot initialise libcurl: {}", curl_easy_strerror(kStarted)));
}

}  // namespace

DownloadResult download(const std::string& address, PartFile& part, const DownloadOptions& options) {
  start_libcurl_once();
  for (;;) {
    Transfer transfer(address, part, options);
    const Transfer::End end = transfer.run();
    if (end != Transfer::End::useless_part) return {end == Transfer::End::stopped, transfer.state()};
    part.begin(address, "");  // try again from the beginning
  }
}

}  // namespace kinglet
