// Incremental SHA-256.
#include "catalogue/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "core/assert.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

EVP_MD_CTX* context_of(void* context) { return static_cast<EVP_MD_CTX*>(context); }

}  // namespace

void Sha256::Free::operator()(void* context) const { EVP_MD_CTX_free(context_of(context)); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  if (!context_) throw std::bad_alloc();
  if (EVP_DigestInit_ex(context_of(context_.get()), EVP_sha256(), nullptr) != 1) {
    throw Error("OpenSSL on this system does not provide SHA-256");
  }
}

void Sha256::add(std::span<const std::byte> bytes) {
  KINGLET_ASSERT(EVP_DigestUpdate(context_of(context_.get()), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::hex() {
  std::array<unsigned char, 32> digest = {};
  KINGLET_ASSERT(EVP_DigestFinal_ex(context_of(context_.get()), digest.data(), nullptr) == 1);
  std::string text;
  for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

std::optional<std::string> sha256_of_file(const std::filesystem::path& path, const std::function<bool()>& proceed) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  Sha256 sum;
  std::vector<char> buffer(1u << 20);
  while (file) {
    if (!proceed()) return std::nullopt;
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    sum.add(std::as_bytes(std::span(buffer.data(), static_cast<std::size_t>(file.gcount()))));
  }
  if (!file.eof()) throw Error(fmt::format("cannot read {}", path.string()));
  return sum.hex();
}

}  // namespace kinglet
