// Learns an array in memory without Python, as the reference for `fit` and `predict` in bench/python.py.
//
//   array_bench ROWS DIMENSION BUDGET PROBA < rows as float32, then labels as bytes
//
// Prints one line of JSON: the processor time of learning all rows once, and of predicting one row at a time.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "kinglet/error.hpp"
#include "kinglet/model.hpp"
#include "stopwatch.hpp"

namespace {

using kinglet::bench::thread_seconds_now;

template <class T>
std::vector<T> read(std::size_t count) {
  std::vector<T> values(count);
  if (std::fread(values.data(), sizeof(T), count, stdin) != count) throw kinglet::Error("standard input is too short");
  return values;
}

// Serves the rows of an array without copying them.
struct Array {
  const float* values;
  std::uint32_t dimension;

  void fill(kinglet::Batch& batch, std::size_t begin, std::size_t n) const {
    batch.labels.assign(n, kinglet::kNoLabel);
    batch.borrowed = {.count = n, .dimension = dimension, .values = values + begin * dimension, .stride = dimension};
  }
};

double learn_seconds(kinglet::Model& model, const Array& array, const std::vector<unsigned char>& labels) {
  const double begin = thread_seconds_now();
  model.expect_classes(std::vector<std::string>{"0", "1"});
  kinglet::Batch batch;
  for (std::size_t row = 0; row < labels.size(); row += kinglet::kBatchRows) {
    const std::size_t n = std::min(kinglet::kBatchRows, labels.size() - row);
    array.fill(batch, row, n);
    batch.new_labels.clear();
    if (row == 0) batch.new_labels = {"0", "1"};
    for (std::size_t i = 0; i < n; ++i) batch.labels[i] = labels[row + i];
    model.learn(batch);
  }
  model.end_pass();
  return thread_seconds_now() - begin;
}

double predict_seconds(const kinglet::Model& model, const Array& array, std::size_t rows) {
  kinglet::bench::Best best;
  kinglet::Batch batch;
  std::vector<kinglet::Prediction> out;
  std::size_t row = 0;
  const auto predict = [&] {
    array.fill(batch, row++ % rows, 1);
    out = model.predict(batch).rows;
    kinglet::bench::keep(out[0].score);
  };
  for (int slice = 0; slice < 200; ++slice) best.slice(1, predict);
  return best.seconds();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::puts("usage: array_bench ROWS DIMENSION BUDGET PROBA < ARRAY (called by bench/python.py)");
    return 0;
  }
  const auto rows = static_cast<std::size_t>(std::atoll(argv[1]));
  const auto dimension = static_cast<std::uint32_t>(std::atoi(argv[2]));
  const auto values = read<float>(rows * dimension);
  const auto labels = read<unsigned char>(rows);
  const Array array{values.data(), dimension};
  kinglet::Model model({{"algo", "bpegasos"}, {"budget", argv[3]}, {"proba", argv[4]}});
  const double learn = learn_seconds(model, array, labels);
  std::printf("{\"learn_seconds\": %.6f, \"predict_microseconds\": %.4f, \"online_error\": %.6f}\n", learn,
              1e6 * predict_seconds(model, array, rows), model.progress().online_error());
  return 0;
}
