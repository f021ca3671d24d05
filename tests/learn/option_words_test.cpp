// Messages of the library write option names as in the C++ and C interfaces (`gamma`), not as flags of the command
// (`--gamma`), and mention only options that exist.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "data/generator.hpp"
#include "data/text_source.hpp"
#include "kinglet/error.hpp"
#include "kinglet/mix.hpp"
#include "kinglet/model.hpp"
#include "kinglet/registry.hpp"
#include "kinglet/source.hpp"

namespace kinglet {
namespace {

using testing::HasSubstr;
using testing::Not;

std::set<std::string> shown_names() {
  std::set<std::string> names;
  for (const ListedOption& listed : all_options()) names.insert(listed.spec.shown_name());
  return names;
}

// Collects messages and checks each different one once.
class Messages {
 public:
  explicit Messages(std::set<std::string> known) : known_(std::move(known)) {}

  void add(const Message& message) {
    if (!seen_.insert(message.text()).second) return;
    EXPECT_THAT(message.text(), Not(HasSubstr("--")));
    EXPECT_THAT(message.text(), Not(testing::ContainsRegex("kinglet (algorithms|span|mix|compress|train)")));
    for (const Message::Piece& piece : message.pieces()) {
      const auto* mention = std::get_if<OptionMention>(&piece);
      EXPECT_TRUE(mention == nullptr || known_.contains(mention->name)) << message.text();
    }
  }

  void try_options(const Options& options) {
    try {
      complete_options(options);
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), error.message().text());
      add(error.message());
    }
  }

  bool has(const std::string& part) const {
    return std::any_of(seen_.begin(), seen_.end(), [&](const auto& text) { return text.find(part) != text.npos; });
  }
  std::size_t size() const { return seen_.size(); }

 private:
  std::set<std::string> known_;
  std::set<std::string> seen_;
};

Message error_message(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.message();
  }
  ADD_FAILURE() << "no error";
  return {};
}

constexpr const char* kTasks[] = {"classify", "regress", "novelty"};

TEST(OptionWords, OfEveryBadValueArePlain) {
  Messages messages(shown_names());
  for (const ListedOption& listed : all_options()) {
    for (const Algorithm& algorithm : algorithms()) {
      for (const char* task : kTasks) {
        for (const char* value : {"", "x", "-1", "0", "0.5", "1e99", "auto", "true", "inf"}) {
          Options options{{"algo", algorithm.name}, {"task", task}};
          options.set(listed.spec.name, value);
          messages.try_options(options);
        }
      }
    }
  }
  EXPECT_GT(messages.size(), 500U);
  for (const char* part : {" must be a number", " must be a whole number", " must be one of ", " must be an amount",
                           " is not an option of ", "which has no update and budget rules", "=auto needs memory"}) {
    EXPECT_TRUE(messages.has(part)) << part;
  }
}

