// Learns a checkerboard from a stream, batch by batch, saves the model, loads it again and predicts.
#include <cstdio>
#include <vector>

#include "kinglet/model.hpp"
#include "kinglet/source.hpp"

int main() {
  kinglet::Model model({{"algo", "bpegasos"}, {"budget", "100"}, {"gamma", "8"}});
  const auto stream = kinglet::open_source("gen:checkerboard?n=200000&seed=1", {});
  kinglet::Batch batch;
  while (stream->next(batch)) model.learn(batch);
  model.end_pass();
  std::printf("online error %.3f with %zu support vectors\n", model.progress().online_error(),
              model.stats().support_vectors);

  model.save("checkerboard.kinglet");
  const kinglet::Model loaded = kinglet::Model::load("checkerboard.kinglet");
  const auto fresh = kinglet::open_source("gen:checkerboard?n=20000&seed=2", {});
  kinglet::Model::LabelMap classes(loaded);
  std::vector<kinglet::Prediction> predictions;
  std::size_t right = 0;
  std::size_t rows = 0;
  while (fresh->next(batch)) {
    predictions = loaded.predict(batch).rows;
    const auto truth = classes(batch);
    for (std::size_t i = 0; i < predictions.size(); ++i) right += predictions[i].label == truth[i] ? 1 : 0;
    rows += predictions.size();
  }
  const double accuracy = static_cast<double>(right) / static_cast<double>(rows);
  std::printf("test accuracy %.3f\n", accuracy);
  return accuracy > 0.95 ? 0 : 1;
}
