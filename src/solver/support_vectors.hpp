// The support vectors of a dual learner: copies of the examples with a nonzero coefficient, used for prediction.
#pragma once

#include <span>
#include <vector>

#include "expansion/support_set.hpp"
#include "kinglet/stats.hpp"

namespace kinglet {

class SupportVectors {
 public:
  SupportVectors(const Kernel& kernel, const Shape& shape, std::size_t outputs);

  std::size_t size() const { return set_->size(); }
  std::size_t outputs() const { return outputs_; }
  const SupportSet& set() const { return *set_; }

  SupportVector vector(std::size_t i) const;

  // Sets the coefficients of the example in `slot` of the store, one per output.
  void set(std::size_t slot, const SupportSet& examples, std::span<const double> coefficients);
  void set_bias(std::size_t output, double bias) { biases_[output] = bias; }
  double bias(std::size_t output) const { return biases_[output]; }
  // The store moved its last example from `from` to `slot`, whose previous example had no coefficients.
  void move(std::size_t from, std::size_t slot);

  // f_c(x) without bias, in double precision; the kernel values stay in row().
  void evaluate(const Features& x, std::span<double> out);
  std::span<const float> row() const { return {row_.data(), size()}; }
  std::span<const std::uint32_t> slots() const { return slots_; }  // slot of each support vector in the store

  // Scores of many rows, single precision, any number of threads.
  void scores(const Rows& rows, std::span<float> out) const;

  void grow(const Shape& shape);
  void begin_anew(std::size_t outputs);  // removes all vectors
  // One score for up to two classes, else one per class.
  static std::size_t outputs_for(std::uint32_t classes) { return classes <= 2 ? 1 : classes; }
  std::size_t memory_bytes() const;
  // Upper bound of the memory besides the vectors, for this many vectors and slots of the store.
  static std::size_t bytes(std::size_t outputs, std::size_t count, std::size_t slots);

 private:
  void reserve(std::size_t capacity);

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  Kernel kernel_;
  Shape shape_;
  std::unique_ptr<SupportSet> set_;
  std::size_t outputs_;
  std::size_t stride_ = 0;
  AlignedFloats coefficients_;  // output after output, stride_ apart
  std::vector<double> exact_;   // likewise
  std::vector<double> biases_;
  std::vector<std::uint32_t> slots_;  // of the store, by index
  std::vector<std::uint32_t> index_;  // by slot of the store; kNone: not a support vector
  std::vector<float> vector_;         // scratch
  AlignedFloats row_;
};

}  // namespace kinglet
