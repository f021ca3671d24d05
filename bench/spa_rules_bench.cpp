// Two rules behind table 2 of the SPA paper, implemented plainly: as the paper states them, and as its authors' library
// for online kernel learning (LIBOKL) implements them.
//
// RBP removes a random support vector. LIBOKL seeds its generator with the clock, in seconds, before every draw, and
// draws a position in a list ordered by age. So the position stays the same for a second. On Windows, where the paper's
// experiments ran, the generator's first number hardly depends on the seed, so the position is nearly constant for a
// whole run: vectors before it stay for ever, vectors after it leave in order of age.
//
// SPA predicts with the mean of all functions so far. The public version of LIBOKL does not contain SPA, but a line
// that is commented out computes a mean in which round t has weight (w + 1)/(t + w), which favours late rounds. w = 0
// is the mean of the paper.
//
//   spa_rules_bench [FOLDER [RUNS]]    FOLDER holds a9a, a9a.t, cod-rna, w7a, w7a.t and covtype; without it, only
//                                      generated data are used
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/assert.hpp"
#include "core/random.hpp"
#include "papers/paper_data.hpp"

namespace kinglet::bench {
namespace {

constexpr float kGamma = 0.4F;

struct Row {
  std::vector<std::uint32_t> features;  // indices of the nonzero features
  std::vector<float> values;
  float norm = 0;  // ‖x‖²
  double sign = 0;
};

struct Stream {
  std::uint32_t dimension = 0;
  std::vector<Row> rows;
};

Stream read(PaperData& data, const char* set, std::size_t run) {
  Stream stream;
  const auto source = data.run_data(paper_set(set), run, 0).train();
  Batch batch;
  while (source->next(batch)) {
    const Rows rows = batch.features();
    stream.dimension = rows.dimension;
    for (std::size_t i = 0; i < rows.count; ++i) {
      Row row;
      const Features x = rows[i];
      for (std::uint32_t k = 0; k < x.count; ++k) {
        if (x.values[k] == 0) continue;
        row.features.push_back(x.is_sparse() ? x.indices[k] : k);
        row.values.push_back(x.values[k]);
        row.norm += x.values[k] * x.values[k];
      }
      row.sign = batch.labels[i] == 0 ? -1 : 1;
      stream.rows.push_back(std::move(row));
    }
  }
  return stream;
}

// Support vectors in fixed slots, stored feature by feature, so that a kernel row is a sum over contiguous arrays.
class Vectors {
 public:
  Vectors(std::uint32_t dimension, std::size_t most)
      : most_(most), table_(dimension * most), norms_(most), dots_(most) {}

  void put(std::size_t place, const Row& x) {
    for (std::size_t i = place; i < table_.size(); i += most_) table_[i] = 0;
    for (std::size_t k = 0; k < x.features.size(); ++k) table_[x.features[k] * most_ + place] = x.values[k];
    norms_[place] = x.norm;
  }

  const std::vector<float>& kernel_row(const Row& x, std::size_t count) {
    std::fill_n(dots_.begin(), count, 0.0F);
    for (std::size_t k = 0; k < x.features.size(); ++k) {
      const float* column = &table_[x.features[k] * most_];
      for (std::size_t j = 0; j < count; ++j) dots_[j] += x.values[k] * column[j];
    }
    for (std::size_t j = 0; j < count; ++j) dots_[j] = std::exp(-kGamma * (x.norm + norms_[j] - 2 * dots_[j]));
    return dots_;
  }

