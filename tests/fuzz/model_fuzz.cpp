// Loads arbitrary bytes as a model file. If the first byte is odd, the checksum of the rest is corrected first, so that
// the input gets past the check of the checksum. A model that loads must predict, and must save to bytes that load
// again.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kinglet/error.hpp"
#include "kinglet/model.hpp"
#include "model/model_file.hpp"
#include "reading_fuzz.hpp"

namespace {

using namespace kinglet;

constexpr std::uint64_t kMemory = 1 << 24;

Batch dense_batch() {
  Batch batch;
  batch.dimension = 3;
  batch.values = {0, 1, -2, 3e38F, -3e38F, 1e-38F};
  batch.labels = {kNoLabel, kNoLabel};
  return batch;
}

Batch sparse_batch() {
  Batch batch;
  batch.sparse = true;
  batch.dimension = 1000;
  batch.values = {1, 2, -1e30F};
  batch.indices = {0, 999, 1};
  batch.offsets = {0, 2, 2, 3};
  batch.labels = {kNoLabel, kNoLabel, kNoLabel};
  return batch;
}

void use_probabilities(const Model& model, const Batch& batch) {
  const std::vector<float> out = model.probabilities(batch).values;
  require(out.size() == batch.rows() * model.labels().size());
  for (const float p : out) require(p >= 0 && p <= 1);
}

void use(const Model& model) {
  std::vector<Prediction> predictions;
  std::vector<float> scores;
  for (const Batch& batch : {dense_batch(), sparse_batch()}) {
    predictions = model.predict(batch).rows;
    for (const Prediction& prediction : predictions) {
      const bool has_class = model.has_learned() && !model.labels().empty();
      require(has_class ? prediction.label < model.labels().size() : prediction.label == kNoClass);
    }
    scores = model.scores(batch, 2).values;
    require(scores.size() == batch.rows() * model.outputs());
    if (model.gives_probabilities()) use_probabilities(model, batch);
  }
  const std::string bytes = model.serialize();
  require(Model::deserialize(bytes, "again", kMemory).serialize() == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 1) seal_model(bytes);
  std::optional<Model> model;
  try {
    model.emplace(Model::deserialize(bytes, "fuzz", kMemory));
  } catch (const Error& error) {
    require(std::string(error.what()).find('\n') == std::string::npos);
    return 0;
  }
  use(*model);
  return 0;
}
