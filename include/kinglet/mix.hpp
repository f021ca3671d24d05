// Combines models that were trained separately, for example on several machines.
//
//   kinglet::Model start = kinglet::make_start(sample_model);  // scaling, metric and centres, but nothing learned
//   start.save("start.kinglet");                               // every machine loads it and learns a part of the data
//   kinglet::Mixture all = kinglet::mix({&first, &second});    // as if one model had learned both parts
//
// Models of one start whose algorithm is `span` add up: exactly for regression, and weighed by their precision for
// classes, Λ = Λ₀ + Σ(Λ_i − Λ₀), W = Λ⁻¹ Σ Λ_i W_i. The sum can go on learning. Other models are averaged as functions,
// in proportion to the examples that they have learned, and the average is reduced to a budget (as by
// `kinglet compress`); it can only predict. They must have the same task, kernel, features and scaling, as models of
// one start have.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kinglet/model.hpp"

namespace kinglet {

// A start from a model that has learned a sample: its labels, scaling, metric and, for the algorithm `span`, its
// centres. Of what it has learned only the coefficients stay, if `keeps_coefficients` (algorithm `span`): models that
// learn from it go on from there with the uncertainty of the prior, for a second round over the same data in which no
// row counts twice.
Model make_start(const Model& model, bool keeps_coefficients = false);

// The default number of rounds that move the vectors of a reduced model, here and by `kinglet compress`.
inline constexpr std::size_t kDefaultRounds = 60;

struct MixOptions {
  // Of an average; a sum keeps the centres of its start, so mix() refuses them there.
  std::size_t budget = 0;             // 0: the largest of the models
  std::optional<std::size_t> rounds;  // as for `kinglet compress`; nullopt: kDefaultRounds

  unsigned threads = 0;            // 0: all cores; the result does not depend on it
  bool may_repeat = false;         // whether the same model may be given twice, so that its examples count twice
  std::vector<std::string> names;  // of the models, for errors; empty: model 1, model 2, …
  std::function<bool()> stopped = {};
  std::function<void(const std::string&, double)> progress = {};  // name of the current step, and progress from 0 to 1
};

struct Mixture {
  Model model;
  bool is_sum = false;             // else an average
  std::size_t vectors_before = 0;  // of an average, before it was reduced
  double norm = 0;                 // of an average that was reduced: ‖f‖, and how far the result is from it
  double distance = 0;
  bool stopped = false;  // then the model is not reduced
};

// The result does not depend on the order of the models, to the last bit. Throws Error, with the reason, for models
// that cannot be mixed.
Mixture mix(std::span<const Model* const> models, const MixOptions& options = {});
inline Mixture mix(std::initializer_list<const Model*> models, const MixOptions& options = {}) {
  return mix(std::span(models.begin(), models.size()), options);
}

}  // namespace kinglet
