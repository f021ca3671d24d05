#include "model/fingerprint.hpp"

#include <xxhash.h>

#include <bit>
#include <cmath>
#include <limits>

#include "core/assert.hpp"
#include "core/state.hpp"

namespace kinglet {

Fingerprint fingerprint(const Batch& batch, std::uint32_t rows, std::span<const std::string> texts) {
  KINGLET_ASSERT(rows <= batch.rows());
  StateWriter out;
  const Rows features = batch.features();
  for (std::uint32_t i = 0; i < rows; ++i) {
    const std::uint32_t label = batch.labels[i];
    out.put_text(label < texts.size() ? texts[label] : std::string());
    if (!batch.targets.empty()) out.put(batch.targets[i]);
    const Features x = features[i];
    for (std::uint32_t k = 0; k < x.count; ++k) {
      if (x.values[k] == 0) continue;
      out.put(x.is_sparse() ? x.indices[k] : k);
      out.put(std::isnan(x.values[k]) ? std::numeric_limits<float>::quiet_NaN() : x.values[k]);
    }
  }
  return {rows, XXH3_64bits(out.bytes().data(), out.bytes().size())};
}

namespace {

// Appends the number and the value of each nonzero feature. Without branches and with operations on integers only,
// because this is done for every row. `number_of` gives the number of the k-th value.
template <class Number>
std::uint32_t* append_nonzero(const Features& x, std::uint32_t* word, Number number_of) {
  constexpr std::uint32_t kSign = 0x80000000, kInfinity = 0x7F800000, kNan = 0x7FC00000;
  for (std::uint32_t k = 0; k < x.count; ++k) {
    const auto bits = std::bit_cast<std::uint32_t>(x.values[k]);
    const std::uint32_t magnitude = bits & ~kSign;
    word[0] = little_endian(number_of(k));
    word[1] = little_endian(magnitude > kInfinity ? kNan : bits);  // all kinds of NaN are a missing value
    word += magnitude != 0 ? 2 : 0;
  }
  return word;
}

}  // namespace

// A row in 32-bit words, little-endian: the hash of the label (0 if there is none) in two, the target and the weight (0
// and 1 where there are none), then for each nonzero feature its number and its value.
void RowHash::add(const Batch& batch, std::size_t begin, std::size_t n, std::span<const std::string> texts) {
  constexpr std::size_t kHead = 4;
  while (label_hashes_.size() < texts.size()) {
    const std::string& text = texts[label_hashes_.size()];
    label_hashes_.push_back(XXH3_64bits(text.data(), text.size()));
  }
  const Rows features = batch.features();
  for (std::size_t i = begin; i < begin + n; ++i) {
    const Features x = features[i];
    words_.resize(kHead + 2 * std::size_t{x.count});
    const std::uint32_t label = batch.labels[i];
    const std::uint64_t label_hash = label < label_hashes_.size() ? label_hashes_[label] : 0;
    std::uint32_t* word = words_.data();
    *word++ = little_endian(static_cast<std::uint32_t>(label_hash));
    *word++ = little_endian(static_cast<std::uint32_t>(label_hash >> 32));
    *word++ = little_endian(std::bit_cast<std::uint32_t>(batch.targets.empty() ? 0.0F : batch.targets[i]));
    *word++ = little_endian(std::bit_cast<std::uint32_t>(batch.weights.empty() ? 1.0F : batch.weights[i]));
    word = x.is_sparse() ? append_nonzero(x, word, [&](std::uint32_t k) { return x.indices[k]; })
                         : append_nonzero(x, word, [](std::uint32_t k) { return k; });
    const auto bytes = static_cast<std::size_t>(word - words_.data()) * sizeof(std::uint32_t);
    value_ = XXH3_64bits_withSeed(words_.data(), bytes, value_);
  }
}

}  // namespace kinglet
