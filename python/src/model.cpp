#include "model.hpp"

#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>
#include <shared_mutex>
#include <span>

#include "arrays.hpp"
#include "export/compress.hpp"
#include "kinglet/error.hpp"
#include "kinglet/mix.hpp"
#include "kinglet/model.hpp"
#include "kinglet/registry.hpp"
#include "model/model_access.hpp"
#include "records.hpp"
#include "registry.hpp"
#include "svc.hpp"
#include "watch.hpp"

namespace kinglet::python {
namespace {

// With so few rows, releasing the interpreter lock is not worthwhile.
constexpr std::size_t kFewRows = 16;
constexpr std::size_t kPredictRows = 8192;

// Acquires the lock. Releases the interpreter lock while waiting, as the holder of the lock may be waiting for it.
template <class Lock, class Mutex>
Lock acquire(Mutex& mutex) {
  Lock lock(mutex, std::try_to_lock);
  if (!lock.owns_lock()) {
    const nb::gil_scoped_release released;
    lock.lock();
  }
  return lock;
}

// Buffers for predictions, reused from call to call.
struct Workspace {
  Batch batch;
  std::vector<Prediction> predictions;
  std::vector<float> floats;
};

Workspace& workspace() {
  thread_local Workspace space;
  return space;
}

std::string_view view_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

class PythonModel {
 public:
  explicit PythonModel(Model model) : model_(std::move(model)) {}
  explicit PythonModel(const OptionTexts& options) : model_(options_from(options)) {}

  void learn(nb::handle x, nb::handle y, nb::handle weights, nb::handle order, nb::handle progress,
             nb::handle on_drift) {
    const Table table(x);
    const Column labels(y, "y", table.rows());
    const Column row_weights(weights, "sample_weight", table.rows());
    const Column row_order(order, table.rows());
    std::vector<Message> notices;
    {
      auto lock = acquire<std::unique_lock<std::shared_mutex>>(mutex_);
      require_targets(labels);
      learn_rows(table, labels, row_weights, row_order, progress, [&](std::uint64_t told) {
        if (!on_drift.is_none()) tell_drift(lock, on_drift, told);
      });
      notices = model_.take_notices();
    }
    for (const Message& text : notices) {  // not under the lock: a handler of warnings may use the model
      if (PyErr_WarnEx(PyExc_UserWarning, python_text(text).c_str(), 1) != 0) throw nb::python_error();
    }
  }

  void learn_rows(const Table& table, const Column& labels, const Column& row_weights, const Column& row_order,
                  nb::handle progress, const std::function<void(std::uint64_t)>& on_alarm) {
    Watch watch(progress);
    const nb::gil_scoped_release released;
    table.require_finite();
    BlockSize block;
    const std::size_t rows = row_order.is_given() ? row_order.size() : table.rows();
    for (std::size_t begin = 0; begin < rows;) {
      const std::size_t n = std::min(block.next(), rows - begin);
      const auto start = Clock::now();
      const std::uint64_t alarms = model_.drift_alarms();
      learn_block(table, labels, row_weights, row_order.integers(), begin, n);
      block.took(Clock::now() - start);
      begin += n;
      if (model_.drift_alarms() > alarms) on_alarm(alarms);
      watch.rows_done(n);
    }
    watch.report();
  }

  // Calls `on_drift` with each alarm after the first `told`. Not under the lock, since the function may use the model.
  // Called without the interpreter lock; throws the exception that Python raised.
  void tell_drift(std::unique_lock<std::shared_mutex>& lock, nb::handle on_drift, std::uint64_t told) {
    const Standings standings = model_.standings();
    const auto fresh = std::min<std::uint64_t>(standings.alarms - told, standings.drift.size());
    lock.unlock();
    {
      const nb::gil_scoped_acquire acquired;
      for (const DriftAlarm& alarm : std::span(standings.drift).last(static_cast<std::size_t>(fresh))) {
        on_drift(drift_dict(alarm));
      }
    }
    lock.lock();
  }

