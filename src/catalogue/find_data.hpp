// Data sets by name: data:a9a is the file a9a in the data folder, compressed or not.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace kinglet {

inline constexpr std::string_view kDataByName = "data:";

// The folder of data sets: `given`, else the environment variable KINGLET_DATA, else the folder kinglet in the user's
// data folder (XDG_DATA_HOME, or ~/.local/share). It need not exist.
std::filesystem::path data_folder(const std::string& given = {});

// The file `name` in `folder`, with or without a compression suffix (.gz, .bz2, .xz, .zst).
std::optional<std::filesystem::path> find_in_folder(std::string_view name, const std::filesystem::path& folder);

// Resolves data:NAME to the path of that file in the data folder (`folder` as in data_folder) and returns anything else
// unchanged. Throws Error if the file does not exist; for a known set, the message contains the command to download it.
std::string find_data(const std::string& where, const std::string& folder = {});

}  // namespace kinglet
