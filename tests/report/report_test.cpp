// Reports: the page contains exactly the data of the report, with any characters and numbers.
#include "report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "kinglet/error.hpp"

namespace kinglet::report {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Json parsed(const Report& report) { return Json::parse(to_json(report)); }

Json block_of(Block block) {
  Report report{.title = "one block"};
  report.sections.push_back({.title = "section", .blocks = {std::move(block)}});
  return parsed(report)["sections"][0]["blocks"][0];
}

TEST(Report, HasNoMarkupInItsJson) {
  Report report{.title = "</script><script>alert(1)</script><!-- & \"quotes\" 'and' \\ \n tab\t"};
  const std::string json = to_json(report);
  EXPECT_THAT(json, Not(HasSubstr("<")));
  EXPECT_EQ(Json::parse(json)["title"], report.title);
}

TEST(Report, ReplacesBytesThatAreNoText) {
  const Json json = parsed({.title = "a\xFFz"});
  EXPECT_EQ(json["title"], "a\xEF\xBF\xBDz");
}

TEST(Report, LeavesOutNumbersThatAreNone) {
  Chart chart{.title = "gaps"};
  chart.series.push_back(
      {.name = "one", .points = {{.x = 1, .y = kUnknown}, {.x = 2, .y = kInfinity}, point(3, 4, 0.5)}});
  const Json points = block_of(chart)["series"][0]["points"];
  EXPECT_TRUE(points[0]["y"].is_null());
  EXPECT_TRUE(points[1]["y"].is_null());
  EXPECT_FALSE(points[0].contains("low"));
  EXPECT_EQ(points[2]["y"], 4);
  EXPECT_EQ(points[2]["low"], 3.5);
  EXPECT_EQ(points[2]["high"], 4.5);
}

TEST(Report, KeepsDigitsThatCanBeSeen) {
  Chart chart;
  chart.series.push_back({.points = {{.x = 10'000'000, .y = 0.123456789}, {.x = 1e300, .y = -1e-12}}});
  const Json points = block_of(chart)["series"][0]["points"];
  EXPECT_EQ(points[0]["x"].dump(), "10000000");
  EXPECT_EQ(points[0]["y"].dump(), "0.123457");
  EXPECT_EQ(points[1]["x"].get<double>(), 1e300);
  EXPECT_EQ(points[1]["y"].get<double>(), -1e-12);
}

TEST(Report, WritesEveryKindOfBlock) {
  EXPECT_EQ(block_of(FactList{.facts = {{"a", "b", ""}}})["kind"], "facts");
  EXPECT_EQ(block_of(Note{.lines = {"a"}})["kind"], "note");
  EXPECT_EQ(block_of(Table{})["kind"], "table");
  EXPECT_EQ(block_of(Chart{})["kind"], "chart");
  Bars bars;
  bars.bars.push_back({.name = "a", .value = 1});
  EXPECT_EQ(block_of(bars)["bars"][0]["value"], 1);
  EXPECT_EQ(block_of(Confusion{.labels = {"a"}, .counts = {3}})["counts"], Json({3}));
  EXPECT_EQ(block_of(DecisionMap{.width = 1, .height = 2, .scores = {0.5F, -1}})["scores"], Json({0.5, -1}));
  EXPECT_EQ(block_of(DecisionMap{.width = 1, .height = 2, .classes = {2, 0}})["classes"], Json({2, 0}));
}

TEST(Report, WritesPicturesInBase64) {
  const auto pixels_of = [](std::vector<std::uint8_t> pixels) {
    const std::size_t width = pixels.size();
    return block_of(
        Gallery{.width = width, .height = 1, .pictures = {{.pixels = std::move(pixels)}}})["pictures"][0]["pixels"];
  };
  EXPECT_EQ(pixels_of({'M', 'a', 'n'}), "TWFu");
  EXPECT_EQ(pixels_of({'M', 'a'}), "TWE=");
  EXPECT_EQ(pixels_of({'M'}), "TQ==");
  EXPECT_EQ(pixels_of({255, 254, 253, 0}), "//79AA==");
}

TEST(Report, FillsAPage) {
  const std::string page = render({.title = "a < b"}, "<title>{{title}}</title><script>{{report}}</script>end");
  EXPECT_THAT(page, testing::StartsWith("<title>a &lt; b</title><script>{\"title\":\"a \\u003c b\""));
  EXPECT_THAT(page, testing::EndsWith("</script>end"));
}

TEST(Report, TakesItsOwnWordsForNoMarks) {
  const std::string page = render({.title = "{{report}}"}, "{{title}}|{{report}}");
  EXPECT_THAT(page, testing::StartsWith("{{report}}|{\"title\":\"{{report}}\""));
}

TEST(Report, IsOnePageThatLoadsNothing) {
  if (!can_render()) {
    EXPECT_THROW(render({.title = "none"}), Error);
    GTEST_SKIP() << "built without the page of reports";
  }
  const std::string page = render({.title = "whole"});
  EXPECT_THAT(page, testing::StartsWith("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("<title>whole</title>"));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
  for (const char* loads : {" src=\"http", " href=\"http", "@import", "url(http"})
    EXPECT_THAT(page, Not(HasSubstr(loads)));
  EXPECT_LT(page.size(), 1'000'000U);
}

// --- cells and pictures ----------------------------------------------------------------------------------------------

TEST(ReportCell, SaysMeanAndDeviation) {
  const Cell cell = measured(95.214, 0.118, 2);
  EXPECT_EQ(cell.text, "95.21");
  EXPECT_EQ(cell.spread, "0.12");
  EXPECT_EQ(measured(1, kUnknown, 0).spread, "");
  EXPECT_EQ(measured(kUnknown, 1, 0).text, "–");
  EXPECT_EQ(measured(kUnknown, 1, 0).spread, "");
}

TEST(ReportCell, CountsInThousands) {
  EXPECT_EQ(count(0).text, "0");
  EXPECT_EQ(count(999).text, "999");
  EXPECT_EQ(count(1'234'567).text, "1,234,567");
}

TEST(ReportCell, MarksTheBestOfAColumnAndItsEquals) {
  Table table{.columns = {{"name", false}, {"accuracy"}}};
  for (const double value : {1.0, 3.001, 2.0, 3.0011, kUnknown}) {
    table.rows.push_back({.cells = {words("row"), number(value, 2)}});
  }
  table.rows.push_back({.heading = "a heading has no cells"});
  mark_best(table, 1, Best::greatest);
  EXPECT_EQ(table.rows[1].cells[1].mark, Mark::best);
  EXPECT_EQ(table.rows[3].cells[1].mark, Mark::best);
  EXPECT_EQ(table.rows[0].cells[1].mark, Mark::none);
  EXPECT_EQ(table.rows[0].cells[0].mark, Mark::none);
  mark_best(table, 1, Best::least);
  EXPECT_EQ(table.rows[0].cells[1].mark, Mark::best);
}

TEST(ReportPicture, SpansPaperAndInk) {
  EXPECT_EQ(grey({-1, 0, 1}, -1, 1), (std::vector<std::uint8_t>{0, 128, 255}));
  EXPECT_EQ(grey({-9, 9, std::nanf("")}, -1, 1), (std::vector<std::uint8_t>{0, 255, 0}));
  EXPECT_EQ(grey({5, 5}, 5, 5), (std::vector<std::uint8_t>{0, 0}));
}

}  // namespace
}  // namespace kinglet::report
