// A source that reads LIBSVM or CSV text.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/bytes.hpp"
#include "kinglet/message.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

// `name` is used in messages. The format is recognised when the first batch is read.
std::unique_ptr<Source> read_text(std::string name, std::unique_ptr<Bytes> bytes, const SourceOptions& options);

// The same for text in memory, which must outlive the result.
std::unique_ptr<Source> read_memory(std::string_view text, const SourceOptions& options,
                                    const std::string& name = "<memory>");

// Recognises the format from the first line with index:value pairs, tabs, commas or semicolons. Nullopt if there is none
// (only labels, blank lines or comments). `separator` is set for csv and tsv. `complete`: no more lines follow, so a row with
// a quote that is not closed is CSV.
std::optional<Format> recognise_format(std::string_view lines, char& separator, bool complete = false);

// The first option given that applies only to CSV; empty: none.
Message csv_option(const SourceOptions& options);

}  // namespace kinglet
