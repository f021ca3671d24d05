// Compares the second-order learner (bnewton) with bpegasos on the same examples, kernel and budget. Examples are in memory.
// The two alternate, chunk by chunk, so that a busy machine affects both; times are processor time of the thread. Chunks in
// which the scout of bnewton works are left out.
//   newton_bench
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

// Stripes of classes in the plane of two features; the others are small. `noise` is the share of random labels, so it decides
// how many examples are learned.
struct Data {
  std::uint32_t dimension;
  std::vector<float> rows;
  std::vector<ClassId> labels;
  std::vector<float> numbers;

  Data(std::size_t count, std::uint32_t features, std::uint32_t classes, double noise) : dimension(features) {
    Random random(1);
    for (std::size_t i = 0; i < count; ++i) {
      double sum = 0;
      for (std::uint32_t f = 0; f < features; ++f) {
        rows.push_back(static_cast<float>((f < 2 ? 1 : 0.1) * random.normal()));
        if (f < 2) sum += static_cast<double>(rows.back());
      }
      const auto slice = static_cast<std::uint32_t>(std::floor(sum + 100));
      labels.push_back(random.coin(noise) ? static_cast<ClassId>(random.below(classes)) : slice % classes);
      numbers.push_back(static_cast<float>(std::sin(sum) + 0.1 * random.normal()));
    }
  }
};

struct Setting {
  std::uint32_t dimension;
  std::size_t budget;
  std::uint32_t classes;  // 0: regression
  double noise;
};

void run(const Setting& setting) {
  constexpr std::size_t kChunk = 4096;
  constexpr std::size_t kChunks = 15;
  const Data data(kChunk * kChunks, setting.dimension, std::max(setting.classes, 1U), setting.noise);
  const Rows rows{data.labels.size(), setting.dimension, data.rows.data(), setting.dimension};
  const bool regress = setting.classes == 0;
  const Targets targets = regress ? Targets(data.numbers.data(), data.numbers.size()) : Targets(data.labels);
  const auto make = [&](const char* algo) {
    Options given{{"algo", algo},
                  {"task", regress ? "regress" : "classify"},
                  {"gamma", "2"},
                  {"budget", std::to_string(setting.budget)}};
    if (std::string(algo) == "bnewton") given.set("scout", std::to_string(kChunk));
    return make_learner(complete_options(given), {.dimension = setting.dimension, .classes = setting.classes});
  };
  const std::unique_ptr<Learner> learners[] = {make("bnewton"), make("bpegasos")};
  double seconds[2] = {};
  std::uint64_t updates[2] = {};
  std::vector<Prediction> before(kChunk);
  for (std::size_t chunk = 0; chunk < kChunks; ++chunk) {
    for (std::size_t l = 0; l < 2; ++l) {
      const std::uint64_t learned = learners[l]->stats().updates;
      const double start = thread_seconds_now();
      learners[l]->learn_batch(rows.slice(chunk * kChunk, kChunk), targets.slice(chunk * kChunk, kChunk), {}, before);
      if (chunk == 0) continue;
      seconds[l] += thread_seconds_now() - start;
      updates[l] += learners[l]->stats().updates - learned;
    }
  }
  const auto n = static_cast<double>(kChunk * (kChunks - 1));
  fmt::print("| {} | {} | {} | {:.0f} % | {:.1f} | {:.0f} % | {:.1f} | {:.2f} | {:.0f} |\n",
             regress ? "regression" : fmt::format("{} classes", setting.classes), setting.dimension, setting.budget,
             100 * static_cast<double>(updates[0]) / n, n / seconds[0] * 1e-3,
             100 * static_cast<double>(updates[1]) / n, n / seconds[1] * 1e-3, seconds[0] / seconds[1],
             static_cast<double>(updates[0]) / seconds[0] * 1e-3);
}

}  // namespace
}  // namespace kinglet::bench

int main() {
  fmt::print("bnewton after its hand-over and bpegasos, one core, {}. Rates in thousands per second.\n\n",
             kinglet::simd::current_isa());
  fmt::print(
      "| task | d | B | bnewton: updates | examples/s | bpegasos: updates | examples/s | time ratio | bnewton "
      "updates/s |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  using kinglet::bench::Setting;
  for (const Setting& setting : {Setting{54, 500, 2, 0.1}, Setting{54, 500, 2, 1.0}, Setting{54, 500, 7, 0.2},
                                 Setting{54, 500, 0, 0}, Setting{54, 100, 2, 0.1}, Setting{54, 100, 2, 1.0},
                                 Setting{54, 100, 7, 0.2}, Setting{8, 100, 2, 0.1}, Setting{8, 500, 2, 0.1}}) {
    kinglet::bench::run(setting);
  }
}
