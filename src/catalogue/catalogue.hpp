// The public data sets that kinglet knows by name: where each can be had, what it is, and how a copy of it is checked.
// One table (catalogue.cpp) is all there is to it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinglet {

// How a downloaded file is told from a wrong one.
enum class Check {
  sha256,   // its bytes: somebody publishes their SHA-256
  content,  // its examples: labels, indices and values, however they are written (data_check.hpp)
  counts,   // the number of its examples, features and classes
};

std::string_view check_name(Check check);  // as in the enumeration

struct KnownFile {
  std::string_view name;  // in the data folder, without the ending of its compression: "a9a", "a9a.t"
  std::string address;    // https://…
  std::uint64_t rows = 0;
  Check check = Check::counts;
  std::string_view digest;  // SHA-256 in hexadecimal; empty for counts
};

struct KnownSet {
  std::string_view name;
  std::string_view summary;    // one line
  std::uint32_t features = 0;  // the highest index; a file may use fewer
  std::uint32_t classes = 0;
  std::string_view label_column;  // where the file is CSV: "first" or "last"; empty: it is LIBSVM
  std::vector<KnownFile> files;   // the one to train on first
};

std::span<const KnownSet> catalogue();  // sorted by name

struct CatalogueMatch {
  const KnownSet* set = nullptr;    // nullptr: not known
  const KnownFile* file = nullptr;  // nullptr: the name of a set none of whose files is called the same
};

// A set or a file by name; "a9a" is both, and then the file is the training file.
CatalogueMatch find_in_catalogue(std::string_view name);

// The name under which a file is kept: its own and the ending of its compression at the address, "ijcnn1.bz2".
std::string kept_name(const KnownFile& file);

// The endings a compressed file may have, the empty one first.
std::span<const std::string_view> compression_endings();

}  // namespace kinglet
