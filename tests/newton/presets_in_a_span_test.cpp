// NOGD and KRLS against plain versions of their papers' algorithms in double precision, and the error bars of
// regression.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "kinglet/error.hpp"
#include "kinglet/model.hpp"
#include "kinglet/registry.hpp"
#include "kinglet/source.hpp"
#include "learn/make_learner.hpp"
#include "span/span_test.hpp"

namespace kinglet {
namespace {

const Kernel kRbf{.kind = KernelKind::rbf, .gamma = 0.2};

Options complete(const char* algo, const Options& more) {
  Options given{{"algo", algo}, {"gamma", "0.2"}};
  for (const auto& [name, value] : more.all()) given.set(name, value);
  return complete_options(given);
}

double difference(std::span<const float> scores, const std::vector<double>& f) {
  double worst = 0;
  for (std::size_t c = 0; c < f.size(); ++c) {
    worst = std::max(worst, std::abs(f[c] - static_cast<double>(scores[c])) / (1 + std::abs(f[c])));
  }
  return worst;
}

TEST(Nogd, DescendsInTheSpanOfTheFirstViolators) {
  for (const std::uint32_t classes : {0U, 2U, 3U}) {
    const SpanStream stream(400, 4, classes, 1);
    const Options options =
        complete("nogd", {{"budget", "20"}, {"eta", "0.3"}, {"task", classes == 0 ? "regress" : "classify"}});
    const auto learner = make_learner(options, {.dimension = 4, .classes = classes});
    ReferenceSpan plain(kRbf, SpanSettings{.kind = {SpanRule::gradient}, .rate = 0.3}, learner->outputs());
    const RowBlock block(stream.x);
    std::vector<float> before(stream.x.size() * learner->outputs());
    learner->learn_batch(block.rows(), stream.targets(classes == 0), {}, {{}, before});
    for (std::size_t i = 0; i < stream.x.size(); ++i) {
      const auto f = plain.size() == 0 ? std::vector<double>(learner->outputs()) : plain.scores(stream.x[i]);
      ASSERT_LT(difference(std::span(before).subspan(i * f.size(), f.size()), f), 1e-3) << i;
      const ClassId label = stream.labels[i];
      if (plain.size() == 20) {
        if (classes == 0) {
          plain.learn_number(stream.x[i], static_cast<double>(stream.numbers[i]), 1);
        } else {
          plain.learn(stream.x[i], label, 1);
        }
        continue;
      }
      ClassId rival = label == 0 ? 1 : 0;  // kernel gradient descent
      for (ClassId c = 0; c < f.size() && f.size() > 1; ++c) {
        if (c != label && f[c] > f[rival]) rival = c;
      }
      const double sign = label == 1 ? 1 : -1;
      if (classes == 0) {
        plain.add_centre(stream.x[i]);
        plain.w[0].back() = 0.3 * (static_cast<double>(stream.numbers[i]) - f[0]);
      } else if (classes == 2 && sign * f[0] < 1) {
        plain.add_centre(stream.x[i]);
        plain.w[0].back() = 0.3 * sign;
      } else if (classes == 3 && f[label] - f[rival] < 1) {
        plain.add_centre(stream.x[i]);
        plain.w[label].back() = 0.3;
        plain.w[rival].back() = -0.3;
      }
    }
    EXPECT_EQ(learner->stats().support_vectors, 20u);
  }
}

TEST(Krls, LearnsBySquaresInTheSpanOfIndependentExamples) {
  for (const std::uint32_t classes : {0U, 2U, 3U}) {
    const SpanStream stream(400, 4, classes, 2);
    const Options options =
        complete("krls", {{"budget", "25"}, {"dependence", "0.1"}, {"task", classes == 0 ? "regress" : "classify"}});
    const auto learner = make_learner(options, {.dimension = 4, .classes = classes});
    const SpanSettings settings{.kind = {SpanRule::squares}, .noise = 1};
    ReferenceSpan plain(kRbf, settings, learner->outputs());
    const RowBlock block(stream.x);
    std::vector<float> before(stream.x.size() * learner->outputs());
    learner->learn_batch(block.rows(), stream.targets(classes == 0), {}, {{}, before});
    double worst = 0;
    for (std::size_t i = 0; i < stream.x.size(); ++i) {
      const auto f = plain.size() == 0 ? std::vector<double>(learner->outputs()) : plain.scores(stream.x[i]);
      worst = std::max(worst, difference(std::span(before).subspan(i * f.size(), f.size()), f));
      if (plain.size() < 25) {
        const double explained =
            ReferenceSpan::dot(plain.kernel_row(stream.x[i]),
                               plain.size() == 0 ? ReferenceSpan::Row{} : plain.solve(plain.kernel_row(stream.x[i])));
        if (1 - explained > 0.1) plain.add_centre(stream.x[i]);
      }
      if (classes == 0) {
        plain.learn_number(stream.x[i], static_cast<double>(stream.numbers[i]), 1);
      } else {
        plain.learn(stream.x[i], stream.labels[i], 1);
      }
    }
    EXPECT_LT(worst, 0.01) << classes;
    EXPECT_EQ(learner->stats().support_vectors, plain.size());
  }
}

// The algorithm of the paper, table 1, without a prior: K̃⁻¹, P and α̃ over the dictionary.
class EngelKrls {
 public:
  using Row = std::vector<double>;
  explicit EngelKrls(double nu) : nu_(nu) {}
  double value(const std::vector<float>& x) const { return ReferenceSpan::dot(alpha_, row(x)); }
  void learn(const std::vector<float>& x, double y) {
    const Row k = row(x);
    Row a(k.size());
    for (std::size_t i = 0; i < k.size(); ++i) a[i] = ReferenceSpan::dot(inverse_[i], k);
    const double delta = 1 - ReferenceSpan::dot(k, a);
    const double error = y - ReferenceSpan::dot(alpha_, k);
    if (dictionary_.empty() || delta > nu_) {
      grow(inverse_, a, 1 / delta, -1 / delta);
      grow(p_, Row(a.size()), 1, 0);
      for (std::size_t i = 0; i < a.size(); ++i) alpha_[i] -= a[i] / delta * error;
      alpha_.push_back(error / delta);
      dictionary_.push_back(x);
      return;
    }
    Row pa(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) pa[i] = ReferenceSpan::dot(p_[i], a);
    const double scale = 1 + ReferenceSpan::dot(a, pa);
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < a.size(); ++j) p_[i][j] -= pa[i] * pa[j] / scale;
    }
    for (std::size_t i = 0; i < a.size(); ++i) alpha_[i] += error / scale * ReferenceSpan::dot(inverse_[i], pa);
  }
  std::size_t size() const { return dictionary_.size(); }

