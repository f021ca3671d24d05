// After its first batches, a model allocates nothing while it learns rows against dense vectors. If an allocation fails
// for rows passed through the C interface, the model stays unchanged. This file replaces operator new in the whole test
// program; the replacement counts allocations, or makes one fail, only while a test asks for it.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "c_api/data.hpp"
#include "kinglet/error.hpp"
#include "kinglet/kinglet.h"
#include "kinglet/model.hpp"
#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"
#include "learn/stream.hpp"
#include "model/model_access.hpp"
#include "random_vectors.hpp"

namespace {

std::atomic<bool> counting = false;
std::atomic<std::size_t> allocations = 0;
std::atomic<std::size_t> failing = 0;  // the number of the allocation to fail; 0: none

void* allocate(std::size_t size, std::size_t alignment) {
  if (counting && ++allocations == failing) throw std::bad_alloc();
  size = (size + alignment - 1) / alignment * alignment;
  void* memory =
      alignment <= alignof(std::max_align_t) ? std::malloc(size == 0 ? 1 : size) : std::aligned_alloc(alignment, size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

// Not inlined into operator delete: otherwise the compiler reports that free() does not match operator new.
[[gnu::noinline]] void release(void* memory) { std::free(memory); }

}  // namespace

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
// std::stable_sort() uses the nothrow forms.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, alignof(std::max_align_t));
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, alignof(std::max_align_t));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace kinglet {
namespace {

std::size_t allocations_of(const auto& action) {
  allocations = 0;
  counting = true;
  action();
  counting = false;
  return allocations;
}

void fail_at(std::size_t allocation, const auto& action) {
  failing = allocation;
  allocations_of(action);
  failing = 0;
}

// Whether these rules cannot be combined.
bool refused(const Options& options) {
  try {
    complete_options(options);
  } catch (const Error&) {
    return true;
  }
  return false;
}

// After two batches of the stream, which may allocate: of batches with and without predictions, and of a single row.
std::size_t allocations_of_learning(Model& model, Stream& stream) {
  std::vector<Prediction> before;
  model.learn(stream.next(1024), &before);
  model.learn(stream.next(1024), &before);
  const Batch batch = stream.next(1000);
  const Batch small = stream.next(1);
  return allocations_of([&] {
    model.learn(batch, &before);
    model.learn(small, &before);
    model.learn(batch);
  });
}

TEST(Allocation, IsCounted) {
  EXPECT_GT(allocations_of([] { std::vector<int>(100).swap(*std::make_unique<std::vector<int>>()); }), 0u);
}

// `sparse`: rows are sparse.
void expect_no_allocations(bool sparse, const LabelledTable (&tables)[2]) {
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.maintain == "none") continue;  // its model grows with the stream
    if (algorithm.name == "auto") continue;      // members begin along the stream
    for (const Entry* maintain : budget_rules()) {
      if (maintain->name == "none") continue;
      if (refused({{"algo", algorithm.name}, {"maintain", maintain->name}})) continue;
      for (const LabelledTable& table : tables) {
        Model model({{"algo", algorithm.name},
                     {"maintain", maintain->name},
                     {"budget", "20"},
                     {"class-weight", "1=2"},
                     {"storage", sparse ? "mixed" : "dense"}});
        Stream stream(table, sparse);
        EXPECT_EQ(allocations_of_learning(model, stream), 0u) << algorithm.name << " " << maintain->name;
      }
    }
  }
}

TEST(Allocation, DoesNotHappenWhileADenseModelLearns) {
  expect_no_allocations(false, {clouds(4000, 7, {"0", "1"}, 2), clouds(4000, 7, {"0", "1", "2"}, 2)});
}

// The first features of each row are not 0, the others are, so that all batches have as many values.
TEST(Allocation, DoesNotHappenWhileAModelOfDenseVectorsLearnsSparseRows) {
  LabelledTable tables[] = {clouds(4000, 14, {"0", "1"}, 2), clouds(4000, 14, {"0", "1", "2"}, 2)};
  for (LabelledTable& table : tables) {
    for (auto& row : table.x) std::fill(row.begin() + 7, row.end(), 0.0F);
  }
  expect_no_allocations(true, tables);
}

// Nor when the weights of the features change, at 3415 examples.
TEST(Allocation, DoesNotHappenWhileADenseModelLearnsItsMetric) {
  for (const Entry* maintain : budget_rules()) {
    const Options options{{"maintain", maintain->name}, {"budget", "20"}, {"metric", "learned"}};
    if (maintain->name == "none" || refused(options)) continue;
    Model model(options);
    const LabelledTable table = clouds(4000, 9, {"0", "1", "2"}, 2);
    Stream stream(table);
    for (int i = 0; i < 3; ++i) model.learn(stream.next(1024));
    const Batch batch = stream.next(900);
    EXPECT_EQ(allocations_of([&] { model.learn(batch); }), 0u) << maintain->name;
  }
}

// bnewton: after its hand-over, which frees the scout and its rows.
TEST(Allocation, DoesNotHappenWhileALearnerInASpanLearns) {
  for (const char* algo : {"bnewton", "krls", "nogd"}) {
    for (const auto& labels : {std::vector<std::string>{"0", "1"}, {"0", "1", "2"}}) {
      Options options{{"algo", algo}, {"budget", "20"}};
      if (std::string(algo) == "bnewton") options.set("scout", "1500");
      Model model(options);
      const LabelledTable table = clouds(6000, 7, labels, 2);
      Stream stream(table);
      EXPECT_EQ(allocations_of_learning(model, stream), 0u) << algo;
    }
  }
}

TEST(Allocation, DoesNotHappenWhileADenseModelPredicts) {
  Model model(Options{{"budget", "20"}});
  const LabelledTable table = clouds(2000, 7, {"0", "1", "2"});
  const Batch batch = one_batch(table);
  model.learn(batch);
  std::vector<Prediction> out;
  std::vector<float> scores;
  predict_into(model, batch, out);
  scores_into(model, batch, scores);
  EXPECT_EQ(allocations_of([&] {
              predict_into(model, batch, out);
              scores_into(model, batch, scores);
            }),
            0u);
}

TEST(Allocation, DoesNotHappenForSingleExamplesOnceTheFirstAreComplete) {
  Model model(Options{{"algo", "bpegasos"}, {"budget", "20"}, {"proba", "true"}});
  const LabelledTable table = clouds(1500, 7, {"robin", "crow", "wren"});
  for (std::size_t i = 0; i < 1200; ++i) model.learn(table.x[i], table.y[i]);
  EXPECT_FALSE(model.predict(table.x[0]).label.empty());
  EXPECT_EQ(allocations_of([&] {
              for (std::size_t i = 1200; i < 1500; ++i) {
                model.predict(table.x[i]);
                model.learn(table.x[i], table.y[i]);
              }
            }),
            0u);
}

TEST(Allocation, DoesNotHappenForProbabilities) {
  for (const auto& labels : {std::vector<std::string>{"0", "1"}, {"0", "1", "2"}}) {
    Model model(Options{{"algo", "bpegasos"}, {"budget", "20"}, {"proba", "true"}});
    const LabelledTable table = clouds(4000, 7, labels);
    Stream stream(table);
    model.learn(stream.next(1024));
    model.learn(stream.next(1024));
    const Batch batch = stream.next(1000);
    std::vector<float> out;
    probabilities_into(model, batch, out);
    EXPECT_EQ(allocations_of([&] {
                model.learn(batch);
                probabilities_into(model, batch, out);
              }),
              0u);
  }
}

// The constructor of a learner allocates everything, so not even the first example needs an allocation.
TEST(Allocation, DoesNotHappenAfterTheConstructionOfADenseLearner) {
  Random random(3);
  const Vectors x = random_vectors(random, 400, 9);
  const RowBlock block(x);
  std::vector<ClassId> labels;
  for (std::size_t i = 0; i < x.size(); ++i) labels.push_back(static_cast<ClassId>(random.below(3)));
  for (const Entry* update : update_rules()) {
    for (const Entry* maintain : budget_rules()) {
      if (maintain->name == "none" || refused({{"update", update->name}, {"maintain", maintain->name}})) continue;
      Options options{{"update", update->name}, {"maintain", maintain->name}, {"budget", "33"}, {"gamma", "0.1"}};
      if (update->name == "mp") options.set("radius", "2");
      if (update->name == "spa") options.set("beta", "2");
      const auto learner = make_learner(complete_options(options), {.dimension = 9, .classes = 3});
      std::vector<Prediction> before(x.size());
      learner->predict(Features::dense(x[0]));  // allocates the scratch buffer of this thread
      EXPECT_EQ(allocations_of([&] {
                  learner->learn_batch(block.rows().slice(0, 300), {labels.data(), 300}, {}, before);
                  for (std::size_t i = 300; i < x.size(); ++i) {
                    learner->predict(Features::dense(x[i]));
                    learner->learn({Features::dense(x[i]), labels[i], 1});
                  }
                }),
                0u)
          << update->name << " " << maintain->name;
      const bool sizes_itself = maintain->name == "distill" || maintain->name.starts_with("projectron");
      if (!sizes_itself) {
        EXPECT_EQ(learner->stats().support_vectors, 33u) << update->name << " " << maintain->name;
      }
    }
  }
}

// --- rows from C -----------------------------------------------------------------------------------------------------

using CModel = std::unique_ptr<kinglet_model, decltype(&kinglet_free)>;

CModel c_model() {
  kinglet_model* made = nullptr;
  EXPECT_EQ(kinglet_create(R"({"budget": 5})", &made), KINGLET_OK);
  return {made, kinglet_free};
}

std::string bytes_of(const CModel& model) {
  char* bytes = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(kinglet_serialize(model.get(), &bytes, &size), KINGLET_OK);
  const std::string copy(bytes, size);
  kinglet_free_bytes(bytes);
  return copy;
}

TEST(Allocation, ThatFailsForRowsFromCLeavesTheModelAsItWas) {
  const float values[] = {1, 2, 3, 4, 5, 6};
  const char* const labels[] = {
      "a label that is too long to be kept in place", "b", "c", "b", "another one of that kind", "d"};
  kinglet_data data = KINGLET_DATA_INIT;
  data.rows = 6;
  data.dimension = 1;
  data.values = values;
  data.labels = labels;
  const CModel untroubled = c_model();
  ASSERT_EQ(kinglet_learn(untroubled.get(), &data), KINGLET_OK);
  const std::size_t needed = allocations_of([&] {
    Batch batch;
    c_api::LabelIds ids;
    c_api::fill(batch, data, 0, data.rows, &ids);
  });
  ASSERT_GT(needed, 10u);
  for (std::size_t i = 1; i <= needed; ++i) {
    const CModel model = c_model();
    kinglet_status status = KINGLET_OK;
    fail_at(i, [&] { status = kinglet_learn(model.get(), &data); });
    EXPECT_EQ(status, KINGLET_NO_MEMORY);
    EXPECT_EQ(kinglet_examples(model.get()), 0u);
    ASSERT_EQ(kinglet_learn(model.get(), &data), KINGLET_OK) << kinglet_error();
    EXPECT_EQ(bytes_of(model), bytes_of(untroubled)) << "allocation " << i << " of " << needed;
  }
}

}  // namespace
}  // namespace kinglet
