#include "solver/batch_svm.hpp"

#include <algorithm>
#include <cmath>

#include "kinglet/error.hpp"

namespace kinglet {
namespace {

BatchSolver& installed_solver() {
  static BatchSolver solver = nullptr;
  return solver;
}

[[noreturn]] void refuse_weight() {
  throw Error(
      "svm supports one weight per class, and with more than two classes only equal weights: use idsvm or lasvm for "
      "others");
}

}  // namespace

void install_batch_solver(BatchSolver solver) { installed_solver() = solver; }

std::string missing_batch_solver() {
  if (installed_solver() != nullptr) return "";
  return "svm is part of the kinglet command, which trains it with LIBSVM; the library only loads its models and "
         "predicts with them";
}

// One class against the rest: all examples of a sign have the same C in LIBSVM.
void BatchSvm::require_learnable(double y, double box) const {
  if (known_box(y) != 0 && known_box(y) != box) refuse_weight();
}

void BatchSvm::append(double /*value*/) {
  signs_.push_back(0);
  boxes_.push_back(0);
  coefficients_.push_back(0);
}

void BatchSvm::learn(ExampleStore&, std::size_t slot, double y, double box) {
  signs_[slot] = y;
  boxes_[slot] = box;
  known_box(y) = box;
}

double BatchSvm::box_of(double sign) const {
  double box = 0;
  for (std::size_t i = 0; i < signs_.size(); ++i) {
    if (signs_[i] != sign) continue;
    if (box != 0 && boxes_[i] != box) refuse_weight();
    box = boxes_[i];
  }
  return box;
}

bool BatchSvm::has(double sign) const { return std::ranges::find(signs_, sign) != signs_.end(); }

void BatchSvm::finish(ExampleStore& store) {
  // Everything that may throw comes before the first change.
  const std::string missing = missing_batch_solver();
  if (!missing.empty()) throw Error(missing);
  const BatchProblem problem{.set = store.set(),
                             .signs = signs_,
                             .positive_box = box_of(1),
                             .negative_box = box_of(-1),
                             .tolerance = tolerance_,
                             .cache_bytes = cache_bytes_};
  const bool is_solvable = has(1) && has(-1);
  BatchSolution solution;
  if (is_solvable) solution = installed_solver()(problem);
  for (std::size_t i = 0; i < signs_.size(); ++i) note_change(i);
  if (!is_solvable) {
    std::ranges::fill(coefficients_, 0.0);
    bias_ = has(1) ? 1 : has(-1) ? -1 : 0;
    return;
  }
  coefficients_ = std::move(solution.coefficients);
  bias_ = solution.bias;
}

void BatchSvm::remove(std::size_t slot) {
  for (std::vector<double>* array : {&signs_, &boxes_, &coefficients_}) {
    (*array)[slot] = array->back();
    array->pop_back();
  }
}

std::size_t BatchSvm::memory_bytes() const {
  return (signs_.capacity() + boxes_.capacity() + coefficients_.capacity()) * sizeof(double);
}

void BatchSvm::save(StateWriter& out) const {
  for (const std::vector<double>* array : {&signs_, &boxes_, &coefficients_}) out.put_array(*array);
  out.put(bias_);
}

void BatchSvm::load(StateReader& in, std::size_t count) {
  for (std::vector<double>* array : {&signs_, &boxes_, &coefficients_}) {
    *array = in.get_array<double>();
    StateReader::require(array->size() == count, "a problem of the wrong size");
    StateReader::require(std::ranges::all_of(*array, [](double v) { return std::isfinite(v); }),
                         "a value is not finite");
  }
  bias_ = in.get<double>();
  StateReader::require(std::isfinite(bias_), "the bias is not a number");
  const auto is_sign = [](double sign) { return sign == 1 || sign == -1 || sign == 0; };
  StateReader::require(std::ranges::all_of(signs_, is_sign), "an invalid sign");
  StateReader::require(std::ranges::all_of(boxes_, [](double box) { return box >= 0; }), "an invalid box");
  for (std::size_t i = 0; i < count; ++i) {
    if (signs_[i] != 0) known_box(signs_[i]) = boxes_[i];
  }
}

}  // namespace kinglet
