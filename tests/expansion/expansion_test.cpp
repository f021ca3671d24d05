// The expansion with its lazy scale against one written out in double precision.
#include "expansion/expansion.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <Eigen/Dense>
#include <limits>
#include <string>
#include <vector>

#include "random_vectors.hpp"

namespace kinglet {
namespace {

const Kernel kGaussian{.kind = KernelKind::rbf, .gamma = 0.3};

// f_c = Σ_j weights[j][c] k(vectors[j], ·), every number a double.
struct PlainExpansion {
  struct Entry {
    std::vector<double> x;
    std::vector<double> weights;
    std::uint64_t birth = 0;
  };
  double gamma = kGaussian.gamma;
  std::vector<Entry> terms;
  std::uint64_t born = 0;

  double kernel(const std::vector<double>& x, const std::vector<double>& z) const {
    double sum = 0;
    for (std::size_t f = 0; f < std::max(x.size(), z.size()); ++f) {
      const double difference = (f < x.size() ? x[f] : 0) - (f < z.size() ? z[f] : 0);
      sum += difference * difference;
    }
    return std::exp(-gamma * sum);
  }
  double evaluate(const std::vector<double>& x, std::size_t output, double& length) const {
    double sum = 0;
    for (const Entry& term : terms) {
      sum += term.weights[output] * kernel(term.x, x);
      length += std::abs(term.weights[output]) * kernel(term.x, x);
    }
    return sum;
  }
  // ‖f‖², and the sum of the absolute values that it is made of.
  double squared_norm(double& length) const {
    double sum = 0;
    for (const Entry& a : terms) {
      for (const Entry& b : terms) {
        const double k = kernel(a.x, b.x);
        for (std::size_t c = 0; c < a.weights.size(); ++c) {
          sum += a.weights[c] * b.weights[c] * k;
          length += std::abs(a.weights[c] * b.weights[c] * k);
        }
      }
    }
    return sum;
  }
  void remove(std::size_t slot) {
    terms[slot] = terms.back();
    terms.pop_back();
  }
  // The shares of the projection of k(x, ·) on the terms but `without`; a little ridge keeps near-duplicates harmless.
  Eigen::VectorXd shares(const std::vector<double>& x, std::size_t without) const {
    const auto n = static_cast<Eigen::Index>(terms.size());
    Eigen::MatrixXd gram(n, n);
    Eigen::VectorXd row(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) gram(i, j) = kernel(terms[i].x, terms[j].x);
      row(i) = kernel(terms[i].x, x);
    }
    if (without < terms.size()) {
      const auto p = static_cast<Eigen::Index>(without);
      gram.row(p).setZero();
      gram.col(p).setZero();
      gram(p, p) = 1;
      row(p) = 0;
    }
    return gram.ldlt().solve(row);
  }
};

// The expansion and its plain twin, changed together.
class Twins {
 public:
  Twins(std::size_t outputs, std::uint64_t seed, bool norm)
      : random_(seed), f_(kGaussian, {.dimension = 3, .classes = 2}, outputs, 8), norm_(norm) {
    if (norm) f_.keep_norm();
  }