TEST(OptionWords, OfPartsThatDoNotGoTogetherArePlain) {
  Messages messages(shown_names());
  for (const Entry* kernel : kernels()) {
    for (const char* task : kTasks) {
      const Options parts{{"kernel", kernel->name}, {"task", task}};
      const auto with = [&](std::initializer_list<std::pair<const char*, std::string>> more) {
        Options options = parts;
        for (const auto& [name, value] : more) options.set(name, value);
        messages.try_options(options);
      };
      for (const Entry* update : update_rules()) {
        for (const Entry* rule : budget_rules()) {
          with({{"update", update->name}, {"maintain", rule->name}});
          with({{"update", update->name}, {"maintain", rule->name}, {"output", "average"}});
        }
      }
      for (const Algorithm& algorithm : algorithms()) {
        with({{"algo", algorithm.name}, {"coef0", "-1"}});
        with({{"algo", algorithm.name}, {"query", "ramp"}});
        with({{"algo", algorithm.name}, {"proba", "true"}});
        for (const char* loss : {"hinge", "epsilon"}) with({{"algo", algorithm.name}, {"loss", loss}});
        with({{"algo", algorithm.name}, {"lambda", "2"}, {"eta", "3"}});
      }
      with({{"merge-pairs", "100"}, {"budget", "50"}});
      with({{"algo", "onlinesvmr"}, {"keep-non-sv", "1.5"}});
      with({{"algo", "spa"}, {"alpha", "50"}});
      with({{"algo", "spa"}, {"expected-budget", "50"}});
      with({{"algo", "spa"}, {"stream-length", "50"}});
      with({{"algo", "spa"}, {"expected-budget", "50"}, {"stream-length", "100"}, {"beta", "3"}});
      with({{"algo", "spa"}, {"expected-budget", "50"}, {"stream-length", "100"}, {"budget", "3"}});
    }
  }
  for (const char* part : {"needs a positive definite kernel",
                           "poly with a negative coef0",
                           "needs the classes of the support vectors",
                           "supports only classification; for",
                           "supports only classification, not",
                           "never removes a vector",
                           "cannot be combined with task=novelty",
                           "Gaussian kernel",
                           "must be less than the budget",
                           "whole number or inf",
                           "is a probability",
                           "give stream-length",
                           "which was not given",
                           "beta or expected-budget",
                           "raise budget",
                           "has no scores to choose labels by",
                           "proba needs",
                           "supports the losses epsilon and squared",
                           "is only for task=regress",
                           "would erase",
                           "from mistakes only",
                           "no laplacian kernel"}) {
    EXPECT_TRUE(messages.has(part)) << part;
  }
}

TEST(OptionWords, OfHelpAndAdviceArePlain) {
  Messages messages(shown_names());
  for (const ListedOption& listed : all_options()) messages.add(listed.spec.help);
  for (const auto entries : {update_rules(), budget_rules(), whole_learners(), kernels()}) {
    for (const Entry* entry : entries) {
      for (const OptionSpec& spec : entry->options) messages.add(spec.help);
      messages.add(entry->use);
      messages.add(entry->summary);
    }
  }
  for (const Algorithm& algorithm : algorithms()) messages.add(algorithm.summary);
  for (const GeneratorEntry& generator : generators()) messages.add(generator.summary);
  for (const Message& text : advice(complete_options({{"algo", "bpegasos"}, {"query", "ramp"}}))) messages.add(text);
  EXPECT_TRUE(messages.has("are within the ramp"));
}

TEST(OptionWords, OfSingleExamplesArePlain) {
  Messages messages(shown_names());
  const auto learn = [&](const char* task, auto... label) {
    Model model({{"task", task}});
    try {
      model.learn(std::vector{1.0F}, label...);
      ADD_FAILURE() << task;
    } catch (const Error& error) {
      const auto& pieces = error.message().pieces();
      const auto is_option = [](const auto& piece) { return std::holds_alternative<OptionMention>(piece); };
      EXPECT_TRUE(std::any_of(pieces.begin(), pieces.end(), is_option)) << error.what();
      messages.add(error.message());
    }
  };
  learn("classify", 0.5);
  learn("regress", std::string_view("robin"));
  learn("classify");
  learn("regress");
  for (const char* part : {"the label 0.5 is not a whole number: to learn numbers instead of classes use task=regress",
                           "the label 'robin' is a text, but with task=regress", "no label: only with task=novelty",
                           "no number: only with task=novelty"}) {
    EXPECT_TRUE(messages.has(part)) << part;
  }
}

