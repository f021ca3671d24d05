// Reading examples from a file (LIBSVM, CSV, TSV or JSON lines, also compressed), from standard input, or from a
// generator.
//
//   auto source = kinglet::open_source("data.libsvm.xz", {});
//   kinglet::Batch batch;
//   while (source->next(batch)) model.learn(batch);
//
// The caller owns the batch and reuses it, so reading a stream of any length takes a fixed amount of memory.
// Labels are small ids that the source assigns. The text of an id is in `new_labels` of the first batch that uses it,
// so a reading thread shares no state with others. For regression, labels are numbers instead
// (SourceOptions::numeric_labels), and `targets` holds them. Options that say CSV also mean JSON lines.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinglet/example.hpp"
#include "kinglet/message.hpp"
#include "kinglet/schema.hpp"

namespace kinglet {

inline constexpr std::uint32_t kNoLabel = 0xFFFFFFFF;

// Where the highest feature index so far was read. Errors about the number of features mention it.
struct HighestIndex {
  std::uint64_t index = 0;  // as it is written in the data
  std::string where;        // "file:line"; empty: unknown

  friend bool operator==(const HighestIndex&, const HighestIndex&) = default;
};

// The columns of CSV data and of JSON lines. A source gives them with its batches, a model keeps those that it learned
// first, and a source that is opened with the columns of a model (SourceOptions::columns) finds them by name, or by
// their number without a header. If all of them are numbers, each is one feature. Otherwise they have a schema, which
// says what they become (schema.hpp); it is never changed: if the values of a category become more, later batches have
// other columns with a longer schema.
struct Columns {
  std::uint32_t dimension = 0;                // number of columns that are learned from
  std::vector<std::string> features;          // their names, in their order; empty if there was no header
  std::optional<std::string> label;           // its name; without a header its place, as in SourceOptions::label_column
  std::string weight;                         // the name of the weight column; empty: none, or no header
  std::vector<std::string> ignored = {};      // names of columns that were left out
  std::shared_ptr<const Schema> schema = {};  // null: every column is a number
  // Numbers in the file, from 1: of the columns that are learned from (empty: not known), of the label (0: none).
  std::vector<std::uint32_t> places = {};
  std::uint32_t label_place = 0;
  std::vector<Message> notes = {};  // what is odd about the columns of this file; not part of a model

  std::uint32_t encoded_dimension() const { return schema ? schema->dimension : dimension; }  // number of features
};

// Rows as they are in the data: unscaled, with their labels; records are encoded. NaN is a missing value.
struct Batch {
  bool sparse = false;
  std::optional<int> index_base;           // LIBSVM: whether its indices count from 0 or 1
  std::shared_ptr<const Columns> columns;  // CSV: what its columns are
  std::uint32_t dimension = 0;             // number of features seen so far in this source (grows for sparse data)
  HighestIndex highest;                    // LIBSVM: the index that `dimension` comes from
  std::vector<float> values;               // dense: rows() * dimension, row after row
  std::vector<std::uint32_t> indices;      // sparse only
  std::vector<std::uint64_t> offsets;      // sparse only: rows() + 1 entries
  Rows borrowed;                           // instead of values, indices and offsets: a view of rows in the caller's
                                           // memory. Used if it has a stride or offsets
  std::vector<std::uint32_t> labels;       // one per row: a label id of the source, or kNoLabel
  std::vector<float> targets;              // regression: one finite number per row; every label is then kNoLabel
  std::vector<float> weights;              // empty (all 1) or one per row
  std::vector<std::string> ids;            // empty or one per row (SourceOptions::id_column)
  std::vector<std::string> new_labels;     // texts of the label ids first used here, in the order of their ids (a
                                           // generator gives all its classes with its first batch)
  std::vector<std::uint32_t> bad_rows;     // for each row that was left out because of an error: how many rows of this
                                           // batch come before it (SourceOptions::mark_bad)

