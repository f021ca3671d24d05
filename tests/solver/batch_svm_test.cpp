// The batch SVM in a program without LIBSVM, such as one that uses the library: models load and predict, but learning
// is an error.
#include "solver/batch_svm.hpp"

#include <gtest/gtest.h>

#include "error_of.hpp"
#include "kinglet/model.hpp"
#include "learn/stream.hpp"
#include "reference/libsvm_solver.hpp"
#include "test_data.hpp"

namespace kinglet {
namespace {

class WithoutBatchSolver : public testing::Test {
 protected:
  WithoutBatchSolver() { install_batch_solver(nullptr); }
  ~WithoutBatchSolver() override { install_libsvm(); }
};

constexpr const char* kPartOfTheCommand =
    "svm is part of the kinglet command, which trains it with LIBSVM; the library only loads its models and predicts "
    "with them";

TEST_F(WithoutBatchSolver, RefusesToLearn) {
  EXPECT_EQ(error_of([] { Model({{"algo", "svm"}}); }), kPartOfTheCommand);
  EXPECT_EQ(error_of([] { Model({{"algo", "svmr"}}); }), "");
}

TEST_F(WithoutBatchSolver, ALoadedModelPredictsAndStaysAsItIs) {
  Model model = Model::load(fixture("models/two-svm.kinglet"));
  const std::string bytes = model.serialize();
  const auto source = open_source(fixture("models/two.libsvm"), {});
  Batch batch;
  ASSERT_TRUE(source->next(batch));
  const std::vector<Prediction> predictions = model.predict(batch).rows;
  EXPECT_EQ(model.labels()[predictions[0].label], "1");
  EXPECT_EQ(model.labels()[predictions[1].label], "-1");
  EXPECT_TRUE(model.stats().only_predicts);
  EXPECT_EQ(error_of([&] { model.learn(batch); }), kPartOfTheCommand);
  EXPECT_EQ(error_of([&] { model.end_pass(); }), kPartOfTheCommand);
  EXPECT_EQ(error_of([&] { model.expect_classes(std::vector<std::string>{"new"}); }), kPartOfTheCommand);
  EXPECT_EQ(model.serialize(), bytes);
}

// One class against the rest, where all examples of a side have the same C.
TEST(WithBatchSolver, RefusesUnequalWeightsOfMoreThanTwoClassesAtOnceAndNotAtTheEnd) {
  const auto learn = [](const char* weights, std::vector<std::string> labels) {
    Model model({{"algo", "svm"}, {"class-weight", weights}});
    const LabelledTable table = clouds(60, 2, std::move(labels));
    const std::string problem = error_of([&] { model.learn(one_batch(table)); });
    if (!problem.empty()) return problem;
    EXPECT_EQ(error_of([&] { model.end_pass(); }), "");
    return problem;
  };
  EXPECT_EQ(learn("a=2", {"a", "b"}), "");
  EXPECT_EQ(learn("a=2,b=2,c=2", {"a", "b", "c"}), "");
  EXPECT_EQ(
      learn("a=2", {"a", "b", "c"}),
      "svm supports one weight per class, and with more than two classes only equal weights: use idsvm or lasvm for "
      "others");
}

TEST(WithBatchSolver, ALoadedModelGoesOnLearning) {
  Model model = Model::load(fixture("models/two-svm.kinglet"));
  const auto source = open_source(fixture("models/two.libsvm"), {});
  Batch batch;
  ASSERT_TRUE(source->next(batch));
  const std::uint64_t before = model.progress().examples;
  model.learn(batch);
  model.end_pass();
  EXPECT_EQ(model.progress().examples, before + batch.rows());
}

}  // namespace
}  // namespace kinglet
