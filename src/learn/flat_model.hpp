// A fitted model in plain numbers: what every way out of kinglet (export, compress) starts from, and what a model of
// another program becomes.
//
//   f_m(x) = Σ_j coefficients[j][m] k(x_j, s(x)) + biases[m]          m = 1 … functions
//
// where s is the scaling and the vectors x_j are scaled already. Scale factors, averages over the stream and thresholds of
// the learner are part of the coefficients and biases.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/kernel.hpp"
#include "core/learner.hpp"
#include "learn/scaler.hpp"

namespace kinglet {

// What the functions say together.
//
//   value    the number f_1(x)                                            regression
//   sign     class 1 where f_1(x) ≥ 0, else class 0                       two classes, novelty
//   largest  the class whose function is largest, the first of equals     one function for each class
//   votes    one function for each pair of classes a < b, in the order (0,1), (0,2), …, (1,2), …: a vote for a where
//            f(x) > 0, else for b; the class with most votes, the first of equals     LIBSVM's one-versus-one
enum class Decision : std::uint8_t { value, sign, largest, votes };

struct FlatModel {
  TaskKind task = TaskKind::classify;
  Decision decision = Decision::sign;
  Kernel kernel;
  std::vector<std::string> labels;  // by class id; regression has none
  std::uint32_t dimension = 0;
  std::size_t functions = 1;
  std::vector<float> vectors;        // vector after vector
  std::vector<double> coefficients;  // vector after vector, one for each function
  std::vector<double> biases;        // by function

  // The scaling: (x − shift) · factor for standard and minmax, else empty. A missing value becomes `fillers` of its
  // feature (empty: zeros).
  ScaleKind scale = ScaleKind::none;
  std::vector<float> shift;
  std::vector<float> factor;
  std::vector<float> fillers;
  bool has_missing = false;  // whether values were missing in training

  bool sparse = false;            // the form that a kinglet model keeps its vectors in
  std::optional<int> index_base;  // of LIBSVM data that go with it
  std::string origin;             // where it came from, for people

  std::size_t size() const { return functions == 0 ? 0 : coefficients.size() / functions; }
  std::span<const float> vector(std::size_t j) const { return {&vectors[j * dimension], dimension}; }
  std::span<const double> row(std::size_t j) const { return {&coefficients[j * functions], functions}; }
  void append(std::span<const float> x, std::span<const double> row);
  bool is_shifted() const { return !shift.empty(); }
  std::size_t scores() const { return decision == Decision::votes ? labels.size() : functions; }  // that predict shows
};

// How many functions a decision over so many classes needs.
std::size_t functions_for(Decision decision, std::size_t classes);

// The same functions with one vector for each: Σ_j α_jm x_j. Of any other kernel than the linear one, a copy.
FlatModel collapse_linear(const FlatModel& plain);

// The votes that one row's values of the functions for pairs give to each class.
void count_votes(std::span<const float> pairs, std::span<float> votes);

// Throws Error, `what` being the name of the thing: parts that do not go together, or a number that is none.
void check_flat(const FlatModel& plain, const std::string& what);

}  // namespace kinglet
