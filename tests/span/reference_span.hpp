// A learner in the span of centres as its formulas say, in double precision: the whole covariance, one example at a
// time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/kernel.hpp"
#include "core/learner.hpp"
#include "random_vectors.hpp"
#include "span/span_learner.hpp"

namespace kinglet {

class ReferenceSpan {
 public:
  using Row = std::vector<double>;

  ReferenceSpan(const Kernel& kernel, const SpanSettings& settings, std::size_t outputs)
      : kernel_(kernel), settings_(settings), w(outputs) {}

  std::size_t size() const { return centres.size(); }
  double ridge(const std::vector<float>& z) const {
    const double own = kernel_(Features::dense(z), Features::dense(z));
    return settings_.prior.ridge * (own > 0 ? own : 1);
  }
  Row kernel_row(const std::vector<float>& x) const {
    Row k;
    for (const auto& z : centres) k.push_back(kernel_(Features::dense(z), Features::dense(x)));
    return k;
  }
  // (K + εD)⁻¹ b by elimination.
  Row solve(Row b) const {
    const std::size_t n = size();
    std::vector<Row> m;
    for (std::size_t i = 0; i < n; ++i) {
      m.push_back(kernel_row(centres[i]));
      m[i][i] += ridge(centres[i]);
    }
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t i = p + 1; i < n; ++i) {
        const double factor = m[i][p] / m[p][p];
        for (std::size_t j = p; j < n; ++j) m[i][j] -= factor * m[p][j];
        b[i] -= factor * b[p];
      }
    }
    for (std::size_t p = n; p-- > 0;) {
      for (std::size_t j = p + 1; j < n; ++j) b[p] -= m[p][j] * b[j];
      b[p] /= m[p][p];
    }
    return b;
  }
  // S ← [S + aaᵀ/(λδ), −a/(λδ); ·, 1/(λδ)]
  void add_centre(const std::vector<float>& z) {
    const Row k = kernel_row(z);
    const Row a = solve(k);
    double distance = kernel_(Features::dense(z), Features::dense(z)) + ridge(z);
    for (std::size_t i = 0; i < size(); ++i) distance -= k[i] * a[i];
    const double own = 1 / (settings_.prior.precision * distance);
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t j = 0; j < size(); ++j) s[i][j] += a[i] * a[j] * own;
      s[i].push_back(-a[i] * own);
    }
    s.emplace_back();
    for (std::size_t i = 0; i < size(); ++i) s.back().push_back(-a[i] * own);
    s.back().push_back(own);
    centres.push_back(z);
    for (Row& output : w) output.push_back(0);
  }
  // W ← W_rest + a W_z,  S ← [I a] S [I a]ᵀ
  void remove_centre(std::size_t z) {
    const std::vector<float> gone = centres[z];
    const Row w_z = [&] {
      Row values;
      for (const Row& output : w) values.push_back(output[z]);
      return values;
    }();
    const std::vector<Row> old = s;
    const auto without = [&](auto list) {
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(z));
      return list;
    };
    centres = without(centres);
    for (Row& output : w) output = without(output);
    s = without(s);
    for (Row& row : s) row = without(row);
    const Row a = solve(kernel_row(gone));
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t j = 0; j < size(); ++j) {
        const std::size_t was_i = i + (i >= z ? 1 : 0), was_j = j + (j >= z ? 1 : 0);
        s[i][j] += a[i] * old[z][was_j] + old[was_i][z] * a[j] + a[i] * old[z][z] * a[j];
      }
      for (std::size_t c = 0; c < w.size(); ++c) w[c][i] += a[i] * w_z[c];
    }
  }

  Row scores(const std::vector<float>& x) const {
    const Row k = kernel_row(x);
    Row f;
    for (const Row& output : w) f.push_back(dot(output, k));
    return f;
  }
  double variance(const std::vector<float>& x) const { return dot(kernel_row(x), times(kernel_row(x))); }

  void learn(const std::vector<float>& x, ClassId label, double weight) {
    const Row k = kernel_row(x), f = scores(x), h = times(k);
    const double v = dot(k, h), r = settings_.noise / weight;
    if (settings_.kind.rule == SpanRule::squares) {
      for (std::size_t c = 0; c < w.size(); ++c) {
        const bool own = w.size() == 1 ? label == 1 : label == c;
        step(c, ((own ? 1 : -1) - f[c]) / (v + r), h);
      }
      return observe(h, v + r);
    }
    ClassId rival = label == 0 ? 1 : 0;
    for (ClassId c = 0; c < f.size() && f.size() > 1; ++c) {
      if (c != label && f[c] > f[rival]) rival = c;
    }
    const double sign = label == 1 ? 1 : -1;
    const double margin = w.size() == 1 ? sign * f[0] : f[label] - f[rival];
    if (margin >= 1) return;
    const bool gradient = settings_.kind.rule == SpanRule::gradient;
    const double along = gradient        ? settings_.rate * weight * settings_.prior.precision
                         : w.size() == 1 ? (1 - margin) / (v + r)
                                         : (1 - margin) / (2 * v + r);
    if (w.size() == 1) {
      step(0, sign * along, h);
    } else {
      step(label, along, h);
      step(rival, -along, h);
    }
    if (!gradient) observe(h, w.size() == 1 ? v + r : 2 * (v + r));
  }
  void learn_number(const std::vector<float>& x, double y, double weight) {
    const Row k = kernel_row(x), h = times(k);
    const double error = y - scores(x)[0], v = dot(k, h), r = settings_.noise / weight;
    if (settings_.kind.rule == SpanRule::gradient) {
      return step(0, settings_.rate * weight * settings_.prior.precision * error, h);
    }
    step(0, error / (v + r), h);
    observe(h, v + r);
  }

  static double dot(const Row& a, const Row& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }

 private:
  Row times(const Row& k) const {
    Row h;
    for (const Row& row : s) h.push_back(dot(row, k));
    return h;
  }
  void step(std::size_t c, double by, const Row& h) {
    for (std::size_t i = 0; i < size(); ++i) w[c][i] += by * h[i];
  }
  void observe(const Row& h, double divisor) {
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t j = 0; j < size(); ++j) s[i][j] -= h[i] * h[j] / divisor;
    }
  }

  Kernel kernel_;
  SpanSettings settings_;

 public:
  std::vector<std::vector<float>> centres;
  std::vector<Row> w;  // by output
  std::vector<Row> s;
};

}  // namespace kinglet
