// Where examples come from: a file (LIBSVM or CSV, compressed or not), standard input, or a generator.
//
//   auto source = kinglet::open_source("data.libsvm.xz", {});
//   kinglet::Batch batch;
//   while (source->next(batch)) model.learn(batch);
//
// A source fills batches that its caller owns and reuses, so reading a stream of any length takes fixed memory.
// Labels travel as small ids of the source's own; the text of an id stands in `new_labels` of the batch that uses
// it first. That keeps a reading thread free of shared state. For regression labels are numbers instead
// (SourceOptions::numeric_labels) and stand in `targets`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinglet/example.hpp"

namespace kinglet {

inline constexpr std::uint32_t kNoLabel = 0xFFFFFFFF;

// Rows as they stand in the data: unscaled, with labels as text. A missing value (CSV, Missing::mean) is a NaN.
struct Batch {
  bool sparse = false;
  std::optional<int> index_base;       // LIBSVM: what its indices count from, 0 or 1
  std::uint32_t dimension = 0;         // features seen so far in this source (rises for sparse data)
  std::vector<float> values;           // dense: rows() * dimension, row after row
  std::vector<std::uint32_t> indices;  // sparse only
  std::vector<std::uint64_t> offsets;  // sparse only: rows() + 1 entries
  Rows borrowed;                       // instead of the four above: rows of somebody else's memory, which a Model reads
                                       // where they stand. In use where it has a stride or offsets
  std::vector<std::uint32_t> labels;   // one per row: a label id of the source, or kNoLabel
  std::vector<float> targets;          // empty, or one finite number per row; every label is then kNoLabel
  std::vector<float> weights;          // empty (all 1) or one per row
  std::vector<std::string> new_labels;  // texts of the label ids first used here, in order of their ids (a
                                        // generator gives all of its classes with its first batch)

  std::size_t rows() const { return labels.size(); }
  bool borrows() const { return borrowed.stride > 0 || borrowed.is_sparse(); }
  Rows features() const;
  void clear();
};

enum class Format { detect, libsvm, csv, tsv };
enum class Missing { error, zero, mean };

struct SourceOptions {
  Format format = Format::detect;           // detect: by the content of the first line
  std::optional<int> index_base;            // LIBSVM: 0 or 1; detected when not given (1 unless an index 0 appears)
  std::optional<int> default_index_base;    // LIBSVM: instead of detecting, when the other is not given
  std::optional<bool> header;               // CSV: detected when not given
  std::optional<std::string> label_column;  // CSV: a name, a 1-based number, "first" (when not given), "last" or "none"
  std::string weight_column;                // CSV: a name or a 1-based number; empty: every weight is 1
  std::optional<Missing> missing;           // CSV: what an empty field, ?, NA or nan means; an error when not given
  bool options_may_not_fit = false;         // an option that the format does not have is left aside instead of an error
  std::size_t max_row_bytes = 1u << 28;     // a longer line is an error, not an attempt
  std::uint32_t dimension = 0;              // 0: as the data says; otherwise a higher index is an error, and in a
                                            // CSV file any other number of features
  bool numeric_labels = false;              // labels are numbers, for Batch::targets; any other label is an error
  bool labels_may_be_absent = false;        // a row may have no label: LIBSVM without one, CSV with an empty field
  bool fill_first_batch = true;             // a pipe's first batch waits for kBatchRows rows, from which formats, gamma
                                            // and the like can be told; false answers at once, for predictions

  std::optional<std::string> default_label_column;  // CSV: instead of "first", when label_column is not given
};

class Source {
 public:
  virtual ~Source() = default;

  // Fills `batch` with the next rows; false when there are none left. Throws Error with file:line:column.
  // Batches hold kBatchRows rows, except the last one and, after the first, one cut short because the input
  // (a pipe) has nothing more to give right now.
  virtual bool next(Batch& batch) = 0;

  virtual bool can_rewind() const = 0;
  virtual void rewind() = 0;  // to the first row, for another pass. Label ids stay as they are.

  // How much of the input has been read, 0 to 1, when its end is known.
  virtual std::optional<double> progress() const = 0;
  // How many rows a pass has, where that is known without reading them.
  virtual std::optional<std::uint64_t> rows() const { return std::nullopt; }
  virtual std::string name() const = 0;

  // Asks a blocked next() to return what it has; after that the source is at its end, for good. Callable from another
  // thread and from a signal handler.
  virtual void stop() = 0;

  // Column names of a CSV file with a header, without label and weight; empty otherwise. Known after the first next().
  virtual std::vector<std::string> feature_names() const { return {}; }
};

inline constexpr std::size_t kBatchRows = 1024;

// `where` is a path, "-" for standard input, or "gen:NAME?n=1000&seed=1" for a generator.
std::unique_ptr<Source> open_source(const std::string& where, const SourceOptions& options);

// Runs a source in a thread of its own, a few batches ahead of the reader.
std::unique_ptr<Source> read_ahead(std::unique_ptr<Source> source);

}  // namespace kinglet
