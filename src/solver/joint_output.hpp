// One output of a dual problem that is solved for all outputs together at the end of a pass: only its coefficients.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/dual_solver.hpp"

namespace kinglet {

class JointOutput final : public DualSolver {
 public:
  void append(double /*value*/) override { coefficients_.push_back(0); }
  void learn(ExampleStore&, std::size_t, double, double) override {}
  bool learns_at_end() const override { return true; }
  double coefficient(std::size_t slot) const override { return coefficients_[slot]; }
  void set_coefficient(std::size_t slot, double value) {
    if (coefficients_[slot] == value) return;
    coefficients_[slot] = value;
    note_change(slot);
  }
  void remove(std::size_t slot) override {
    coefficients_[slot] = coefficients_.back();
    coefficients_.pop_back();
  }
  std::size_t memory_bytes() const override { return coefficients_.capacity() * sizeof(double); }
  void save(StateWriter& out) const override { out.put_array(coefficients_); }
  void load(StateReader& in, std::size_t count) override {
    coefficients_ = in.get_array<double>();
    StateReader::require(coefficients_.size() == count, "a problem of the wrong size");
    StateReader::require(std::ranges::all_of(coefficients_, [](double v) { return std::isfinite(v); }),
                         "a value is not finite");
  }

 private:
  std::vector<double> coefficients_;  // by slot
};

}  // namespace kinglet
