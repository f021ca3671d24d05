// A fitted model in plain numbers. Export and compression start from it, and models of other programs are converted to
// it.
//
//   f_m(x) = Σ_j coefficients[j][m] k(x_j, s(x)) + biases[m]          m = 1 … functions
//
// where s is the scaling; the vectors x_j are already scaled. Scale factors, averages and thresholds of the learner and
// the scaling of targets are multiplied into the coefficients and biases.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/kernel.hpp"
#include "core/learner.hpp"
#include "core/shape.hpp"
#include "kinglet/source.hpp"
#include "learn/scaler.hpp"

namespace kinglet {

// How the values of the functions give a prediction.
//
//   value    the number f_1(x)                                            regression
//   sign     class 1 if f_1(x) ≥ 0, else class 0                          two classes, novelty detection
//   largest  the class whose function is largest; ties go to the first    one function per class
//   votes    one function per pair of classes a < b, in the order (0,1), (0,2), …, (1,2), …: a vote for a if f(x) > 0, else
//            for b; the class with most votes; ties go to the first       LIBSVM's one-versus-one
enum class Decision : std::uint8_t { value, sign, largest, votes };

struct FlatModel {
  TaskKind task = TaskKind::classify;
  Decision decision = Decision::sign;
  Kernel kernel;
  std::vector<std::string> labels;  // by class id; regression has none
  std::uint32_t dimension = 0;
  std::size_t functions = 1;
  std::vector<float> vectors;        // one vector after the other
  std::vector<double> coefficients;  // vector by vector, one per function
  std::vector<double> biases;        // by function

  // The scaling: (x − shift) · factor for standard and minmax, else empty. A missing value becomes `fillers` of its
  // feature (empty: zeros).
  ScaleKind scale = ScaleKind::none;
  std::vector<float> shift;
  std::vector<float> factor;
  std::vector<float> fillers;
  bool has_missing = false;  // whether values were missing in training

  Storage storage = Storage::dense;        // of a kinglet model
  std::optional<int> index_base;           // first index of the LIBSVM data that it was trained on
  std::shared_ptr<const Columns> columns;  // of the CSV data that it was trained on
  std::string origin;                      // where it came from, for people

  std::size_t size() const { return functions == 0 ? 0 : coefficients.size() / functions; }
  std::span<const float> vector(std::size_t j) const { return {&vectors[j * dimension], dimension}; }
  std::span<const double> row(std::size_t j) const { return {&coefficients[j * functions], functions}; }
  void append(std::span<const float> x, std::span<const double> row);
  bool is_shifted() const { return !shift.empty(); }
  std::size_t scores() const { return decision == Decision::votes ? labels.size() : functions; }  // that predict shows
};

// The number of functions for this decision and number of classes.
std::size_t functions_for(Decision decision, std::size_t classes);

// For the linear kernel: the same functions with one vector each, Σ_j α_jm x_j. For other kernels: a copy.
FlatModel collapse_linear(const FlatModel& plain);

// The votes for each class, from the values of the pair functions for one row.
void count_votes(std::span<const float> pairs, std::span<float> votes);

// Throws Error, with the name `what`, if parts are inconsistent or a number is not finite.
void check_flat(const FlatModel& plain, const std::string& what);

}  // namespace kinglet
