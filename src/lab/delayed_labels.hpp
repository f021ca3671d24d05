// Labels that come late: a row is predicted when it arrives, and its label is known `delay` rows later. Only then it is
// learned, and the prediction judged, as it is where a label is, say, whether a customer has paid.
//
//   rows ─▶ arrival: predicted ─▶ wait for `delay` rows ─▶ next(): to be learned, and take() has its prediction
//
// A source around another one. It returns the same rows in the same order, one at a time once the model has begun, so
// the learned model is the same as without it. A row that arrives before the model has begun has no prediction.
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "kinglet/prediction.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

class DelayedLabels final : public Source {
 public:
  // `predict` gets one row. `learned` rows of this pass were learned in an earlier run: they are returned for the run
  // to skip and not taken, and rows that arrived before the last of their labels are not predicted again. Nullopt: the
  // model has begun with other data, and predicts from the first row on.
  DelayedLabels(Source& source, std::uint64_t delay, std::optional<std::uint64_t> learned,
                std::function<Prediction(const Batch&)> predict);

  // Told of every row that arrives and was not learned before: a batch of this row, how many rows of the pass came
  // before it, and its prediction. Whoever gives the labels can be asked for them then.
  using Arrival =
      std::function<void(const Batch& row, std::uint64_t before, const std::optional<Prediction>& prediction)>;
  void on_arrival(Arrival tell) { tell_ = std::move(tell); }

  bool all_arrived() const { return ended_; }  // the source has ended, and its last row has arrived

  // The prediction of the next of the rows that next() has returned. Nullopt: it has none.
  std::optional<Prediction> take();

  bool next(Batch& batch) override;
  bool wait(std::chrono::milliseconds patience) override;
  bool can_rewind() const override { return false; }
  void rewind() override;
  std::optional<double> progress() const override { return source_.progress(); }
  std::optional<std::uint64_t> rows() const override { return source_.rows(); }
  std::optional<std::uint64_t> rows_read() const override { return source_.rows_read(); }
  SkippedRows skipped() const override { return source_.skipped(); }
  DataGaps gaps() const override { return source_.gaps(); }
  std::string name() const override { return source_.name(); }
  void stop() override { source_.stop(); }

 private:
  // A place in the rows that are kept: a batch and a row of it.
  struct Place {
    std::size_t batch = 0;
    std::size_t row = 0;
  };

  bool read();
  bool arrive(bool to_predict);

  Source& source_;
  std::uint64_t delay_;
  std::uint64_t learned_;
  std::uint64_t first_;        // rows that the first next() returns, if the source has them
  std::uint64_t unpredicted_;  // so many of the first rows have no prediction
  std::function<Prediction(const Batch&)> predict_;
  Arrival tell_;
  std::deque<Batch> batches_;  // with rows that were not returned yet
  Place arriving_;             // the row that arrives next
  std::size_t returned_ = 0;   // rows of the first batch kept that were returned
  std::uint64_t arrived_ = 0;
  bool began_ = false;
  bool ended_ = false;
  std::exception_ptr problem_;                         // of the source, after the rows that are left
  std::deque<std::optional<Prediction>> predictions_;  // of rows that arrived and were not taken
  Batch one_;
};

}  // namespace kinglet