  void append() {
    const std::vector<float> x = random_vector(random_, f_.set().dimension());
    const std::vector<double> weights = draw_weights();
    const AlignedFloats row = kernel_row(x);
    const std::size_t slot = f_.append({Features::dense(x), row.data(), 1, weights});
    ASSERT_EQ(slot, plain_.terms.size());
    plain_.terms.push_back({{x.begin(), x.end()}, weights, plain_.born++});
  }
  void remove(std::size_t slot) {
    f_.remove(slot);
    plain_.remove(slot);
  }
  void shrink(double factor) {
    f_.shrink(factor);
    largest_ever_ *= factor;
    for (auto& term : plain_.terms) {
      for (double& weight : term.weights) weight *= factor;
    }
  }
  void absorb() {
    const std::vector<float> x = random_vector(random_, f_.set().dimension());
    const std::vector<double> wide(x.begin(), x.end());
    const std::vector<double> weights = draw_weights();
    const Eigen::VectorXd shares = plain_.shares(wide, plain_.terms.size());
    double length = 0;
    for (std::size_t j = 0; j < plain_.terms.size(); ++j) {
      length += shares(static_cast<Eigen::Index>(j)) * plain_.kernel(plain_.terms[j].x, wide);
    }
    const AlignedFloats row = kernel_row(x);
    f_.absorb({Features::dense(x), row.data(), 1, weights}, {shares.data(), plain_.terms.size()}, length);
    for (std::size_t j = 0; j < plain_.terms.size(); ++j) {
      for (std::size_t c = 0; c < weights.size(); ++c) {
        plain_.terms[j].weights[c] += weights[c] * shares(static_cast<Eigen::Index>(j));
      }
    }
  }
  void project_out(std::size_t slot) {
    const auto gone = plain_.terms[slot];
    const Eigen::VectorXd shares = plain_.shares(gone.x, slot);
    double residual = 1;
    for (std::size_t j = 0; j < plain_.terms.size(); ++j) {
      if (j != slot) residual -= shares(static_cast<Eigen::Index>(j)) * plain_.kernel(plain_.terms[j].x, gone.x);
    }
    std::vector<double> given(shares.data(), shares.data() + shares.size());
    given[slot] = 1e9;  // not looked at
    f_.project_out(slot, given, residual);
    for (std::size_t j = 0; j < plain_.terms.size(); ++j) {
      for (std::size_t c = 0; c < gone.weights.size(); ++c)
        plain_.terms[j].weights[c] += gone.weights[c] * given[j] * (j != slot);
    }
    plain_.remove(slot);
  }
  void merge(std::size_t m, std::size_t n, double h) {
    const double kappa = plain_.kernel(plain_.terms[m].x, plain_.terms[n].x);
    f_.merge(m, n, kappa, h);
    auto& a = plain_.terms[m];
    const auto& b = plain_.terms[n];
    const double u = std::pow(kappa, (1 - h) * (1 - h));
    const double v = std::pow(kappa, h * h);
    for (std::size_t c = 0; c < a.weights.size(); ++c) a.weights[c] = u * a.weights[c] + v * b.weights[c];
    for (std::size_t i = 0; i < a.x.size(); ++i) a.x[i] = h * a.x[i] + (1 - h) * b.x[i];
    a.birth = std::min(a.birth, b.birth);
    if (m > n) std::swap(plain_.terms[m], plain_.terms[n]);
    plain_.remove(std::max(m, n));
  }
  // A new term that merges at once is as one that is appended and then merged.
  void merge_in(std::size_t n, double h) {
    const std::vector<float> x = random_vector(random_, f_.set().dimension());
    const std::vector<double> weights = draw_weights();
    const AlignedFloats row = kernel_row(x);
    const std::vector<double> wide(x.begin(), x.end());
    const double kappa = plain_.kernel(plain_.terms[n].x, wide);
    const Term term{Features::dense(x), row.data(), 1, weights};
    f_.merge_in(term, f_.stored(term), n, kappa, h);
    ++plain_.born;
    auto& b = plain_.terms[n];
    const double u = std::pow(kappa, (1 - h) * (1 - h));
    const double v = std::pow(kappa, h * h);
    for (std::size_t c = 0; c < weights.size(); ++c) b.weights[c] = u * weights[c] + v * b.weights[c];
    for (std::size_t i = 0; i < b.x.size(); ++i) b.x[i] = h * wide[i] + (1 - h) * b.x[i];
  }
  void grow(std::uint32_t dimension, std::size_t outputs) {
    for (auto& term : plain_.terms) {
      if (term.weights.size() == 1 && outputs > 1) term.weights = {-term.weights[0] / 2, term.weights[0] / 2};
      term.weights.resize(std::max(outputs, term.weights.size()));
      term.x.resize(std::max<std::size_t>(dimension, term.x.size()));
    }
    f_.grow({.dimension = dimension, .classes = 2}, outputs);
  }