  static nb::dict drift_dict(const DriftAlarm& alarm) {
    nb::dict dict;
    dict["at"] = alarm.at;
    dict["since"] = alarm.since;
    dict["recent_error"] = alarm.recent_error;
    dict["usual_error"] = alarm.usual_error;
    return dict;
  }

  nb::list drift() const {
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    nb::list list;
    for (const DriftAlarm& alarm : model_.standings().drift) list.append(drift_dict(alarm));
    return list;
  }

  void use_threads(unsigned threads) {
    const auto lock = acquire<std::unique_lock<std::shared_mutex>>(mutex_);
    model_.use_threads(threads);
  }

  // The next rows are new, even if the model has made several passes over others.
  void begin_stream() {
    const auto lock = acquire<std::unique_lock<std::shared_mutex>>(mutex_);
    set_position(model_, {});
  }

  void end_pass() {
    const auto lock = acquire<std::unique_lock<std::shared_mutex>>(mutex_);
    const nb::gil_scoped_release released;
    model_.end_pass();
  }

  void expect_classes(const std::vector<std::string>& texts) {
    const auto lock = acquire<std::unique_lock<std::shared_mutex>>(mutex_);
    model_.expect_classes(texts);
  }

  // A compressed copy, which can only predict.
  PythonModel* compressed(std::size_t budget, std::size_t rounds, unsigned threads) const {
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    const nb::none nobody;
    Watch watch(nobody);
    const nb::gil_scoped_release released;
    CompressOptions options{.budget = budget, .rounds = rounds, .threads = threads};
    options.progress = [&](const std::string&, double) { watch.rows_done(0); };
    return new PythonModel(fixed_model(compress(flatten(model_), options).model));
  }

  PythonModel* make_start(bool keeps_coefficients) const {
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    return new PythonModel(kinglet::make_start(model_, keeps_coefficients));
  }
  std::string start() const {
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    const auto id = start_of(model_);
    return id ? fmt::format("{:016x}", *id) : std::string();
  }
  bool adds_up() const {
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    return kinglet::adds_up(model_);
  }
  std::string isa_of_start() const {
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    return kinglet::isa_of_start(model_);
  }

  // The mixture of models, each given as its bytes.
  static PythonModel* mix(const std::vector<nb::bytes>& given, std::size_t budget, std::optional<std::size_t> rounds,
                          unsigned threads, bool may_repeat) {
    std::vector<Model> models;
    for (const nb::bytes& bytes : given) {
      models.push_back(Model::deserialize(view_of(bytes), fmt::format("model {}", models.size() + 1)));
    }
    std::vector<const Model*> pointers;
    for (const Model& model : models) pointers.push_back(&model);
    const nb::none nobody;
    Watch watch(nobody);
    const nb::gil_scoped_release released;
    MixOptions options{.budget = budget, .rounds = rounds, .threads = threads, .may_repeat = may_repeat};
    options.progress = [&](const std::string&, double) { watch.rows_done(0); };
    return new PythonModel(kinglet::mix(pointers, options).model);
  }

  void predict(nb::handle x, nb::handle out, unsigned threads) const {
    const bool numbers = model_.task() == TaskKind::regress;
    Array array(out, "out", true);
    require_room(array, numbers ? NumberKind::float64 : NumberKind::int64);
    in_blocks(x, array, 1, [&](Workspace& space, std::size_t begin) {
      predict_into(model_, space.batch, space.predictions, threads);
      for (std::size_t i = 0; i < space.predictions.size(); ++i) {
        const Prediction& prediction = space.predictions[i];
        if (numbers) {
          array.writable<double>()[begin + i] = static_cast<double>(prediction.score);
        } else {
          array.writable<std::int64_t>()[begin + i] =
              prediction.label == kNoClass ? -1 : static_cast<std::int64_t>(prediction.label);
        }
      }
    });
  }

  void scores(nb::handle x, nb::handle out, unsigned threads) const {
    floats(
        x, out, model_.outputs(), [&](Workspace& space) { scores_into(model_, space.batch, space.floats, threads); },
        [](double*) {});
  }

