#include "export/open_model.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/compose.hpp"
#include "export/libsvm_model.hpp"
#include "kinglet/error.hpp"
#include "kinglet/model.hpp"
#include "model/model_access.hpp"

namespace kinglet {

FlatModel open_model(const std::string& path) {
  constexpr std::size_t kBeginning = 16;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw Error(fmt::format("{} is a folder, not a model", path));
  std::ifstream file(path, std::ios::binary);
  std::string text(kBeginning, '\0');
  if (file) {
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
  }
  if (file.is_open() && is_libsvm_model(text)) {
    text.append(std::istreambuf_iterator<char>(file), {});
    return parse_libsvm_model(text, path);
  }
  const Model model = Model::load(path);
  try {
    return flatten(model);
  } catch (const Error& error) {
    throw Error(compose("{}: {}", path, error.message()));
  }
}

}  // namespace kinglet