  void step() {
    const auto action = random_.below(13);
    const std::size_t n = plain_.terms.size();
    if (action < 4 || n < 3) return append();
    const std::size_t slot = random_.below(n);
    if (action < 5) return remove(slot);
    if (action < 6) return absorb();
    if (action < 7) return project_out(slot);
    if (action < 9)
      return merge(slot, (slot + 1 + random_.below(n - 1)) % n, random_.coin(0.2) ? 0 : random_.uniform());
    if (action < 10) return merge_in(slot, random_.coin(0.2) ? 0 : random_.uniform());
    if (action < 12) return shrink(random_.coin(0.1) ? 1e-9 : 0.5 + random_.uniform() / 2);
    grow(f_.set().dimension() + static_cast<std::uint32_t>(random_.below(2)), f_.outputs());
  }

  void expect_same() {
    ASSERT_EQ(f_.size(), plain_.terms.size());
    if (f_.size() == 0) return;
    for (const auto& term : plain_.terms) {
      for (const double weight : term.weights) largest_ever_ = std::max(largest_ever_, std::abs(weight));
    }
    for (int i = 0; i < 5; ++i) {
      const std::vector<float> x = random_vector(random_, f_.set().dimension());
      const AlignedFloats row = kernel_row(x);
      std::vector<float> scores(f_.outputs());
      f_.evaluate(row.data(), scores.data());
      for (std::size_t c = 0; c < f_.outputs(); ++c) {
        double length = 0;
        const double want = plain_.evaluate({x.begin(), x.end()}, c, length);
        // Opposite weights that merge leave their rounding behind; below the least normal float there are no digits.
        ASSERT_NEAR(static_cast<double>(scores[c]), want,
                    1e-4 * length + 1e-6 * largest_ever_ + std::numeric_limits<float>::min());
      }
    }
    for (std::size_t j = 0; j < f_.size(); ++j) {
      double size = 0;
      for (std::size_t c = 0; c < f_.outputs(); ++c) {
        const double want = plain_.terms[j].weights[c];
        ASSERT_NEAR(f_.coefficient(j, c), want, 1e-4 * std::abs(want) + 1e-5 * largest_weight());
        size += f_.coefficient(j, c) * f_.coefficient(j, c);
      }
      ASSERT_EQ(f_.birth(j), plain_.terms[j].birth);
      ASSERT_NEAR(f_.scale() * f_.scale() * static_cast<double>(f_.sizes()[j]), size, 1e-5 * size + 1e-30);
    }
    if (!norm_) return;
    double length = 0;
    const double want = plain_.squared_norm(length);
    ASSERT_NEAR(f_.squared_norm(), want, 1e-4 * std::max(length, largest_norm_));
    largest_norm_ = std::max(largest_norm_ * 0.999, length);
  }

  Expansion& f() { return f_; }
  const PlainExpansion& plain() const { return plain_; }
  Random& random() { return random_; }

  AlignedFloats kernel_row(const std::vector<float>& x) {
    AlignedFloats row(f_.set().padded_size() + 16);
    const RowBlock block({x});
    f_.set().kernel_rows(block.rows(), row.data(), f_.set().padded_size());
    return row;
  }

 private:
  std::vector<double> draw_weights() {
    std::vector<double> weights(f_.outputs());
    for (double& weight : weights) weight = largest_weight() * random_.normal();
    if (random_.coin(0.2)) weights[0] = 0;
    return weights;
  }
  // New terms of the order of what is there, within reason: sizes are squares, and floats.
  double largest_weight() const {
    double largest = 0;
    for (const auto& term : plain_.terms) {
      for (const double weight : term.weights) largest = std::max(largest, std::abs(weight));
    }
    return std::clamp(largest, 1e-6, 1.0);
  }