 private:
  // [M + aaᵀ·own, a·side; ·, own]
  static void grow(std::vector<Row>& m, const Row& a, double own, double side) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < a.size(); ++j) m[i][j] += a[i] * a[j] * own;
      m[i].push_back(a[i] * side);
    }
    m.emplace_back();
    for (const double share : a) m.back().push_back(share * side);
    m.back().push_back(own);
  }
  Row row(const std::vector<float>& x) const {
    Row k;
    for (const auto& z : dictionary_) k.push_back(kRbf(Features::dense(z), Features::dense(x)));
    return k;
  }

  double nu_;
  Vectors dictionary_;
  std::vector<Row> inverse_, p_;
  Row alpha_;
};

TEST(Krls, IsThePapersWithoutAPrior) {
  const SpanStream stream(300, 3, 0, 3);
  const Options options = complete(
      "krls", {{"task", "regress"}, {"budget", "100"}, {"dependence", "0.05"}, {"prior", "1e-5"}, {"ridge", "1e-6"}});
  const auto learner = make_learner(options, {.dimension = 3, .classes = 0});
  EngelKrls paper(0.05);
  for (std::size_t i = 0; i < 300; ++i) {
    learner->learn({Features::dense(stream.x[i]), kNoClass, 1, stream.numbers[i]});
    paper.learn(stream.x[i], static_cast<double>(stream.numbers[i]));
  }
  EXPECT_EQ(learner->stats().support_vectors, paper.size());
  for (std::size_t i = 0; i < 300; ++i) {
    EXPECT_NEAR(learner->predict(Features::dense(stream.x[i])).score, paper.value(stream.x[i]), 0.03);
  }
}

