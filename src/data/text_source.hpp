// A source that reads text: LIBSVM, CSV, TSV or JSON lines.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/bytes.hpp"
#include "kinglet/message.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

// The text that a thread parses at a time, if there are several (parts_ahead.hpp): it fits into the cache.
inline constexpr std::size_t kPartBytes = 256u << 10;
// Threads are started only if at least so many parts are left after the first batch: 2 MB, some milliseconds.
inline constexpr std::size_t kLeastParts = 8;

// `name` is used in messages. The format is recognised when the first batch is read.
std::unique_ptr<Source> read_text(std::string name, std::unique_ptr<Bytes> bytes, const SourceOptions& options,
                                  std::size_t part_bytes = kPartBytes);

// The same for text in memory, which must outlive the result.
std::unique_ptr<Source> read_memory(std::string_view text, const SourceOptions& options,
                                    const std::string& name = "<memory>", std::size_t part_bytes = kPartBytes);

// Recognises the format from the first line with a JSON object, index:value pairs, tabs, commas, semicolons or |.
// Nullopt if there is none (only labels, blank lines or comments). `separator` is set for csv and tsv. `complete`: no
// more lines follow, so a row with a quote that is not closed is CSV.
std::optional<Format> recognise_format(std::string_view lines, char& separator, bool complete = false);

// The first option given that applies only to CSV, or only to CSV and JSON lines; empty: none.
Message csv_option(const SourceOptions& options);
Message record_option(const SourceOptions& options);

}  // namespace kinglet
