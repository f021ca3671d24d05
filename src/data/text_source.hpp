// A source that reads text, LIBSVM or CSV: lines in, batches out.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/bytes.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

// `name` stands in messages. The format is recognised when the first batch is read.
std::unique_ptr<Source> read_text(std::string name, std::unique_ptr<Bytes> bytes, const SourceOptions& options);

// The same for text at hand, which must live as long as what is returned.
std::unique_ptr<Source> read_memory(std::string_view text, const SourceOptions& options,
                                    const std::string& name = "<memory>");

// What the first lines of a file look like, by the first one that tells: index:value pairs, tabs, commas or
// semicolons. Nullopt when none does (bare labels, blank lines, comments). `separator` is set for csv and tsv.
std::optional<Format> recognise_format(std::string_view lines, char& separator);

// The first option that was given and that only CSV has, as on the command line; empty: none.
std::string_view csv_option(const SourceOptions& options);

}  // namespace kinglet