  void probabilities(nb::handle x, nb::handle out, unsigned threads) const {
    const std::size_t classes = model_.labels().size();
    floats(
        x, out, classes, [&](Workspace& space) { probabilities_into(model_, space.batch, space.floats, threads); },
        [&](double* row) {  // single precision sums to 1 to seven digits only
          const double sum = std::accumulate(row, row + classes, 0.0);
          for (std::size_t c = 0; c < classes; ++c) row[c] /= sum;
        });
  }

  void deviations(nb::handle x, nb::handle out, unsigned threads) const {
    floats(
        x, out, 1, [&](Workspace& space) { deviations_into(model_, space.batch, space.floats, threads); },
        [](double*) {});
  }

  // Support vectors in the units of the data, sorted by decreasing weight, and their coefficients, one row per output.
  void support_vectors(nb::handle vectors_out, nb::handle coefficients_out) const {
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    Array vectors(vectors_out, "the support vectors", true);
    Array coefficients(coefficients_out, "the coefficients", true);
    require_room(vectors, NumberKind::float32);
    require_room(coefficients, NumberKind::float64);
    const std::size_t count = model_.stats().support_vectors;
    const std::size_t outputs = model_.outputs();
    if (vectors.size() != count * model_.dimension() || coefficients.size() != count * outputs) {
      throw Error("the arrays for support vectors have the wrong size");
    }
    const auto list = model_.support_vectors(count);
    for (std::size_t i = 0; i < count; ++i) {
      std::copy(list[i].x.begin(), list[i].x.end(), vectors.writable<float>() + i * model_.dimension());
      for (std::size_t c = 0; c < outputs; ++c) {
        coefficients.writable<double>()[c * count + i] = list[i].coefficients[c];
      }
    }
  }

  std::vector<double> feature_importances() const {
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    return model_.feature_importances();
  }
  bool has_feature_importances() const {
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    return model_.has_feature_importances();
  }

  nb::dict stats() const {
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    const LearnerStats stats = model_.stats();
    nb::dict dict;
    dict["examples"] = model_.progress().examples;
    dict["labels"] = model_.progress().labels;
    dict["passes"] = position_of(model_).pass;
    dict["updates"] = stats.updates;
    dict["support_vectors"] = stats.support_vectors;
    dict["budget"] = stats.budget;
    dict["features"] = model_.dimension();
    dict["classes"] = stats.classes;
    dict["outputs"] = model_.outputs();
    dict["learns_at_end"] = stats.learns_at_end;
    dict["memory_bytes"] = stats.memory_bytes;
    if (model_.task() == TaskKind::regress) {
      dict["online_rmse"] = model_.progress().online_rmse();
      dict["online_mae"] = model_.progress().online_mae();
    } else {
      dict["online_error"] = model_.progress().online_error();
      if (model_.gives_probabilities()) dict["online_brier"] = model_.online_reliability().brier();
    }
    return dict;
  }

  // The columns of the rows to learn have these names.
  void name_features(const std::vector<std::string>& names) {
    const auto lock = acquire<std::unique_lock<std::shared_mutex>>(mutex_);
    columns_ = std::make_shared<const Columns>(
        Columns{.dimension = static_cast<std::uint32_t>(names.size()), .features = names});
  }
  std::vector<std::string> feature_names() const {
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    return model_.feature_names();
  }

  // The rows to learn are encoded as these records say.
  void set_records(const Records& records) {
    const auto lock = acquire<std::unique_lock<std::shared_mutex>>(mutex_);
    columns_ = records.columns();
  }
  // How data frames become rows; null for a model of vectors.
  Records* records() const {
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    const auto& columns = model_.columns();
    return columns && columns->schema ? new Records(columns) : nullptr;
  }

  std::vector<std::string> labels() const {
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    return {model_.labels().begin(), model_.labels().end()};
  }
  OptionTexts settled_options() const {
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    const Options settled = model_.settled_options();
    OptionTexts texts = texts_of(settled);
    texts["algorithm"] = algorithm_name(settled);
    return texts;
  }
  OptionTexts options() const {
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    return texts_of(model_.options());
  }
  OptionTexts requested_options() const { return texts_of(model_.requested_options()); }

