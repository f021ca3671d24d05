// A model: learns from examples, one at a time or in batches, predicts, and is saved to a file and loaded again.
//
//   kinglet::Model model({{"budget", "500"}});
//   model.learn(x, "robin");                           // x is any contiguous range of floats
//   std::cout << model.predict(x).label << '\n';
//   model.save("birds.kinglet");
//
// The option `task` says what is learned:
//   classify  classes, any number of them. A label is a text; a whole number counts as its text.
//   regress   numbers, scaled along the stream: `epsilon` and step sizes are in standard deviations of the target; with
//             `target-scale` = none in its units
//   novelty   which examples are normal. Every example is learned, whatever its label. Predictions are 1 (normal) and
//             -1 (novel); labels, if there are any, are only compared with the predictions.
//
// With the option `query` the model learns the labels of some examples only, at most `query-budget` of them (active
// learning): it asks for the label where it is not certain. By default the labels come from the data, which then need a
// label only where one is asked for; an Oracle takes them from anywhere else.
//
// With the option `proba` a classification model also learns how its scores translate into probabilities.
//
// Threads: one thread at a time may change a model. Any number of threads may predict while no thread changes it.
//
// Functions throw kinglet::Error for invalid input. An invalid batch is refused as a whole. If learning
// itself fails at a row, for example because a new class does not fit into the memory limit, rows before it are
// learned.
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinglet/message.hpp"
#include "kinglet/options.hpp"
#include "kinglet/prediction.hpp"
#include "kinglet/reliability.hpp"
#include "kinglet/source.hpp"
#include "kinglet/standings.hpp"
#include "kinglet/stats.hpp"

namespace kinglet {

// A question of active learning: what is the label of this example?
struct Query {
  std::uint64_t example = 0;           // its number in the stream, from 1
  Prediction prediction;               // the model's own prediction
  double certainty = 0;                // two classes: |f(x)|; more: the difference of the two highest scores
  Features x;                          // as in the data, unscaled
  const std::string* label = nullptr;  // the label in the data, if there is one
  std::string_view row_id;             // of Batch::ids; empty: unknown
};

// Answers a query with the label, or with an empty text if nobody knows it: then the example is not learned. Without an
// answer learning stops there, and asks the same question first when it resumes.
using Oracle = std::function<std::optional<std::string>(const Query&)>;

// The default oracle: answers with the label in the data. Throws Error if there is none.
std::optional<std::string> label_in_data(const Query& query);

class Model {
 public:
  // Throws Error for options that are unknown, out of range or do not go together (registry.hpp: complete_options()).
  explicit Model(const Options& options = {});
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  // --- One example at a time ---
  //
  // The first kBatchRows (1024) examples decide what the options leave open: the initial scaling, gamma, the storage
  // form, the budget for a memory limit, and the order of the classes. Until they are complete the model keeps them,
  // and learns all of them again whenever their number has doubled. So it predicts from the first example on, and from
  // the 1024th example on it is, bit for bit, the model that has learned the same examples in batches of 1024.
  // end_pass() and learn(batch) end this phase early, as if the examples so far had been one batch. A model saved
  // earlier predicts the same after loading, and goes on learning from there with what has been decided so far.
  //
  // Until then labels() may change its order and progress() counts the predictions of the last repetition.
  //
  // `x` has one value per feature, always the same number of them. NaN is a missing value and counts as the feature's
  // mean; an infinite value is an Error.
  void learn(std::span<const float> x, std::string_view label, float weight = 1);  // classify; novelty: "1" or "-1"
  void learn(std::span<const float> x, double number, float weight = 1);  // regress; else the label of a whole number
  template <std::same_as<char> Char>
  void learn(std::span<const float> x, Char, float weight = 1) = delete;  // a label is a text, such as "a"
  void learn(std::span<const float> x);                                   // novelty

  // The answer before the first example has an empty label and the score 0.
  Answer predict(std::span<const float> x) const;

  // --- Batches ---

  // Predicts and then learns each row in order. `before`, if given, receives the predictions made before learning.
  // The first batch decides what the options leave open, by its first kBatchRows rows. After that it makes no
  // difference how rows are cut into batches. New classes and features are added when they first appear. Throws Error,
  // before any row is learned, for a row without a label (novelty: with a label other than 1 and -1), a bad weight or
  // an infinite value. With the option `query` or with an oracle, rows need no label. Returns false if the oracle gave
  // no answer: then rows up to the one in question were learned (`before` has as many predictions), and the next call,
  // with the remaining rows or none, asks the same question first.
  bool learn(const Batch& batch, std::vector<Prediction>* before = nullptr, const Oracle& oracle = {});
  // The end of a pass over the data. After the first pass the scaling does not change any more.
  void end_pass();
  // Learning uses up to so many threads, where that makes it faster; 0: all cores. At first it is 1. The number of
  // threads does not change the result, and it is not saved.
  void use_threads(unsigned threads);

