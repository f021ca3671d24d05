// A report is one self-contained HTML page. The plain structs below describe its content; it is written into the page
// as JSON, which the script of web/ draws.
//
//   Report report{.title = "bpegasos on usps", .command = "kinglet train …"};
//   report.facts.push_back({"test accuracy", "95.1 %", "2,007 examples"});
//   Section& section = report.sections.emplace_back(Section{.title = "Along the stream"});
//   section.blocks.push_back(Chart{.title = "Online error", .x = {"examples", Unit::count}, …});
//   std::string html = render(report);
//
// NaN and infinite numbers mean "unknown" and are not drawn.
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
  std::string note;  // shown in small print below; may be empty
};

// Names and values, one below the other, or side by side if `wide`.
struct FactList {
  std::string title;
  std::string caption;
  std::vector<Fact> facts;
  bool wide = false;
};

struct Note {
  std::string title;
  std::vector<std::string> lines;  // one paragraph each
  bool wide = true;
};

// A command line, with a button that copies it.
struct Command {
  std::string title;
  std::string text;
  bool wide = true;
};

// best: the best of its column. better, good, bad: verdicts. muted: less important.
enum class Mark { none, best, better, good, bad, muted };

struct Cell {
  std::string text;
  double value = kUnknown;  // sort key of the column; if unknown, the text
  std::string spread;       // standard deviation, shown after ±
  std::string detail;       // second line, in small print
  Mark mark = Mark::none;
  std::string hint;  // tooltip
};

Cell words(std::string text, Mark mark = Mark::none);
Cell number(double value, int decimals);
Cell count(std::uint64_t n);  // 1,234,567
// 95.21 ± 0.12, or without ± if the deviation is unknown.
Cell measured(double mean, double deviation, int decimals);
Cell verdict(Mark mark, std::string text);

struct Column {
  std::string title;
  bool number = true;  // right-aligned
  std::string hint;
};

// A row of cells, or a heading of the following rows.
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

// Marks the cell with the greatest or least value of a column, and the cells that show the same digits.
enum class Best { greatest, least };
void mark_best(Table& table, std::size_t column, Best best);

// --- charts ----------------------------------------------------------------------------------------------------------

enum class Unit { number, count, share, seconds, bytes };  // share: between 0 and 1, shown in per cent
enum class Scale { linear, log };

struct Axis {
  std::string label;
  Unit unit = Unit::number;
  Scale scale = Scale::linear;
  std::optional<double> least;  // ends of the axis; from the data if not given
  std::optional<double> most;
  std::vector<double> ticks;  // where the ticks are, if there is room; round numbers if empty
};

struct Point {
  double x = 0;
  double y = 0;
  double low = kUnknown;  // error bar of a dot, or band of a line
  double high = kUnknown;
  double left = kUnknown;  // error bar along x (dots only)
  double right = kUnknown;
  std::string label;  // tooltip; also shown beside the point if the series is labelled
};

// mean ± deviation
Point point(double x, double mean, double deviation, std::string label = {});

enum class Drawn { line, step, dots, line_and_dots };

struct Series {
  std::string name;
  std::vector<Point> points;
  Drawn drawn = Drawn::line;
  bool faint = false;
  int dash = 0;           // pattern of the line; 0: solid
  bool labelled = false;  // show the labels of the points
  // Palette index from 0, to use the same colour in several charts; by position if not given. Dots have a shape for
  // each.
  std::optional<int> colour;
  // If given, the legend lists the colours by `of` and the dashes by `variant`, instead of each series by its name.
  std::string of;
  std::string variant;
};

// A horizontal line to compare with, such as the majority class.
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
  std::vector<std::uint64_t> alarms;  // where drift was noticed: positions on the x axis
  bool square = false;                // both axes have the same length
  bool wide = false;
};

// What held from one position of the stream to another.
struct Span {
  double from = 0;
  double to = 0;
  std::string label;  // tooltip
};

struct Lane {
  std::string name;
  int colour = 0;
  std::vector<Span> spans;
};

// Lanes below each other along one axis: who led when.
struct Lanes {
  std::string title;
  std::string caption;
  Axis x;
  std::vector<Lane> lanes;
  std::vector<std::uint64_t> alarms;  // as in a chart
  bool wide = true;
};

// A value at each of some places, as a map: the colour of a place fills what is nearest to it.
struct Landscape {
  struct Site {
    double x = 0;
    double y = 0;
    double value = 0;
    std::string label;  // tooltip
    bool best = false;
  };
  std::string title;
  std::string caption;
  Axis x;
  Axis y;
  Axis value;
  bool more_is_better = true;  // better values are drawn darker
  std::vector<Site> sites;
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
  std::vector<double> recalls;  // shown beside the rows; empty: not shown
  bool wide = false;
};

struct Place {
  double x = 0;
  double y = 0;
  int of_class = -1;       // −1: none
  double coefficient = 0;  // of a support vector; it sets the size of the ring
};

// The predictions of a model with two features, on a grid of width × height points. Rows run upwards from the lower
// left.
struct DecisionMap {
  std::string title;
  std::string caption;
  std::string x = "feature 1";
  std::string y = "feature 2";
  double left = 0, right = 1, bottom = 0, top = 1;
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<float> scores;           // f(x) for two classes (positive for class 1) and for regression; else empty
  std::vector<std::uint16_t> classes;  // the predicted class if there are more than two; else empty
  std::vector<std::string> labels;     // of the classes; empty for regression
  std::vector<double> levels = {0};    // contour lines of the score; 0 is the boundary
  std::vector<Place> examples;         // a sample
  std::vector<Place> support;
  bool wide = true;
};

struct Picture {
  std::vector<std::uint8_t> pixels;  // row by row; 255 is black
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

// Grey values of a picture: `low` becomes white and `high` black.
std::vector<std::uint8_t> grey(const std::vector<float>& values, float low, float high);

// --- the page --------------------------------------------------------------------------------------------------------

using Block =
    std::variant<FactList, Note, Command, Table, Chart, Lanes, Landscape, Bars, Confusion, DecisionMap, Gallery>;

struct Section {
  std::string title;
  std::string text;  // one paragraph; may be empty
  std::vector<Block> blocks;
};

struct Report {
  std::string title;
  std::string summary;  // one sentence: what happened
  std::string subtitle;
  std::vector<Fact> facts;  // the most important numbers
  std::vector<Section> sections;
  std::string command;  // the command line that made it
};

std::string to_json(const Report& report);  // safe inside a <script> element

// Whether this program was built with reports (CMake option KINGLET_BUILD_REPORT).
bool can_render();
// The whole page. Throws Error unless can_render().
std::string render(const Report& report);
// Fills {{title}} and {{report}} into another page.
std::string render(const Report& report, std::string_view page);

}  // namespace kinglet::report
