// Fingerprints of data: equal for dense and sparse rows, sensitive to any change, and stored in the model.
#include "model/fingerprint.hpp"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <cmath>
#include <limits>
#include <utility>

#include "core/state.hpp"
#include "data/reading.hpp"
#include "kinglet/model.hpp"
#include "model/model_access.hpp"

namespace kinglet {
namespace {

Batch first_of(std::string_view text, const SourceOptions& options = {}) {
  Batch batch;
  read_memory(text, options)->next(batch);
  return batch;
}

Fingerprint print_of(const Batch& batch, std::uint32_t rows = 2) { return fingerprint(batch, rows, batch.new_labels); }

TEST(Fingerprint, IsTheSameForDenseAndSparseRows) {
  EXPECT_EQ(print_of(first_of("a 1:1 3:2\nb 2:4\n")), print_of(first_of("a,1,0,2\nb,0,4,0\n")));
}

TEST(Fingerprint, ChangesWithEveryLabelFeatureAndValueAmongTheRowsThatCount) {
  const Fingerprint plain = print_of(first_of("a 1:1 3:2\nb 2:4\na 1:9\n"));
  EXPECT_EQ(print_of(first_of("a 1:1 3:2\nb 2:4\nb 2:7\n")), plain);
  for (const char* other : {"b 1:1 3:2\nb 2:4\n", "a 2:1 3:2\nb 2:4\n", "a 1:1 3:2\nb 2:5\n", "b 2:4\na 1:1 3:2\n"}) {
    EXPECT_NE(print_of(first_of(other)), plain) << other;
  }
  const SourceOptions numbers{.numeric_labels = true};
  EXPECT_NE(print_of(first_of("1 1:1\n2 1:2\n", numbers)), print_of(first_of("1 1:1\n3 1:2\n", numbers)));
}

std::uint64_t hash_of(const Batch& batch) {
  RowHash hash;
  hash.add(batch, 0, batch.rows(), batch.new_labels);
  return hash.value();
}

TEST(RowHash, IsTheSameForDenseAndSparseRowsAndHoweverTheyAreDivided) {
  const Batch sparse = first_of("a 1:1 3:2\nb 2:4\na 1:7\n");
  EXPECT_EQ(hash_of(sparse), hash_of(first_of("a,1,0,2\nb,0,4,0\na,7,0,0\n")));
  RowHash parts;
  for (std::size_t i = 0; i < sparse.rows(); ++i) parts.add(sparse, i, 1, sparse.new_labels);
  EXPECT_EQ(parts.value(), hash_of(sparse));
  EXPECT_EQ(RowHash().value(), 0u);
}

TEST(RowHash, ChangesWithEveryRow) {
  const std::uint64_t plain = hash_of(first_of("a 1:1 3:2\nb 2:4\na 1:7\n"));
  for (const char* other : {"b 1:1 3:2\nb 2:4\na 1:7\n", "a 2:1 3:2\nb 2:4\na 1:7\n", "a 1:1 3:2\nb 2:5\na 1:7\n",
                            "b 2:4\na 1:1 3:2\na 1:7\n", "a 1:1 3:2\nb 2:4\n", "a 1:1 3:2\nb 2:4\na 1:7\na 1:7\n",
                            "a 1:1\na 3:2\nb 2:4\na 1:7\n"}) {
    EXPECT_NE(hash_of(first_of(other)), plain) << other;
  }
  const SourceOptions numbers{.numeric_labels = true};
  EXPECT_NE(hash_of(first_of("1 1:1\n2 1:2\n", numbers)), hash_of(first_of("1 1:1\n3 1:2\n", numbers)));
  const SourceOptions weights{.weight_column = "3"};
  EXPECT_NE(hash_of(first_of("a,1,1\nb,2,1\n", weights)), hash_of(first_of("a,1,1\nb,2,3\n", weights)));
}

// As docs/model-format.md describes it.
std::uint64_t reference_hash(const Batch& batch) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    StateWriter row;
    const std::uint32_t label = batch.labels[i];
    const std::string text = label == kNoLabel ? "" : batch.new_labels.at(label);
    row.put<std::uint64_t>(label == kNoLabel ? 0 : XXH3_64bits(text.data(), text.size()));
    row.put(batch.targets.empty() ? 0.0F : batch.targets[i]);
    row.put(batch.weights.empty() ? 1.0F : batch.weights[i]);
    const Features x = batch.features()[i];
    for (std::uint32_t k = 0; k < x.count; ++k) {
      if (x.values[k] == 0) continue;
      row.put(x.is_sparse() ? x.indices[k] : k);
      row.put(std::isnan(x.values[k]) ? std::numeric_limits<float>::quiet_NaN() : x.values[k]);
    }
    hash = XXH3_64bits_withSeed(row.bytes().data(), row.bytes().size(), hash);
  }
  return hash;
}

TEST(RowHash, IsTheSameAsItsReference) {
  const SourceOptions csv{.weight_column = "4", .missing = Missing::mean};
  const SourceOptions numbers{.missing = Missing::mean, .numeric_labels = true};
  for (const Batch& batch :
       {first_of("a 1:1 3:-2e-30\nb\na 1:7 2:0 9:-0\n"), first_of("1,?,0,2\n-2,0,nan,-0\n", numbers),
        first_of("a,1,?,2\nb,0,4,0\na,7,0,1\n", csv)}) {
    EXPECT_EQ(hash_of(batch), reference_hash(batch));
  }
}

TEST(RowHash, IsInTheFileOnlyWhereItWasSet) {
  Model model(Options{});
  model.learn(first_of("a 1:1 3:2\nb 2:4\na 1:3\n"));
  const std::string plain = model.serialize();
  set_rows_hash(model, 0xFEDCBA9876543210);
  const Model loaded = Model::deserialize(model.serialize(), "model");
  EXPECT_EQ(rows_hash(loaded), 0xFEDCBA9876543210);
  set_rows_hash(model, std::nullopt);
  EXPECT_EQ(model.serialize(), plain);
  EXPECT_EQ(rows_hash(Model::deserialize(plain, "model")), std::nullopt);
}

TEST(Fingerprint, TravelsWithTheModel) {
  const Batch first = first_of("a 1:1 3:2\nb 2:4\na 1:3\n");
  Model model(Options{});
  EXPECT_TRUE(began_with(model, first)) << "nothing is known yet";
  model.learn(first);
  const Model loaded = Model::deserialize(model.serialize(), "model");
  EXPECT_EQ(loaded.serialize(), model.serialize());
  for (const Model* each : {&std::as_const(model), &loaded}) {
    EXPECT_TRUE(began_with(*each, first));
    EXPECT_TRUE(began_with(*each, first_of("a 1:1 3:2\nb 2:4\na 1:3\nc 7:7\n")));
    EXPECT_FALSE(began_with(*each, first_of("a 1:1 3:2\nb 2:4\na 1:4\n")));
    EXPECT_FALSE(began_with(*each, first_of("a 1:1 3:2\nb 2:4\n"))) << "too short";
  }
}

}  // namespace
}  // namespace kinglet