  // Labels of the batch are not used. `threads` 0: all cores. The number of threads does not change the result.
  Predictions predict(const Batch& batch, unsigned threads = 1) const;
  RowValues scores(const Batch& batch, unsigned threads = 1) const;  // outputs() scores per row
  // A probability for each of labels() per row; they sum to 1. The predicted class has the highest one, without ties.
  // Throws Error for a model without the option `proba`.
  RowValues probabilities(const Batch& batch, unsigned threads = 1) const;

  // Regression: the standard deviation of the prediction of each row, one value per row, in the units of the target. It
  // covers the noise of the targets, estimated along the stream, and the uncertainty of f. Throws Error unless
  // gives_deviations().
  RowValues deviations(const Batch& batch, unsigned threads = 1) const;

  // --- Classes ---

  // The texts of the classes; a ClassId is a place in this list. Regression has none, novelty has -1 and 1.
  std::span<const std::string> labels() const;
  // Announces classes before they appear. They follow the known ones, in this order.
  void expect_classes(std::span<const std::string> texts);
  // Translates the labels of batches to class ids. Call it for every batch of a source, in order, because a label's
  // text is in the first batch that uses it. An absent or unknown label is kNoClass (novelty: an absent one is normal).
  class LabelMap {
   public:
    explicit LabelMap(const Model& model) : model_(&model) {}
    std::span<const ClassId> operator()(const Batch& batch);

   private:
    const Model* model_;
    std::vector<std::string> texts_;  // by label id of the source
    std::vector<ClassId> classes_;    // by label id of the source
    std::vector<ClassId> rows_;
  };
  // Call it before learning from another source: the label ids of its batches start again from 0.
  void begin_source();

  // --- About the model ---

  TaskKind task() const;
  const Options& options() const;            // complete; `auto` is replaced by its value once learning has started
  const Options& requested_options() const;  // complete, with `auto` as requested
  // The options of the function that predicts. They differ from options() for a committee (`algo` = auto): there they
  // are those of the member that leads at present.
  Options settled_options() const;
  // How the members of a committee compare; empty for other models.
  Standings standings() const;
  std::uint64_t drift_alarms() const;  // Standings::alarms, which costs nothing to ask for
  const Progress& progress() const;
  LearnerStats stats() const;
  bool has_learned() const;         // whether it has learned any example
  std::uint32_t dimension() const;  // number of features; 0 before the first example
  std::size_t outputs() const;   // scores per row: 1 for up to two classes, regression and novelty, else one per class
  bool asks_for_labels() const;  // whether it learns some labels only
  bool gives_probabilities() const;
  bool gives_deviations() const;  // whether its learner estimates them, and has begun to
  // How reliable the probabilities were that examples had before they were learned in the first pass. Empty for a model
  // without the option `proba`.
  const Reliability& online_reliability() const;
  // Whether the indices of the LIBSVM data that was learned first count from 0 or 1. Read data to predict the same way.
  std::optional<int> index_base() const;
  // The columns of the CSV data that was learned first, or of the data frame in Python. Open data to predict with
  // SourceOptions::columns, which matches columns by name. Null for other data.
  const std::shared_ptr<const Columns>& columns() const;
  std::vector<std::string> feature_names() const;  // of these columns; empty if they have no names
  // With the option `metric` = learned: how much each feature matters, w² of its weight w in the metric, scaled to the
  // sum 1. A feature that is constant so far has 0. feature_importances() throws Error for a model without them.
  bool has_feature_importances() const;
  std::vector<double> feature_importances() const;
  // The support vectors with the largest weights, largest first, in the units of the data.
  std::vector<SupportVector> support_vectors(std::size_t most) const;

  // What happened while learning that is no error but good to know, for example that the budget was lowered to stay
  // within the memory limit. Returns what is new since the last call; each kind of notice is given once.
  std::vector<Message> take_notices();

  // --- Files ---

  // The file is complete or not there at all: it is written under another name, then renamed.
  void save(const std::filesystem::path& path) const;
  static Model load(const std::filesystem::path& path);
  // The bytes of the file. `name` is used in error messages. Throws Error for bytes that are not a model, and for a
  // model that needs more than `memory_limit` bytes (0: more than the machine has).
  std::string serialize() const;
  static Model deserialize(std::string_view bytes, const std::string& name, std::uint64_t memory_limit = 0);

 private:
  friend struct ModelAccess;
  struct State;
  explicit Model(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace kinglet
