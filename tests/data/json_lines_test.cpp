// JSON lines: members are columns as in CSV, in any order and perhaps absent; errors say where they are.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "data/json_members.hpp"
#include "data/reading.hpp"

namespace kinglet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// The values of the members of an object as texts; <null> and <nested> for what is no scalar; the error if there is
// one.
std::vector<std::string> members_of(std::string_view line) {
  std::vector<std::string> found;
  JsonMembers members;
  try {
    members.start(line);
    for (JsonMember member; members.next(member);) {
      const std::string value = member.kind == JsonMember::Kind::null     ? "<null>"
                                : member.kind == JsonMember::Kind::nested ? "<nested>"
                                                                          : std::string(member.text);
      found.push_back(std::string(member.name) + "=" + value);
    }
  } catch (const Error& error) {
    found.push_back(fmt::format("{} at {}", error.what(), members.at() - line.data()));
  }
  return found;
}

const std::string kPeople =
    R"({"age": 39, "job": "cook", "since": "2001-05-06", "label": "yes"}
{"age": 50, "job": "clerk", "since": "2002-07-08T09:10Z", "label": "no"}
{"age": 61, "job": "cook", "since": "2003-01-01", "label": "yes"}
)";

const std::string kPeopleAsCsv =
    "age,job,since,label\n39,cook,2001-05-06,yes\n50,clerk,2002-07-08T09:10Z,no\n61,cook,2003-01-01,yes\n";

TEST(JsonMembers, ReadsEveryKindOfValue) {
  EXPECT_THAT(members_of(R"( { "a" : 1 , "b":-2.5e+3,"c":"x","d":true,"e":false,"f":null,"g":NaN } )"),
              ElementsAre("a=1", "b=-2.5e+3", "c=x", "d=true", "e=false", "f=<null>", "g=<null>"));
  EXPECT_THAT(members_of("{}"), IsEmpty());
  EXPECT_THAT(members_of(R"({"a":[1,{"b":"]}\""}],"c":{"d":[]},"e":0})"),
              ElementsAre("a=<nested>", "c=<nested>", "e=0"));
}

TEST(JsonMembers, UnderstandsEscapes) {
  EXPECT_THAT(members_of(R"({"a\tb":"\"\\\/\b\f\n\r\t"})"), ElementsAre("a\tb=\"\\/\b\f\n\r\t"));
  EXPECT_THAT(members_of(R"({"a":"\u0041\u00e9\u20AC\uD83D\uDE00."})"),
              ElementsAre("a=A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80."));
}

TEST(JsonMembers, SaysWhatIsNoJsonAndWhere) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "expected an object"},
      {"[1]", "expected an object"},
      {"{", "expected a name in double quotes at 1"},
      {"{\"a\"", "expected a colon at 4"},
      {"{\"a\":", "expected a value at 5"},
      {"{\"a\":}", "expected a value at 5"},
      {"{\"a\":1", "expected a comma or } at 6"},
      {"{\"a\":1,}", "expected a name in double quotes at 7"},
      {"{\"a\":1 \"b\":2}", "expected a comma or } at 7"},
      {"{'a':1}", "expected a name in double quotes at 1"},
      {"{\"a\":01}", "'01' is not a JSON value at 5"},
      {"{\"a\":+1}", "'+1' is not a JSON value"},
      {"{\"a\":.5}", "'.5' is not a JSON value"},
      {"{\"a\":1.}", "'1.' is not a JSON value"},
      {"{\"a\":1e}", "'1e' is not a JSON value"},
      {"{\"a\":Infinity}", "'Infinity' is not a JSON value"},
      {"{\"a\":None}", "'None' is not a JSON value"},
      {"{\"a\":\"b", "the line ends inside a string"},
      {"{\"a\":\"b\\", "the escape is unknown"},
      {"{\"a\":\"\\x\"}", "the escape is unknown"},
      {"{\"a\":\"\\u12G4\"}", "four hexadecimal digits"},
      {"{\"a\":\"\\u12", "four hexadecimal digits"},
      {"{\"a\":\"\\uD83D\"}", "half of a surrogate pair is missing"},
      {"{\"a\":\"\\uD83D\\u0041\"}", "half of a surrogate pair is missing"},
      {"{\"a\":\"\\uDE00\"}", "half of a surrogate pair is missing"},
      {"{\"a\":\"\x01\"}", "a control character in a string"},
      {"{\"a\":[[1]", "the line ends inside a list"},
      {"{\"a\":{\"b", "the line ends inside a string"},
      {"{\"a\":1}{\"a\":2}", "unexpected text after the object; write one object per line at 7"},
  };
  for (const auto& [line, message] : cases) {
    const auto found = members_of(line);
    ASSERT_FALSE(found.empty()) << line;
    EXPECT_THAT(found.back(), HasSubstr(message)) << line;
  }
}