 private:
  std::size_t most_;
  std::vector<float> table_;
  std::vector<float> norms_;
  std::vector<float> dots_;
};

double sum_of(const std::vector<double>& weights, const std::vector<float>& kernel_row) {
  double sum = 0;
  for (std::size_t j = 0; j < weights.size(); ++j) sum += weights[j] * static_cast<double>(kernel_row[j]);
  return sum;
}

enum class Draw { every_time, once };

// Online accuracy of RBP in percent.
double rbp(const Stream& stream, std::size_t budget, Draw draw, Random random) {
  Vectors vectors(stream.dimension, budget);
  std::vector<double> weights;
  std::vector<std::size_t> by_age;  // slots, the oldest first
  const std::size_t one_place = random.below(budget);
  std::size_t mistakes = 0;
  for (const Row& x : stream.rows) {
    if (x.sign * sum_of(weights, vectors.kernel_row(x, weights.size())) > 0) continue;
    ++mistakes;
    std::size_t place = weights.size();
    if (place == budget) {
      const std::size_t age = draw == Draw::once ? one_place : random.below(budget);
      place = by_age[age];
      by_age.erase(by_age.begin() + static_cast<std::ptrdiff_t>(age));
    } else {
      weights.push_back(0);
    }
    by_age.push_back(place);
    vectors.put(place, x);
    weights[place] = x.sign;
  }
  return 100 - 100 * static_cast<double>(mistakes) / static_cast<double>(stream.rows.size());
}

constexpr std::array kLate = {0.0, 1.0, 3.0, 10.0};  // the values of w
using Accuracies = std::array<double, kLate.size()>;

// Online accuracy in percent of SPA with α = 1, for each w in kLate. The step equals the loss, because its limit η/ρ is
// larger for η ≥ 0.05 or so.
Accuracies spa(const Stream& stream, double beta, Random random) {
  constexpr std::size_t kMost = 10'000;
  Vectors vectors(stream.dimension, kMost);
  std::vector<double> weights;
  std::array<std::vector<double>, kLate.size()> averages;
  Accuracies mistakes{};
  for (std::size_t t = 0; t < stream.rows.size(); ++t) {
    const Row& x = stream.rows[t];
    const std::vector<float>& kernel_row = vectors.kernel_row(x, weights.size());
    for (std::size_t i = 0; i < kLate.size(); ++i) mistakes[i] += x.sign * sum_of(averages[i], kernel_row) <= 0 ? 1 : 0;
    const double loss = 1 - x.sign * sum_of(weights, kernel_row);
    if (loss > 0 && random.coin(std::min(1.0, loss) / beta)) {
      KINGLET_ASSERT(weights.size() < kMost);
      vectors.put(weights.size(), x);
      weights.push_back(x.sign * loss);
      for (auto& average : averages) average.push_back(0);
    }
    for (std::size_t i = 0; i < kLate.size(); ++i) {
      const double share = (kLate[i] + 1) / (static_cast<double>(t + 1) + kLate[i]);
      for (std::size_t j = 0; j < weights.size(); ++j) averages[i][j] += share * (weights[j] - averages[i][j]);
    }
  }
  for (double& each : mistakes) each = 100 - 100 * each / static_cast<double>(stream.rows.size());
  return mistakes;
}

std::string spread(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return fmt::format("{:.2f} ± {:.2f}", mean, std::sqrt(squares / std::max(1.0, count - 1)));
}

struct RbpSet {
  const char* name;
  const char* column;  // as the paper has it
  std::size_t budget;
  const char* paper;
};
constexpr RbpSet kRbpSets[] = {{"a9a-stream", "a9a", 1350, "78.83 ± 0.38"},
                               {"cod-rna-scaled", "codrna", 822, "86.59 ± 0.22"},
                               {"w7a-both", "w7a", 175, "96.78 ± 0.16"},
                               {"covtype-stream", "covtype", 1510, "65.63 ± 0.23"},
                               {"gaussian-stream", "gaussian", 1100, "72.87 ± 0.52"}};

struct SpaSet {
  const char* name;
  const char* column;
  double beta;
  const char* paper;
};
constexpr SpaSet kSpaSets[] = {{"a9a-stream", "a9a", 20, "82.04 ± 0.25"},
                               {"cod-rna-scaled", "codrna", 20, "91.59 ± 0.35"}};

void run(PaperData& data, std::size_t runs) {
  fmt::print(
      "RBP, online accuracy %, {} runs\n\n| set | paper | a draw for each removal | one draw for a run "
      "|\n|---|---|---|---|\n",
      runs);
  for (const RbpSet& set : kRbpSets) {
    if (!data.has(paper_set(set.name))) {
      fmt::print("| {} | {} | skipped: no data | |\n", set.column, set.paper);
      continue;
    }
    std::vector<double> every_time;
    std::vector<double> once;
    for (std::size_t i = 0; i < runs; ++i) {
      const Stream stream = read(data, set.name, i);
      every_time.push_back(rbp(stream, set.budget, Draw::every_time, Random(i + 1)));
      once.push_back(rbp(stream, set.budget, Draw::once, Random(i + 1)));
    }
    fmt::print("| {} | {} | {} | {} |\n", set.column, set.paper, spread(every_time), spread(once));
  }

  fmt::print("\nSPA, online accuracy %, {} runs\n\n| set | paper |", runs);
  for (const double w : kLate) fmt::print(" w = {} |", w);
  fmt::print("\n|---|---|---|---|---|---|\n");
  for (const SpaSet& set : kSpaSets) {
    if (!data.has(paper_set(set.name))) {
      fmt::print("| {} | {} | skipped: no data | | | |\n", set.column, set.paper);
      continue;
    }
    std::array<std::vector<double>, kLate.size()> found;
    for (std::size_t i = 0; i < runs; ++i) {
      const Accuracies accuracies = spa(read(data, set.name, i), set.beta, Random(i + 1));
      for (std::size_t w = 0; w < found.size(); ++w) found[w].push_back(accuracies[w]);
    }
    fmt::print("| {} | {} |", set.column, set.paper);
    for (const auto& each : found) fmt::print(" {} |", spread(each));
    fmt::print("\n");
  }
}

}  // namespace
}  // namespace kinglet::bench

int main(int count, char** arguments) {
  const std::string folder = count > 1 ? arguments[1] : "";
  kinglet::PaperData data(folder, false);
  kinglet::bench::run(data, count > 2 ? std::max(1UL, std::strtoul(arguments[2], nullptr, 10)) : 20);
}