  nb::bytes serialize() const {
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    const std::string bytes = model_.serialize();
    return nb::bytes(bytes.data(), bytes.size());
  }
  void save(const std::string& path) const {
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    const nb::gil_scoped_release released;
    model_.save(path);
  }

 private:
  void require_targets(const Column& labels) const {
    const bool classes = model_.task() == TaskKind::classify;
    if (model_.task() == TaskKind::novelty) {
      if (labels.is_given()) throw Error("novelty detection does not use labels: y must be None");
      return;
    }
    if (!labels.is_given()) throw Error("y is missing");
    if (classes) labels.require_integers("y");
  }

  void learn_block(const Table& table, const Column& labels, const Column& weights, const std::int64_t* order,
                   std::size_t begin, std::size_t n) {
    table.fill(batch_, begin, n, order);
    batch_.columns = columns_;
    if (model_.task() == TaskKind::classify) {
      labels.copy(begin, order, std::span(batch_.labels));
      const auto texts = model_.labels();
      for (const std::uint32_t label : batch_.labels) {
        if (label >= texts.size())
          throw Error(fmt::format("y has class number {}, but there are only {} classes", label, texts.size()));
      }
      batch_.new_labels.assign(texts.begin() + static_cast<std::ptrdiff_t>(introduced_), texts.end());
      introduced_ = texts.size();
    } else if (model_.task() == TaskKind::regress) {
      batch_.targets.resize(n);
      labels.copy(begin, order, std::span(batch_.targets));
    }
    if (weights.is_given()) {
      batch_.weights.resize(n);
      weights.copy(begin, order, std::span(batch_.weights));
    }
    model_.learn(batch_);
  }

  static void require_room(const Array& array, NumberKind kind) {
    if (array.kind() != kind) throw Error("the array for results has the wrong type");
  }

  // Calls work(space, first row) for each block of rows, which is in space.batch.
  template <class Work>
  void in_blocks(nb::handle x, const Array& out, std::size_t width, const Work& work) const {
    const Table table(x);
    if (out.size() != table.rows() * width) throw Error("the array for results has the wrong size");
    const auto lock = acquire<std::shared_lock<std::shared_mutex>>(mutex_);
    if (model_.has_learned() && table.dimension() != model_.dimension()) {
      throw Error(
          fmt::format("X has {} features, but the model was fitted with {}", table.dimension(), model_.dimension()));
    }
    Workspace& space = workspace();
    if (table.rows() <= kFewRows) {
      table.require_finite();
      table.fill(space.batch, 0, table.rows(), nullptr);
      return work(space, 0);
    }
    Watch watch{nb::none()};
    const nb::gil_scoped_release released;
    table.require_finite();
    for (std::size_t begin = 0; begin < table.rows(); begin += kPredictRows) {
      const std::size_t n = std::min(kPredictRows, table.rows() - begin);
      table.fill(space.batch, begin, n, nullptr);
      work(space, begin);
      watch.rows_done(n);
    }
  }

  // Writes `width` numbers per row: `compute` puts them into space.floats, and `mend` may correct them.
  template <class Compute, class Mend>
  void floats(nb::handle x, nb::handle out, std::size_t width, const Compute& compute, const Mend& mend) const {
    Array array(out, "out", true);
    require_room(array, NumberKind::float64);
    in_blocks(x, array, width, [&](Workspace& space, std::size_t begin) {
      compute(space);
      if (space.floats.size() != space.batch.rows() * width) {
        throw Error("another thread has added a class to the model: call again");
      }
      double* const to = array.writable<double>() + begin * width;
      for (std::size_t i = 0; i < space.floats.size(); ++i) to[i] = static_cast<double>(space.floats[i]);
      for (std::size_t i = 0; i < space.floats.size(); i += width) mend(to + i);
    });
  }

