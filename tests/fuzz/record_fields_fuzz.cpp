// Encodes arbitrary fields: what looks like a time is one, and a record of any fields becomes a valid row or an error.
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "reading_fuzz.hpp"
#include "record_options.hpp"
#include "records/detect.hpp"
#include "records/encoder.hpp"
#include "records/time_fields.hpp"

namespace {

using namespace kinglet;

constexpr double kLongestZone = 24 * 3600;

void check_time(std::string_view field) {
  const auto time = parse_time(field);
  if (!time) return;
  require(field.size() >= 10);
  require(is_in_calendar(time->clock) || is_in_calendar(time->clock - 1));  // 24:00 of the last day
  require(std::abs(time->clock - time->seconds) < kLongestZone);
  const auto cycles = cycles_of(time->clock);
  for (std::size_t i = 0; i < cycles.size(); i += 2) {
    require(std::abs(cycles[i] * cycles[i] + cycles[i + 1] * cycles[i + 1] - 1) < 1e-9);
  }
}

// What is planned from a field fits it.
void check_plan(std::string_view field) {
  ColumnProfile profile;
  profile.add(field);
  const ColumnKind kind = profile.kind();
  if (kind == ColumnKind::ignore) return;
  Schema schema;
  schema.columns = {profile.plan(kind, {.category_values = 2, .text_features = 3}, true)};
  lay_out(schema);
  Columns columns{.dimension = 1};
  columns.schema = std::make_shared<const Schema>(schema);
  RecordEncoder encoder(std::make_shared<const Columns>(columns), RecordEncoder::NewValues::stay, std::nullopt);
  Batch batch;
  batch.sparse = true;
  batch.dimension = schema.dimension;
  batch.labels = {kNoLabel};
  try {
    encoder.add_text(0, field);
  } catch (const Error&) {  // a number too large for a float
    require(kind == ColumnKind::number);
    encoder.begin();
  }
  encoder.append_to(batch);
  check_batch(batch, 0, true);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  static const auto columns = learned_records();
  RecordEncoder encoder(columns, size % 2 == 0 ? RecordEncoder::NewValues::stay : RecordEncoder::NewValues::hash,
                        std::nullopt);
  Batch batch;
  batch.sparse = true;
  batch.dimension = columns->encoded_dimension();
  std::size_t column = 0;
  for (bool more = true; more && batch.rows() < kBatchRows;) {  // a record is four lines
    const std::size_t end = text.find('\n');
    const std::string_view field = text.substr(0, end);
    more = end != std::string_view::npos;
    if (more) text.remove_prefix(end + 1);
    check_time(field);
    check_plan(field);
    try {
      if (!field.empty()) encoder.add_text(column, field);
    } catch (const Error& error) {
      require(std::string(error.what()).find('\n') == std::string::npos);
    }
    if (++column < columns->dimension) continue;
    encoder.append_to(batch);
    batch.labels.push_back(kNoLabel);
    column = 0;
  }
  if (batch.rows() > 0) check_batch(batch, 0, true);
  require(continues(*columns->schema, *encoder.snapshot()->schema));
  return 0;
}
