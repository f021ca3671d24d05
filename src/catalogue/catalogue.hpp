// The public data sets that kinglet knows by name: address, description, and how to verify a copy. They are listed in
// one table (catalogue.cpp).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinglet {

// How a downloaded file is verified.
enum class Check {
  sha256,   // by the published SHA-256 of its bytes
  content,  // by a digest of its labels, indices and values, independent of formatting (data_check.hpp)
  counts,   // by the number of its examples, features and classes
};

std::string_view check_name(Check check);  // the name of the enumerator

struct KnownFile {
  std::string_view name;  // name in the data folder, without compression suffix: "a9a", "a9a.t"
  std::string address;    // https://…
  std::uint64_t rows = 0;
  Check check = Check::counts;
  std::string_view digest;  // SHA-256 in hexadecimal; empty for Check::counts
};

struct KnownSet {
  std::string_view name;
  std::string_view summary;    // one line
  std::uint32_t features = 0;  // the highest feature index; a file may use fewer
  std::uint32_t classes = 0;
  std::string_view label_column;  // "first" or "last" for CSV files; empty for LIBSVM files
  std::vector<KnownFile> files;   // the training file comes first
};

std::span<const KnownSet> catalogue();  // sorted by name

struct CatalogueMatch {
  const KnownSet* set = nullptr;    // nullptr: unknown
  const KnownFile* file = nullptr;  // nullptr: the set has no file of that name
};

// Finds a data set or a file by name. "a9a" is both; the result then has the set and its training file.
CatalogueMatch find_in_catalogue(std::string_view name);

// The local file name: the name with the compression suffix of the address, such as "ijcnn1.bz2".
std::string kept_name(const KnownFile& file);

// The suffixes that a file may have, the empty one (not compressed) first.
std::span<const std::string_view> compression_endings();

}  // namespace kinglet
