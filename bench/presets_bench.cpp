// Training time of every preset relative to scoring the same examples in blocks with the final model, at 54 features
// and budgets of 125, 250 and 500, and how the cost of an update grows with the budget. Training and scoring alternate,
// chunk by chunk; times are processor time of the thread. Presets with a budget use a tuned step or margin.
//   presets_bench [PRESET...]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"
#include "simd/isa.hpp"
#include "stopwatch.hpp"

namespace kinglet::bench {
namespace {

constexpr std::uint32_t kFeatures = 54;
constexpr std::size_t kExamples = 40000;
constexpr std::size_t kChunk = 1024;

// Two overlapping classes of twenty clouds each. About one example in five leads to an update.
struct Clouds {
  std::vector<float> rows;
  std::vector<ClassId> labels;

  Clouds() {
    Random random(1);
    std::vector<std::vector<double>> centres(40, std::vector<double>(kFeatures));
    for (auto& centre : centres) {
      for (double& value : centre) value = 0.75 * random.normal();
    }
    for (std::size_t i = 0; i < kExamples; ++i) {
      const std::size_t cloud = random.below(centres.size());
      labels.push_back(static_cast<ClassId>(cloud % 2));
      for (const double value : centres[cloud]) rows.push_back(static_cast<float>(value + random.normal()));
    }
  }
  Rows view() const { return {labels.size(), kFeatures, rows.data(), kFeatures}; }
};

// One tuned option per preset: among the values tried, the one with the lowest online error at B = 500, regardless of
// time. Presets that are not listed use their defaults.
struct Tuned {
  const char* preset;
  const char* option;
  const char* value;
  const char* tried;  // neighbouring values of a range differ by a factor of 3 to 10
};
constexpr Tuned kTuned[] = {
    {"bpegasos", "lambda", "0.0001", "0.00001 to 0.01"},
    {"bnorma", "eta", "30", "0.1 to 1000"},
    {"bmp", "eta", "1", "0.1, 1, 10"},
    {"stoptron", "margin", "0", "0, and 0.3 to 3"},
    {"rbp", "margin", "0.1", "0, and 0.03 to 10"},
    {"forgetron", "margin", "0", "0, and 0.1 to 10"},
    {"budget-perceptron", "margin", "0.01", "0.001 to 10"},
    {"budget-perceptron-variable", "margin", "0.001", "0.0001 to 10"},
    {"budget-mira", "margin", "0.01", "0.001 to 30; the same up to 0.3"},
    {"budget-mira-variable", "margin", "0.01", "0.001 to 30; the same up to 0.3"},
    {"bpa-s", "C", "1", "0.01 to 3"},
    {"bpa-nn", "C", "1", "0.01 to 3"},
    {"silk", "C", "3", "0.1 to 3"},
    {"bogd", "eta", "3", "0.03 to 10"},
    {"bogd++", "eta", "1", "0.03 to 10"},
};

const Tuned* tuned(const std::string& preset) {
  const auto found = std::ranges::find_if(kTuned, [&](const Tuned& entry) { return entry.preset == preset; });
  return found == std::end(kTuned) ? nullptr : found;
}

struct Measured {
  double training = 0;  // seconds
  double scoring = 0;
  std::uint64_t updates = 0;
  std::size_t mistakes = 0;
  std::size_t support_vectors = 0;

