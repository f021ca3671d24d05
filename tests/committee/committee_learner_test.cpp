// The committee against a plain reference, and its properties: budget, memory, batches, saved states, growing.
#include "committee/committee_learner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "committee/reference_committee.hpp"
#include "core/option_texts.hpp"
#include "core/random.hpp"
#include "core/state.hpp"
#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"
#include "learn/rows_of.hpp"

namespace kinglet {
namespace {

// A checkerboard whose classes are exchanged, or a wave whose sign changes, every `period` rows (0: never).
struct Changing {
  Table x;
  std::vector<ClassId> classes;
  std::vector<float> numbers;
  std::vector<float> weights;

  Changing(std::size_t count, std::size_t period, std::uint32_t class_count, std::uint64_t seed) {
    Random random(seed);
    for (std::size_t i = 0; i < count; ++i) {
      const double a = 3 * random.uniform();
      const double b = 3 * random.uniform();
      const std::size_t turn = period == 0 ? 0 : i / period;
      x.push_back({static_cast<float>(a), static_cast<float>(b)});
      const auto square = static_cast<std::size_t>(std::floor(a) + std::floor(b));
      classes.push_back(static_cast<ClassId>((square + turn) % class_count));
      const double wave = std::sin(2 * a) + std::cos(b) + 0.1 * random.normal();
      numbers.push_back(static_cast<float>(turn % 2 == 0 ? wave : -wave));
      weights.push_back(static_cast<float>(random.below(3)));
    }
  }
};

Options options_for(const std::string& task, const std::string& budget = "40") {
  Options options = complete_options({{"algo", "auto"}, {"task", task}, {"budget", budget}});
  options.set("gamma", "0.5");  // as `auto` would be resolved
  options.set("storage", "dense");
  return options;
}

Shape shape_for(const std::string& task, std::uint32_t classes = 2) {
  return {.dimension = 2, .classes = task == "regress" ? 0 : classes};
}

Targets targets_of(const Changing& data, const std::string& task, std::size_t at, std::size_t n) {
  return task == "regress" ? Targets(&data.numbers[at], n) : Targets(&data.classes[at], n);
}

std::string state_of(const Learner& learner) {
  StateWriter out;
  learner.save(out);
  return out.bytes();
}

// Learns rows [from, to) in batches of random sizes up to `most`.
std::vector<Prediction> learn(Learner& learner, const Changing& data, const std::string& task, std::size_t from,
                              std::size_t to, std::size_t most = 300) {
  const TableRows table(data.x);
  std::vector<Prediction> all(to - from);
  Random random(most);
  for (std::size_t at = from; at < to;) {
    const std::size_t n = std::min<std::size_t>(to - at, 1 + random.below(most));
    learner.learn_batch(table.dense().slice(at, n), targets_of(data, task, at, n),
                        std::span(data.weights).subspan(at, n), std::span(all).subspan(at - from, n));
    at += n;
  }
  return all;
}

// A pass ends after `ended` rows (0: never). At least `recalled` times, a retired member runs again.
void expect_reference(const std::string& task, std::size_t count, std::size_t period, std::size_t ended,
                      std::size_t recalled = 0) {
  const Changing data(count, period, 2, 7 + period);
  const Options options = options_for(task);
  CommitteeLearner committee(options, shape_for(task));
  std::vector<Prediction> fast = learn(committee, data, task, 0, ended);
  if (ended > 0) committee.finish();
  std::ranges::copy(learn(committee, data, task, ended, data.x.size()), std::back_inserter(fast));
  ReferenceCommittee reference(options, shape_for(task));
  std::size_t changes = 0;
  std::size_t leader = 0;
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    if (i == ended && ended > 0) reference.finish();
    const Prediction plain = reference.learn({.x = Features::dense(data.x[i]),
                                              .label = data.classes[i],
                                              .weight = data.weights[i],
                                              .number = data.numbers[i]});
    ASSERT_EQ(fast[i].label, plain.label) << task << " " << period << " " << ended << " row " << i;
    ASSERT_EQ(fast[i].score, plain.score) << task << " " << period << " " << ended << " row " << i;
    changes += reference.leader() != leader;
    leader = reference.leader();
  }
  EXPECT_GT(changes, 0U) << task << " " << period;
  const Standings standings = committee.standings();
  EXPECT_EQ(standings.leader, reference.leader());
  for (std::size_t m = 0; m < standings.members.size(); ++m) {
    const auto state = standings.members[m].state;
    const bool runs = state == MemberStanding::State::running || state == MemberStanding::State::leading;
    EXPECT_EQ(runs, reference.runs(m)) << m;
    const double error = reference.error(m);
    if (!runs) continue;
    if (std::isinf(error)) {  // it predicted no row
      EXPECT_TRUE(std::isnan(standings.members[m].error)) << m;
      continue;
    }
    EXPECT_DOUBLE_EQ(standings.members[m].error, task == "regress" ? std::sqrt(error) : error) << m;
  }
  EXPECT_EQ(committee.drift_alarms(), reference.alarms());
  EXPECT_GE(reference.recalls(), recalled) << task;
}

TEST(Committee, PredictsAsThePlainReference) {
  for (const std::string task : {"classify", "regress"}) {
    for (const std::size_t period : {0, 3000}) {
      for (const std::size_t ended : {0, 50, 700})
        expect_reference(task, 7'000, period, ended);  // two generations of heads
    }
  }
}

TEST(Committee, RecallsRetiredMembersAsThePlainReference) {
  for (const std::string task : {"classify", "regress"}) {
    expect_reference(task, 22'000, 2500, 0, 1);
  }
}

// The history of leaders names places, so a place must stay what it is.
TEST(Committee, GivesAPlaceToOnePlanForEver) {
  const Changing data(40'000, 1500, 3, 7);
  CommitteeLearner committee(options_for("classify"), shape_for("classify", 3));
  std::vector<Options> places;
  for (std::size_t at = 0; at < data.x.size(); at += 500) {
    learn(committee, data, "classify", at, at + 500);
    const Standings standings = committee.standings();
    for (std::size_t m = 0; m < standings.members.size(); ++m) {
      if (m == places.size()) places.push_back(standings.members[m].options);
      ASSERT_EQ(standings.members[m].options.all(), places[m].all()) << at << " " << m;
    }
  }
  EXPECT_GT(committee.drift_alarms(), 3U);
}

TEST(Committee, DoesNotDependOnTheDivisionIntoBatches) {
  for (const std::string task : {"classify", "regress"}) {
    const Changing data(12'000, 2500, 3, 3);
    CommitteeLearner one(options_for(task), shape_for(task, 3));
    CommitteeLearner other(options_for(task), shape_for(task, 3));
    const auto by_one = learn(one, data, task, 0, data.x.size(), 1);
    const auto by_many = learn(other, data, task, 0, data.x.size(), 700);
    for (std::size_t i = 0; i < by_one.size(); ++i) ASSERT_EQ(by_one[i].score, by_many[i].score) << task << " " << i;
    EXPECT_EQ(state_of(one), state_of(other)) << task;
    EXPECT_GT(one.drift_alarms(), 1U) << task;
  }
}

TEST(Committee, ResumesBitForBit) {
  const Changing data(14'000, 2500, 2, 5);
  for (const std::size_t stop : {1, 100, 1024, 2000, 5003, 9999, 12'700}) {
    CommitteeLearner whole(options_for("classify"), shape_for("classify"));
    learn(whole, data, "classify", 0, stop);
    CommitteeLearner resumed(options_for("classify"), shape_for("classify"));
    const std::string saved = state_of(whole);
    StateReader in(saved);
    resumed.load(in);
    EXPECT_TRUE(in.at_end());
    EXPECT_EQ(state_of(resumed), saved);
    const auto expected = learn(whole, data, "classify", stop, data.x.size());
    const auto actual = learn(resumed, data, "classify", stop, data.x.size());
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(actual[i].score, expected[i].score) << stop << " " << i;
    EXPECT_EQ(state_of(resumed), state_of(whole)) << stop;
  }
}

TEST(Committee, RefusesADamagedState) {
  const Changing data(3000, 1000, 2, 5);
  CommitteeLearner learner(options_for("classify"), shape_for("classify"));
  learn(learner, data, "classify", 0, 3000);
  const std::string saved = state_of(learner);
  for (std::size_t length = 0; length < saved.size(); length += 97) {
    CommitteeLearner other(options_for("classify"), shape_for("classify"));
    StateReader in(std::string_view(saved).substr(0, length));
    EXPECT_THROW(other.load(in), Error) << length;
  }
  // A tenant that is no tracker.
  std::string scout = saved;
  const std::uint64_t place = 0;
  scout.replace(2 * sizeof(place), sizeof(place), reinterpret_cast<const char*>(&place), sizeof(place));
  CommitteeLearner tenant(options_for("classify"), shape_for("classify"));
  StateReader of_scout(scout);
  EXPECT_THROW(tenant.load(of_scout), Error);
  // A committee with a smaller budget cannot have such members.
  CommitteeLearner small(options_for("classify", "10"), shape_for("classify"));
  StateReader in(saved);
  EXPECT_THROW(small.load(in), Error);
}

TEST(Committee, KeepsItsBudgetAndMemory) {
  for (const std::string task : {"classify", "regress"}) {
    const Changing data(16'000, 2000, 2, 11);
    const Options options = options_for(task, "25");
    CommitteeLearner learner(options, shape_for(task));
    const std::size_t bound = learner_memory(options, shape_for(task));
    std::size_t most = 0;
    for (std::size_t at = 0; at < data.x.size(); at += 100) {
      learn(learner, data, task, at, at + 100);
      const LearnerStats stats = learner.stats();
      EXPECT_LE(stats.support_vectors, 25U);
      EXPECT_EQ(stats.budget, 25U);
      EXPECT_EQ(stats.examples, at + 100);
      EXPECT_LE(stats.memory_bytes, bound);
      most = std::max(most, stats.memory_bytes);
    }
    EXPECT_LT(learner.stats().memory_bytes, most) << "scouts that left take no memory";
    EXPECT_GT(learner.drift_alarms(), 3U);
  }
}

TEST(Committee, HasFewerMembersWithinLittleMemory) {
  const Changing data(6000, 0, 2, 11);
  const Shape shape{.dimension = 2, .classes = 2};
  std::size_t fewest = 100;
  for (const char* memory : {"10K", "64K", "1M", "16M"}) {
    Options options = complete_options({{"algo", "auto"}, {"memory", memory}});
    options.set("gamma", "0.5");
    options.set("storage", "dense");
    const std::uint64_t limit = std::string(memory) == "10K"   ? 10 << 10
                                : std::string(memory) == "64K" ? 64 << 10
                                : std::string(memory) == "1M"  ? 1 << 20
                                                               : 16 << 20;
    const std::int64_t budget = CommitteeLearner::largest_budget(options, shape, limit);
    ASSERT_GT(budget, 0) << memory;
    options.set("budget", std::to_string(budget));
    EXPECT_LE(learner_memory(options, shape), limit) << memory;
    CommitteeLearner learner(options, shape);
    std::size_t begun = 0;
    for (const MemberStanding& member : learner.standings().members) {
      begun += member.state == MemberStanding::State::running || member.state == MemberStanding::State::leading;
    }
    if (limit <= 10 << 10) {
      EXPECT_EQ(begun, 1U);
      // One member has the budget of the algorithm by itself, but for the committee's own few bytes.
      Options alone = complete_options({{"algo", "bpegasos"}, {"gamma", "1"}, {"budget", std::to_string(budget + 20)}});
      EXPECT_GT(learner_memory(alone, shape), limit);
    }
    fewest = std::min(fewest, begun);
    if (limit >= 1 << 20) {
      EXPECT_GE(budget, 500);
      EXPECT_EQ(begun, 6U) << "five scouts and a challenger";
    }
    for (std::size_t at = 0; at < data.x.size(); at += 500) {
      learn(learner, data, "classify", at, at + 500);
      EXPECT_LE(learner.stats().memory_bytes, limit) << memory;
    }
  }
  EXPECT_EQ(fewest, 1U);
}

TEST(Committee, LetsTheWorstGoWhenFeaturesAreAddedWithinAMemoryLimit) {
  Options options = complete_options({{"algo", "auto"}, {"memory", "200K"}});
  options.set("gamma", "0.5");
  options.set("storage", "dense");
  options.set("budget", "100");
  const Changing data(600, 0, 2, 11);
  CommitteeLearner learner(options, {.dimension = 2, .classes = 2});
  learn(learner, data, "classify", 0, 300);
  const auto running = [&] {
    return std::ranges::count_if(learner.standings().members, [](const MemberStanding& member) {
      return member.state == MemberStanding::State::running || member.state == MemberStanding::State::leading;
    });
  };
  const auto before = running();
  learner.grow({.dimension = 150, .classes = 2});
  EXPECT_LT(running(), before);
  EXPECT_LE(learner.stats().memory_bytes, 200U << 10);
  EXPECT_EQ(learner.stats().dimension, 150U);
  Changing wider = data;
  for (auto& row : wider.x) row.resize(150);
  learn(learner, wider, "classify", 300, 600);
  EXPECT_LE(learner.stats().memory_bytes, 200U << 10);
  EXPECT_THROW(learner.grow({.dimension = 100'000, .classes = 2}), Error);
  EXPECT_EQ(learner.stats().dimension, 150U);
}

// The leader is a head then, and only some members still fit.
TEST(Committee, KeepsAScoutWhenFeaturesAreAddedLate) {
  const Changing data(6000, 0, 2, 11);
  for (const char* memory : {"300K", "500K", "800K"}) {
    Options options = complete_options({{"algo", "auto"}, {"memory", memory}});
    options.set("gamma", "0.5");
    options.set("storage", "dense");
    options.set("budget", "100");
    CommitteeLearner learner(options, {.dimension = 2, .classes = 2});
    learn(learner, data, "classify", 0, 4500);
    learner.grow({.dimension = 400, .classes = 2});
    Changing wider = data;
    for (auto& row : wider.x) row.resize(400);
    learn(learner, wider, "classify", 4500, 6000);
    EXPECT_FALSE(learner.gradient_squares().empty()) << memory;
    EXPECT_LE(learner.stats().memory_bytes, parse_memory(memory));
  }
}

TEST(Committee, StaysWithItsLeaderInLaterPasses) {
  Changing data(3000, 0, 2, 5);
  Random random(8);
  for (ClassId& label : data.classes) label = random.below(4) == 0 ? 1 - label : label;  // what can be learned by heart
  std::ranges::fill(data.weights, 1.0F);
  CommitteeLearner learner(options_for("classify", "100"), shape_for("classify"));
  learn(learner, data, "classify", 0, 3000);
  learner.finish();
  const std::size_t leader = learner.standings().leader;
  const double error = learner.standings().members[leader].error;
  for (int pass = 0; pass < 3; ++pass) learn(learner, data, "classify", 0, 3000);
  EXPECT_EQ(learner.standings().leader, leader);
  const double later = learner.standings().members[leader].error;
  EXPECT_TRUE(later == error || (std::isnan(later) && std::isnan(error)));
  learner.begin_data();
  learn(learner, data, "classify", 0, 3000);
  EXPECT_GT(learner.standings().members[leader].examples, 0U);
}

TEST(Committee, ComparesErrorsAlikeWhateverTheScaleOfTheWeights) {
  for (const float scale : {1.0F, 0.01F, 100.0F}) {
    ErrorSum few, many;
    for (int i = 0; i < 400; ++i) {
      few.add(i % 20 == 0 ? 1 : 0, scale);
      many.add(i % 8 == 0 ? 1 : 0, scale);
    }
    EXPECT_TRUE(is_clearly_less(few, many, 3, true)) << scale;
    EXPECT_FALSE(is_clearly_less(few, many, 4, true)) << scale;
  }
}

TEST(Committee, LearnsAClassThatComesLate) {
  const Changing data(8000, 0, 3, 2);
  CommitteeLearner learner(options_for("classify"), {.dimension = 2, .classes = 1});
  Changing first = data;
  std::ranges::fill(first.classes, 0);
  learn(learner, first, "classify", 0, 500);  // one class only
  EXPECT_EQ(learner.outputs(), 1U);
  learner.grow({.dimension = 2, .classes = 3});
  EXPECT_EQ(learner.outputs(), 3U);
  learn(learner, data, "classify", 500, 8000);
  const TableRows table(data.x);
  std::vector<float> scores(3 * data.x.size());
  learner.scores(table.dense(), scores);
  std::size_t right = 0;
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    right += learner.decide(std::span(scores).subspan(3 * i, 3)).label == data.classes[i];
  }
  EXPECT_GT(right, 0.8 * static_cast<double>(data.x.size()));
}

TEST(Committee, LearnsNothingFromExamplesOfWeightZero) {
  Changing data(3000, 0, 2, 4);
  std::ranges::fill(data.weights, 0.0F);
  CommitteeLearner learner(options_for("classify"), shape_for("classify"));
  learn(learner, data, "classify", 0, 3000);
  EXPECT_EQ(learner.stats().support_vectors, 0U);
  for (const MemberStanding& member : learner.standings().members) EXPECT_TRUE(std::isnan(member.error));
}

TEST(Committee, LowersItsBudgetForAllMembers) {
  const Changing data(3000, 0, 2, 4);
  CommitteeLearner learner(options_for("classify", "40"), shape_for("classify"));
  learn(learner, data, "classify", 0, 3000);
  ASSERT_TRUE(learner.can_lower_budget());
  learner.lower_budget(12);
  CommitteeLearner smaller(options_for("classify", "12"), shape_for("classify"));
  const std::string saved = state_of(learner);
  StateReader in(saved);
  smaller.load(in);
  EXPECT_LE(smaller.stats().support_vectors, 12U);
  EXPECT_EQ(smaller.stats().budget, 12U);
  learn(smaller, data, "classify", 0, 3000);
  EXPECT_LE(smaller.stats().support_vectors, 12U);
}

TEST(Committee, FindsTheRightGammaAndFollowsChange) {
  Changing board(20'000, 0, 2, 9);
  std::ranges::fill(board.weights, 1.0F);
  for (auto& row : board.x) {
    for (float& value : row) value *= 0.25F;  // so that gamma must be 16 times as large
  }
  CommitteeLearner learner(options_for("classify", "200"), shape_for("classify"));
  const auto found = learn(learner, board, "classify", 0, board.x.size());
  std::size_t wrong = 0;
  for (std::size_t i = 10'000; i < found.size(); ++i) wrong += found[i].label != board.classes[i];
  EXPECT_LT(wrong, 500U);
  EXPECT_GT(learner.settled_options({}).real("gamma"), 1);

  Changing turning(20'000, 2000, 2, 9);
  std::ranges::fill(turning.weights, 1.0F);
  CommitteeLearner follower(options_for("classify", "200"), shape_for("classify"));
  const auto followed = learn(follower, turning, "classify", 0, turning.x.size());
  wrong = 0;
  for (std::size_t i = 10'000; i < followed.size(); ++i) wrong += followed[i].label != turning.classes[i];
  EXPECT_LT(wrong, 2500U);
}

// The rows of one class after those of the other, and how often the learner is right on all of them.
struct SortedBoard {
  Changing data;
  explicit SortedBoard(std::size_t count) : data(count, 0, 2, 6) {
    std::ranges::fill(data.weights, 1.0F);
    Changing sorted(0, 0, 2, 6);
    for (const ClassId label : {0U, 1U}) {
      for (std::size_t i = 0; i < count; ++i) {
        if (data.classes[i] != label) continue;
        sorted.x.push_back(data.x[i]);
        sorted.classes.push_back(label);
        sorted.numbers.push_back(data.numbers[i]);
        sorted.weights.push_back(1);
      }
    }
    data = sorted;
  }
};

double share_right(const Learner& learner, const Changing& data) {
  const TableRows table(data.x);
  std::vector<float> scores(data.x.size());
  learner.scores(table.dense(), scores);
  std::size_t right = 0;
  for (std::size_t i = 0; i < data.x.size(); ++i) right += learner.decide({&scores[i], 1}).label == data.classes[i];
  return static_cast<double>(right) / static_cast<double>(data.x.size());
}

// Gives the learner what the model would sample.
void end_pass(CommitteeLearner& learner, const Changing& data) {
  RowSample sample(shape_for("classify"), TaskKind::classify, learner.sampled_rows());
  sample.add(TableRows(data.x).dense(), data.classes, data.weights);
  learner.finish();
  learner.review(sample.rows(), sample.targets(), sample.weights());
}

TEST(Committee, LearnsASampleInRandomOrderWhereTheOrderMattered) {
  const Changing data = SortedBoard(12'000).data;
  CommitteeLearner learner(options_for("classify", "100"), shape_for("classify"));
  learn(learner, data, "classify", 0, data.x.size());
  EXPECT_LT(share_right(learner, data), 0.75) << "what it knows of the first class is lost";
  end_pass(learner, data);
  EXPECT_GT(share_right(learner, data), 0.9);
  const Standings standings = learner.standings();
  EXPECT_TRUE(standings.members[standings.leader].reviewed);
  EXPECT_LE(learner.stats().support_vectors, 100U);
  EXPECT_LE(learner.stats().memory_bytes, learner_memory(options_for("classify", "100"), shape_for("classify")));

  CommitteeLearner loaded(options_for("classify", "100"), shape_for("classify"));
  const std::string saved = state_of(learner);
  StateReader in(saved);
  loaded.load(in);
  EXPECT_EQ(state_of(loaded), saved);
  learn(loaded, data, "classify", 0, 2000);
  learn(learner, data, "classify", 0, 2000);
  EXPECT_EQ(state_of(loaded), state_of(learner));
}

TEST(Committee, StaysAsItIsWhereTheOrderDidNotMatter) {
  Changing data(12'000, 0, 2, 6);
  std::ranges::fill(data.weights, 1.0F);
  CommitteeLearner learner(options_for("classify", "100"), shape_for("classify"));
  learn(learner, data, "classify", 0, data.x.size());
  learner.finish();
  const std::string before = state_of(learner);
  end_pass(learner, data);
  EXPECT_EQ(state_of(learner), before);
}

TEST(Committee, ReviewsOnlyWithinItsMemory) {
  const Changing data = SortedBoard(12'000).data;
  for (const char* memory : {"20K", "200K", "4M"}) {
    Options options = complete_options({{"algo", "auto"}, {"memory", memory}});
    options.set("gamma", "0.5");
    options.set("storage", "dense");
    options.set("budget", "100");
    CommitteeLearner learner(options, shape_for("classify"));
    learn(learner, data, "classify", 0, data.x.size());
    if (learner.sampled_rows() > 0) end_pass(learner, data);
    EXPECT_EQ(learner.sampled_rows() > 0, std::string(memory) != "20K");
    EXPECT_EQ(share_right(learner, data) > 0.85, std::string(memory) != "20K") << memory;
    EXPECT_LE(learner.stats().memory_bytes, parse_memory(memory));
  }
}

}  // namespace
}  // namespace kinglet