  Random random_;
  Expansion f_;
  PlainExpansion plain_;
  bool norm_;
  double largest_norm_ = 0;
  double largest_ever_ = 0;  // the largest weight that was ever there, shrunk as f was since
};

RC_GTEST_PROP(Expansion, AgreesWithOneWrittenOutAfterAnyChanges, ()) {
  const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>());
  const bool norm = *rc::gen::noShrink(rc::gen::arbitrary<bool>());
  for (const std::size_t outputs : {1, 3}) {
    Twins twins(outputs, seed, norm);
    for (int i = 0; i < 60; ++i) {
      twins.step();
      twins.expect_same();
      RC_ASSERT(!testing::Test::HasFatalFailure());
    }
  }
}

TEST(Expansion, KeepsItsNumbersInRangeHoweverFarItIsShrunk) {
  Twins twins(1, 1, true);
  for (int i = 0; i < 10; ++i) twins.append();
  for (int i = 0; i < 500; ++i) {
    twins.shrink(0.7);  // 0.7^500 = 3e-78 in all
    if (i % 3 == 0) twins.append();
    if (twins.f().size() > 20) twins.remove(twins.f().oldest());
    EXPECT_GE(twins.f().scale(), 1e-13);
    twins.expect_same();
    if (HasFatalFailure()) return;
    if (i % 60 == 59) {
      while (twins.f().size() > 1) twins.remove(0);  // so that new terms start from the order of 1 again
      twins.remove(0);
    }
  }
}

TEST(Expansion, TermsOfOrdinarySizeFitHoweverSmallTheScale) {
  // A term of 1e7 beside a scale of 1e-11 is stored as 1e18.
  Expansion f(kGaussian, {.dimension = 1, .classes = 2}, 1, 8);
  const std::vector<float> x{0.5F};
  const std::vector<double> small{1.0};
  const std::vector<double> large{1e8};
  AlignedFloats row(16, 1.0F);
  f.append({Features::dense(x), row.data(), 1, small});
  f.shrink(2e-12);
  f.append({Features::dense(x), row.data(), 1, large});
  EXPECT_NEAR(f.coefficient(0, 0), 2e-12, 1e-17);
  EXPECT_NEAR(f.coefficient(1, 0), 1e8, 10);
}

TEST(Expansion, ACoefficientOutOfRangeIsAnErrorThatLeavesEverythingAsItWas) {
  Twins twins(2, 3, true);
  for (int i = 0; i < 8; ++i) twins.append();
  const std::vector<float> x(3, 0.1F);
  const AlignedFloats row = twins.kernel_row(x);
  for (const double huge : {1e40, 1e300, HUGE_VAL, std::nan("")}) {
    const std::vector<double> weights{1.0, huge};
    const std::vector<double> shares(8, 0.1);
    EXPECT_THROW(twins.f().append({Features::dense(x), row.data(), 1, weights}), Error);
    EXPECT_THROW(twins.f().absorb({Features::dense(x), row.data(), 1, weights}, shares, 0.5), Error);
    const std::vector<double> wild(8, huge);
    EXPECT_THROW(twins.f().project_out(2, wild, 0.5), Error);
    twins.expect_same();
    ASSERT_FALSE(HasFatalFailure());
  }
}

TEST(Expansion, AMergeOutOfRangeIsAnErrorThatLeavesEverythingAsItWas) {
  Expansion f(kGaussian, {.dimension = 1, .classes = 2}, 2, 8);
  const std::vector<float> x{0.5F};
  AlignedFloats row(16, 1.0F);
  const std::vector<double> weights{0.5, 0.9e18};
  f.append({Features::dense(x), row.data(), 1, weights});
  f.append({Features::dense(x), row.data(), 1, weights});
  EXPECT_THROW(f.merge(0, 1, 1, 0.5), Error);
  ASSERT_EQ(f.size(), 2U);
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_EQ(f.coefficient(j, 0), 0.5);
    EXPECT_NEAR(f.coefficient(j, 1), 0.9e18, 1e12);
  }
}

