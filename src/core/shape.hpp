// The shape of the data: how many features and classes there are, and how rows and support vectors are stored.
#pragma once

#include <cstdint>
#include <string_view>

namespace kinglet {

// In which form the learner gets rows, and keeps support vectors. It is chosen when a model starts and then stays.
//   dense   rows and vectors have a value for every feature; rows are centred by the scaler
//   mixed   rows are lists of nonzero features, vectors have a value for every feature
//   sparse  rows and vectors are lists of nonzero features
enum class Storage : std::uint8_t { dense, mixed, sparse };
inline constexpr Storage kStorages[] = {Storage::dense, Storage::mixed, Storage::sparse};

constexpr const char* name_of(Storage storage) {
  return storage == Storage::dense ? "dense" : storage == Storage::mixed ? "mixed" : "sparse";
}
constexpr Storage storage_named(std::string_view name) {
  return name == "sparse" ? Storage::sparse : name == "mixed" ? Storage::mixed : Storage::dense;
}

// Dimension and classes may grow while a learner learns.
struct Shape {
  std::uint32_t dimension = 0;
  std::uint32_t classes = 0;  // 0 for regression, 2 for novelty
  Storage storage = Storage::dense;

  bool has_sparse_rows() const { return storage != Storage::dense; }
  bool has_sparse_vectors() const { return storage == Storage::sparse; }  // they take an unknown amount of memory
};

}  // namespace kinglet