  Model model_;
  mutable std::shared_mutex mutex_;
  Batch batch_;
  std::shared_ptr<const Columns> columns_;  // of the rows to learn; null: they have no names
  std::size_t introduced_ = 0;              // labels whose text the model's source has told it
};

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<PythonModel>(module, "Model",
                          "A kinglet model. X is a C-order array of float32 or float64, or the tuple (data, indices, "
                          "indptr, features) of a CSR matrix in canonical form.")
      .def(nb::init<const OptionTexts&>(), nb::arg("options"))
      .def(
          "learn", &PythonModel::learn, nb::arg("x"), nb::arg("y").none(), nb::arg("weights").none() = nb::none(),
          nb::arg("order").none() = nb::none(), nb::arg("progress").none() = nb::none(),
          nb::arg("on_drift").none() = nb::none(),
          nb::sig("def learn(self, x: typing.Any, y: typing.Any, weights: typing.Any = None, order: typing.Any = None, "
                  "progress: typing.Callable[[int], object] | None = None, "
                  "on_drift: typing.Callable[[dict[str, typing.Any]], object] | None = None) -> None"),
          "Learns the rows in order; y contains class numbers (int64) or targets. Calls on_drift with each alarm of "
          "drift.")
      .def("drift", &PythonModel::drift, nb::sig("def drift(self) -> list[dict[str, typing.Any]]"),
           "The latest alarms of drift of a committee, in order.")
      .def("use_threads", &PythonModel::use_threads, nb::arg("threads"),
           "Learning uses so many threads; 0 means all cores. The result is the same.")
      .def("begin_stream", &PythonModel::begin_stream, "The following rows are new.")
      .def("end_pass", &PythonModel::end_pass, "Ends a pass over the rows.")
      .def("expect_classes", &PythonModel::expect_classes, nb::arg("texts"),
           "Declares classes in advance, in this order.")
      .def("name_features", &PythonModel::name_features, nb::arg("names"),
           "Names the columns of the rows to learn. The model file keeps the names that were learned first.")
      .def_prop_ro("feature_names", &PythonModel::feature_names, "The names of the features; empty if they have none.")
      .def("set_records", &PythonModel::set_records, nb::arg("records"),
           "The rows to learn are those of a data frame, encoded by `records`.")
      .def("records", &PythonModel::records, nb::rv_policy::take_ownership,
           nb::sig("def records(self) -> Records | None"), "How data frames become rows; None for a model of vectors.")
      .def_prop_ro("has_feature_importances", &PythonModel::has_feature_importances,
                   "Whether the model learns its metric.")
      .def("feature_importances", &PythonModel::feature_importances,
           "How much each feature matters; the sum is 1. Only for a model that learns its metric.")
      .def("predict", &PythonModel::predict, nb::arg("x"), nb::arg("out"), nb::arg("threads") = 1,
           nb::sig("def predict(self, x: typing.Any, out: typing.Any, threads: int = 1) -> None"),
           "Fills `out` with class numbers (int64) or predicted numbers (float64).")
      .def("scores", &PythonModel::scores, nb::arg("x"), nb::arg("out"), nb::arg("threads") = 1,
           nb::sig("def scores(self, x: typing.Any, out: typing.Any, threads: int = 1) -> None"),
           "Fills `out` (float64) with the scores of each row, one for each output.")
      .def("probabilities", &PythonModel::probabilities, nb::arg("x"), nb::arg("out"), nb::arg("threads") = 1,
           nb::sig("def probabilities(self, x: typing.Any, out: typing.Any, threads: int = 1) -> None"),
           "Fills `out` (float64) with the probabilities of each row, one for each class.")
      .def("deviations", &PythonModel::deviations, nb::arg("x"), nb::arg("out"), nb::arg("threads") = 1,
           nb::sig("def deviations(self, x: typing.Any, out: typing.Any, threads: int = 1) -> None"),
           "Fills `out` (float64) with the standard deviation of the prediction of each row (regression).")
      .def("support_vectors", &PythonModel::support_vectors, nb::arg("vectors"), nb::arg("coefficients"),
           nb::sig("def support_vectors(self, vectors: typing.Any, coefficients: typing.Any) -> None"),
           "Fills `vectors` (float32, in the units of the data) and `coefficients` (float64, outputs times vectors).")
      .def("stats", &PythonModel::stats, nb::sig("def stats(self) -> dict[str, typing.Any]"),
           "Statistics of the model: examples, support_vectors, memory_bytes, …")
      .def_prop_ro("labels", &PythonModel::labels, "The labels of the classes as text, by class number.")
      .def_prop_ro("options", &PythonModel::options, "All options, including values chosen from the data.")
      .def_prop_ro("settled_options", &PythonModel::settled_options,
                   "The options of the function that predicts: for a committee, those of its leader.")
      .def_prop_ro("requested_options", &PythonModel::requested_options,
                   "All options as requested; `auto` is not resolved.")
      .def("serialize", &PythonModel::serialize, "Returns the bytes of the model file.")
      .def_static(
          "deserialize",
          [](const nb::bytes& bytes, const std::string& name) {
            return new PythonModel(Model::deserialize(view_of(bytes), name));
          },
          nb::arg("bytes"), nb::arg("name") = "model", nb::rv_policy::take_ownership,
          "Loads a model from the bytes of serialize().")
      .def("save", &PythonModel::save, nb::arg("path"), "Saves the model file, completely or not at all.")
      .def_static(
          "load", [](const std::string& path) { return new PythonModel(Model::load(path)); }, nb::arg("path"),
          nb::rv_policy::take_ownership, "Loads a model from a file.")
      .def("compressed", &PythonModel::compressed, nb::arg("budget"), nb::arg("rounds"), nb::arg("threads"),
           nb::rv_policy::take_ownership,
           "Returns a model with at most `budget` support vectors, which can only predict.")
      .def("make_start", &PythonModel::make_start, nb::arg("keeps_coefficients") = false, nb::rv_policy::take_ownership,
           "Returns a start with the labels, scaling, metric and centres of this model, which has learned nothing.")
      .def_prop_ro("start", &PythonModel::start,
                   "The start that the model has learned from, 16 hex digits; empty: none.")
      .def_prop_ro("adds_up", &PythonModel::adds_up, "Whether it adds up with other models of its start.")
      .def_prop_ro("isa_of_start", &PythonModel::isa_of_start, "The instruction set that made the start.")
      .def_static("mix", &PythonModel::mix, nb::arg("models"), nb::arg("budget") = 0, nb::arg("rounds") = nb::none(),
                  nb::arg("threads") = 0, nb::arg("may_repeat") = false, nb::rv_policy::take_ownership,
                  nb::sig("def mix(models: list[bytes], budget: int = 0, rounds: int | None = None, threads: int = 0, "
                          "may_repeat: bool = False) -> Model"),
                  "One model of several, given as the bytes of serialize().")
      .def_static(
          "from_svc",
          [](const OptionTexts& kernel, const std::vector<std::string>& classes, const std::vector<std::size_t>& counts,
             nb::handle vectors, nb::handle coefficients, nb::handle biases,
             const std::vector<std::string>& feature_names) {
            return new PythonModel(
                model_from_svc(kernel, classes, counts, vectors, coefficients, biases, feature_names));
          },
          nb::arg("kernel"), nb::arg("classes"), nb::arg("counts"), nb::arg("vectors"), nb::arg("coefficients"),
          nb::arg("biases"), nb::arg("feature_names"), nb::rv_policy::take_ownership,
          nb::sig("def from_svc(kernel: dict[str, str], classes: list[str], counts: list[int], vectors: "
                  "typing.Any, coefficients: typing.Any, biases: typing.Any, feature_names: list[str]) -> Model"),
          "Converts a support vector machine to a model that can only predict.")
      .def("__getstate__", &PythonModel::serialize)
      .def("__setstate__", [](PythonModel& self, const nb::bytes& bytes) {
        new (&self) PythonModel(Model::deserialize(view_of(bytes), "the pickled model"));
      });
}

}  // namespace kinglet::python