  double per_update() const { return (training - scoring) / static_cast<double>(std::max<std::uint64_t>(1, updates)); }
};

Measured measure(const Algorithm& algorithm, std::size_t budget, const Clouds& data, std::size_t examples) {
  Options given{{"algo", algorithm.name}, {"gamma", "0.01"}};
  if (algorithm.maintain != "none") given.set("budget", std::to_string(budget));
  if (const Tuned* setting = tuned(algorithm.name)) given.set(setting->option, setting->value);
  const Options options = complete_options(given);
  const Shape shape{.dimension = kFeatures, .classes = 2};
  const Rows rows = data.view();
  auto scorer = make_learner(options, shape);
  scorer->learn_batch(rows.slice(0, examples), {data.labels.data(), examples}, {}, {});
  auto learner = make_learner(options, shape);
  // Fill the budget, also of the model used for scoring, before the clock starts.
  const std::size_t warm = examples / 4;
  learner->learn_batch(rows.slice(0, warm), {data.labels.data(), warm}, {}, {});
  const std::uint64_t before_all = learner->stats().updates;
  std::vector<Prediction> before(kChunk);
  std::vector<float> scores(kChunk);
  Measured result;
  for (std::size_t begin = warm; begin < examples; begin += kChunk) {
    const std::size_t n = std::min(kChunk, examples - begin);
    const double start = thread_seconds_now();
    learner->learn_batch(rows.slice(begin, n), {&data.labels[begin], n}, {}, {before.data(), n});
    const double middle = thread_seconds_now();
    scorer->scores(rows.slice(begin, n), {scores.data(), n});
    result.scoring += thread_seconds_now() - middle;
    result.training += middle - start;
    for (std::size_t i = 0; i < n; ++i) result.mistakes += before[i].label != data.labels[begin + i] ? 1 : 0;
  }
  result.updates = learner->stats().updates - before_all;
  result.support_vectors = learner->stats().support_vectors;
  return result;
}

void run(const Algorithm& algorithm, const Clouds& data) {
  const bool bounded = algorithm.maintain != "none";
  const bool quadratic = algorithm.cost.find("B²") != std::string::npos;
  const std::size_t examples = quadratic ? kExamples / 4 : bounded ? kExamples : kExamples / 8;
  const Measured large = measure(algorithm, 500, data, examples);
  const auto n = static_cast<double>(examples - examples / 4);
  std::string growth = "–";
  if (bounded) {
    const Measured small = measure(algorithm, 125, data, examples);
    const Measured middle = measure(algorithm, 250, data, examples);
    const bool enough = std::min({small.updates, middle.updates, large.updates}) >= 100;  // for a reliable mean
    if (enough)
      growth = fmt::format("{:.2f}, {:.2f}, {:.2f} µs: B^{:.1f}", 1e6 * small.per_update(), 1e6 * middle.per_update(),
                           1e6 * large.per_update(), std::log(large.per_update() / small.per_update()) / std::log(4.0));
  }
  const std::string wanted = bounded && !quadratic ? " (≤ 2)" : "";
  const Tuned* setting = tuned(algorithm.name);
  const std::string settings = setting == nullptr ? "" : fmt::format("{} {}", setting->option, setting->value);
  fmt::print("| {} | {} | {} | {} | {:.1f} % | {:.1f} % | {:.3f} | {:.2f}{} | {} |\n", algorithm.name, settings,
             algorithm.cost, large.support_vectors, 100 * static_cast<double>(large.mistakes) / n,
             100 * static_cast<double>(large.updates) / n, n / large.training * 1e-6, large.training / large.scoring,
             wanted, growth);
}

}  // namespace
}  // namespace kinglet::bench

int main(int argc, char** argv) {
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  fmt::print("Training every preset, B = 500, d = 54, one core, {}. Rates in millions of examples per second.\n\n",
             kinglet::simd::current_isa());
  fmt::print(
      "| preset | setting | cost of an update | support vectors | online error | updates | training "
      "| training / scoring (time) | an update at B = 125, 250, 500 |\n|---|---|---|---|---|---|---|---|---|\n");
  const kinglet::bench::Clouds data;
  for (const kinglet::Algorithm& algorithm : kinglet::algorithms()) {
    const bool is_wanted = wanted.empty() || std::ranges::find(wanted, algorithm.name) != wanted.end();
    if (is_wanted && algorithm.learner.empty())
      kinglet::bench::run(algorithm, data);  // bench/ramp.py and kinglet paper measure dual learners
  }
}