TEST(Expansion, SmallestIsTheOldestOfEquals) {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    Expansion f(kGaussian, {.dimension = 1, .classes = 2}, 1, 8);
    AlignedFloats row(1024, 0.0F);
    const std::size_t n = 1 + random.below(60);
    for (std::size_t i = 0; i < n + 10; ++i) {
      const std::vector<float> x{static_cast<float>(i)};
      const std::vector<double> weight{random.coin(0.5) ? 2.0 : random.coin(0.5) ? -2.0 : 3.0};
      f.append({Features::dense(x), row.data(), 1, weight});
    }
    for (int i = 0; i < 10; ++i) f.remove(random.below(f.size()));  // slots out of order
    std::size_t best = 0;
    for (std::size_t j = 1; j < f.size(); ++j) {
      const double here = std::abs(f.coefficient(j, 0)), there = std::abs(f.coefficient(best, 0));
      if (here < there || (here == there && f.birth(j) < f.birth(best))) best = j;
    }
    EXPECT_EQ(f.smallest(), best);
    std::size_t oldest = 0;
    for (std::size_t j = 1; j < f.size(); ++j) {
      if (f.birth(j) < f.birth(oldest)) oldest = j;
    }
    EXPECT_EQ(f.oldest(), oldest);
  }
}

TEST(Expansion, SizesAreMeasuredWithTheKernel) {
  Expansion f({.kind = KernelKind::linear}, {.dimension = 2, .classes = 2}, 1, 8);
  AlignedFloats row(16, 0.0F);
  const std::vector<float> long_one{10, 0}, short_one{0.1F, 0};
  const std::vector<double> small{1.0}, large{-5.0};
  f.append({Features::dense(long_one), row.data(), 100, small});    // 1 · 100
  f.append({Features::dense(short_one), row.data(), 0.01, large});  // 25 · 0.01
  EXPECT_EQ(f.smallest(), 1U);
}

TEST(Expansion, ProductsAreThoseOfTheWeights) {
  for (const std::size_t outputs : {1, 4}) {
    Twins twins(outputs, 5, false);
    for (int i = 0; i < 21; ++i) twins.append();
    twins.shrink(0.25);
    AlignedFloats products(32, -7.0F);
    for (std::size_t m = 0; m < 21; ++m) {
      twins.f().products(m, products.data());
      for (std::size_t n = 0; n < 21; ++n) {
        double want = 0;
        for (std::size_t c = 0; c < outputs; ++c) {
          want += static_cast<double>(twins.f().stored(m, c)) * static_cast<double>(twins.f().stored(n, c));
        }
        EXPECT_NEAR(static_cast<double>(products[n]), want, 1e-5);
      }
    }
  }
}

TEST(Expansion, NamesTheSlotsWhoseVectorsChanged) {
  Random random(6);
  for (int round = 0; round < 50; ++round) {
    Twins twins(1, 100 + static_cast<std::uint64_t>(round), false);
    for (int i = 0; i < 12; ++i) twins.append();
    Expansion& f = twins.f();
    f.forget_changes();
    std::vector<std::vector<float>> before(f.size(), std::vector<float>(3));
    for (std::size_t j = 0; j < f.size(); ++j) f.set().copy_to(j, before[j]);
    // What budget rules do: one term comes, one goes.
    twins.append();
    if (round % 3 == 0) {
      twins.remove(random.below(f.size()));
    } else if (round % 3 == 1) {
      const std::size_t m = random.below(f.size());
      twins.merge(m, (m + 1 + random.below(f.size() - 1)) % f.size(), random.uniform());
    } else {
      twins.project_out(random.below(f.size()));
    }
    for (std::size_t j = 0; j < f.size(); ++j) {
      std::vector<float> now(3);
      f.set().copy_to(j, now);
      const bool changed = now != before[j];
      const bool named = std::ranges::find(f.changed(), j) != f.changed().end();
      EXPECT_TRUE(!changed || named) << j;
    }
    for (const std::uint32_t slot : f.changed()) EXPECT_LT(slot, f.size());
  }
}

