// The number of threads changes nothing: the model's bytes are the same for 1, 2, 3 and 8, for every family of learners.
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
}

// The committee has scouts, heads of several gammas that learn the kept rows again, and trackers.
TEST(ModelThreads, ChangeNothingForTheCommittee) {
  const LabelledTable table = clouds(3000, 6, {"a", "b", "c"});
  for (const char* task : {"classify", "regress"}) {
    expect_same_bytes({{"algo", "auto"}, {"task", task}, {"storage", "dense"}, {"budget", "80"}}, table);
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