TEST(JsonMembers, PassesOverAnyDepth) {
  const std::string deep = "{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + ",\"b\":1}";
  EXPECT_THAT(members_of(deep), ElementsAre("a=<nested>", "b=1"));
  EXPECT_THAT(members_of("{\"a\":" + std::string(100'000, '[')).back(), HasSubstr("the line ends inside a list"));
}

TEST(JsonMembers, ReadsBackWhateverWasWritten) {
  EXPECT_TRUE(rc::check([](const std::string& name, const std::string& text) {
    const auto written = [](const std::string& s) {
      std::string json = "\"";
      for (const char c : s) {
        if (static_cast<unsigned char>(c) < 0x20) {
          json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          json += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
        }
      }
      return json + "\"";
    };
    RC_ASSERT(members_of("{" + written(name) + " : " + written(text) + "}") == std::vector{name + "=" + text});
  }));
}

TEST(JsonLines, AreTheSameAsCsv) {
  const SourceOptions options{.label_column = "label"};
  const Batch json = first_batch(kPeople, options), csv = first_batch(kPeopleAsCsv, options);
  EXPECT_THAT(kinds_of(json), ElementsAre(ColumnKind::number, ColumnKind::category, ColumnKind::time));
  EXPECT_EQ(*json.columns->schema, *csv.columns->schema);
  EXPECT_EQ(json.columns->features, csv.columns->features);
  EXPECT_EQ(read_all(kPeople, options).rows, read_all(kPeopleAsCsv, options).rows);
  std::string windows = "\xEF\xBB\xBF\r\n" + kPeople + "\n \n";
  for (std::size_t at = 0; (at = windows.find("}\n", at)) != std::string::npos; at += 3)
    windows.replace(at, 2, "}\r\n");
  EXPECT_EQ(read_all(windows, options).rows, read_all(kPeopleAsCsv, options).rows);
}

TEST(JsonLines, NumbersStayDense) {
  const std::string text = "{\"y\":\"a\",\"x\":1,\"z\":2.5}\n{\"z\":-4,\"x\":3,\"y\":\"b\"}\n";
  const Batch batch = first_batch(text);
  EXPECT_FALSE(batch.sparse);
  EXPECT_EQ(batch.columns->schema, nullptr);
  EXPECT_EQ(batch.columns->label, "y");
  EXPECT_THAT(batch.values, ElementsAre(1, 2.5, 3, -4));
}

TEST(JsonLines, AnAbsentMemberIsAMissingValue) {
  const std::string text = "{\"y\":1,\"x\":1}\n{\"y\":0,\"c\":\"u\"}\n{\"y\":0,\"x\":null,\"c\":\"v\"}\n";
  const auto source = read_memory(text, {}, "data");
  Batch batch;
  source->next(batch);
  EXPECT_THAT(batch.columns->features, ElementsAre("x", "c"));
  EXPECT_THAT(source->gaps().missing, ElementsAre(2, 1));
  EXPECT_THAT(error_of(text, {.missing = Missing::error}), HasSubstr("data:1:1: the value of column 'c' is missing"));
  EXPECT_THAT(error_of("{\"y\":1,\"x\":1}\n{\"x\":2}\n"), HasSubstr("data:2:1: the label is missing"));
  const auto left_out = read_memory("{\"y\":1,\"x\":1}\n{\"x\":2}\n", {.skip_unlabelled = true}, "data");
  EXPECT_EQ(read_all(*left_out).rows.size(), 1U);
  EXPECT_EQ(left_out->gaps().unlabelled, 1U);
}

TEST(JsonLines, CountsMissingValuesInEachPass) {
  for (const char* text : {"{\"y\":1,\"x\":1,\"c\":\"u\"}\n{\"y\":0,\"c\":\"u\"}\n", "y,x,c\n1,1,u\n0,,u\n"}) {
    const auto source = read_memory(text, {}, "data");
    for (int pass = 0; pass < 3; ++pass) {
      for (Batch batch; source->next(batch);) {
      }
      EXPECT_THAT(source->gaps().missing, ElementsAre(1, 0));
      source->rewind();
    }
  }
}

TEST(JsonLines, ARecordThatDoesNotFitNamesColumnValueAndLine) {
  std::string text;
  for (std::size_t i = 0; i < kBatchRows; ++i) text += "{\"y\":\"a\",\"age\":30,\"job\":\"cook\"}\n";
  const auto error_after = [&](const std::string& line, const SourceOptions& options = {}) {
    return error_of(text + line + "\n", options);
  };
  EXPECT_THAT(error_after(R"({"y":"a","age":"old","job":"cook"})"),
              StartsWith("data:1025:16: value 'old' of column 'age' is not a number; if the column is of another kind, "
                         "use column=age=category"));
  EXPECT_THAT(error_after(R"({"y":"a","age":1e99,"job":"cook"})"),
              StartsWith("data:1025:16: value '1e99' of column 'age' is out of range"));
  EXPECT_THAT(error_after(R"({"y":"a","age":[1],"job":"cook"})"),
              StartsWith("data:1025:16: the value of column 'age' is a list or an object; to leave the column out, use "
                         "ignore=age"));
  EXPECT_THAT(error_after(R"({"y":"a","new":1})"),
              StartsWith("data:1025:16: the first rows do not have the column 'new'; to leave it out, use ignore=new"));
  EXPECT_THAT(error_after(R"({"y":"a","age":1,"age":2})"), StartsWith("data:1025:24: the record has 'age' twice"));
  EXPECT_THAT(error_after(R"({"y":"a","age":1)"), StartsWith("data:1025:17: expected a comma or }"));
  EXPECT_THAT(error_after("{\"y\":\"a\\nb\"}"), StartsWith("data:1025:6: label 'a\\x0ab' contains a line end"));
  EXPECT_EQ(error_after(R"({"y":"a","new":1})", {.ignore = {"new"}}), "no error");
  EXPECT_EQ(error_after(R"({"y":"a","new":[]})", {.only = {"age"}}), "no error");
  text += "broken\n{\"y\":\"b\",\"age\":1}\n";
  const auto source = read_memory(text, {.skip_bad = 1}, "data");
  EXPECT_EQ(read_all(*source).rows.size(), kBatchRows + 1);
  EXPECT_EQ(source->skipped().count, 1U);
}

TEST(JsonLines, OptionsApply) {
  const std::string text = "{\"id\":\"u\",\"zip\":8001,\"x\":1,\"w\":2,\"y\":\"a\"}\n";
  const SourceOptions options{.label_column = "y",
                              .weight_column = "w",
                              .id_column = "id",
                              .ignore = {"x", "later"},
                              .kinds = {{"zip", ColumnKind::category}}};
  const Batch batch = first_batch(text, options);
  EXPECT_THAT(batch.columns->features, ElementsAre("zip"));
  EXPECT_THAT(kinds_of(batch), ElementsAre(ColumnKind::category));
  EXPECT_THAT(batch.ids, ElementsAre("u"));
  EXPECT_THAT(batch.weights, ElementsAre(2));
  EXPECT_THAT(error_of(text, {.label_column = "z"}),
              HasSubstr("there is no label column 'z'; the file has the columns id"));
  EXPECT_THAT(error_of(text, {.kinds = {{"zpi", ColumnKind::category}}}), HasSubstr("there is no column 'zpi'"));
  EXPECT_THAT(error_of(text, {.only = {"zpi"}}), HasSubstr("there is no column 'zpi'"));
  EXPECT_THAT(error_of(text, {.header = true}), HasSubstr("header applies only to CSV, but data is JSON lines"));
  EXPECT_THAT(error_of(text, {.separator = ';'}), HasSubstr("separator applies only to CSV, but data is JSON lines"));
  EXPECT_THAT(error_of(text, {.index_base = 1}), HasSubstr("index_base applies only to LIBSVM format"));
  EXPECT_EQ(read_all("{\"y\":1.5,\"x\":1}\n", {.numeric_labels = true}).rows[0].target, 1.5F);
}

TEST(JsonLines, WhatIsNotLinesOfObjectsIsExplained) {
  EXPECT_THAT(error_of("{}\n{}\n"), HasSubstr("data:1:1: the object has no members"));
  EXPECT_THAT(error_of("{\"x\":}\n"), HasSubstr("data:1:1: expected a value"));
  EXPECT_THAT(error_of("{\"y\":1}\n"), HasSubstr("there are no columns to learn from"));
  EXPECT_THAT(error_of("{\n \"y\": 1,\n \"x\": 2\n}\n"), HasSubstr("is JSON, but not one object per line"));
  EXPECT_THAT(error_of("[{\"y\":1,\"x\":2}]\n"), HasSubstr("is JSON, but not one object per line"));
  EXPECT_THAT(error_of("\n", {.format = Format::jsonl}), HasSubstr("no rows, only blank lines"));
  EXPECT_THAT(error_of("y,x\n1,2\n", {.format = Format::jsonl}), HasSubstr("data:1:1: expected an object"));
  EXPECT_THAT(error_of("{\"y\":\"\",\"x\":1}\n", {.skip_unlabelled = true}), HasSubstr("no row has a label"));
}

TEST(JsonLines, AModelFindsItsColumnsInAnyOrder) {
  const Batch learned = first_batch(kPeopleAsCsv, {.label_column = "label"});
  const SourceOptions options{.columns = learned.columns, .labels_unused = true};
  const Batch batch = first_batch(R"({"since":"2001-05-06","job":"cook","age":39}
{"job":"baker","label":"yes"}
)",
                                  options);
  EXPECT_EQ(batch.columns, learned.columns);
  EXPECT_EQ(batch.features()[0].values[0], 39);
  EXPECT_TRUE(std::isnan(batch.features()[1].values[0]));
  EXPECT_THAT(error_of("{\"age\":39}\n{\"ege\":40}\n", options),
              HasSubstr("data:2:8: the model was not trained with the column 'ege'; to leave it out, use ignore=ege"));
  EXPECT_THAT(error_of("{\"age\":39}\n", {.columns = learned.columns}), HasSubstr("data:1:1: the label is missing"));
  EXPECT_THAT(error_of("{\"age\":39}\n", {.label_column = "last", .columns = learned.columns}),
              HasSubstr("the members of an object have no order"));
  const Batch nameless = first_batch("a,1,red\nb,2,blue\n", {.header = false});
  EXPECT_THAT(error_of("{\"age\":39}\n", {.columns = nameless.columns, .labels_unused = true}),
              HasSubstr("the model was trained on columns without names"));
  const Batch from_json = first_batch(kPeople, {.label_column = "label"});
  EXPECT_EQ(read_all(kPeopleAsCsv, {.columns = from_json.columns}).rows,
            read_all(kPeople, {.columns = from_json.columns}).rows);
}

TEST(JsonLines, ManyColumnsAreBounded) {
  std::string text = "{\"y\":1";
  for (int i = 0; i < 30'000; ++i) text += fmt::format(",\"c{}\":\"{}\"", i, i % 7);
  const std::string row = text + "}\n";
  EXPECT_THAT(error_of(row + row, {.category_values = 1000, .text_features = 1u << 20}), testing::StrEq("no error"));
  std::vector<ColumnChoice> texts;
  for (int i = 0; i < 20; ++i) texts.push_back({fmt::format("c{}", i), ColumnKind::text});
  EXPECT_THAT(error_of(row, {.kinds = texts, .text_features = 1u << 20}), HasSubstr("features; lower category_values"));
}

// What is read does not depend on threads, nor on how the text arrives.
TEST(JsonLines, AreTheSameOnThreadsAndFromAPipeInPieces) {
  EXPECT_TRUE(rc::check([] {
    std::string text;
    const bool plain = *rc::gen::arbitrary<bool>();
    const int rows = *rc::gen::inRange(1, 40);
    for (int i = 0; i < rows + (plain ? 1500 : 0); ++i) {
      const auto value = plain || i > 1100 ? "1" : *rc::gen::element("1", "2.5", "null", "\"u\"", "\"v, \\\"w\"", "x");
      text += fmt::format("{{\"y\":\"{}\",\"x\":{},\"z\":{}}}\n", i % 3, value, i % 5);
    }
    const auto read = [&](unsigned threads, std::size_t part) {
      PlainData data;
      std::string error = "no error";
      try {
        data = read_all(*read_memory(text, {.threads = threads}, "data", part));
      } catch (const Error& e) {
        error = e.message().text();
      }
      return std::tuple(data.labels, data.rows.size(), data.dimension, error);
    };
    const auto expected = read(1, 1u << 20);
    RC_ASSERT(read(3, 64) == expected);
    TemporaryFolder folder;
    std::string error = "no error";
    PlainData data;
    try {
      data = read_all(*open_source(folder.write("data", text), {}));
    } catch (const Error& e) {
      error = e.message().text();
    }
    RC_ASSERT(data.rows.size() == std::get<1>(expected) && data.dimension == std::get<2>(expected));
    RC_ASSERT((error == "no error") == (std::get<3>(expected) == "no error"));
  }));
}

}  // namespace
}  // namespace kinglet
