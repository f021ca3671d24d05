// Blocks that show the mistakes of a classifier: the confusion matrix, and tables of classes and of mistakes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/model_blocks.hpp"

namespace kinglet::report {
namespace {

constexpr std::size_t kMostClasses = 60;  // of a readable heat map
constexpr std::size_t kMostMistakes = 15;
constexpr std::size_t kMostListed = 30;  // classes of a table

// Counts of a confusion matrix, row by row.
struct Matrix {
  std::span<const std::uint64_t> counts;
  std::size_t n = 0;

  std::uint64_t at(std::size_t truth, std::size_t predicted) const { return counts[truth * n + predicted]; }
  std::uint64_t actual(std::size_t c) const {
    std::uint64_t sum = 0;
    for (std::size_t other = 0; other < n; ++other) sum += at(c, other);
    return sum;
  }
  std::uint64_t predicted(std::size_t c) const {
    std::uint64_t sum = 0;
    for (std::size_t other = 0; other < n; ++other) sum += at(other, c);
    return sum;
  }
  double recall(std::size_t c) const {  // unknown without examples
    const std::uint64_t all = actual(c);
    return all == 0 ? kUnknown : static_cast<double>(at(c, c)) / static_cast<double>(all);
  }
};

// The classes in their order or, if there are many, by their recall: the worst first, those without examples last.
std::vector<std::size_t> order_of_classes(const Matrix& matrix) {
  std::vector<std::size_t> order(matrix.n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (matrix.n < kManyClasses) return order;
  std::vector<double> recalls;
  for (std::size_t c = 0; c < matrix.n; ++c) {
    const double recall = matrix.recall(c);
    recalls.push_back(std::isnan(recall) ? 2 : recall);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t c) { return recalls[c]; });
  return order;
}

// The matrix of the classes in this order; those from `most` on are one class, the last.
std::vector<std::uint64_t> ordered_counts(const Matrix& matrix, const std::vector<std::size_t>& order,
                                          std::size_t most) {
  const bool joins = order.size() > most;
  const std::size_t n = joins ? most + 1 : order.size();
  std::vector<std::uint64_t> counts(n * n, 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) {
      counts[std::min(i, n - 1) * n + std::min(j, n - 1)] += matrix.at(order[i], order[j]);
    }
  }
  return counts;
}

}  // namespace

Confusion confusion_block(std::string title, std::string caption, std::vector<std::string> labels,
                          std::vector<std::uint64_t> counts) {
  Confusion block{.title = std::move(title), .caption = std::move(caption)};
  const Matrix matrix{counts, labels.size()};
  if (matrix.n < kManyClasses) {
    block.labels = std::move(labels);
    block.counts = std::move(counts);
    return block;
  }
  const std::vector<std::size_t> order = order_of_classes(matrix);
  block.wide = true;
  block.counts = ordered_counts(matrix, order, kMostClasses);
  for (std::size_t i = 0; i < std::min(order.size(), kMostClasses); ++i) {
    block.labels.push_back(labels[order[i]]);
    block.recalls.push_back(matrix.recall(order[i]));
  }
  block.caption += " The class with the worst recall (right) comes first.";
  if (order.size() > kMostClasses) {
    block.labels.push_back(fmt::format("{} others", order.size() - kMostClasses));
    block.recalls.push_back(kUnknown);
    block.caption += " Classes with better recall are shown together.";
  }
  return block;
}

Table mistake_table(const std::vector<std::string>& labels, std::span<const std::uint64_t> counts) {
  const std::size_t n = labels.size();
  std::vector<std::size_t> mistakes;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (i / n != i % n && counts[i] > 0) mistakes.push_back(i);
  }
  std::ranges::stable_sort(mistakes, [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  mistakes.resize(std::min(mistakes.size(), kMostMistakes));
  Table table{.title = "Most frequent mistakes",
              .columns = {{"true class", false}, {"predicted class", false}, {"examples"}},
              .wide = false};
  for (const std::size_t i : mistakes) {
    table.rows.push_back({.cells = {words(labels[i / n]), words(labels[i % n]), count(counts[i])}});
  }
  return table;
}

Table class_table(const std::vector<std::string>& labels, std::span<const std::uint64_t> counts) {
  const Matrix matrix{counts, labels.size()};
  Table table{.title = "By class",
              .caption =
                  "Precision: the share of the predictions of this class that are right. Recall: the share of "
                  "its examples that are found.",
              .columns = {{"class", false}, {"examples"}, {"precision %"}, {"recall %"}},
              .wide = false};
  std::vector<std::size_t> order = order_of_classes(matrix);
  if (order.size() > kMostListed) {
    order.resize(kMostListed);
    table.caption += fmt::format(" The {} classes of {} with the worst recall.", kMostListed, matrix.n);
  }
  for (const std::size_t c : order) {
    const double right = 100 * static_cast<double>(matrix.at(c, c));  // divided by 0: unknown
    table.rows.push_back(
        {.cells = {words(labels[c]), count(matrix.actual(c)),
                   number(right / static_cast<double>(matrix.predicted(c)), 1), number(100 * matrix.recall(c), 1)}});
  }
  return table;
}

}  // namespace kinglet::report
