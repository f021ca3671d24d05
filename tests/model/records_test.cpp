// Models of records: their schema is in the file, a resumed run ends with the same bytes, and damaged schemas are
// refused.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/random.hpp"
#include "data/reading.hpp"
#include "error_of.hpp"
#include "kinglet/model.hpp"
#include "learn/flat_model.hpp"
#include "model/model_access.hpp"
#include "model/model_file.hpp"

namespace kinglet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using json = nlohmann::json;

// Shops: the label depends on a number and a category; there are more values later, and some are missing.
std::string shops(std::size_t rows, std::uint64_t seed = 1) {
  Random random(seed);
  std::string text = "open,size,town,since,note\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const auto town = random.below(i < rows / 2 ? 5 : 12);
    const auto size = random.below(100);
    const bool open = size > 50 ? town % 2 == 0 : town % 3 == 0;
    text += fmt::format("{},{},{},20{:02}-0{}-11,{} {}\n", open ? "yes" : "no",
                        random.below(9) == 0 ? "" : std::to_string(size),
                        random.below(20) == 0 ? "?" : fmt::format("t{}", town), random.below(30), 1 + random.below(9),
                        random.below(2) == 0 ? "a nice place" : "rather dull", random.below(90));
  }
  return text;
}

SourceOptions shop_options() { return {.kinds = {{"note", ColumnKind::text}}, .text_features = 16}; }

Model trained(const std::string& text, const Options& options, const SourceOptions& source_options = shop_options()) {
  Model model(options);
  const auto source = read_memory(text, source_options, "data");
  for (Batch batch; source->next(batch);) model.learn(batch);
  return model;
}

double accuracy(const Model& model, const std::string& text) {
  SourceOptions options;
  options.columns = model.columns();
  const auto source = read_memory(text, options, "data");
  Model::LabelMap classes_of(model);
  double right = 0, all = 0;
  for (Batch batch; source->next(batch);) {
    const auto found = model.predict(batch);
    const auto truth = classes_of(batch);
    for (std::size_t i = 0; i < batch.rows(); ++i) right += found.rows[i].label == truth[i];
    all += static_cast<double>(batch.rows());
  }
  return right / all;
}

TEST(Records, AreLearned) {
  for (const char* storage : {"dense", "mixed", "sparse"}) {
    const Model model = trained(shops(4000), {{"algo", "bpegasos"}, {"budget", "200"}, {"storage", storage}});
    EXPECT_GT(accuracy(model, shops(500, 2)), 0.8) << storage;
    EXPECT_THAT(model.columns()->features, ElementsAre("size", "town", "since", "note"));
    EXPECT_EQ(model.feature_names().size(), model.dimension());
    EXPECT_EQ(model.feature_names()[0], "size");
  }
}

// Rows that are centred give the same kernel values in every form of storage.
TEST(Records, StorageDoesNotChangePredictions) {
  const std::string text = shops(1500);
  const Model dense = trained(text, {{"algo", "bpegasos"}, {"budget", "100"}, {"storage", "dense"}});
  const Model mixed = trained(text, {{"algo", "bpegasos"}, {"budget", "100"}, {"storage", "mixed"}});
  SourceOptions options;
  options.columns = dense.columns();
  Batch batch;
  const std::string tested = shops(300, 3);
  read_memory(tested, options, "data")->next(batch);
  const auto a = dense.scores(batch, 1), b = mixed.scores(batch, 1);
  for (std::size_t i = 0; i < batch.rows(); ++i) EXPECT_NEAR(a[i][0], b[i][0], 2e-3) << i;
}

TEST(Records, AModelFileHasTheSchema) {
  const Model model = trained(shops(3000), {{"budget", "20"}});
  const Model loaded = Model::deserialize(model.serialize(), "m");
  ASSERT_TRUE(loaded.columns() && loaded.columns()->schema);
  EXPECT_EQ(*loaded.columns()->schema, *model.columns()->schema);
  EXPECT_EQ(loaded.columns()->schema->columns[1].values.size(), 9U);  // all slots that there were
  EXPECT_EQ(loaded.serialize(), model.serialize());
  EXPECT_EQ(accuracy(loaded, shops(300, 2)), accuracy(model, shops(300, 2)));
  const Model fixed = fixed_model(flatten(model));
  EXPECT_EQ(*Model::deserialize(fixed.serialize(), "m").columns()->schema, *model.columns()->schema);
  EXPECT_EQ(accuracy(fixed, shops(300, 2)), accuracy(model, shops(300, 2)));
}

// A stopped run that is read again from the beginning, with the values of the categories known so far.
TEST(Records, AResumedRunEndsWithTheSameBytes) {
  const std::string text = shops(6000);
  const Options options{{"budget", "30"}};
  const Model whole = trained(text, options);
  for (const std::size_t stop : {1u, 3u}) {
    Model model(options);
    const auto source = read_memory(text, shop_options(), "data");
    Batch batch;
    for (std::size_t i = 0; i < stop; ++i) {
      source->next(batch);
      model.learn(batch);
    }
    Model resumed = Model::deserialize(model.serialize(), "m");
    SourceOptions again;
    again.columns = resumed.columns();
    again.new_values = true;
    const auto rest = read_memory(text, again, "data");
    resumed.begin_source();
    Batch known;  // all label texts
    for (std::size_t i = 0; rest->next(batch); ++i) {
      known.new_labels.insert(known.new_labels.end(), batch.new_labels.begin(), batch.new_labels.end());
      if (i < stop) continue;
      batch.new_labels = std::exchange(known.new_labels, {});
      resumed.learn(batch);
    }
    EXPECT_EQ(resumed.serialize(), whole.serialize()) << stop;
  }
}

