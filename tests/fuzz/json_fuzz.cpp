// Reads arbitrary bytes as JSON lines. The first three bytes choose the options, and the columns of a model if there is
// one.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "data/json_members.hpp"
#include "data/shuffle.hpp"
#include "reading_fuzz.hpp"
#include "record_options.hpp"

namespace {

using namespace kinglet;

// Whatever the line is, its members end, and positions stay in it.
void check_members(std::string_view line) {
  JsonMembers members;
  try {
    members.start(line);
    for (JsonMember member; members.next(member);) {
      require(member.begin >= line.data() && member.begin < line.data() + line.size());
    }
    require(members.at() == line.data() + line.size());
  } catch (const Error& error) {
    require(members.at() >= line.data() && members.at() <= line.data() + line.size());
    require(std::string(error.what()).find('\n') == std::string::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const unsigned choice = data[0], more = data[1], model = data[2];
  SourceOptions options;
  options.format = (choice & 1) != 0 ? Format::jsonl : Format::detect;
  const char* const labels[] = {"first", "last", "none", "label"};
  if ((choice & 2) != 0) options.label_column = labels[choice >> 2 & 3];
  if ((choice & 16) != 0) options.missing = (choice & 32) != 0 ? Missing::zero : Missing::error;
  if ((choice & 64) != 0) options.weight_column = "weight";
  if ((choice & 128) != 0) options.skip_bad = 3;
  if ((more & 1) != 0) options.numeric_labels = true;
  if ((more & 2) != 0) options.ignore = {"z", "late"};
  choose_record_options(more, options);
  if ((model & 1) != 0) {
    options.columns = learned_records();
    options.new_values = (model & 2) != 0;
    options.labels_unused = (model & 4) != 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data) + 3, size - 3);
  check_members(text.substr(0, text.find('\n')));
  auto source = read_memory(text, options);
  if ((model & 8) != 0) source = shuffle(std::move(source), {.rows = 4});
  check_source(*source, true);
  if (size % 32 == 0) {  // threads take time
    static const std::string first = [] {
      std::string rows;
      for (std::size_t i = 0; i < kBatchRows; ++i) rows += "{\"label\":1,\"x\":2,\"weight\":3}\n";
      return rows;
    }();
    check_threads(first, text, options);
  }
  return 0;
}