TEST(Expansion, BecomesOneOutputPerClassWithoutChangingTheMargins) {
  Twins twins(1, 7, true);
  for (int i = 0; i < 20; ++i) twins.append();
  twins.shrink(0.3);
  const std::vector<float> x{0.2F, -0.3F, 0.4F};
  const AlignedFloats row = twins.kernel_row(x);
  float binary = 0;
  twins.f().evaluate(row.data(), &binary);
  twins.grow(3, 3);
  float scores[5] = {};
  twins.f().evaluate(row.data(), scores);
  EXPECT_NEAR(scores[1] - scores[0], binary, 1e-6F);
  EXPECT_EQ(scores[2], 0.0F);
  twins.expect_same();
  twins.grow(4, 5);
  twins.expect_same();
  for (int i = 0; i < 40; ++i) twins.step();
  twins.expect_same();
}

TEST(Expansion, IsTheSameAfterSavingAndLoading) {
  for (const std::size_t outputs : {1, 3}) {
    // More vectors than there was room for at the beginning.
    Twins twins(outputs, 8, true);
    for (int i = 0; i < 200; ++i) twins.append();
    for (int i = 0; i < 30; ++i) twins.step();
    StateWriter out;
    twins.f().save(out);
    Expansion copy(kGaussian, {.dimension = twins.f().set().dimension(), .classes = 2}, outputs, 8);
    copy.keep_norm();
    StateReader in(out.bytes());
    copy.load(in);
    EXPECT_TRUE(in.at_end());
    StateWriter again;
    copy.save(again);
    EXPECT_EQ(again.bytes(), out.bytes());
    EXPECT_EQ(copy.smallest(), twins.f().smallest());
    EXPECT_EQ(copy.oldest(), twins.f().oldest());
    for (std::size_t j = 0; j < copy.size(); ++j) EXPECT_EQ(copy.sizes()[j], twins.f().sizes()[j]);
    const AlignedFloats row = twins.kernel_row(random_vector(twins.random(), copy.set().dimension()));
    std::vector<float> a(outputs), b(outputs);
    twins.f().evaluate(row.data(), a.data());
    copy.evaluate(row.data(), b.data());
    EXPECT_EQ(a, b);
  }
}

// Against the sum written out: the values of f at a few points, round after round, in double precision.
TEST(Expansion, KeepsTheAverageOfAllRoundsHoweverItShrinks) {
  for (const std::size_t outputs : {1, 3}) {
    for (const double shrink : {1.0, 0.9999, 0.99, 0.5}) {
      Random random(7);
      Expansion f(kGaussian, {.dimension = 2, .classes = 2}, outputs, 400);
      f.keep_average();
      const auto points = random_vectors(random, 6, 2);
      const std::size_t stride = 512;
      AlignedFloats rows(points.size() * stride);
      std::vector<double> sums(points.size() * outputs);
      std::vector<float> now(sums.size()), average(sums.size());
      double largest = 0;
      constexpr int kRounds = 3000;
      for (int t = 1; t <= kRounds; ++t) {
        f.set().kernel_rows(RowBlock(points).rows(), rows.data(), stride);
        f.evaluate_unscaled(rows.data(), stride, points.size(), now.data());
        for (std::size_t i = 0; i < sums.size(); ++i) {
          sums[i] += f.scale() * static_cast<double>(now[i]);
          largest = std::max(largest, std::abs(sums[i]));
        }
        f.begin_round();
        if (shrink != 1) f.shrink(shrink);
        if (random.coin(0.1)) {
          const auto x = random_vector(random, 2);
          AlignedFloats row(stride);
          f.set().kernel_rows(RowBlock({x}).rows(), row.data(), stride);
          std::vector<double> weights(outputs);
          for (double& weight : weights) weight = random.normal();
          f.append({Features::dense(x), row.data(), 1, weights});
        }
        if (t % 500 != 0) continue;
        f.set().kernel_rows(RowBlock(points).rows(), rows.data(), stride);
        f.evaluate_average(rows.data(), stride, points.size(), average.data());
        for (std::size_t i = 0; i < sums.size(); ++i) {
          ASSERT_NEAR(static_cast<double>(average[i]), sums[i] / t, 1e-5 * largest / t + 1e-6)
              << outputs << ' ' << shrink << ' ' << t;
        }
      }
    }
  }
}

