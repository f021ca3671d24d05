// Runs dlib's svm_pegasos with a bounded number of support vectors on LIBSVM files that are already standardised.
//   dlib_peer TRAIN TEST GAMMA LAMBDA BUDGET     prints one JSON object
#include <dlib/svm.h>
#include <fmt/format.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "kinglet/source.hpp"
#include "stopwatch.hpp"

namespace {

using Sample = dlib::matrix<double, 0, 1>;

struct Data {
  std::vector<Sample> rows;
  std::vector<double> labels;
};

Data read(const char* path, std::uint32_t dimension) {
  Data data;
  const auto source = kinglet::open_source(path, {});
  kinglet::Batch batch;
  std::vector<std::string> texts;
  while (source->next(batch)) {
    texts.insert(texts.end(), batch.new_labels.begin(), batch.new_labels.end());
    const kinglet::Rows rows = batch.features();
    for (std::size_t i = 0; i < rows.count; ++i) {
      Sample x(dimension == 0 ? batch.dimension : dimension);
      x = 0;
      const kinglet::Features features = rows[i];
      for (std::uint32_t k = 0; k < features.count; ++k) {
        x(features.is_sparse() ? features.indices[k] : k) = static_cast<double>(features.values[k]);
      }
      data.rows.push_back(x);
      data.labels.push_back(std::atof(texts[batch.labels[i]].c_str()) > 0 ? 1 : -1);
    }
  }
  return data;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const Data train = read(argv[1], 0);
  const Data test = read(argv[2], static_cast<std::uint32_t>(train.rows.back().size()));
  using Kernel = dlib::radial_basis_kernel<Sample>;
  dlib::svm_pegasos<Kernel> trainer;
  trainer.set_kernel(Kernel(std::atof(argv[3])));
  trainer.set_lambda(std::atof(argv[4]));
  trainer.set_max_num_sv(static_cast<unsigned long>(std::atol(argv[5])));
  const double begin = kinglet::bench::thread_seconds_now();
  for (std::size_t i = 0; i < train.rows.size(); ++i) trainer.train(train.rows[i], train.labels[i]);
  const auto model = trainer.get_decision_function();
  const double trained = kinglet::bench::thread_seconds_now();
  std::size_t right = 0;
  for (std::size_t i = 0; i < test.rows.size(); ++i)
    right += (model(test.rows[i]) >= 0) == (test.labels[i] > 0) ? 1 : 0;
  const double tested = kinglet::bench::thread_seconds_now();
  std::ostringstream bytes;
  serialize(model, bytes);
  const auto rows = static_cast<double>(test.rows.size());
  fmt::print(R"({{"accuracy": {}, "training_seconds": {}, "microseconds_per_prediction": {}, "bytes": {}}})"
             "\n",
             100 * static_cast<double>(right) / rows, trained - begin, 1e6 * (tested - trained) / rows,
             bytes.str().size());
}
