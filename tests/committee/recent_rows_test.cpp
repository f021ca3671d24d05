// The latest rows of a stream, against a plain list.
#include "committee/recent_rows.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "core/random.hpp"
#include "kinglet/error.hpp"
#include "learn/rows_of.hpp"

namespace kinglet {
namespace {

struct Row {
  float x;
  ClassId label;
  float weight;
  bool operator==(const Row&) const = default;
};

struct Stream {
  Table x;
  std::vector<ClassId> classes;
  std::vector<float> weights;

  explicit Stream(std::size_t count) {
    Random random(3);
    for (std::size_t i = 0; i < count; ++i) {
      x.push_back({static_cast<float>(i)});
      classes.push_back(static_cast<ClassId>(random.below(3)));
      weights.push_back(static_cast<float>(random.below(4)));
    }
  }
  Row operator[](std::size_t i) const { return {x[i][0], classes[i], weights[i]}; }
};

const Shape kShape{.dimension = 1, .classes = 3};

std::vector<Row> visited(const RecentRows& rows, std::size_t count) {
  std::vector<Row> all;
  rows.visit(count, [&](const Rows& part, const Targets& targets, std::span<const float> weights) {
    for (std::size_t i = 0; i < part.count; ++i) all.push_back({part[i].values[0], targets.classes[i], weights[i]});
  });
  return all;
}

TEST(RecentRows, AreTheLatestInOrderWhateverTheBatches) {
  const Stream stream(1500);
  const TableRows table(stream.x);
  for (const std::size_t most : {1, 64, 500}) {
    RecentRows recent(kShape, TaskKind::classify);
    Random random(most);
    for (std::size_t at = 0; at < stream.x.size();) {
      const std::size_t n = std::min<std::size_t>(stream.x.size() - at, 1 + random.below(most));
      recent.add(table.dense().slice(at, n), Targets(&stream.classes[at], n), std::span(stream.weights).subspan(at, n));
      at += n;
      const std::size_t kept = at <= 256 ? at : 128 + (at - 1) % 128 + 1;
      ASSERT_EQ(recent.size(), kept) << at;
      for (const std::size_t count : {std::size_t{0}, std::size_t{40}, std::size_t{150}, kept, std::size_t{10'000}}) {
        std::vector<Row> expected;
        for (std::size_t i = at - std::min(count, kept); i < at; ++i) expected.push_back(stream[i]);
        ASSERT_EQ(visited(recent, count), expected) << at << " " << count;
      }
    }
  }
}

TEST(RecentRows, GoOnFromTheirSavedState) {
  const Stream stream(700);
  const TableRows table(stream.x);
  RecentRows recent(kShape, TaskKind::classify);
  recent.add(table.dense().slice(0, 400), Targets(stream.classes.data(), 400), {});
  StateWriter state;
  recent.save(state);
  RecentRows again(kShape, TaskKind::classify);
  StateReader in(state.bytes());
  again.load(in);
  EXPECT_TRUE(in.at_end());
  for (RecentRows* rows : {&recent, &again})
    rows->add(table.dense().slice(400, 300), Targets(&stream.classes[400], 300), {});
  EXPECT_EQ(visited(again, 256), visited(recent, 256));
  EXPECT_EQ(again.memory_bytes(), RecentRows::bytes(kShape));
  recent.restart();
  EXPECT_EQ(recent.size(), 0U);
}

// Lists of many nonzero values fill a block before there are kBlock of them.
TEST(RecentRows, AreTheLatestAlsoAsListsOfNonzeroValues) {
  const Shape shape{.dimension = 30, .classes = 3, .storage = Storage::mixed};
  Random random(5);
  Table table;
  for (std::size_t i = 0; i < 1200; ++i) {
    const double density = i < 400 ? 0.1 : 0.95;
    std::vector<float> row(30, 0.0F);
    for (float& value : row) value = random.uniform() < density ? static_cast<float>(random.normal()) : 0.0F;
    row[0] = static_cast<float>(i + 1);  // by which it is known again
    table.push_back(row);
  }
  const TableRows rows(table);
  const std::vector<ClassId> classes(table.size(), 1);
  const auto last_known = [](const RecentRows& recent) {
    std::vector<float> known;
    recent.visit(10'000, [&](const Rows& part, const Targets&, std::span<const float>) {
      for (std::size_t i = 0; i < part.count; ++i) known.push_back(part[i].values[0]);
    });
    return known;
  };
  RecentRows one(shape, TaskKind::classify), many(shape, TaskKind::classify);
  for (std::size_t at = 0; at < table.size(); at += 100) {
    many.add(rows.sparse().slice(at, 100), Targets(&classes[at], 100), {});
    for (std::size_t i = at; i < at + 100; ++i) one.add(rows.sparse().slice(i, 1), Targets(&classes[i], 1), {});
    const std::vector<float> known = last_known(many);
    ASSERT_EQ(last_known(one), known);
    ASSERT_EQ(known.size(), many.size());
    for (std::size_t i = 0; i < known.size(); ++i) {
      ASSERT_EQ(known[i], static_cast<float>(at + 100 - known.size() + i + 1)) << at;
    }
    ASSERT_GE(known.size(), std::min<std::size_t>(at + 100, 32));
    EXPECT_LE(many.memory_bytes(), RecentRows::bytes(shape));
    StateWriter state;
    many.save(state);
    RecentRows loaded(shape, TaskKind::classify);
    StateReader in(state.bytes());
    loaded.load(in);
    ASSERT_EQ(last_known(loaded), known) << at;
  }
}

TEST(RecentRows, RefuseADamagedState) {
  const Stream stream(100);
  RecentRows recent(kShape, TaskKind::classify);
  recent.add(TableRows(stream.x).dense(), stream.classes, {});
  StateWriter block;
  recent.save(block);
  const std::string whole = block.bytes();
  for (std::size_t length = 0; length < whole.size(); length += 13) {
    RecentRows other(kShape, TaskKind::classify);
    StateReader in(std::string_view(whole).substr(0, length));
    EXPECT_THROW(other.load(in), Error) << length;
  }
}

}  // namespace
}  // namespace kinglet