// Vectors that have just come leave with the kernel row that they came with; older ones need a new one.
class ExpansionWithValues {
 public:
  explicit ExpansionWithValues(std::size_t outputs) : f_(make(outputs)) {}

  static Expansion make(std::size_t outputs) {
    Expansion f(kGaussian, {.dimension = 11, .classes = 2}, outputs, 8);
    f.keep_values();
    return f;
  }
  Expansion& f() { return f_; }

  void append(Random& random) {
    with_new_term(random, [&](const Term& term) { f_.append(term); });
  }
  void exchange(std::size_t slot, Random& random) {
    with_new_term(random, [&](const Term& term) { f_.exchange(slot, term); });
  }
  bool pass_through(Random& random) {
    bool passed = false;
    with_new_term(random, [&](const Term& term) { passed = f_.pass_through(term); });
    return passed;
  }
  // The newest is of age 0.
  std::size_t slot_by_age(std::size_t age) const {
    std::vector<std::size_t> slots(f_.size());
    for (std::size_t j = 0; j < slots.size(); ++j) slots[j] = j;
    std::ranges::sort(slots, [&](std::size_t i, std::size_t j) { return f_.birth(i) > f_.birth(j); });
    return slots[age];
  }
  // Of the slots the newest, those before it, or any.
  void remove(Random& random) {
    f_.remove(slot_by_age(random.below(std::min<std::size_t>(f_.size(), random.coin(0.8) ? 3 : 100))));
  }
  void expect_values() {
    std::vector<float> scores(f_.outputs());
    for (std::size_t j = 0; j < f_.size(); ++j) {
      AlignedFloats row(f_.set().padded_size());
      f_.set().kernel_row_of(j, row.data());
      f_.evaluate(row.data(), scores.data());
      for (std::size_t c = 0; c < f_.outputs(); ++c) {
        ASSERT_NEAR(f_.value(j, c), static_cast<double>(scores[c]), 2e-5) << j << ' ' << c;
      }
    }
  }
  std::string saved() const {
    StateWriter out;
    f_.save(out);
    return std::string(out.bytes().begin(), out.bytes().end());
  }

 private:
  template <class Act>
  void with_new_term(Random& random, Act act) {
    const std::vector<float> x = random_vector(random, 11);
    std::vector<double> weights;
    for (std::size_t c = 0; c < f_.outputs(); ++c) weights.push_back(random.normal());
    AlignedFloats row(f_.set().padded_size() + 16);
    f_.set().kernel_row(Features::dense(x), row.data());
    act({.x = Features::dense(x),
         .kernel_row = row.data(),
         .coefficients = weights,
         .label = random.coin(0.5) ? 1U : 0U});
  }

  Expansion f_;
};

TEST(Expansion, KeepsItsValuesWhoeverLeaves) {
  for (const std::size_t outputs : {1, 3}) {
    ExpansionWithValues twin(outputs);
    Random random(9);
    for (int i = 0; i < 400; ++i) {
      twin.append(random);
      if (twin.f().size() > 20 || random.coin(0.3)) twin.remove(random);
      if (random.coin(0.1)) twin.f().shrink(0.9);
      twin.expect_values();
    }
  }
}

