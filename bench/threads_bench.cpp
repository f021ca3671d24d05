// Learners on two threads against learners in two processes, which is what two cores can do at best. Both sides train
// two learners on the same examples, one after the other or side by side; they alternate, and the median of the rounds
// counts. Wall time, so the machine should have nothing else to do; the table also has the processor time that each
// side took.
//   threads_bench [ROUNDS]
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"
#include "simd/isa.hpp"
#include "stopwatch.hpp"
#include "stripes.hpp"

namespace kinglet::bench {
namespace {

struct Setting {
  const char* algo;
  const char* budget;
  std::uint32_t dimension;
  std::size_t examples;  // of one process
  double noise;
};

// Returns the share of the examples that changed the model.
double learn(const Setting& setting, const Stripes& data) {
  Options given{{"algo", setting.algo}, {"gamma", "2"}, {"budget", setting.budget}};
  if (given.text("algo") == "bnewton") given.set("scout", "2000");
  const auto learner = make_learner(complete_options(given), {.dimension = setting.dimension, .classes = 2});
  constexpr std::size_t kBatch = 1024;
  for (std::size_t at = 0; at + kBatch <= setting.examples; at += kBatch) {
    learner->learn_batch(data.rows().slice(at, kBatch), Targets(data.labels).slice(at, kBatch), {}, {});
  }
  return static_cast<double>(learner->stats().updates) / static_cast<double>(learner->stats().examples);
}

// Runs `work` in `count` child processes. Returns the seconds until the last has ended.
template <class Work>
double in_processes(int count, double& processor_seconds, const Work& work) {
  const auto used = [] {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  };
  const double before = used();
  const double start = seconds_now();
  for (int i = 0; i < count; ++i) {
    if (fork() == 0) {
      work();
      _exit(0);
    }
  }
  int status = 0;
  while (wait(&status) > 0) {
    if (status != 0) std::abort();
  }
  processor_seconds += used() - before;
  return seconds_now() - start;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void run(const Setting& setting, int rounds) {
  const Stripes data(setting.examples, setting.dimension, 2, setting.noise);
  std::vector<double> ratios;
  std::vector<double> rates;
  double alone = 0;
  double together = 0;
  for (int round = 0; round < rounds; ++round) {
    const double two = in_processes(2, alone, [&] { learn(setting, data); });
    const double one = in_processes(1, together, [&] {
      const ThreadAllowance allowed(2);
      learn(setting, data);
      learn(setting, data);
    });
    ratios.push_back(two / one);
    rates.push_back(2 * static_cast<double>(setting.examples) / one);
  }
  fmt::print("| {} | {} | {} | {:.0f} | {:.0f} | {:.2f} | {:.2f} |\n", setting.algo, setting.budget, setting.dimension,
             100 * learn(setting, data), median(rates) * 1e-3, median(ratios), together / alone);
}

}  // namespace
}  // namespace kinglet::bench

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 7;
  fmt::print("Two threads and two processes, {}, median of {}.\n\n", kinglet::simd::current_isa(), rounds);
  fmt::print(
      "| learner | B | d | updates % | thousand examples/s, two threads | rate / that of two processes | "
      "processor time / theirs |\n|---|---|---|---|---|---|---|\n");
  for (const kinglet::bench::Setting& setting : {kinglet::bench::Setting{"bpegasos", "2000", 54, 40960, 0.02},
                                                 {"bpegasos", "2000", 54, 40960, 0.1},
                                                 {"bpegasos", "500", 784, 20480, 0.02},
                                                 {"bpegasos", "500", 784, 20480, 0.1},
                                                 {"bpegasos", "500", 54, 81920, 0.1},
                                                 {"bnewton", "500", 54, 20480, 0.1},
                                                 {"bnewton", "2000", 54, 6144, 0.1},
                                                 {"auto", "500", 54, 20480, 0.1}}) {
    kinglet::bench::run(setting, rounds);
  }
}
