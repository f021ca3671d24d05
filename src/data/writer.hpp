// Writes batches as text that is read back as exactly the same rows, with the shortest possible numbers.
#pragma once

#include <cstdio>
#include <iosfwd>
#include <span>
#include <string>

#include "kinglet/source.hpp"

namespace kinglet {

// `labels` are the texts of the label ids of all batches so far (append every batch's new_labels). If a batch has
// targets, they are written as labels. LIBSVM rows omit zeros. Throws Error for what LIBSVM format cannot express: a
// row without a label, a missing value, weights, or a label with blanks.
void write_libsvm(std::string& out, const Batch& batch, std::span<const std::string> labels);
void write_libsvm(std::ostream& out, const Batch& batch, std::span<const std::string> labels);
void write_libsvm(std::FILE* out, const Batch& batch, std::span<const std::string> labels);

// The label is the first column and the weight, if any, the last. Without labels there is no label column. A missing
// value is an empty field. Sparse rows are written with all their zeros.
void write_csv(std::string& out, const Batch& batch, std::span<const std::string> labels);
void write_csv(std::ostream& out, const Batch& batch, std::span<const std::string> labels);
void write_csv(std::FILE* out, const Batch& batch, std::span<const std::string> labels);

// The matching header: label, then x1,x2,... or the given names, then weight.
std::string csv_header(const Batch& batch, std::span<const std::string> labels,
                       std::span<const std::string> feature_names = {});

}  // namespace kinglet
