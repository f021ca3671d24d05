// Training from a text file: reading alone, learning alone, and both together (reading has its own thread); and how the
// time grows with the number of examples and with the budget.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "data/writer.hpp"
#include "kinglet/model.hpp"
#include "kinglet/source.hpp"
#include "stopwatch.hpp"

namespace kinglet::bench {
namespace {

Options options_for(const std::string& gamma, const std::string& budget) {
  return {{"algo", "bpegasos"}, {"gamma", gamma}, {"lambda", "1e-5"}, {"budget", budget}};
}

std::vector<Batch> read_all_batches(const std::string& where) {
  const auto source = open_source(where, {});
  std::vector<Batch> batches(1);
  while (source->next(batches.back())) batches.emplace_back();
  batches.pop_back();
  return batches;
}

double seconds_to_read(const std::string& where) {
  const double begin = seconds_now();
  const auto source = open_source(where, {});
  Batch batch;
  while (source->next(batch)) keep(batch.values.data());
  return seconds_now() - begin;
}

double seconds_to_learn(const std::vector<Batch>& batches, const Options& options) {
  const double begin = seconds_now();
  Model model(options);
  for (const Batch& batch : batches) model.learn(batch);
  return seconds_now() - begin;
}

double seconds_for_both(const std::string& where, const Options& options) {
  const double begin = seconds_now();
  Model model(options);
  const auto source = read_ahead(open_source(where, {}));
  Batch batch;
  while (source->next(batch)) model.learn(batch);
  return seconds_now() - begin;
}

void pipeline(const std::string& name, const std::string& generator, const std::string& gamma,
              const std::string& budget) {
  const auto file = std::filesystem::temp_directory_path() / fmt::format("kinglet-stream-bench-{}.txt", ::getpid());
  {
    const auto source = open_source(generator, {});
    std::ofstream out(file);
    std::vector<std::string> labels;
    Batch batch;
    while (source->next(batch)) {
      labels.insert(labels.end(), batch.new_labels.begin(), batch.new_labels.end());
      write_libsvm(out, batch, labels);
    }
  }
  const auto bytes = static_cast<double>(std::filesystem::file_size(file));
  const std::vector<Batch> batches = read_all_batches(file);
  const Options options = options_for(gamma, budget);
  double reading = 1e9, learning = 1e9, both = 1e9;
  for (int i = 0; i < 5; ++i) {
    reading = std::min(reading, seconds_to_read(file));
    learning = std::min(learning, seconds_to_learn(batches, options));
    both = std::min(both, seconds_for_both(file, options));
  }
  std::filesystem::remove(file);
  fmt::print("| {} | {} | {:.0f} MB | {:.0f} MB/s | {:.3f} s | {:.3f} s | {:.3f} s | {:.2f} (≤ 1.3) |\n", name, budget,
             bytes * 1e-6, bytes * 1e-6 / reading, reading, learning, both, both / std::max(reading, learning));
}

double seconds_for(const std::string& generator, const std::string& budget) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) best = std::min(best, seconds_for_both(generator, options_for("8", budget)));
  return best;
}

}  // namespace
}  // namespace kinglet::bench

int main() {
  using namespace kinglet::bench;
  fmt::print("Training from a LIBSVM text file, best of five runs\n\n");
  fmt::print(
      "| data | B | file | parsing alone | parsing alone | learning alone | together | together / the longer one |\n"
      "|---|---|---|---|---|---|---|---|\n");
  pipeline("checkerboard 1 M", "gen:checkerboard?n=1000000&seed=1", "8", "100");
  pipeline("waveform 200 k", "gen:waveform?n=200000&seed=1", "0.02", "100");
  pipeline("waveform 200 k", "gen:waveform?n=200000&seed=1", "0.02", "500");

  fmt::print("\nGrowth with the number of examples and with the budget, checkerboard, best of three runs\n\n");
  const double one = seconds_for("gen:checkerboard?n=1000000&seed=1", "100");
  const double ten = seconds_for("gen:checkerboard?n=10000000&seed=1", "100");
  fmt::print("10 M examples compared with 1 M, B = 100: {:.3f} s / {:.3f} s = {:.2f} (≤ 10.5)\n", ten, one, ten / one);
  double before = 0;
  for (const char* budget : {"250", "500", "1000", "2000"}) {
    const double seconds = seconds_for("gen:checkerboard?n=500000&seed=1", budget);
    fmt::print("B = {}: {:.3f} s{}\n", budget, seconds,
               before > 0 ? fmt::format(", {:.2f} times as long as half the budget", seconds / before) : "");
    before = seconds;
  }
}
