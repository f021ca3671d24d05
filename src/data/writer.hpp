// Writes batches as text that reads back to exactly the same rows: numbers are the shortest that do.
#pragma once

#include <cstdio>
#include <iosfwd>
#include <span>
#include <string>

#include "kinglet/source.hpp"

namespace kinglet {

// `labels` are the texts of the label ids of all batches so far (append every batch's new_labels). Where a batch has
// targets, they are its labels. Zeros are left out of LIBSVM rows. Throws Error for what the format has no way to say: a
// row without a label, a missing value, weights or a label with blanks in LIBSVM.
void write_libsvm(std::string& out, const Batch& batch, std::span<const std::string> labels);
void write_libsvm(std::ostream& out, const Batch& batch, std::span<const std::string> labels);
void write_libsvm(std::FILE* out, const Batch& batch, std::span<const std::string> labels);

// The label is the first column, the weight (when the batch has weights) the last one. Without any labels there is no
// label column. A missing value is an empty field. Sparse rows are written out in full.
void write_csv(std::string& out, const Batch& batch, std::span<const std::string> labels);
void write_csv(std::ostream& out, const Batch& batch, std::span<const std::string> labels);
void write_csv(std::FILE* out, const Batch& batch, std::span<const std::string> labels);

// The header that goes with it: label,x1,x2,... or the given names, and weight.
std::string csv_header(const Batch& batch, std::span<const std::string> labels,
                       std::span<const std::string> feature_names = {});

}  // namespace kinglet
