// What a file of examples holds, as a few numbers that do not depend on how it is written, and whether that is what the
// catalogue says.
//
// The digest is the SHA-256 of these bytes, row after row: the label as text in its canonical form ("+1" and "1.0" are
// "1"), a zero byte, index and value of each feature that is not 0 (32 bits each, little-endian, the index from 0, the
// value as a float), and four bytes 0xFF. Spaces, number formats, zeros written out, CSV or LIBSVM, and compression
// make no difference; the order of the rows does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "catalogue/catalogue.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

struct Content {
  std::uint64_t rows = 0;
  std::uint32_t features = 0;  // the highest index that occurs
  std::uint32_t classes = 0;
  std::string digest;
};

using Proceed = std::function<bool()>;  // asked now and then; false: stop

// Reads the source to its end; nullopt when stopped.
std::optional<Content> content_of(Source& source, const Proceed& proceed);

enum class FileVerdict { good, wrong, stopped };

struct CheckResult {
  FileVerdict verdict = FileVerdict::good;
  std::string fault;  // what is wrong with it, to follow the name of the file
};

// Checks a copy at `path` the way the catalogue says. A file that cannot be read as examples is wrong.
CheckResult check_file(const KnownSet& set, const KnownFile& file, const std::filesystem::path& path,
                       const Proceed& proceed);

}  // namespace kinglet
