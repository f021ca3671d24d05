// The container format of model files (docs/model-format.md): a preamble with version and length, a JSON header, named
// binary sections, and a checksum. Their content is defined in model_io.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/state.hpp"

namespace kinglet {

inline constexpr std::uint32_t kModelVersion = 4;

struct ModelSection {
  std::string name;
  std::string bytes;
};

struct ModelFile {
  std::string header;  // JSON
  std::vector<ModelSection> sections;

  // nullptr if there is no section of that name.
  const ModelSection* find(std::string_view name) const;
};

// Equal parts give equal bytes.
std::string pack_model(const ModelFile& file);

// The same in pieces, for a model that is so large that a copy might not fit into memory.
struct SectionWriter {
  std::string name;
  std::function<void(StateWriter&)> write;  // called twice, because the length comes first
};
void write_model(std::string_view header, std::span<const SectionWriter> sections, const StateWriter::Sink& sink);

// Throws Error, without the file's name, for anything that pack_model() did not write: a foreign file, a truncated or
// damaged one, or one of a newer version.
ModelFile unpack_model(std::string_view bytes);

// Corrects the checksum of modified bytes, for tests.
void seal_model(std::string& bytes);

// If the file is not a model, reads only its preamble.
std::string read_model_bytes(const std::filesystem::path& path);

// Writes a temporary file in the same folder, syncs it and renames it: at any moment the path has the complete old
// content or the complete new content. On failure the old file stays and the temporary file is removed. A path that is
// not a regular file (a pipe, /dev/null) is written directly. `produce` passes the bytes to the sink it is given.
using Producer = std::function<void(const StateWriter::Sink&)>;
void write_file_atomically(const std::filesystem::path& path, const Producer& produce);

}  // namespace kinglet
