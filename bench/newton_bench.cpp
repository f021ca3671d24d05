// The second-order learner, measured in two ways. Examples are in memory, and times are processor time of the thread.
//
// Against the machine's limit: a learner in the span of B centres, on examples that are nearly all learned. The limit
// is 2 B² multiply-adds for each update at the rate of multiply-adds from registers, which is measured between the
// chunks.
//
// Against bpegasos, with the same examples, kernel and budget: the two alternate, chunk by chunk, so that a busy
// machine affects both. Chunks in which the scout of bnewton works are left out.
//   newton_bench
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"
#include "machine_limits.hpp"
#include "simd/isa.hpp"
#include "span/span_learner.hpp"
#include "stopwatch.hpp"
#include "stripes.hpp"

namespace kinglet::bench {
namespace {

struct Setting {
  std::uint32_t dimension;
  std::size_t budget;
  std::uint32_t classes;  // 0: regression
  double noise;
};

Targets targets_of(const Stripes& data, const Setting& setting) {
  return setting.classes == 0 ? Targets(data.numbers.data(), data.numbers.size()) : Targets(data.labels);
}

Options options_of(const char* algo, const Setting& setting) {
  return {{"algo", algo},
          {"task", setting.classes == 0 ? "regress" : "classify"},
          {"gamma", "2"},
          {"budget", std::to_string(setting.budget)}};
}

std::string name_of(const Setting& setting) {
  return setting.classes == 0 ? "regression" : fmt::format("{} classes", setting.classes);
}

void measure_updates(const Setting& setting) {
  constexpr std::size_t kChunks = 12;
  const std::size_t chunk =
      std::clamp<std::size_t>(20'000'000'000 / (setting.budget * setting.budget) / kChunks / 4, 256, 4096);
  const Stripes data(setting.budget + chunk * kChunks, setting.dimension, std::max(setting.classes, 1U), setting.noise);
  const Rows all = data.rows();
  const Targets targets = targets_of(data, setting);
  SpanLearner learner(complete_options(options_of("bnewton", setting)),
                      {.dimension = setting.dimension, .classes = setting.classes});
  for (std::size_t i = 0; i < setting.budget; ++i) learner.add_centre(all[i]);
  Best peak, update;
  std::vector<Prediction> before(chunk);
  double share = 0;
  for (std::size_t c = 0; c < kChunks; ++c) {
    constexpr std::size_t kMultiplyAdds = 1'200'000;
    for (int slice = 0; slice < 10; ++slice) {
      peak.slice(static_cast<double>(kMultiplyAdds), [] { keep(multiply_adds(kMultiplyAdds)); });
    }
    const std::size_t begin = setting.budget + c * chunk;
    const std::uint64_t learned = learner.stats().updates;
    const double start = thread_seconds_now();
    learner.learn_batch(all.slice(begin, chunk), targets.slice(begin, chunk), {}, before);
    const double seconds = thread_seconds_now() - start;
    const auto updates = static_cast<double>(learner.stats().updates - learned);
    update.take(seconds / updates);
    share += updates / static_cast<double>(chunk * kChunks);
  }
  const double work = 2 * static_cast<double>(setting.budget * setting.budget);
  fmt::print("| {} | {} | {} | {:.0f} % | {:.1f} | {:.1f} | {:.1f} | {:.0f} % |\n", name_of(setting), setting.dimension,
             setting.budget, 100 * share, peak.rate() * 1e-9, peak.rate() / work * 1e-3, update.rate() * 1e-3,
             100 * update.rate() * work / peak.rate());
}

void compare(const Setting& setting) {
  constexpr std::size_t kChunk = 4096;
  constexpr std::size_t kChunks = 15;
  const Stripes data(kChunk * kChunks, setting.dimension, std::max(setting.classes, 1U), setting.noise);
  const Rows rows = data.rows();
  const Targets targets = targets_of(data, setting);
  const auto make = [&](const char* algo) {
    Options given = options_of(algo, setting);
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
  fmt::print("| {} | {} | {} | {:.0f} % | {:.1f} | {:.0f} % | {:.1f} | {:.2f} | {:.0f} |\n", name_of(setting),
             setting.dimension, setting.budget, 100 * static_cast<double>(updates[0]) / n, n / seconds[0] * 1e-3,
             100 * static_cast<double>(updates[1]) / n, n / seconds[1] * 1e-3, seconds[0] / seconds[1],
             static_cast<double>(updates[0]) / seconds[0] * 1e-3);
}

}  // namespace
}  // namespace kinglet::bench

int main() {
  using kinglet::bench::Setting;
  fmt::print("Updates against the machine's limit, one core, {}. Rates in thousands per second.\n\n",
             kinglet::simd::current_isa());
  fmt::print(
      "| task | d | B | updates | multiply-adds, G/s | limit, updates/s | updates/s | share |\n"
      "|---|---|---|---|---|---|---|---|\n");
  for (const std::size_t budget : {100U, 500U, 2000U}) {
    for (const std::uint32_t classes : {0U, 2U}) kinglet::bench::measure_updates({8, budget, classes, 1.0});
  }
  fmt::print("\nbnewton after its hand-over and bpegasos. Rates in thousands per second.\n\n");
  fmt::print(
      "| task | d | B | bnewton: updates | examples/s | bpegasos: updates | examples/s | time ratio | bnewton "
      "updates/s |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  for (const Setting& setting : {Setting{54, 500, 2, 0.1}, Setting{54, 500, 2, 1.0}, Setting{54, 500, 7, 0.2},
                                 Setting{54, 500, 0, 0}, Setting{54, 100, 2, 0.1}, Setting{54, 100, 2, 1.0},
                                 Setting{54, 100, 7, 0.2}, Setting{8, 100, 2, 0.1}, Setting{8, 500, 2, 0.1}}) {
    kinglet::bench::compare(setting);
  }
}