  std::size_t rows() const { return labels.size(); }
  bool borrows() const { return borrowed.stride > 0 || borrowed.is_sparse(); }
  Rows features() const;
  void clear();
};

enum class Format { detect, libsvm, csv, tsv, jsonl };
enum class Missing { error, zero, mean };

struct SourceOptions {
  Format format = Format::detect;           // detect: from the first line
  std::optional<int> index_base;            // LIBSVM: 0 or 1; if not given it is detected: 1 unless an index 0 appears
  std::optional<int> default_index_base;    // LIBSVM: used instead of detection if index_base is not given
  std::optional<bool> header;               // CSV: whether there is a header; detected if not given
  std::optional<std::string> label_column;  // CSV: a name, a number from 1, "first" (the default), "last" or "none"
  std::string weight_column;                // CSV: a name or a number from 1; empty: every weight is 1
  std::string id_column;                    // CSV: a name or a number from 1; its texts are in Batch::ids
  std::vector<std::string> ignore;          // CSV: columns that are not read, by name or number from 1
  std::vector<std::string> only;            // CSV: learn from these columns only; empty: from all that are not ignored
  std::vector<ColumnChoice> kinds;          // CSV: what these columns are; the kinds of others are detected
  char separator = 0;                       // CSV: between the columns; 0: detected
  std::shared_ptr<const Columns> columns;  // CSV: those of a model. Features are put into their order, its label column
                                           // is the label; missing and unknown columns are errors
  bool new_values = false;  // with `columns`: new values of categories take free slots, for learning. Without
                            // `columns` they always do
  std::uint32_t category_values = 100;  // the most values of a category that get a feature of their own
  std::uint32_t text_features = 256;    // features for the words of a text
  // CSV: the meaning of a missing value: an empty field, ?, NA, nan, N/A, #N/A, <NA>, NULL, None or \N. If not given,
  // it is the mean of the column, and a further feature says that the value is missing, if it is missing in the first
  // rows.
  std::optional<Missing> missing;
  bool options_may_not_fit = false;      // ignore options that the format does not have, instead of an error
  std::size_t max_row_bytes = 1u << 28;  // a longer line is an error
  std::uint32_t dimension = 0;           // 0: taken from the data; otherwise a higher index is an error, and so is
                                         // any other number of features in a CSV file
  bool numeric_labels = false;           // read labels as numbers into Batch::targets; other labels are an error
  bool labels_may_be_absent = false;     // a row may have no label: none in LIBSVM, an empty field in CSV
  bool skip_unlabelled = false;          // CSV: leave out rows whose label is missing, and count them (DataGaps)
  bool labels_unused = false;            // labels are not read, and there need not be any: for predicting
  bool fill_first_batch = true;          // wait until the first batch of a pipe has kBatchRows rows, which decide
                                         // gamma and more; false returns rows at once, for predicting

  std::optional<std::string> default_label_column;  // CSV: used instead of "first" if label_column is not given
  std::uint64_t skip_bad = 0;                       // skip so many rows with errors; one more is an Error
  bool mark_bad = false;  // leave out all rows with errors and list them in Batch::bad_rows. A batch may then have no
                          // other rows
  unsigned threads = 1;  // parse a file of more than a few megabytes on so many threads; 0: one for each core. Does not
                         // change what is read. Pipes and compressed data are parsed on one
};

// Rows that were left out because of errors in them.
struct SkippedRows {
  static constexpr std::size_t kMostShown = 5;

  std::uint64_t count = 0;
  std::vector<Message> first;  // what is wrong with the first kMostShown of them, with file:line:column
};

// What the rows lack that were read so far in this pass.
struct DataGaps {
  std::uint64_t unlabelled = 0;  // rows that were left out, because they have no label (SourceOptions::skip_unlabelled)
  // In the order of Columns::features; empty: none.
  std::vector<std::uint64_t> missing;    // number of missing values
  std::vector<std::uint64_t> new_times;  // number of times outside of those that the model has learned

  std::uint64_t missing_values() const;
};

class Source {
 public:
  virtual ~Source() = default;

  // Fills `batch` with the next rows; returns false at the end. Throws Error with file:line:column, after all rows
  // before the error were returned. A batch has kBatchRows rows, except the last one, and those after the first for
  // which a pipe has no more rows yet.
  virtual bool next(Batch& batch) = 0;
  // Waits at most `patience` until next() can return without waiting; false: it cannot yet. A source that does not know
  // returns true.
  virtual bool wait(std::chrono::milliseconds) { return true; }

  virtual bool can_rewind() const = 0;
  virtual void rewind() = 0;  // back to the first row, for another pass; label ids stay the same
  // Back to the first row, for the pass with this number. A shuffled source returns its rows in another order in each
  // pass; rewind() begins pass 0.
  virtual void begin_pass(std::uint64_t /*pass*/) { rewind(); }

  // The share of the input that has been read, from 0 to 1, if its length is known.
  virtual std::optional<double> progress() const = 0;
  // The number of rows, if it is known without reading them.
  virtual std::optional<std::uint64_t> rows() const { return std::nullopt; }
  // Rows read so far in this pass, including those that next() has yet to return, if known. Safe in any thread.
  virtual std::optional<std::uint64_t> rows_read() const { return std::nullopt; }
  // Rows skipped so far in this pass (SourceOptions::skip_bad).
  virtual SkippedRows skipped() const { return {}; }
  // Missing values and labels so far in this pass.
  virtual DataGaps gaps() const { return {}; }
  virtual std::string name() const = 0;

  // Makes a blocked next() return the rows it has. After that the source stays at its end. May be called from another
  // thread and from a signal handler.
  virtual void stop() = 0;
};

// The rows of a batch; also how many first rows decide the scaling, gamma and more (model.hpp).
inline constexpr std::size_t kBatchRows = 1024;

// `where` is a path, "-" for standard input, or "gen:NAME?n=1000&seed=1" for a generator.
std::unique_ptr<Source> open_source(const std::string& where, const SourceOptions& options);

// Reads the source in a separate thread, a few batches ahead.
std::unique_ptr<Source> read_ahead(std::unique_ptr<Source> source);

}  // namespace kinglet
