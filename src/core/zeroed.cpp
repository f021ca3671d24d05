#include "core/zeroed.hpp"

#include <sys/mman.h>

#include <cstring>

#include "core/aligned.hpp"

namespace kinglet::zeroed_detail {
namespace {

constexpr std::size_t kPage = 4096;
// A smaller array comes from the heap: whole pages would waste a part of it.
constexpr std::size_t kLarge = std::size_t{1} << 17;

}  // namespace

void* take(std::size_t bytes) {
  if (bytes < kLarge) return std::memset(CacheLineAllocator<char>().allocate(bytes), 0, bytes);
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

void give_back(void* memory, std::size_t bytes) noexcept {
  if (bytes < kLarge) {
    CacheLineAllocator<char>().deallocate(static_cast<char*>(memory), bytes);
  } else {
    ::munmap(memory, bytes);
  }
}

void copy(const void* from, void* to, std::size_t bytes) {
  static constexpr char kZeros[kPage] = {};
  for (std::size_t begin = 0; begin < bytes; begin += kPage) {
    const std::size_t n = std::min(kPage, bytes - begin);
    const char* const page = static_cast<const char*>(from) + begin;
    if (std::memcmp(page, kZeros, n) != 0) std::memcpy(static_cast<char*>(to) + begin, page, n);
  }
}

}  // namespace kinglet::zeroed_detail