// An exchange is an append and a removal: the same vectors in the same slots, and the values that belong to them.
TEST(Expansion, ExchangesOneVectorForAnother) {
  for (const std::size_t outputs : {1, 3}) {
    ExpansionWithValues one(outputs);
    ExpansionWithValues other(outputs);
    Random random(11);
    for (int i = 0; i < 30; ++i) {
      Random same = random;
      one.append(random);
      other.append(same);
    }
    for (int i = 0; i < 200; ++i) {
      if (random.coin(0.1)) {
        one.f().shrink(0.9);
        other.f().shrink(0.9);
      }
      const std::size_t slot = random.coin(0.7) ? one.slot_by_age(random.below(3)) : random.below(30);
      Random same = random;
      one.append(random);
      one.f().remove(slot);
      other.exchange(slot, same);
      other.expect_values();
      for (std::size_t j = 0; j < one.f().size(); ++j) {
        ASSERT_EQ(one.f().birth(j), other.f().birth(j));
        ASSERT_EQ(one.f().self_kernel(j), other.f().self_kernel(j));
        for (std::size_t c = 0; c < outputs; ++c) ASSERT_EQ(one.f().stored(j, c), other.f().stored(j, c));
      }
      ASSERT_EQ(one.f().changed().back(), other.f().changed().back());
    }
  }
}

// The margin that is found along with the values is that of a new search.
TEST(Expansion, KnowsItsLargestMarginWhateverChanges) {
  ExpansionWithValues twin(1);
  Random random(12);
  for (int i = 0; i < 400; ++i) {
    if (twin.f().size() < 40) {
      twin.append(random);
    } else {
      twin.exchange(twin.f().best_without_help().slot, random);
    }
    if (random.coin(0.3)) twin.remove(random);
    if (random.coin(0.1)) twin.f().shrink(random.coin(0.1) ? 1e-13 : 0.9);  // which folds the scale
    if (twin.f().size() == 0) continue;
    ExpansionWithValues fresh(1);
    StateWriter out;
    twin.f().save(out);
    StateReader in(out.bytes());
    fresh.f().load(in);
    ASSERT_EQ(twin.f().largest_margin(), fresh.f().largest_margin()) << i;
    ASSERT_EQ(twin.f().best_without_help().slot, fresh.f().best_without_help().slot) << i;
  }
}

// A term passes through where the one that leaves after it has entered is itself.
TEST(Expansion, LetsATermPassThatWouldLeaveAtOnce) {
  ExpansionWithValues twin(1);
  Random random(13);
  for (int i = 0; i < 20; ++i) twin.append(random);
  int passed = 0;
  for (int i = 0; i < 300; ++i) {
    ExpansionWithValues other(1);
    StateWriter out;
    twin.f().save(out);
    StateReader in(out.bytes());
    other.f().load(in);
    Random same = random;
    other.append(same);
    const bool leaves = other.f().best_without_help().slot == 20;
    ASSERT_EQ(twin.pass_through(random), leaves) << i;
    passed += leaves ? 1 : 0;
    if (!leaves) twin.exchange(twin.slot_by_age(random.below(20)), random);
  }
  EXPECT_GT(passed, 5);
  EXPECT_LT(passed, 295);
}

TEST(Expansion, GoesOnWithTheSameValuesAfterSavingAndLoading) {
  ExpansionWithValues one(2);
  Random random(10);
  for (int i = 0; i < 30; ++i) one.append(random);
  for (int i = 0; i < 40; ++i) {
    ExpansionWithValues other(2);
    StateWriter out;
    one.f().save(out);
    StateReader in(out.bytes());
    other.f().load(in);
    EXPECT_TRUE(in.at_end());
    Random same = random;
    for (ExpansionWithValues* f : {&one, &other}) {
      Random& own = f == &one ? random : same;
      f->append(own);
      f->remove(own);
    }
    ASSERT_EQ(one.saved(), other.saved()) << i;
  }
}

TEST(Expansion, MemoryIsKnownBeforehand) {
  for (const std::size_t capacity : {1, 16, 17, 100}) {
    Expansion f(kGaussian, {.dimension = 3, .classes = 5}, 5, capacity);
    EXPECT_EQ(f.memory_bytes(), Expansion::bytes(5, capacity, {}) + f.set().memory_bytes());
    f.keep_values();
    EXPECT_EQ(f.memory_bytes(), Expansion::bytes(5, capacity, {.values = true}) + f.set().memory_bytes());
  }
}

}  // namespace
}  // namespace kinglet