TEST(OptionWords, OfMixingArePlain) {
  Messages messages(shown_names());
  messages.add(error_message([] { complete_options({{"algo", "xyzzy"}}); }));
  const auto learn = [](Model& model) {
    const auto source = open_source("gen:checkerboard?n=1000", {});
    model.begin_source();
    for (Batch batch; source->next(batch);) model.learn(batch);
    model.end_pass();
  };
  const auto learned = [&](Options options) {
    options.set("budget", "10");
    Model model(options);
    learn(model);
    return model;
  };
  const Model one = learned({{"algo", "bpegasos"}, {"gamma", "3"}}), other = learned({{"algo", "bpegasos"}});
  const std::vector<const Model*> models{&one, &other};
  messages.add(error_message([&] { mix(models); }));
  messages.add(error_message([] { make_start(Model()); }));
  const Model start = make_start(learned({{"algo", "span"}}));
  Model first = Model::deserialize(start.serialize(), "first");
  learn(first);
  const std::vector<const Model*> parts{&first, &first};
  messages.add(error_message([&] { mix(parts, {.budget = 5, .may_repeat = true}); }));
  messages.add(error_message([&] { make_start(learned({})); }));
  for (const char* part : {"algorithms() lists them", "train all models from one shared start (make_start())",
                           "budget has no effect", "use compress()", "take algo=span"}) {
    EXPECT_TRUE(messages.has(part)) << part;
  }
}

TEST(OptionWords, OfReadersArePlain) {
  Messages messages({"column", "data", "dimension", "format", "header", "id_column", "ignore", "index_base",
                     "label_column", "missing", "no_header", "only", "separator", "weight_column"});
  const auto read = [&](const std::string& text, const SourceOptions& options) {
    try {
      const auto source = read_memory(text, options, "data");
      Batch batch;
      while (source->next(batch)) continue;
    } catch (const Error& error) {
      messages.add(error.message());
    }
  };
  read("1 0:1\n", {.index_base = 1});
  read("1 1:1\n", {.label_column = "x"});
  read("1 1:1\n", {.weight_column = "x"});
  read("1 1:1\n", {.ignore = {"x"}});
  const auto of_model = std::make_shared<const Columns>(Columns{.dimension = 1, .features = {"x"}, .label = "y"});
  read("x,y,z\n1,2,3\n", {.columns = of_model});
  read("x\n1\n", {.format = Format::csv, .columns = of_model});
  read("1,2\n", {.columns = of_model});
  read("1\n", {.format = Format::csv, .columns = of_model});
  read("1,2,3\n", {.columns = of_model});
  read("1 1:1\n", {.header = true});
  read("1 1:1\n", {.header = false});
  read("1 1:1\n", {.missing = Missing::zero});
  read("1,2\n3,\n", {.format = Format::csv, .header = false, .missing = Missing::error});
  read("1 1:1\n", {.only = {"x"}});
  read("1 1:1\n", {.id_column = "x"});
  read("1 1:1\n", {.separator = ';'});
  read("1 1:1\n", {.kinds = {{"x", ColumnKind::text}}});
  read("1,2\n3,4z\n", {.header = false, .kinds = {{"2", ColumnKind::number}}});
  read("1,2\n,3\n", {.format = Format::csv, .header = false});
  read("1,2\n", {.format = Format::csv, .index_base = 1});
  read("x,2\ny,2\n", {.format = Format::csv, .header = false, .numeric_labels = true});
  const auto open = [&](const SourceOptions& options) {
    try {
      open_source("gen:checkerboard?n=10", options);
    } catch (const Error& error) {
      messages.add(error.message());
    }
  };
  open({.format = Format::csv});
  open({.index_base = 1});
  open({.dimension = 3});
  for (const char* part : {"use index_base=0",
                           "label_column applies only to CSV",
                           "weight_column applies only to CSV",
                           "ignore applies only to CSV",
                           "only applies only to CSV",
                           "id_column applies only to CSV",
                           "separator applies only to CSV",
                           "column applies only to CSV",
                           "use column=2=category",
                           "use ignore=z",
                           "is the label, use label_column",
                           "label; use label_column",
                           "header applies only to CSV",
                           "no_header applies only to CSV",
                           "missing applies only to CSV",
                           "missing=zero or missing=mean",
                           "label_column=none",
                           "index_base applies only to LIBSVM",
                           "use label_column with",
                           "format applies only to files",
                           "index_base applies only to files",
                           "dimension applies only to files"}) {
    EXPECT_TRUE(messages.has(part)) << part;
  }
}

}  // namespace
}  // namespace kinglet