TEST(Records, OtherRecordsAreRefused) {
  Model model = trained(shops(1200), {{"budget", "20"}});
  const std::string text = shops(100, 5);
  Batch batch;
  read_memory(text, shop_options(), "data")->next(batch);  // with a schema of its own
  EXPECT_THAT(error_of([&] { model.learn(batch); }), HasSubstr("another schema"));
  EXPECT_THAT(error_of([&] { model.predict(batch); }), HasSubstr("another schema"));
  Batch wide;
  wide.dimension = model.dimension() + 1;
  wide.values.assign(wide.dimension, 1);
  wide.labels = {0};
  wide.new_labels = {"yes"};
  model.begin_source();
  EXPECT_THAT(error_of([&] { model.learn(wide); }), HasSubstr("but the schema of the model has"));
}

TEST(Records, AModelFileHasTheLearnedTimes) {
  const auto learned_of = [](const Model& model) { return model.columns()->schema->columns[2].learned; };
  const Model model = trained(shops(1200), {{"budget", "5"}});
  const auto learned = learned_of(model);
  ASSERT_TRUE(learned && learned->any());
  EXPECT_EQ(learned->last - learned->first, 86400.0 * (10958 - 365 + 243));  // 2000-01-11 to 2029-09-11
  EXPECT_EQ(learned_of(Model::deserialize(model.serialize(), "m")), learned);
  ModelFile file = unpack_model(model.serialize());
  json header = json::parse(file.header);
  header["columns"]["schema"][2].erase("learned");  // a file of an earlier version
  header["columns"].erase("null_words");
  file.header = header.dump();
  const Model old = Model::deserialize(pack_model(file), "m");
  EXPECT_FALSE(learned_of(old));
  EXPECT_FALSE(old.columns()->schema->null_words);
  EXPECT_EQ(accuracy(old, shops(300, 2)), accuracy(model, shops(300, 2)));
  EXPECT_EQ(unpack_model(old.serialize()).header, file.header);
}

TEST(Records, ADamagedSchemaIsRefused) {
  const Model model = trained(shops(1200), {{"budget", "5"}});
  ModelFile file = unpack_model(model.serialize());
  const json header = json::parse(file.header);
  const auto problem = [&](const std::function<void(json&)>& damage) {
    json changed = header;
    damage(changed["columns"]["schema"]);
    ModelFile other = file;
    other.header = changed.dump();
    return error_of([&] { Model::deserialize(pack_model(other), "m"); });
  };
  EXPECT_EQ(problem([](json&) {}), "");
  EXPECT_THAT(problem([](json& s) { s = 5; }), HasSubstr("damaged"));
  EXPECT_THAT(problem([](json& s) { s.erase(0); }), HasSubstr("damaged"));
  EXPECT_THAT(problem([](json& s) { s[0]["kind"] = "ignore"; }), HasSubstr("damaged"));
  EXPECT_THAT(problem([](json& s) { s[0]["kind"] = "colour"; }), HasSubstr("damaged"));
  EXPECT_THAT(problem([](json& s) { s[1]["slots"] = 4'000'000'000; }), HasSubstr("damaged"));
  EXPECT_THAT(problem([](json& s) { s[1]["slots"] = 2; }), HasSubstr("damaged"));
  EXPECT_THAT(problem([](json& s) { s[1]["slots"] = -1; }), HasSubstr("damaged"));
  EXPECT_THAT(problem([](json& s) { s[1]["values"][0] = s[1]["values"][1]; }), HasSubstr("damaged"));
  EXPECT_THAT(problem([](json& s) { s[1]["values"][0] = std::string(500, 'x'); }), HasSubstr("damaged"));
  EXPECT_THAT(problem([](json& s) { s[1]["buckets"] = 0; }), HasSubstr("damaged"));
  EXPECT_THAT(problem([](json& s) { s[2]["form"] = "julian"; }), HasSubstr("damaged"));
  EXPECT_THAT(problem([](json& s) { s[2]["origin"] = 1e300; }), HasSubstr("damaged"));
  EXPECT_THAT(problem([](json& s) { s[2].erase("origin"); }), HasSubstr("damaged"));
  EXPECT_THAT(problem([](json& s) { s[2]["learned"] = 5; }), HasSubstr("damaged"));
  EXPECT_THAT(problem([](json& s) { s[2]["learned"] = json{1.0}; }), HasSubstr("damaged"));
  EXPECT_THAT(problem([](json& s) { s[2]["learned"] = json{2.0, 1.0}; }), HasSubstr("damaged"));
  EXPECT_THAT(problem([](json& s) { s[2]["learned"] = json{1.0, 1e300}; }), HasSubstr("damaged"));
  EXPECT_EQ(problem([](json& s) { s[2]["learned"] = json::array(); }), "");
  EXPECT_THAT(problem([](json& s) { s[3]["buckets"] = 17; }), HasSubstr("damaged"));
  EXPECT_THAT(problem([](json& s) { s[3]["missing"] = 1; }), HasSubstr("damaged"));
}

TEST(Records, TakeTheMemoryThatTheFirstRowsShow) {
  const std::string text = shops(5000);
  Model model({{"budget", "50"}, {"algo", "bpegasos"}});
  const auto source = read_memory(text, shop_options(), "data");
  std::size_t bytes = 0;
  for (Batch batch; source->next(batch);) {
    model.learn(batch);
    if (bytes == 0) bytes = model.stats().memory_bytes;
    EXPECT_EQ(model.stats().memory_bytes, bytes);
  }
}

}  // namespace
}  // namespace kinglet
