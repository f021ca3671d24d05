// Reads arbitrary bytes as CSV or TSV text. The first two bytes choose the options.
#include <cstdint>
#include <string_view>
#include <utility>

#include "data/shuffle.hpp"
#include "data/text_source.hpp"
#include "reading_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinglet;
  if (size < 2) return 0;
  const unsigned choice = data[0], columns = data[1];
  SourceOptions options;
  options.format = (choice & 3) == 0 ? Format::detect : (choice & 3) == 1 ? Format::tsv : Format::csv;
  if ((choice & 4) != 0) options.header = (choice & 8) != 0;
  const char* const labels[] = {"first", "last", "none", "2", "label", "1", "3", ""};
  const char* const weights[] = {"", "", "weight", "3"};
  options.label_column = labels[columns & 7];
  options.weight_column = weights[columns >> 3 & 3];
  options.missing = (choice & 16) != 0 ? Missing::zero : (choice & 32) != 0 ? Missing::mean : Missing::error;
  if ((choice & 64) != 0) options.max_row_bytes = 20;
  if ((choice & 128) != 0) options.dimension = 2;
  options.numeric_labels = (columns & 32) != 0;
  if ((columns & 64) != 0) options.skip_bad = 3;
  auto source = read_memory({reinterpret_cast<const char*>(data) + 2, size - 2}, options);
  if ((columns & 128) != 0) source = shuffle(std::move(source), {.rows = 4});
  check_source(*source, options.missing == Missing::mean);
  return 0;
}
