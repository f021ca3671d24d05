// A model keeps the columns of the CSV data that it learned first, in its file as well.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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

const std::string kBirds = "mass,species,length\n1,robin,2\n5,wren,-3\n1.5,robin,2.5\n4,wren,-3.5\n";

Batch read_batch(const std::string& text, SourceOptions options) {
  options.format = Format::csv;
  Batch batch;
  read_memory(text, options)->next(batch);
  return batch;
}

Model trained(const std::string& text, const SourceOptions& options) {
  Model model({{"budget", "5"}});
  model.learn(read_batch(text, options));
  return model;
}

Model birds() { return trained(kBirds, {.label_column = "species"}); }

// The bytes of the model with one value in the header replaced.
std::string with_columns(const Model& model, const nlohmann::json& columns) {
  ModelFile file = unpack_model(model.serialize());
  nlohmann::json header = nlohmann::json::parse(file.header);
  header["columns"] = columns;
  file.header = header.dump();
  return pack_model(file);
}

TEST(ColumnsOfAModel, AreThoseOfTheDataItLearnedFirst) {
  Model model = birds();
  EXPECT_THAT(model.feature_names(), ElementsAre("mass", "length"));
  EXPECT_EQ(model.columns()->label, "species");
  model.learn(read_batch("length,mass,species\n1,2,robin\n", {.columns = model.columns()}));
  EXPECT_THAT(model.feature_names(), ElementsAre("mass", "length"));
  EXPECT_TRUE(trained("a,1\nb,2\n", {}).feature_names().empty());
  EXPECT_EQ(trained("a,1\nb,2\n", {}).columns()->label, "first");
  EXPECT_EQ(Model().columns(), nullptr);
}

TEST(ColumnsOfAModel, GiveTheSamePredictionsInAnyOrder) {
  const Model model = birds();
  const std::string swapped = "length,id,mass\n2,7,1\n-3,8,5\n2.5,9,1.5\n-3.5,10,4\n";
  const SourceOptions options{.ignore = {"id"}, .columns = model.columns(), .labels_unused = true};
  EXPECT_EQ(model.scores(read_batch(swapped, options)).values,
            model.scores(read_batch(kBirds, {.columns = model.columns()})).values);
}

TEST(ColumnsOfAModel, AreInItsFile) {
  SourceOptions options{.label_column = "species", .weight_column = "w", .ignore = {"id"}};
  const Model model = trained("id,\xFF,w,species\n1,2,1,robin\n2,-3,1,wren\n", options);  // a name that is not UTF-8
  const Model back = Model::deserialize(model.serialize(), "m");
  EXPECT_THAT(back.feature_names(), ElementsAre("\xFF"));
  EXPECT_EQ(back.columns()->label, "species");
  EXPECT_EQ(back.columns()->weight, "w");
  EXPECT_THAT(back.columns()->ignored, ElementsAre("id"));
  EXPECT_EQ(back.columns()->dimension, 1u);
  EXPECT_EQ(back.serialize(), model.serialize());
  const Model fixed = fixed_model(flatten(birds()));
  EXPECT_THAT(Model::deserialize(fixed.serialize(), "m").feature_names(), ElementsAre("mass", "length"));
}

TEST(ColumnsOfAModel, ThatAreDamagedAreRefused) {
  const Model model = birds();
  for (const char* columns :
       {"1", "[]", "{\"features\": 3}", "{\"features\": []}", "{\"features\": [\"a\"]}", "{\"features\": [\"a\", 3]}",
        "{\"label\": 3}", "{\"weight\": {}}", "{\"ignored\": \"x\"}"}) {
    const std::string bytes = with_columns(model, nlohmann::json::parse(columns));
    EXPECT_THAT(error_of([&] { Model::deserialize(bytes, "m"); }), HasSubstr("damaged")) << columns;
  }
  EXPECT_FALSE(Model::deserialize(with_columns(model, nlohmann::json::parse("{}")), "m").columns()->label.has_value());
}

TEST(ColumnsOfAModel, InAnotherOrderAreRefused) {
  Model model = birds();
  const Batch swapped = read_batch("length,mass,species\n1,2,robin\n", {.label_column = "species"});
  EXPECT_THAT(error_of([&] { model.learn(swapped); }), HasSubstr("columns of the data differ"));
  EXPECT_THAT(error_of([&] { model.predict(swapped); }), HasSubstr("columns of the data differ"));
  const Batch same = read_batch("species,mass,length\nrobin,2,1\n", {});
  EXPECT_NO_THROW(model.predict(same));
}

TEST(ColumnsOfAModel, AreForgottenWhenThereAreMoreFeatures) {
  Model model = birds();
  Batch wider;
  read_memory("robin 1:1 2:2 5:3\n", {})->next(wider);
  model.begin_source();
  model.learn(wider);
  EXPECT_EQ(model.dimension(), 5u);
  EXPECT_EQ(model.columns(), nullptr);
}

}  // namespace
}  // namespace kinglet
