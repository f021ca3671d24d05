// The inverse of the kernel matrix compared with one computed by Eigen, while vectors are added and removed.
#include "expansion/gram_inverse.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <Eigen/Dense>
#include <vector>

#include "random_vectors.hpp"

namespace kinglet {
namespace {

const Kernel kGaussian{.kind = KernelKind::rbf, .gamma = 0.3};

Eigen::MatrixXd gram_of(const Vectors& vectors) {
  const auto n = static_cast<Eigen::Index>(vectors.size());
  Eigen::MatrixXd gram(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      gram(i, j) = kGaussian(Features::dense(vectors[static_cast<std::size_t>(i)]),
                             Features::dense(vectors[static_cast<std::size_t>(j)]));
    }
  }
  return gram;
}

// A support set, the inverse of its kernel matrix, and a list of the same vectors.
struct Following {
  std::unique_ptr<SupportSet> set;
  GramInverse inverse{13};
  Vectors vectors;

  Following() {
    const Shape shape{.dimension = 4, .classes = 2};
    set = make_support_set(kGaussian, shape, 13);
  }

  void include(const std::vector<float>& x) {
    const auto projection = inverse.project(*set, Features::dense(x), 1);
    set->append(Features::dense(x));
    inverse.include(projection.residual, vectors.size());
    vectors.push_back(x);
    inverse.look_after(*set);
  }
  void exclude(std::size_t slot) {
    inverse.exclude(slot, vectors.size());
    set->remove(slot);
    vectors[slot] = vectors.back();
    vectors.pop_back();
    inverse.look_after(*set);
  }
  // Adds x and then removes the vector in `slot`, which may be x itself. With `for_now`, x is included only
  // temporarily.
  void exchange(const std::vector<float>& x, std::size_t slot, bool for_now) {
    const auto projection = inverse.project(*set, Features::dense(x), 1);
    const std::size_t size = vectors.size();
    if (for_now) {
      inverse.include_for_now(projection.residual, size);
    } else {
      inverse.include(projection.residual, size);
    }
    set->append(Features::dense(x));
    vectors.push_back(x);
    exclude(slot);
  }
  double error() const {  // largest relative error of the diagonal
    const Eigen::MatrixXd expected = gram_of(vectors).inverse();
    double worst = 0;
    for (std::size_t j = 0; j < vectors.size(); ++j) {
      const double want = expected(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(j));
      worst = std::max(worst, std::abs(inverse.own(j) - want) / want);
    }
    return worst;
  }
};

TEST(GramInverse, FollowsTheVectorsThatComeAndGo) {
  Random random(1);
  Following following;
  for (int i = 0; i < 2000; ++i) {
    const std::size_t size = following.vectors.size();
    if (size == 13 || (size > 0 && random.coin(0.4))) {
      following.exclude(static_cast<std::size_t>(random.below(size)));
    } else {
      following.include(random_vector(random, 4, 2));
    }
    if (i % 10 == 0 && !following.vectors.empty()) {
      ASSERT_LE(following.error(), 1e-6) << i;
    }
  }
}

TEST(GramInverse, ProjectsAsADirectSolveDoes) {
  Random random(2);
  Following following;
  for (int i = 0; i < 12; ++i) following.include(random_vector(random, 4, 1.5));
  const Eigen::MatrixXd gram = gram_of(following.vectors);
  const std::vector<float> x = random_vector(random, 4, 1.5);
  Eigen::VectorXd row(12);
  for (Eigen::Index j = 0; j < 12; ++j) {
    row(j) = kGaussian(Features::dense(x), Features::dense(following.vectors[static_cast<std::size_t>(j)]));
  }
  const Eigen::VectorXd shares = gram.ldlt().solve(row);
  const auto projection = following.inverse.project(*following.set, Features::dense(x), 1);
  for (std::size_t j = 0; j < 12; ++j) EXPECT_NEAR(projection.shares[j], shares(static_cast<Eigen::Index>(j)), 1e-9);
  EXPECT_NEAR(projection.length, row.dot(shares), 1e-10);
  EXPECT_NEAR(projection.residual, 1 - row.dot(shares), 1e-10);

  // The projection of a vector of the set on the others is the same as if the vector had never been added.
  for (const std::size_t slot : {0U, 5U, 11U}) {
    Following without;
    for (std::size_t j = 0; j < 12; ++j) {
      if (j != slot) without.include(following.vectors[j]);
    }
    const auto expected = without.inverse.project(*without.set, Features::dense(following.vectors[slot]), 1);
    const auto got = following.inverse.project_out(slot, 12);
    EXPECT_NEAR(got.residual, expected.residual, 1e-9);
    for (std::size_t j = 0; j < 12; ++j) {
      if (j != slot) {
        EXPECT_NEAR(got.shares[j], expected.shares[j < slot ? j : j - 1], 1e-8);
      }
    }
  }
}

TEST(GramInverse, AnExchangeIsAnInclusionAndAnExclusion) {
  Random random(4);
  for (const std::size_t size : {1U, 7U, 8U, 9U, 12U}) {
    Following step_by_step, at_once;
    for (std::size_t i = 0; i < size; ++i) {
      const std::vector<float> x = random_vector(random, 4, 2);
      step_by_step.include(x);
      at_once.include(x);
    }
    for (int i = 0; i < 100; ++i) {
      const std::vector<float> x = random_vector(random, 4, 2);
      const auto slot = static_cast<std::size_t>(random.below(size + 1));
      step_by_step.exchange(x, slot, false);
      at_once.exchange(x, slot, true);
      ASSERT_LE(at_once.error(), 1e-6) << i;
      const std::vector<float> y = random_vector(random, 4, 2);
      const auto expected = step_by_step.inverse.project(*step_by_step.set, Features::dense(y), 1);
      const auto got = at_once.inverse.project(*at_once.set, Features::dense(y), 1);
      EXPECT_NEAR(got.residual, expected.residual, 1e-8);
      for (std::size_t j = 0; j < size; ++j) EXPECT_NEAR(got.shares[j], expected.shares[j], 1e-7);
    }
  }
}

TEST(GramInverse, AGuestCountsAsOneOfTheSet) {
  Random random(5);
  Following with, guest;
  for (int i = 0; i < 11; ++i) {
    const std::vector<float> x = random_vector(random, 4, 1.5);
    with.include(x);
    guest.include(x);
  }
  const std::vector<float> x = random_vector(random, 4, 1.5);
  with.include(x);
  guest.inverse.include_for_now(guest.inverse.project(*guest.set, Features::dense(x), 1).residual, 11);
  for (std::size_t slot = 0; slot < 12; ++slot) {
    EXPECT_NEAR(guest.inverse.own(slot), with.inverse.own(slot), 1e-9);
    const auto expected = with.inverse.project_out(slot, 12);
    const auto got = guest.inverse.project_out(slot, 12);
    EXPECT_NEAR(got.residual, expected.residual, 1e-9);
    for (std::size_t j = 0; j < 12; ++j) EXPECT_NEAR(got.shares[j], expected.shares[j], 1e-8);
  }
}

TEST(GramInverse, MendsItself) {
  Random random(3);
  Following following;
  for (int i = 0; i < 13; ++i) following.include(random_vector(random, 4, 2));
  StateWriter out;
  following.inverse.save(out);
  std::string state = out.bytes();
  // Changes row 3. The state consists of the number of steps, the length of the array, and the columns.
  for (std::size_t i = 0; i < 13; ++i) {
    double value = 0;
    char* at = &state[16 + (i * 13 + 3) * sizeof(double)];
    std::memcpy(&value, at, sizeof value);
    value += 0.01;
    std::memcpy(at, &value, sizeof value);
  }
  StateReader in(state);
  following.inverse.load(in);
  EXPECT_GT(following.error(), 1e-3);
  for (int i = 0; i < 64; ++i) following.inverse.look_after(*following.set);
  EXPECT_LE(following.error(), 1e-6);
}

TEST(GramInverse, StaysAsItIsWhereThereIsNone) {
  // This kernel is not positive definite, so the inverse cannot be recomputed and must not change.
  const auto set = make_support_set({.kind = KernelKind::sigmoid, .gamma = 1, .coef0 = -1}, {.dimension = 1}, 4);
  for (const float x : {2.0F, 0.0F, 1.0F}) set->append(Features::dense(std::vector<float>{x}));
  StateWriter out;
  out.put<std::uint64_t>(0);
  out.put_array(std::vector<double>{1, 2, 3, 0, 2, 5, 6, 0, 3, 6, 9, 0, 0, 0, 0, 0});
  GramInverse inverse(4);
  StateReader in(out.bytes());
  inverse.load(in);
  for (int i = 0; i < 64; ++i) inverse.look_after(*set);
  StateWriter after;
  inverse.save(after);
  EXPECT_EQ(after.bytes().substr(8), out.bytes().substr(8));  // after the number of steps
}

TEST(GramInverse, RefusesADamagedState) {
  GramInverse inverse(3);
  StateWriter out;
  inverse.save(out);
  const auto refused = [](std::string state) {
    GramInverse other(3);
    StateReader in(state);
    EXPECT_THROW(other.load(in), Error);
  };
  refused(out.bytes().substr(0, out.bytes().size() - 1));
  std::string infinite = out.bytes();
  const double infinity = std::numeric_limits<double>::infinity();
  std::memcpy(&infinite[16], &infinity, sizeof infinity);
  refused(infinite);
  StateWriter larger;
  GramInverse(4).save(larger);
  refused(larger.bytes());
}

}  // namespace
}  // namespace kinglet
