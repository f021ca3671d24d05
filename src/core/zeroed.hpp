// An array of zeros that takes memory only where it is written: large arrays are fresh pages of the system, which gives
// each of them a place in memory when it is first written. So an array for a large budget costs what the terms so far
// need, it never moves, and no copy is made when it fills up.
//
// The size is fixed, except by resize(), which moves the content. Loops must stay within the part in use, or every page
// is taken. Aligned to cache lines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace kinglet {

namespace zeroed_detail {
void* take(std::size_t bytes);  // throws std::bad_alloc
void give_back(void* memory, std::size_t bytes) noexcept;
// Copies all pages that are not zeros.
void copy(const void* from, void* to, std::size_t bytes);
}  // namespace zeroed_detail

template <class T>
class Zeroed {
  static_assert(std::is_arithmetic_v<T>);

 public:
  Zeroed() = default;
  explicit Zeroed(std::size_t size) : size_(size) {
    if (size > std::numeric_limits<std::size_t>::max() / 2 / sizeof(T)) throw std::bad_array_new_length();
    if (size > 0) data_ = static_cast<T*>(zeroed_detail::take(size * sizeof(T)));
  }
  Zeroed(const Zeroed& other) : Zeroed(other.size_) { zeroed_detail::copy(other.data_, data_, size_ * sizeof(T)); }
  Zeroed& operator=(const Zeroed& other) {
    if (this == &other) return *this;
    Zeroed copy(other);
    std::swap(data_, copy.data_);
    std::swap(size_, copy.size_);
    return *this;
  }
  Zeroed(Zeroed&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Zeroed& operator=(Zeroed&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Zeroed() {
    if (data_ != nullptr) zeroed_detail::give_back(data_, size_ * sizeof(T));
  }

  // Keeps the content as far as it fits; what is added is zero.
  void resize(std::size_t size) {
    if (size == size_) return;
    Zeroed other(size);
    zeroed_detail::copy(data_, other.data_, std::min(size, size_) * sizeof(T));
    *this = std::move(other);
  }

  std::size_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

using ZeroedFloats = Zeroed<float>;
using ZeroedDoubles = Zeroed<double>;

}  // namespace kinglet
