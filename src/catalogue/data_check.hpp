// Summarises the content of a data file, independent of its format, and compares it with the catalogue.
//
// The digest is the SHA-256 of these bytes, row by row: the label as canonical text ("+1" and "1.0" become "1"), a zero
// byte, index and value of each nonzero feature (32 bits each, little-endian, the index counted from 0, the value as a
// float), and four bytes 0xFF. It does not depend on spaces, number formats, explicit zeros, CSV or LIBSVM, or
// compression, but it does depend on the order of the rows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "catalogue/catalogue.hpp"
#include "kinglet/message.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

struct Content {
  std::uint64_t rows = 0;
  std::uint32_t features = 0;  // the highest index that occurs
  std::uint32_t classes = 0;
  std::string digest;
};

using Proceed = std::function<bool()>;  // called from time to time; false: stop

// Reads the source to its end; nullopt if stopped.
std::optional<Content> content_of(Source& source, const Proceed& proceed);

enum class FileVerdict { good, wrong, stopped };

struct CheckResult {
  FileVerdict verdict = FileVerdict::good;
  Message fault;  // what is wrong, to be appended to the name of the file
};

// Verifies the file at `path` as the catalogue specifies. A file that cannot be read as examples fails.
CheckResult check_file(const KnownSet& set, const KnownFile& file, const std::filesystem::path& path,
                       const Proceed& proceed);

}  // namespace kinglet
