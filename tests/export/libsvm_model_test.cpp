// LIBSVM model files: a model that is written and read back makes the same decisions.
#include "export/libsvm_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "export/svc.hpp"
#include "kinglet/error.hpp"
#include "kinglet/model.hpp"
#include "model/model_access.hpp"

namespace kinglet {
namespace {

FlatModel random_model(Decision decision, std::size_t classes, std::uint64_t seed) {
  Random random(seed);
  FlatModel plain;
  plain.kernel = {.kind = KernelKind::rbf, .gamma = 0.5};
  plain.decision = decision;
  plain.dimension = 3;
  plain.functions = functions_for(decision, classes);
  for (std::size_t c = 0; c < classes; ++c) plain.labels.push_back(std::to_string(10 * c + 3));
  for (std::size_t m = 0; m < plain.functions; ++m) plain.biases.push_back(random.normal());
  for (int j = 0; j < 12; ++j) {
    std::vector<float> x;
    std::vector<double> row;
    for (std::size_t f = 0; f < 3; ++f) x.push_back(random.coin(0.3) ? 0 : static_cast<float>(random.normal()));
    for (std::size_t m = 0; m < plain.functions; ++m) row.push_back(random.coin(0.3) ? 0 : random.normal());
    plain.append(x, row);
  }
  return plain;
}

std::vector<std::string> labels_of(const FlatModel& plain, std::uint64_t seed) {
  Random random(seed);
  Batch batch;
  batch.dimension = 3;
  for (int i = 0; i < 400; ++i) {
    for (int f = 0; f < 3; ++f) batch.values.push_back(static_cast<float>(random.normal()));
    batch.labels.push_back(kNoLabel);
  }
  const Model model = fixed_model(plain);
  const std::vector<Prediction> predictions = model.predict(batch).rows;
  std::vector<std::string> labels;
  for (const Prediction& each : predictions) labels.push_back(model.labels()[each.label]);
  return labels;
}

TEST(LibsvmModel, EveryDecisionComesBack) {
  for (const auto& [decision, classes] :
       {std::pair{Decision::sign, 2}, {Decision::largest, 3}, {Decision::largest, 6}, {Decision::votes, 4}}) {
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
      const FlatModel plain = random_model(decision, static_cast<std::size_t>(classes), seed);
      const FlatModel back = parse_libsvm_model(libsvm_model_text(plain), "text");
      EXPECT_EQ(labels_of(back, seed), labels_of(plain, seed)) << classes;
    }
  }
}

TEST(LibsvmModel, VotesAreWrittenAsTheyWere) {
  const FlatModel plain = random_model(Decision::votes, 4, 9);
  const std::string text = libsvm_model_text(plain);
  EXPECT_EQ(libsvm_model_text(parse_libsvm_model(text, "text")), text);
}

TEST(LibsvmModel, AnSvcInMemoryIsTheSameModel) {
  // One vector of each of three classes. Row k of its coefficients is for the k-th other class: for the vector of class
  // 1, row 0 belongs to the pair (0, 1) and row 1 to the pair (1, 2).
  const std::vector<float> vectors = {0, 0, 1, 0, 0, 1};
  const std::vector<double> coefficients = {1, -1, -0.5, 2, 0.25, -2};  // two rows
  const std::vector<double> biases = {0.1, 0.2, 0.3};
  const FlatModel plain = flat_from_svc({.kernel = {.kind = KernelKind::rbf, .gamma = 1},
                                         .classes = {"a", "b", "c"},
                                         .counts = {1, 1, 1},
                                         .vectors = vectors,
                                         .coefficients = coefficients,
                                         .biases = biases,
                                         .dimension = 2});
  EXPECT_EQ(plain.decision, Decision::votes);
  EXPECT_THAT(plain.row(0), testing::ElementsAre(1, 2, 0));
  EXPECT_THAT(plain.row(1), testing::ElementsAre(-1, 0, 0.25));
  EXPECT_THAT(plain.row(2), testing::ElementsAre(0, -0.5, -2));
}

bool is_refused(const std::string& text) {
  try {
    parse_libsvm_model(text, "text");
  } catch (const Error&) {
    return true;
  }
  return false;
}

// Without its last line, or less, the file has fewer vectors than its header says. A part of the last line may be a
// shorter vector.
TEST(LibsvmModel, CutBeforeItsLastVectorIsAnError) {
  const std::string text = libsvm_model_text(random_model(Decision::largest, 3, 1));
  const std::size_t last = text.rfind('\n', text.size() - 2) + 1;
  for (std::size_t length = 0; length <= last; ++length) EXPECT_TRUE(is_refused(text.substr(0, length))) << length;
  EXPECT_FALSE(is_refused(text));
}

TEST(LibsvmModel, DamageIsAnErrorAndNoCrash) {
  const std::string text = libsvm_model_text(random_model(Decision::largest, 3, 1));
  Random random(1);
  int refused = 0;
  for (int i = 0; i < 500; ++i) {
    std::string damaged = text;
    damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
    if (is_refused(damaged)) ++refused;
  }
  EXPECT_GT(refused, 300);  // the rest are other digits
}

}  // namespace
}  // namespace kinglet
