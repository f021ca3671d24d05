// Downloads over HTTP and HTTPS (libcurl) that can be resumed.
//
// The rest of a file is requested with Range and If-Range (RFC 9110, 13.1.5 and 14.2). The server sends only the rest
// if its file is unchanged, by ETag or date, and the whole new file otherwise.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "catalogue/part_file.hpp"

namespace kinglet {

struct TransferState {
  std::uint64_t bytes = 0;             // bytes received, including earlier transfers
  std::uint64_t resumed_at = 0;        // bytes received by earlier transfers
  std::optional<std::uint64_t> total;  // size of the file, if the server says so
};

struct DownloadOptions {
  std::chrono::seconds patience{60};                           // fail if no byte arrives for so long
  std::function<bool(const TransferState&)> on_progress = {};  // called several times a second; false: stop
};

struct DownloadResult {
  bool stopped = false;  // by on_progress
  TransferState state;
};

// Downloads the missing rest of `address` into `part`, which is complete afterwards unless the transfer was stopped.
// Throws Error; bytes received so far stay in `part`.
DownloadResult download(const std::string& address, PartFile& part, const DownloadOptions& options);

}  // namespace kinglet
