// SHA-256 of bytes as they come (FIPS 180-4, by OpenSSL).
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
  std::string hex();  // of everything added, in small letters; nothing can be added after that

 private:
  struct Free {
    void operator()(void* context) const;
  };
  std::unique_ptr<void, Free> context_;
};

// Of a file's bytes; nullopt when `proceed`, asked now and then, said no. Throws Error when it cannot be read.
std::optional<std::string> sha256_of_file(const std::filesystem::path& path, const std::function<bool()>& proceed);

}  // namespace kinglet
