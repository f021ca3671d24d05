// Speed of parsing LIBSVM and CSV text from memory, for generated data and, if KINGLET_TEST_DATA names a folder, real
// data. For comparison, each text is also searched for line ends, the least work that any reader must do. The speed of
// generators and writers follows.
//   parse_bench FILE THREADS    reads the file once instead, and prints rows, wall seconds and processor seconds
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "data/bytes.hpp"
#include "data/generator.hpp"
#include "data/text_source.hpp"
#include "data/writer.hpp"

namespace {

using namespace kinglet;

using WriteText = void(std::string&, const Batch&, std::span<const std::string>);

// The first rows of a source as text.
std::string text_of(const std::string& where, std::uint32_t dimension, WriteText* write) {
  constexpr std::size_t kEnough = 30u << 20;
  SourceOptions options;
  options.dimension = dimension;
  const auto source = open_source(where, options);
  std::string text;
  std::vector<std::string> labels;
  for (Batch batch; text.size() < kEnough && source->next(batch);) {
    labels.insert(labels.end(), batch.new_labels.begin(), batch.new_labels.end());
    write(text, batch, labels);
  }
  return text;
}

std::string file_text(const std::string& path) {
  const auto bytes = open_bytes(path);
  while (bytes->grow(true) == Supply::ready) {
  }
  return std::string(bytes->window());
}

void report(benchmark::State& state, double bytes, double rows) {
  using benchmark::Counter;
  if (bytes > 0) state.counters["MB/s"] = Counter(bytes / 1e6, Counter::kIsIterationInvariantRate);
  state.counters["Mrows/s"] = Counter(rows / 1e6, Counter::kIsIterationInvariantRate);
}

void parse(benchmark::State& state, const std::string& text, Format format) {
  std::size_t rows = 0;
  Batch batch;
  for (auto _ : state) {
    rows = 0;
    SourceOptions options;
    options.format = format;
    if (format == Format::csv) options.missing = Missing::mean;
    for (const auto source = read_memory(text, options); source->next(batch);) rows += batch.rows();
    benchmark::DoNotOptimize(batch.values.data());
  }
  report(state, static_cast<double>(text.size()), static_cast<double>(rows));
}

void find_line_ends(benchmark::State& state, const std::string& text) {
  std::size_t rows = 0;
  for (auto _ : state) {
    rows = 0;
    const char* p = text.data();
    const char* const end = p + text.size();
    while (p != end) {
      p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
      if (p == nullptr) break;
      ++p;
      ++rows;
    }
    benchmark::DoNotOptimize(rows);
  }
  report(state, static_cast<double>(text.size()), static_cast<double>(rows));
}

void generate(benchmark::State& state, const std::string& spec) {
  const auto source = open_source(spec, {});
  Batch batch;
  for (auto _ : state) {
    source->next(batch);
    benchmark::DoNotOptimize(batch.values.data());
    benchmark::ClobberMemory();
  }
  report(state, 0, kBatchRows);
}

void write_rows(benchmark::State& state, const std::string& spec, WriteText* write) {
  Batch batch;
  open_source(spec, {})->next(batch);
  const std::vector<std::string> labels = batch.new_labels;
  std::string text;
  for (auto _ : state) {
    text.clear();
    write(text, batch, labels);
    benchmark::DoNotOptimize(text.data());
  }
  report(state, static_cast<double>(text.size()), kBatchRows);
}

void register_text(const std::string& name, std::string text, Format format) {
  benchmark::RegisterBenchmark(("parse/" + name).c_str(),
                               [text, format](benchmark::State& state) { parse(state, text, format); });
  benchmark::RegisterBenchmark(("line_ends/" + name).c_str(),
                               [text = std::move(text)](benchmark::State& state) { find_line_ends(state, text); });
}

// CSV text of 20 columns that differ in how a field is written.
using WriteField = std::string(Random&);

std::string csv_text(WriteField* field) {
  Random random(1);
  std::string text;
  while (text.size() < (10u << 20)) {
    text += random.coin(0.5) ? "1" : "0";
    for (int column = 0; column < 20; ++column) text += ',' + field(random);
    text += '\n';
  }
  return text;
}

void register_fields() {
  const std::vector<std::pair<const char*, WriteField*>> fields{
      {"17-digits", [](Random& random) { return fmt::format("{:.17g}", random.normal()); }},
      {"exponents", [](Random& random) { return fmt::format("{:.17e}", random.normal()); }},
      {"blanks", [](Random& random) { return fmt::format(" {:.6g}", random.normal()); }},
      {"quotes", [](Random& random) { return fmt::format("\"{:.6g}\"", random.normal()); }},
      {"pixels", [](Random& random) { return fmt::format("{}", random.below(256)); }},
      {"below-40", [](Random& random) { return fmt::format("{}", random.below(40)); }},
      {"missing", [](Random& random) { return random.coin(0.2) ? "" : fmt::format("{:.4g}", random.normal()); }},
  };
  for (const auto& [name, field] : fields) {
    benchmark::RegisterBenchmark(("parse/fields/" + std::string(name)).c_str(),
                                 [text = csv_text(field)](auto& state) { parse(state, text, Format::csv); });
  }
}

void register_all() {
  register_fields();
  const std::vector<std::string> specs = {"gen:checkerboard?n=400k", "gen:waveform?n=40k"};
  for (const std::string& spec : specs) {
    const std::string name = spec.substr(4, spec.find('?') - 4);
    register_text("libsvm/" + name, text_of(spec, 0, write_libsvm), Format::libsvm);
    register_text("csv/" + name, text_of(spec, 0, write_csv), Format::csv);
  }
  if (const char* folder = std::getenv("KINGLET_TEST_DATA")) {
    const std::string covtype = std::string(folder) + "/covtype.xz";
    if (std::filesystem::exists(covtype)) register_text("csv/covtype", text_of(covtype, 54, write_csv), Format::csv);
    for (const std::string name : {"a9a", "covtype", "ijcnn1", "mnist.t", "w8a"}) {
      const std::string path = std::string(folder) + "/" + name + ".xz";
      if (std::filesystem::exists(path)) register_text("libsvm/" + name, file_text(path), Format::libsvm);
    }
  }
  for (const auto& entry : generators()) {
    const std::string name(entry.name);
    benchmark::RegisterBenchmark(("generate/" + name).c_str(),
                                 [name](benchmark::State& state) { generate(state, "gen:" + name); });
  }
  const std::string spec = "gen:waveform";
  benchmark::RegisterBenchmark("write/libsvm", [spec](auto& state) { write_rows(state, spec, write_libsvm); });
  benchmark::RegisterBenchmark("write/csv", [spec](auto& state) { write_rows(state, spec, write_csv); });
}

double seconds_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void read_once(const std::string& path, unsigned threads) {
  const double wall = seconds_of(CLOCK_MONOTONIC);
  const double processor = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  const auto source = open_source(path, {.threads = threads});
  std::size_t rows = 0;
  for (Batch batch; source->next(batch);) rows += batch.rows();
  fmt::print("{} {} {}\n", rows, seconds_of(CLOCK_MONOTONIC) - wall, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - processor);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && argv[1][0] != '-') {
    read_once(argv[1], static_cast<unsigned>(std::stoul(argv[2])));
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  register_all();
  benchmark::RunSpecifiedBenchmarks();
}
