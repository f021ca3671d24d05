// A report as one page that needs nothing else: what it says is described here by plain structs, written into the page as
// JSON, and drawn there by the script of web/.
//
//   Report report{.title = "bpegasos on usps", .command = "kinglet train …"};
//   report.facts.push_back({"test accuracy", "95.1 %", "2,007 examples"});
//   Section& section = report.sections.emplace_back(Section{.title = "Along the stream"});
//   section.blocks.push_back(Chart{.title = "Online error", .x = {"examples", Unit::count}, …});
//   write whole: render(report)
//
// A number that is NaN or infinite is one that is not known: nothing is drawn for it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kinglet::report {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// --- words and numbers -----------------------------------------------------------------------------------------------

struct Fact {
  std::string name;
  std::string value;
  std::string note;  // in small letters below; may be empty
};

// Names and values, one below the other; side by side where it is wide.
struct FactList {
  std::string title;
  std::string caption;
  std::vector<Fact> facts;
  bool wide = false;
};

struct Note {
  std::string title;
  std::vector<std::string> lines;  // a paragraph each
  bool wide = true;
};

// best: the winner of its column. good, fair, bad: verdicts. muted: what matters less.
enum class Mark { none, best, good, fair, bad, muted };

struct Cell {
  std::string text;
  double value = kUnknown;  // what the column is ordered by; where unknown, by the text
  std::string spread;       // the deviation, shown after ±
  std::string detail;       // a second line in small letters
  Mark mark = Mark::none;
  std::string hint;  // shown when one points at it
};

Cell words(std::string text, Mark mark = Mark::none);
Cell number(double value, int decimals);
Cell count(std::uint64_t n);  // 1,234,567
// 95.21 ± 0.12. Without ± where the deviation is not known.
Cell measured(double mean, double deviation, int decimals);
Cell verdict(Mark mark, std::string text);

struct Column {
  std::string title;
  bool number = true;  // set to the right
  std::string hint;
};

// A row of cells, or a heading over the rows that follow.
struct Row {
  std::vector<Cell> cells;
  std::string heading;
};

struct Table {
  std::string title;
  std::string caption;
  std::vector<Column> columns;
  std::vector<Row> rows;
  bool wide = true;
};

// Marks the best cell of a column (and its equals to the digits shown): the one of the greatest value, or of the least.
enum class Best { greatest, least };
void mark_best(Table& table, std::size_t column, Best best);

// --- charts ----------------------------------------------------------------------------------------------------------

enum class Unit { number, count, share, seconds, bytes };  // share: of 1, shown in per cent
enum class Scale { linear, log };

struct Axis {
  std::string label;
  Unit unit = Unit::number;
  Scale scale = Scale::linear;
  std::optional<double> least;  // where the axis begins and ends; by the data where not given
  std::optional<double> most;
};

struct Point {
  double x = 0;
  double y = 0;
  double low = kUnknown;  // error bar, or the edges of a band along a line
  double high = kUnknown;
  double left = kUnknown;  // error bar along x (dots only)
  double right = kUnknown;
  std::string label;  // shown when one points at it, and beside it where the series says so
};

// mean ± deviation
Point point(double x, double mean, double deviation, std::string label = {});

enum class Drawn { line, step, dots, line_and_dots };

struct Series {
  std::string name;
  std::vector<Point> points;
  Drawn drawn = Drawn::line;
  bool faint = false;
  bool dashed = false;
  bool labelled = false;      // the labels of points stand beside them
  std::optional<int> colour;  // from 0; the place in the chart where not given. For the same thing in several charts
};

// A level to compare with, such as the majority class.
struct Reference {
  std::string name;
  double y = 0;
};

struct Chart {
  std::string title;
  std::string caption;
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::vector<Reference> references;
  bool wide = false;
};

struct Bar {
  std::string name;
  double value = 0;
  double low = kUnknown;  // error bar
  double high = kUnknown;
  int colour = 0;
};

struct Bars {
  std::string title;
  std::string caption;
  Axis axis;
  std::vector<Bar> bars;
  bool wide = false;
};

// counts[truth · labels + predicted]
struct Confusion {
  std::string title;
  std::string caption;
  std::vector<std::string> labels;
  std::vector<std::uint64_t> counts;
  bool wide = false;
};

struct Place {
  double x = 0;
  double y = 0;
  int of_class = -1;       // −1: none
  double coefficient = 0;  // of a support vector; its size is that of the ring
};

// What a model makes of the plane, on a grid of width × height places from the lower left corner, row after row upwards.
struct DecisionMap {
  std::string title;
  std::string caption;
  std::string x = "feature 1";
  std::string y = "feature 2";
  double left = 0, right = 1, bottom = 0, top = 1;
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<float> scores;           // two classes: f(x), positive for class 1; numbers: f(x). Else empty
  std::vector<std::uint16_t> classes;  // more classes: which one wins
  std::vector<std::string> labels;     // of the classes; none for numbers
  std::vector<double> levels = {0};    // of the score, drawn as lines; 0 is the boundary
  std::vector<Place> examples;         // some of them
  std::vector<Place> support;
  bool wide = true;
};

struct Picture {
  std::vector<std::uint8_t> pixels;  // row after row; 255 is ink
  std::string name;
  std::string detail;
};

struct Gallery {
  std::string title;
  std::string caption;
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<Picture> pictures;
  bool wide = true;
};

// Grey values for a picture: `low` is paper and `high` is ink.
std::vector<std::uint8_t> grey(const std::vector<float>& values, float low, float high);

// --- the page --------------------------------------------------------------------------------------------------------

using Block = std::variant<FactList, Note, Table, Chart, Bars, Confusion, DecisionMap, Gallery>;

struct Section {
  std::string title;
  std::string text;  // one paragraph; may be empty
  std::vector<Block> blocks;
};

struct Report {
  std::string title;
  std::string subtitle;
  std::vector<Fact> facts;  // the few numbers that matter most
  std::vector<Section> sections;
  std::string command;  // what made it
};

std::string to_json(const Report& report);  // safe inside a script element

// Whether the page is built into this program (CMake: KINGLET_BUILD_REPORT).
bool can_render();
// The whole page; Error where !can_render().
std::string render(const Report& report);
// The same with another page, in which {{title}} and {{report}} are filled in.
std::string render(const Report& report, std::string_view page);

}  // namespace kinglet::report
