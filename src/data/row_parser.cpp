// Rows of a part: the translation that both parsers share.
#include "data/row_parser.hpp"

namespace kinglet {
namespace {

// Appends elements [begin, begin + count) of `from`, which may be empty.
template <class T>
void append_slice(const std::vector<T>& from, std::size_t begin, std::size_t count, std::vector<T>& to) {
  if (from.empty()) return;
  const auto first = from.begin() + static_cast<std::ptrdiff_t>(begin);
  to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(count));
}

void add_counts(const std::vector<std::uint64_t>& more, std::vector<std::uint64_t>& counts) {
  if (counts.size() < more.size()) counts.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) counts[i] += more[i];
}

}  // namespace

void append_labels(PartRows& part, std::size_t count, LabelIds& labels, Batch& batch) {
  part.ids.resize(part.batch.new_labels.size(), kNoLabel);
  for (std::size_t row = part.taken; row < part.taken + count; ++row) {
    const std::uint32_t label = part.batch.labels[row];
    if (label == kNoLabel) {
      batch.labels.push_back(kNoLabel);
      continue;
    }
    std::uint32_t& id = part.ids[label];
    if (id == kNoLabel) id = labels.id(part.batch.new_labels[label], batch.new_labels);
    batch.labels.push_back(id);
  }
  append_slice(part.batch.targets, part.taken, count, batch.targets);
  append_slice(part.batch.weights, part.taken, count, batch.weights);
  append_slice(part.batch.ids, part.taken, count, batch.ids);
}

void add_gaps(const DataGaps& more, DataGaps& gaps) {
  gaps.unlabelled += more.unlabelled;
  add_counts(more.missing, gaps.missing);
  add_counts(more.new_times, gaps.new_times);
}

}  // namespace kinglet
