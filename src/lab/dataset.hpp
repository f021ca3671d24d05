// A data set in memory, for what goes over it many times: in any order, in parts, by several threads at once. A stream
// that is longer than memory is for `train`; comparing learners and searching settings need the same rows again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kinglet/source.hpp"

namespace kinglet {

using RowList = std::vector<std::uint32_t>;  // positions of rows, in the order in which they are to be read

class Dataset {
 public:
  // Reads the source to its end, or `most` rows of it (0: all), or until `stopped` says so. Error where there are no rows
  // (other than before it was stopped), or too many to be numbered.
  static Dataset read(Source& source, const std::function<bool()>& stopped = {}, std::size_t most = 0);

  std::size_t rows() const { return rows_.rows(); }
  std::uint32_t dimension() const { return rows_.dimension; }
  // All rows as one batch; its new_labels are the texts of all label ids.
  const Batch& batch() const { return rows_; }
  const std::string& name() const { return name_; }
  std::uint64_t bytes() const;

  // The same rows with two classes: "1" where the label is among `positive`, "-1" elsewhere.
  Dataset against_the_rest(std::span<const std::string> positive) const;
  // These rows and then those of `more`, which are of the same kind: dense or sparse.
  Dataset followed_by(const Dataset& more) const;
  // The rows as pictures of side × side pixels, each pixel a mean of itself and its neighbours weighed 1 2 1 across and
  // down; around the picture all pixels are `around`.
  Dataset smoothed(std::uint32_t side, float around) const;

 private:
  Batch rows_;
  std::string name_;
};

RowList all_rows(const Dataset& data);
// The same rows in an order that depends on the seed alone.
RowList shuffled(RowList rows, std::uint64_t seed);

struct Split {
  RowList train;
  RowList test;
};

// `count` parts of equal size, each the test part of one split; every class (as far as there are any) is spread evenly
// over them. Which rows go where depends on the seed alone; training rows come in that random order too.
std::vector<Split> folds(const Dataset& data, std::size_t count, std::uint64_t seed);

// The listed rows as a source. It gives all label texts with its first batch, as generators do.
std::unique_ptr<Source> read_rows(std::shared_ptr<const Dataset> data, RowList rows);

}  // namespace kinglet
