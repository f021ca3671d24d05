// A data set in memory, to be read many times: in any order, in parts, and by several threads at once. Comparing
// learners and tuning need this; `train` reads a stream that may be larger than memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kinglet/source.hpp"

namespace kinglet {

using RowList = std::vector<std::uint32_t>;  // row numbers, in the order in which they are read

class Dataset {
 public:
  // Reads the source to its end, or at most `most` rows (0: all), or until `stopped` returns true. Throws Error if
  // there are no rows (unless stopped) or too many.
  static Dataset read(Source& source, const std::function<bool()>& stopped = {}, std::size_t most = 0);

  std::size_t rows() const { return rows_.rows(); }
  std::uint32_t dimension() const { return rows_.dimension; }
  // All rows as one batch. Its new_labels contain the texts of all label ids.
  const Batch& batch() const { return rows_; }
  const std::string& name() const { return name_; }
  std::uint64_t bytes() const;

  // The same rows with two classes: "1" if the label is in `positive`, else "-1".
  Dataset against_the_rest(std::span<const std::string> positive) const;
  // These rows followed by those of `more`; both must be dense or both sparse.
  Dataset followed_by(const Dataset& more) const;
  // Smooths rows that are pictures of side × side pixels: each pixel becomes the mean of itself and its neighbours,
  // with weights 1 2 1 across and down. Pixels outside the picture have the value `around`.
  Dataset smoothed(std::uint32_t side, float around) const;

 private:
  Batch rows_;
  std::string name_;
};

RowList all_rows(const Dataset& data);
// The rows in a random order that depends only on the seed.
RowList shuffled(RowList rows, std::uint64_t seed);

struct Split {
  RowList train;
  RowList test;
};

// Divides the rows into `count` parts of equal size, each the test set of one split. Classes, if any, are distributed
// evenly over the parts. The division, and the random order of the training rows, depend only on the seed.
std::vector<Split> folds(const Dataset& data, std::size_t count, std::uint64_t seed);

// A source of the listed rows. Like a generator, it gives all label texts with its first batch.
std::unique_ptr<Source> read_rows(std::shared_ptr<const Dataset> data, RowList rows);

}  // namespace kinglet
