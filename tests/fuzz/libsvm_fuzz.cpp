// Reads arbitrary bytes as LIBSVM text. The first byte chooses the options.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "data/shuffle.hpp"
#include "data/text_source.hpp"
#include "reading_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinglet;
  if (size == 0) return 0;
  const unsigned choice = data[0];
  SourceOptions options;
  options.format = (choice & 1) != 0 ? Format::libsvm : Format::detect;
  if ((choice & 6) == 2) options.index_base = 0;
  if ((choice & 6) == 4) options.index_base = 1;
  if ((choice & 8) != 0) options.dimension = 10;
  if ((choice & 16) != 0) options.max_row_bytes = 20;
  options.numeric_labels = (choice & 32) != 0;
  if ((choice & 64) != 0) options.skip_bad = 3;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  auto source = read_memory(text, options);
  if ((choice & 128) != 0) source = shuffle(std::move(source), {.rows = 4});
  check_source(*source, options.format == Format::detect);  // CSV may have missing values
  if (size % 32 == 0) {                                     // threads take time
    static const std::string first = [] {
      std::string rows;
      for (std::size_t i = 0; i < kBatchRows; ++i) rows += "1 1:1\n";
      return rows;
    }();
    check_threads(first, text, options);
  }
  return 0;
}