// --- error bars ------------------------------------------------------------------------------------------------------

Batch friedman(std::size_t rows, int seed) {
  const auto source =
      open_source("gen:friedman?n=" + std::to_string(rows) + "&seed=" + std::to_string(seed), {.numeric_labels = true});
  Batch all, part;
  while (source->next(part)) {
    all.dimension = part.dimension;
    const Rows view = part.features();
    for (std::size_t i = 0; i < view.count; ++i) {
      all.values.insert(all.values.end(), view[i].values, view[i].values + part.dimension);
      all.targets.push_back(part.targets[i]);
      all.labels.push_back(kNoLabel);
    }
  }
  return all;
}

TEST(ErrorBars, CoverAsManyResidualsAsTheyShould) {
  for (const char* algo : {"bnewton", "krls"}) {
    Model model({{"algo", algo}, {"task", "regress"}, {"budget", "200"}});
    model.learn(friedman(10'000, 1));
    model.end_pass();
    ASSERT_TRUE(model.gives_deviations());
    const Batch test = friedman(4000, 2);
    const Predictions predictions = model.predict(test);
    const RowValues deviations = model.deviations(test);
    std::size_t inside = 0, inside_two = 0;
    for (std::size_t i = 0; i < test.rows(); ++i) {
      const float error = std::abs(predictions.rows[i].score - test.targets[i]);
      inside += error < deviations[i][0] ? 1 : 0;
      inside_two += error < 2 * deviations[i][0] ? 1 : 0;
    }
    const auto share = [&](std::size_t count) { return static_cast<double>(count) / static_cast<double>(test.rows()); };
    EXPECT_NEAR(share(inside), 0.68, 0.05) << algo;
    EXPECT_NEAR(share(inside_two), 0.95, 0.03) << algo;
    // The same after loading.
    const Model loaded = Model::deserialize(model.serialize(), "model");
    EXPECT_EQ(loaded.deviations(test).values, deviations.values);
  }
}

TEST(ErrorBars, GrowFarFromTheData) {
  SpanLearner learner(span_options(10, {{"task", "regress"}}), {.dimension = 1, .classes = 0});
  for (const float z : {-1.0F, 0.0F, 1.0F, 8.0F}) learner.add_centre(Features::dense({&z, 1}));
  Random random(1);
  for (std::size_t i = 0; i < 500; ++i) {
    const auto x = static_cast<float>(random.normal());
    learner.learn({Features::dense({&x, 1}), kNoClass, 1, static_cast<float>(x + 0.1 * random.normal())});
  }
  const std::vector<float> near_and_far{0, 8};
  std::vector<float> deviations(2);
  learner.deviations({.count = 2, .dimension = 1, .values = near_and_far.data(), .stride = 1}, deviations);
  EXPECT_GT(deviations[1], 2 * deviations[0]);
}

TEST(ErrorBars, AreRefusedWhereThereAreNone) {
  Model numbers({{"algo", "bpa-m"}, {"task", "regress"}});
  const Batch batch = friedman(200, 1);
  EXPECT_FALSE(numbers.gives_deviations());
  numbers.learn(batch);
  EXPECT_FALSE(numbers.gives_deviations());
  EXPECT_THROW(numbers.deviations(batch), Error);
  Model scouting({{"algo", "bnewton"}, {"task", "regress"}});
  scouting.learn(batch);
  EXPECT_FALSE(scouting.gives_deviations());
  scouting.end_pass();
  EXPECT_TRUE(scouting.gives_deviations());
}

}  // namespace
}  // namespace kinglet
