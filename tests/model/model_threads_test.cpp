// The number of threads changes nothing: the model's bytes are the same for 1, 2, 3 and 8, for every family of
// learners.
#include <gtest/gtest.h>

#include <string>

#include "core/parallel.hpp"
#include "error_of.hpp"
#include "kinglet/model.hpp"
#include "kinglet/registry.hpp"
#include "learn/stream.hpp"
#include "sampled.hpp"

namespace kinglet {
namespace {

// While it exists, the smallest piece of work is worth a thread.
class EverythingIsWorthAThread {
 public:
  EverythingIsWorthAThread() : before_(worth_a_thread.exchange(1)) {}
  ~EverythingIsWorthAThread() { worth_a_thread = before_; }
  EverythingIsWorthAThread(const EverythingIsWorthAThread&) = delete;
  EverythingIsWorthAThread& operator=(const EverythingIsWorthAThread&) = delete;

 private:
  double before_;
};

Options with_budget(Options options) {
  options.set("budget", "140");
  return options;
}

std::string bytes_after_two_passes(const Options& options, const LabelledTable& table, bool sparse, unsigned threads) {
  Model model(options);
  model.use_threads(threads);
  for (int pass = 0; pass < (keeps_examples(complete_options(options)) ? 1 : 2); ++pass) {
    model.begin_source();
    for (Stream stream(table, sparse); !stream.at_end();) {
      Batch batch = stream.next(300);
      if (options.text("task") == "regress") {
        for (std::size_t i = 0; i < batch.rows(); ++i) {
          batch.targets.push_back(static_cast<float>(batch.labels[i]) + 0.1F * batch.values[i]);
        }
        batch.labels.clear();
        batch.new_labels.clear();
      }
      model.learn(batch);
    }
    model.end_pass();
  }
  return model.serialize();
}

void expect_same_bytes(const Options& options, const LabelledTable& table, bool sparse = false) {
  const EverythingIsWorthAThread everything;
  const std::string alone = bytes_after_two_passes(options, table, sparse, 1);
  for (const unsigned threads : {2U, 3U, 8U}) {
    EXPECT_EQ(bytes_after_two_passes(options, table, sparse, threads) == alone, true)
        << options.text("algo") << ", task " << options.text("task") << ", storage " << options.text("storage") << ", "
        << threads << " threads";
  }
}

// More support vectors than one thread takes at a time.
TEST(ModelThreads, ChangeNothingForAnyAlgorithm) {
  const LabelledTable three = clouds(330, 12, {"a", "b", "c"}, 3, 0.4);
  const LabelledTable novel = clouds(330, 12, {"1", "-1"}, 3, 0.4);
  std::size_t count = 0;
  for (const Algorithm& algorithm : algorithms()) {
    for (const char* task : {"classify", "regress", "novelty"}) {
      for (const char* storage : {"dense", "mixed", "sparse"}) {
        Options options{{"algo", algorithm.name}, {"task", task}, {"storage", storage}};
        if (error_of([&] { complete_options(with_budget(options)); }).empty()) options = with_budget(options);
        if (!error_of([&] { complete_options(options); }).empty() || !is_sampled(count++)) continue;
        expect_same_bytes(options, options.text("task") == "novelty" ? novel : three,
                          options.text("storage") != "dense");
      }
    }
  }
  EXPECT_GT(count, 100U);
  EXPECT_EQ(crew_size(), 7U);
}

// The committee has scouts, heads of several gammas that learn the kept rows again, and trackers.
TEST(ModelThreads, ChangeNothingForTheCommittee) {
  const LabelledTable table = clouds(3000, 6, {"a", "b", "c"});
  for (const char* task : {"classify", "regress"}) {
    for (const char* metric : {"none", "learned"}) {  // heads multiply rows by factors of their own
      expect_same_bytes({{"algo", "auto"}, {"task", task}, {"storage", "dense"}, {"budget", "80"}, {"metric", metric}},
                        table);
    }
  }
  EXPECT_EQ(crew_size(), 7U);
}

// Examples that come one at a time begin again and again, with the same threads.
TEST(ModelThreads, AreUsedForSingleExamples) {
  const EverythingIsWorthAThread everything;
  LabelledTable table = clouds(1100, 9, {"a", "b"}, 1);
  for (std::size_t i = 0; i < table.y.size(); ++i) table.y[i] = i % 2 == 0 ? "a" : "b";  // hard, so the budget is used
  Model model(with_budget({{"algo", "bpegasos"}}));
  model.use_threads(3);
  for (std::size_t i = 0; i < 1030; ++i) model.learn(table.x[i], table.y[i]);
  dismiss_crew();
  for (std::size_t i = 1030; i < 1100; ++i) model.learn(table.x[i], table.y[i]);
  EXPECT_EQ(crew_size(), 2U);
}

// Rows that a small cache evicts cannot be shared by several threads.
TEST(ModelThreads, ChangeNothingForASmallCache) {
  const LabelledTable table = clouds(300, 5, {"a", "b", "c", "d"}, 2);
  for (const char* algo : {"idsvm", "lasvm", "onlinesvmr"}) {
    expect_same_bytes({{"algo", algo}, {"task", "classify"}, {"storage", "dense"}, {"cache", "16K"}}, table);
  }
}

// After the hand-over, the products with the square root of the covariance are divided.
TEST(ModelThreads, ChangeNothingForSecondOrderSteps) {
  for (const char* task : {"classify", "regress"}) {
    const Options options{
        {"algo", "bnewton"}, {"task", task}, {"storage", "dense"}, {"budget", "140"}, {"scout", "200"}};
    expect_same_bytes(options, clouds(600, 9, {"a", "b", "c"}));
  }
}

TEST(ModelThreads, ChangeNothingForAveragesMetricsAndProbabilities) {
  const LabelledTable table = clouds(500, 9, {"a", "b"});
  const Options options{{"algo", "bpegasos"}, {"task", "classify"}, {"storage", "dense"}, {"budget", "150"}};
  for (const Options& more : {Options{{"maintain", "stop"}, {"output", "average"}}, Options{{"metric", "learned"}},
                              Options{{"proba", "true"}}}) {
    Options both = options;
    for (const auto& [name, value] : more.all()) both.set(name, value);
    expect_same_bytes(both, table);
  }
}

}  // namespace
}  // namespace kinglet
