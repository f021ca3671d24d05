// The file around a model (docs/model-format.md): a preamble with version and length, a JSON header for people and
// tools, named binary sections, and a checksum of all that. What stands in them is up to the Model (src/learn/).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kinglet {

inline constexpr std::uint32_t kModelVersion = 3;

struct ModelSection {
  std::string name;
  std::string bytes;
};

struct ModelFile {
  std::string header;  // JSON
  std::vector<ModelSection> sections;

  // nullptr when there is none of that name.
  const ModelSection* find(std::string_view name) const;
};

// Equal parts give equal bytes.
std::string pack_model(const ModelFile& file);

// Throws Error, without the file's name, for anything that pack_model() did not write: a foreign file, a truncated or
// damaged one, or one of a newer version.
ModelFile unpack_model(std::string_view bytes);

// Makes the checksum of damaged or handmade bytes right, so that tests get past it.
void seal_model(std::string& bytes);

// Reads no further than the preamble of a file that is no model.
std::string read_model_bytes(const std::filesystem::path& path);

// Writes to a temporary neighbour, syncs it and renames it: at any moment the path holds the old content or the new.
// On failure the old file stays and no temporary is left. What is no regular file (a pipe, /dev/null) is written to.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace kinglet
