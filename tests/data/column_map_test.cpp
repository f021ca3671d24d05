// The columns of CSV files: those of a file of its own, and those of a file that is read for a model.
#include "data/column_map.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "data/reading.hpp"

namespace kinglet {
namespace {

using Names = std::vector<std::string>;

SourceOptions for_model(Columns columns) {
  columns.dimension =
      columns.features.empty() ? columns.dimension : static_cast<std::uint32_t>(columns.features.size());
  SourceOptions options;
  options.format = Format::csv;
  options.columns = std::make_shared<const Columns>(std::move(columns));
  return options;
}

SourceOptions to_predict(Columns columns) {
  SourceOptions options = for_model(std::move(columns));
  options.labels_unused = true;
  return options;
}

Columns birds() { return {.features = {"length", "mass"}, .label = "species"}; }

const Columns& columns_of(const std::string& text, const SourceOptions& options, Batch& batch) {
  read_memory(text, options)->next(batch);
  return *batch.columns;
}

std::vector<float> values_of(const std::string& text, const SourceOptions& options) {
  Batch batch;
  EXPECT_TRUE(read_memory(text, options, "data")->next(batch));
  return batch.values;
}

TEST(ColumnMap, OfAFileTellsAModelWhatToKeep) {
  Batch batch;
  SourceOptions options;
  options.label_column = "class";
  options.weight_column = "w";
  options.ignore = {"id"};
  const Columns named = columns_of("id,age,class,w,size\n7,1,a,0.5,2\n", options, batch);
  EXPECT_EQ(named.features, (Names{"age", "size"}));
  EXPECT_EQ(named.label, "class");
  EXPECT_EQ(named.weight, "w");
  EXPECT_EQ(named.ignored, Names{"id"});
  EXPECT_EQ(named.dimension, 2u);
  EXPECT_EQ(batch.values, (std::vector<float>{1, 2}));
  const Columns plain = columns_of("1,2,a\n", {.label_column = "last"}, batch);
  EXPECT_TRUE(plain.features.empty());
  EXPECT_EQ(plain.label, "last");
  EXPECT_EQ(plain.dimension, 2u);
  EXPECT_FALSE(columns_of("1,2\n", {.label_column = "none"}, batch).label.has_value());
  columns_of("1,2\n", {}, batch);
  open_source("gen:gauss?n=10", {})->next(batch);
  EXPECT_EQ(batch.columns, nullptr);
}

// Reference: each row as a map from name to value.
TEST(ColumnMap, PutsTheColumnsOfAnyOrderIntoThatOfTheModel) {
  EXPECT_TRUE(rc::check([] {
    const int features = *rc::gen::inRange(1, 8);
    Columns model{.label = "the label", .weight = "the weight", .ignored = {"ignored"}};
    for (int i = 0; i < features; ++i) model.features.push_back("f" + std::to_string(i));
    Names header = model.features;
    const bool labelled = *rc::gen::arbitrary<bool>();
    if (labelled) header.emplace_back("the label");
    for (const char* name : {"the weight", "ignored", "extra"}) {
      if (*rc::gen::arbitrary<bool>()) header.emplace_back(name);
    }
    for (std::size_t left = header.size(); left > 1; --left) {
      std::swap(header[left - 1], header[*rc::gen::inRange<std::size_t>(0, left)]);
    }
    std::map<std::string, int> row;
    std::string names, values;
    for (const std::string& name : header) {
      row[name] = *rc::gen::inRange(-99, 99);
      names += (names.empty() ? "" : ",") + name;
      values += (values.empty() ? "" : ",") + std::to_string(row[name]);
    }
    SourceOptions options = labelled ? for_model(model) : to_predict(model);
    options.header = true;
    if (row.contains("extra")) options.ignore = {"extra"};
    const PlainData data = read_all(names + "\n" + values + "\n", options);
    RC_ASSERT(data.rows.size() == 1u);
    for (int i = 0; i < features; ++i) {
      RC_ASSERT(data.rows[0].features.at(static_cast<std::uint32_t>(i)) ==
                static_cast<float>(row["f" + std::to_string(i)]));
    }
    RC_ASSERT(data.rows[0].features.size() == static_cast<std::size_t>(features));
    RC_ASSERT(data.rows[0].label == (labelled ? std::to_string(row["the label"]) : ""));
    RC_ASSERT(data.rows[0].weight == 1.0F);
  }));
}

TEST(ColumnMap, GivesTheColumnsOfTheModelWithEveryBatch) {
  const SourceOptions options = for_model(birds());
  Batch batch;
  EXPECT_EQ(&columns_of("mass,species,length\n1,a,2\n", options, batch), options.columns.get());
}

TEST(ColumnMap, KeepsTheOrderOfColumnsWithTheSameName) {
  const SourceOptions options = for_model({.features = {"x", "y", "x"}, .label = "c"});
  EXPECT_EQ(values_of("y,x,c,x\n1,2,a,3\n", options), (std::vector<float>{2, 1, 3}));
}

TEST(ColumnMap, LabelsThatAreNotUsedAreNotRead) {
  EXPECT_EQ(values_of("length,species,mass\n1,\"any\ntext\",2\n3,,4\n", to_predict(birds())),
            (std::vector<float>{1, 2, 3, 4}));
  SourceOptions numbers = to_predict(birds());
  numbers.numeric_labels = true;
  const auto data = read_all("length,species,mass\n1,?,2\n", numbers);
  EXPECT_FALSE(data.rows[0].target.has_value());
  EXPECT_TRUE(data.labels.empty());
}

TEST(ColumnMap, WithoutAHeaderTheNumberOfColumnsMustFit) {
  const Columns model{.dimension = 2, .label = "last"};
  EXPECT_EQ(values_of("1,2,a\n", for_model(model)), (std::vector<float>{1, 2}));
  EXPECT_EQ(values_of("1,2,a\n", to_predict(model)), (std::vector<float>{1, 2}));
  EXPECT_EQ(values_of("1,2\n", to_predict(model)), (std::vector<float>{1, 2}));
  SourceOptions second = to_predict(model);
  second.label_column = "2";
  EXPECT_EQ(values_of("1,a,2\n", second), (std::vector<float>{1, 2}));
  SourceOptions without_first = to_predict(model);
  without_first.ignore = {"1"};
  EXPECT_EQ(values_of("id,1,2\n", without_first), (std::vector<float>{1, 2}));
  EXPECT_EQ(values_of("1,2\n", to_predict(birds())), (std::vector<float>{1, 2}));
}

TEST(ColumnMap, SaysWhatDoesNotFitTheModel) {
  const Columns unnamed{.dimension = 2, .label = "first"};
  const Columns unlabelled{.features = {"a", "b"}};
  SourceOptions given = to_predict(unnamed);
  given.label_column = "none";
  SourceOptions id = to_predict(birds());
  id.id_column = "length";
  SourceOptions ignored = to_predict(birds());
  ignored.ignore = {"length"};
  const std::vector<std::tuple<std::string, SourceOptions, std::string>> cases = {
      {"mass,length,id\n1,2,3\n", to_predict(birds()),
       "the model was not trained with the column 'id'; to leave it out, use ignore=id"},
      {"id,mass,length,no,species\n1,2,3,4,a\n", for_model(birds()),
       "the model was not trained with the columns 'id', 'no'; to leave them out, use ignore=id,no"},
      {"a,b,c\n1,2,3\n", for_model(unlabelled),
       "the model was not trained with the column 'c'; to leave it out, use ignore=c; if it is the label, use "
       "label_column=c"},
      {"a,b,c d\n1,2,3\n", for_model(unlabelled),
       "the model was not trained with the column 'c d'; to leave it out, use ignore=3; if it is the label, use "
       "label_column=3"},
      {"mass,length\n1,2\n", id, "the model learned from the column 'length', so it cannot also be the id"},
      {"mass,length\n1,2\n", ignored, "the model learned from the column 'length', so it cannot be left out"},
      {"mass,species\n1,a\n", for_model(birds()),
       "the model was trained with the column 'length', which the file does not have"},
      {"mass,size,species\n1,2,a\n", for_model(birds()),
       "the model was trained with the column 'length', which the file does not have; it has 'size' instead (to leave "
       "columns out, use ignore)"},
      {"mass,length\n1,2\n", for_model(birds()),
       "there is no column 'species', the label of the model; if another column is the label, use label_column"},
      {"1,2,a\n", for_model(birds()),
       "there is no header, so it is not clear which of the 3 columns is the label; use label_column with its number"},
      {"1,2,3\n", to_predict(birds()),
       "there is no header, so it is not clear which of the 3 columns is the label; use label_column with its number"},
      {"1,2\n", for_model(unnamed),
       "found 2 columns, but the model was trained with 2 features and a label; if the data have no labels, use "
       "label_column=none"},
      {"1,2,3\n", given,
       "found 3 feature columns, but the model was trained with 2; to leave columns out, use ignore; to name the "
       "label, use label_column"},
      {"1\n", to_predict(unnamed), "found 1 feature column, but the model was trained with 2"},
      {"1,2,3,4\n", for_model(unnamed),
       "found 4 feature columns, but the model was trained with 2; to leave columns out, use ignore; to name the "
       "label, use label_column"},
      {"x,y,x\n1,2,3\n", for_model({.features = {"x", "y"}, .label = "x"}),
       "the label and a feature of the model are both called 'x'; use label_column with the number of the label"},
  };
  for (const auto& [text, options, expected] : cases)
    EXPECT_EQ(error_of(text, options), "data:1:1: " + expected) << text;
}

TEST(ColumnMap, SaysWhatIsWrongWithIgnoredColumns) {
  const auto ignoring = [](Names columns) {
    SourceOptions options;
    options.format = Format::csv;
    options.ignore = std::move(columns);
    return options;
  };
  EXPECT_EQ(error_of("a,b,c\n1,2,3\n", ignoring({"x"})),
            "data:1:1: there is no column 'x'; the file has the columns a, b, c");
  EXPECT_EQ(error_of("a,b,c\n1,2,3\n", ignoring({"b", "a"})),
            "data:1:1: column a is both label and ignored; name the label column with label_column");
  SourceOptions shared = ignoring({"x", "b"});
  shared.options_may_not_fit = true;
  EXPECT_EQ(values_of("a,b,c\n1,2,3\n", shared), std::vector<float>{3});
  EXPECT_EQ(values_of("a,b,c\n1,\"any\n\"\"text\"\"\",3\n", ignoring({"2"})), std::vector<float>{3});
}

}  // namespace
}  // namespace kinglet
