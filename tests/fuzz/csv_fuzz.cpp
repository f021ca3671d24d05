// Reads arbitrary bytes as CSV or TSV text. The first five bytes choose the options, and the columns of a model if
// there is one: of numbers or of records.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "data/shuffle.hpp"
#include "data/text_source.hpp"
#include "reading_fuzz.hpp"
#include "record_options.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinglet;
  if (size < 5) return 0;
  const unsigned choice = data[0], columns = data[1], model = data[2], more = data[3], records = data[4];
  SourceOptions options;
  options.format = (choice & 3) == 0 ? Format::detect : (choice & 3) == 1 ? Format::tsv : Format::csv;
  if ((choice & 4) != 0) options.header = (choice & 8) != 0;
  const char* const labels[] = {"first", "last", "none", "2", "label", "1", "3", ""};
  const char* const weights[] = {"", "", "weight", "3"};
  options.label_column = labels[columns & 7];
  options.weight_column = weights[columns >> 3 & 3];
  if ((choice & 48) == 0) options.missing = Missing::error;
  if ((choice & 48) == 16) options.missing = Missing::zero;
  if ((choice & 48) == 32) options.missing = Missing::mean;
  if ((choice & 64) != 0) options.max_row_bytes = 20;
  if ((choice & 128) != 0) options.dimension = 2;
  options.numeric_labels = (columns & 32) != 0;
  if ((columns & 64) != 0) options.skip_bad = 3;
  options.labels_unused = (more & 1) != 0;
  if ((more & 2) != 0) options.ignore = {"x", "2"};
  options.options_may_not_fit = (model & 64) != 0;
  if ((model & 1) != 0) {
    Columns known{.dimension = model >> 1 & 3};
    if ((model & 8) != 0) known.features = {"x", "y", "x"};
    if ((model & 8) != 0) known.dimension = 3;
    if ((model & 16) != 0) known.label = (model & 8) != 0 ? "label" : "last";
    if ((model & 32) != 0) known.weight = "weight";
    options.columns = std::make_shared<const Columns>(known);
    if ((model & 128) != 0) options.label_column.reset();
  }
  choose_record_options(records, options);
  if ((records & 1) != 0) options.separator = '~';
  if ((records & 2) != 0) {
    options.columns = learned_records();
    options.new_values = (more & 4) != 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data) + 5, size - 5);
  auto source = read_memory(text, options);
  if ((columns & 128) != 0) source = shuffle(std::move(source), {.rows = 4});
  check_source(*source, options.missing != Missing::zero && options.missing != Missing::error);
  if (size % 32 == 0) {  // threads take time
    static const std::string first = [] {
      std::string rows = "label,x,weight\n";
      for (std::size_t i = 0; i < kBatchRows; ++i) rows += "1,2,3\n";
      return rows;
    }();
    check_threads(first, text, options);
  }
  return 0;
}
