// Downloads over HTTP and HTTPS (libcurl) that can go on where they broke off.
//
// The rest of a file is asked for with Range and If-Range (RFC 9110, 13.1.5 and 14.2): the server sends it if its copy is
// still the one of which we have the beginning, by its ETag or its date, and otherwise the whole of the new one.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "catalogue/part_file.hpp"

namespace kinglet {

struct TransferState {
  std::uint64_t bytes = 0;             // here, with those of former times
  std::uint64_t resumed_at = 0;        // of them, those that were here before
  std::optional<std::uint64_t> total;  // where the server tells
};

struct DownloadOptions {
  std::chrono::seconds patience{60};                           // without a byte for so long, it fails
  std::function<bool(const TransferState&)> on_progress = {};  // several times a second; false: stop
};

struct DownloadResult {
  bool stopped = false;  // on_progress said so
  TransferState state;
};

// Fetches what is missing of `address` into `part`, which is whole afterwards unless it was stopped. Throws Error with
// one line; what came until then stays in the part.
DownloadResult download(const std::string& address, PartFile& part, const DownloadOptions& options);

}  // namespace kinglet
