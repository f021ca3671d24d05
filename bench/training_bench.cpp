// Compares training (pegasos + merge) with scoring the same examples in blocks with the final model. Examples are in
// memory. The two alternate, chunk by chunk, so that a busy machine affects both; times are processor time of the
// thread.
//   training_bench [FOLDER]    FOLDER holds ijcnn1.xz, covtype.xz and a9a.xz; without it, only generated data are used
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "kinglet/registry.hpp"
#include "kinglet/source.hpp"
#include "learn/make_learner.hpp"
#include "simd/isa.hpp"
#include "stopwatch.hpp"

namespace kinglet::bench {
namespace {

struct Data {
  std::uint32_t dimension = 0;
  std::uint32_t classes = 0;
  std::vector<float> rows;
  std::vector<ClassId> labels;

  std::size_t count() const { return labels.size(); }
  Rows view() const { return {count(), dimension, rows.data(), dimension}; }
};

Data read(const std::string& where) {
  Data data;
  const auto source = open_source(where, {});
  std::vector<Batch> batches(1);
  while (source->next(batches.back())) batches.emplace_back();
  batches.pop_back();
  data.dimension = batches.back().dimension;
  for (const Batch& batch : batches) {
    const Rows rows = batch.features();
    for (std::size_t i = 0; i < rows.count; ++i) {
      const std::size_t begin = data.rows.size();
      data.rows.resize(begin + data.dimension);
      const Features x = rows[i];
      for (std::uint32_t k = 0; k < x.count; ++k) data.rows[begin + (x.is_sparse() ? x.indices[k] : k)] = x.values[k];
      data.labels.push_back(batch.labels[i]);
      data.classes = std::max(data.classes, batch.labels[i] + 1);
    }
  }
  return data;
}

void standardize(Data& data) {
  for (std::size_t f = 0; f < data.dimension; ++f) {
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < data.count(); ++i) {
      const auto value = static_cast<double>(data.rows[i * data.dimension + f]);
      sum += value;
      squares += value * value;
    }
    const auto n = static_cast<double>(data.count());
    const double mean = sum / n;
    const double deviation = std::sqrt(std::max(0.0, squares / n - mean * mean));
    for (std::size_t i = 0; i < data.count(); ++i) {
      float& value = data.rows[i * data.dimension + f];
      value = deviation > 0 ? static_cast<float>((static_cast<double>(value) - mean) / deviation) : 0.0F;
    }
  }
}

void shuffle(Data& data) {
  Random random(1);
  for (std::size_t i = data.count(); i > 1; --i) {
    const std::size_t j = random.below(i);
    std::swap(data.labels[i - 1], data.labels[j]);
    std::swap_ranges(&data.rows[(i - 1) * data.dimension], &data.rows[(i - 1) * data.dimension] + data.dimension,
                     &data.rows[j * data.dimension]);
  }
}

struct Setting {
  std::string name;
  std::string where;
  double gamma;
  std::string lambda;
  std::size_t budget;
  double wanted;
  bool raw = false;  // do not standardise
};

void run(const Setting& setting, const Data& data) {
  const Options options = complete_options({{"algo", "bpegasos"},
                                            {"lambda", setting.lambda},
                                            {"gamma", fmt::format("{}", setting.gamma)},
                                            {"budget", std::to_string(setting.budget)}});
  const Shape shape{.dimension = data.dimension, .classes = data.classes};
  constexpr std::size_t kChunk = 4096;
  const Rows rows = data.view();
  std::vector<Prediction> before(kChunk);

  // Train the final model first; the time it takes to score in blocks is the reference.
  auto scorer = make_learner(options, shape);
  scorer->learn_batch(rows.slice(0, std::min<std::size_t>(data.count(), 200000)),
                      {data.labels.data(), std::min<std::size_t>(data.count(), 200000)}, {}, {});
  std::vector<float> scores(kChunk * scorer->outputs());

  auto learner = make_learner(options, shape);
  double training = 0;
  double scoring = 0;
  std::size_t mistakes = 0;
  for (std::size_t begin = 0; begin < data.count(); begin += kChunk) {
    const std::size_t n = std::min(kChunk, data.count() - begin);
    const double start = thread_seconds_now();
    learner->learn_batch(rows.slice(begin, n), {&data.labels[begin], n}, {}, {before.data(), n});
    const double middle = thread_seconds_now();
    scorer->scores(rows.slice(begin, n), {scores.data(), n * scorer->outputs()});
    scoring += thread_seconds_now() - middle;
    training += middle - start;
    for (std::size_t i = 0; i < n; ++i) mistakes += before[i].label != data.labels[begin + i] ? 1 : 0;
  }
  const auto n = static_cast<double>(data.count());
  const LearnerStats stats = learner->stats();
  fmt::print("| {} | {} | {} | {:.0f}k | {:.1f} % | {:.2f} % | {:.3f} | {:.3f} | {:.0f} % (≥ {:.0f}) |\n", setting.name,
             data.dimension, setting.budget, n / 1000, 100 * static_cast<double>(stats.updates) / n,
             100 * static_cast<double>(mistakes) / n, n / scoring * 1e-6, n / training * 1e-6, 100 * scoring / training,
             100 * setting.wanted);
}

}  // namespace
}  // namespace kinglet::bench

int main(int argc, char** argv) {
  using kinglet::bench::Setting;
  const std::filesystem::path folder = argc > 1 ? argv[1] : "";
  const std::string checkerboard = "gen:checkerboard?n=2000000&seed=1";
  const std::vector<Setting> settings{
      {"checkerboard", checkerboard, 6, "1e-5", 100, 0.55, true},
      {"checkerboard", checkerboard, 6, "1e-5", 500, 0.55, true},
      {"waveform (3 classes)", "gen:waveform?n=200000&seed=1", 0.02, "1e-4", 500, 0.5, false},
      {"ijcnn1", (folder / "ijcnn1.xz").string(), 0.15, "1e-4", 500, 0.5, false},
      {"a9a", (folder / "a9a.xz").string(), 0.001, "1e-4", 500, 0.5, false},
      {"covtype (7 classes)", (folder / "covtype.xz").string(), 0.05, "1e-5", 500, 0.5, false},
  };
  fmt::print("Training pegasos + merge, one core, {}. Rates in millions of examples per second.\n\n",
             kinglet::simd::current_isa());
  fmt::print(
      "| data | d | B | examples | updates | online error | scoring in blocks | training | training / scoring |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  for (const Setting& setting : settings) {
    const bool generated = setting.where.starts_with("gen:");
    if (!generated && folder.empty()) {
      fmt::print("| {} | skipped: pass the data folder as an argument |\n", setting.name);
      continue;
    }
    kinglet::bench::Data data = kinglet::bench::read(setting.where);
    if (!setting.raw) kinglet::bench::standardize(data);
    if (!generated) kinglet::bench::shuffle(data);
    kinglet::bench::run(setting, data);
  }
}
