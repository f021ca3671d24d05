// Determines from the first rows: the classes, the storage, the scalings, gamma, and the budget that a memory
// limit allows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/compose.hpp"
#include "core/kernel.hpp"
#include "core/option_texts.hpp"
#include "kinglet/error.hpp"
#include "learn/make_learner.hpp"
#include "learn/registry_entries.hpp"
#include "model/gamma.hpp"
#include "model/memory.hpp"
#include "model/model_state.hpp"

namespace kinglet {
namespace {

double density(const Rows& rows) {
  std::uint64_t nonzero = 0;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const Features row = rows[i];
    nonzero += static_cast<std::uint64_t>(row.count - std::count(row.values, row.values + row.count, 0.0F));
  }
  return static_cast<double>(nonzero) / (static_cast<double>(rows.count) * static_cast<double>(rows.dimension));
}

// Whether rows that are not centred give the same kernel values. The Gaussian kernel depends only on differences;
// without centring, `minmax` also scales by another factor.
bool centring_is_useless(const Options& options) {
  const std::string& scale = options.text("scale");
  if (scale == "unit" || scale == "none") return true;
  return scale == "standard" && kernel_kind(options) == KernelKind::rbf;
}

// Sparse vectors pay off if dense ones would be long and almost empty. They take an unknown amount of memory, which not
// all learners can limit. Sparse rows are faster against dense vectors if few of their values are not zero.
Storage choose_storage(const Options& options, const Rows& rows, double filled) {
  if (!options.is_auto("storage")) return storage_named(options.text("storage"));
  constexpr double kLarge = 64 << 20;
  constexpr double kFilled = 0.25;             // at most, for sparse rows
  constexpr std::uint32_t kManyFeatures = 32;  // fewer take no more time than their exponential
  const bool limited = options.has("budget") && options.is_auto("budget");
  double vectors = 10'000;  // a guess for models without a budget
  if (options.has("budget")) vectors = limited ? 500 : options.real("budget");
  const double bytes = static_cast<double>(rows.dimension) * vectors * sizeof(float);
  const bool empty = (bytes > kLarge && filled < 0.1) || (rows.dimension > 20'000 && filled < 0.05);
  if (empty) return limited && !can_limit_sparse_vectors(options) ? Storage::mixed : Storage::sparse;
  return rows.dimension >= kManyFeatures && filled < kFilled && kernel_kind(options) != KernelKind::laplacian &&
                 centring_is_useless(options)
             ? Storage::mixed
             : Storage::dense;
}

// A model that may take more than this is worth a notice.
constexpr std::uint64_t kMuchMemory = std::uint64_t{1} << 30;

// Targets that are read as classes by mistake would create thousands of classes, each with its own output.
void refuse_numbers(std::span<const std::string> different, std::size_t rows) {
  constexpr std::size_t kMany = 256;
  if (different.size() <= kMany || 2 * different.size() <= rows) return;
  const auto is_number = [](const std::string& text) { return !std::isnan(number_or_nan(text)); };
  if (!std::all_of(different.begin(), different.end(), is_number)) return;
  throw Error(
      compose("{} of the first {} labels differ: to predict numbers give {}; is the label column the right one?",
              different.size(), rows, option("task", "regress")));
}

}  // namespace

// The known classes, and those of the first rows in sorted order. This also holds for active learning: which classes
// exist is not hidden, only the class of each row. Classes that are not in the data appear with their first answer.
Labels Model::State::labels_with(std::span<const std::uint32_t> row_labels) const {
  Labels known = labels;
  if (task != TaskKind::classify) return known;
  std::vector<std::string> texts;
  std::vector<bool> seen(source.size());
  for (const std::uint32_t label : row_labels) {
    if (label == kNoLabel) continue;
    if (!seen[label]) texts.push_back(source.text(label));
    seen[label] = true;
  }
  refuse_numbers(texts, row_labels.size());
  known.add_sorted(std::move(texts));
  return known;
}

void Model::State::start(const Rows& rows, std::span<const std::uint32_t> row_labels, std::span<const float> targets,
                         const HighestIndex& highest, const Schema* schema) {
  // Many of the features of records are rare values of categories, whose weights would be noise.
  if (schema != nullptr && metric_is_open && requested.has("metric")) requested.set("metric", "none");
  // Local variables, so that nothing changes if an error occurs. Nothing is allocated for the dimension or the budget
  // before the memory for them has been checked.
  Options resolved = requested;
  Labels known = labels_with(row_labels);
  const double filled = density(rows);
  const Shape shape{.dimension = std::max(rows.dimension, 1u),
                    .classes = static_cast<std::uint32_t>(known.size()),
                    .storage = choose_storage(requested, rows, filled)};
  resolved.set("storage", name_of(shape.storage));
  if (resolved.has("budget") && resolved.is_auto("budget")) {
    const double nonzeros = filled * shape.dimension;
    resolved.set("budget", std::to_string(budget_for_memory(resolved, shape, nonzeros, highest)));
  }
  require_memory(resolved, shape, highest);
  Scaler first(scale_kind(requested.text("scale")), shape.has_sparse_rows(), shape.dimension, metric(),
               schema != nullptr ? std::optional(schema->numbers) : std::nullopt);
  first.begin(rows);
  if (resolved.has("gamma") && resolved.is_auto("gamma")) {
    const auto seed = static_cast<std::uint64_t>(requested.integer("seed"));
    resolved.set("gamma", fmt::format("{}", auto_gamma(kernel_kind(requested), rows, first, seed)));
  }

  learner = make_learner(resolved, shape);
  scaler = std::move(first);
  if (scales_targets()) target_scaler.emplace().begin(targets);
  options = std::move(resolved);
  labels = std::move(known);
  start_sample();
  if (calibration) calibration->grow(shape.classes);
  class_weights.grow(labels.texts());
  if (const std::uint64_t bytes = model_memory(options, shape); bytes > kMuchMemory) {
    notices.add(Notices::much_memory,
                compose("{}the model takes up to {} of memory", dimension_cause(shape, highest), bytes_text(bytes)));
  }
}

}  // namespace kinglet
