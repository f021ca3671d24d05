// Data by name: data:a9a is the file of that name in the data folder, compressed or not.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace kinglet {

inline constexpr std::string_view kDataByName = "data:";

// The folder of data sets: `given`, else the environment variable KINGLET_DATA, else kinglet in the user's own data
// folder (XDG_DATA_HOME, or ~/.local/share). It need not exist.
std::filesystem::path data_folder(const std::string& given = {});

// The file `name` in `folder`: as it is, or with the ending of a compression (.gz, .bz2, .xz, .zst).
std::optional<std::filesystem::path> find_in_folder(std::string_view name, const std::filesystem::path& folder);

// What `where` stands for: data:NAME becomes the path of that file in the folder (`folder` as in data_folder), anything
// else stays as it is. Throws Error when the file is not there, with the command that gets it where the set is known.
std::string find_data(const std::string& where, const std::string& folder = {});

}  // namespace kinglet
