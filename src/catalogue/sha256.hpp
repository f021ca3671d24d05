// Incremental SHA-256 (FIPS 180-4, computed by OpenSSL).
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace kinglet {

class Sha256 {
 public:
  Sha256();
  void add(std::span<const std::byte> bytes);
  std::string hex();  // the digest in lower-case hexadecimal; nothing can be added afterwards

 private:
  struct Free {
    void operator()(void* context) const;
  };
  std::unique_ptr<void, Free> context_;
};

// The SHA-256 of a file; nullopt if `proceed`, which is called from time to time, returns false. Throws Error if the
// file cannot be read.
std::optional<std::string> sha256_of_file(const std::filesystem::path& path, const std::function<bool()>& proceed);

}  // namespace kinglet
