// Support vectors of models of pictures, as pictures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/latency.hpp"
#include "report/block_parts.hpp"
#include "report/model_blocks.hpp"

namespace kinglet::report {
namespace {

constexpr std::size_t kMostPictures = 120;

}  // namespace

std::optional<PictureSize> guess_picture_size(std::uint32_t dimension) {
  const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(dimension))));
  const std::size_t missing = side * side - dimension;
  if (dimension < 64 || missing >= side || (missing > 0 && dimension < 256)) return std::nullopt;
  return PictureSize{side, side};
}

Gallery support_gallery(const Model& model, const PictureSize& size) {
  std::vector<SupportVector> vectors = model.support_vectors(kMostPictures);
  const TaskKind task = model.task();
  std::ranges::stable_sort(vectors, {}, [&](const SupportVector& vector) { return class_of(vector, task); });
  std::vector<double> values;
  for (SupportVector& vector : vectors) {
    vector.x.resize(size.width * size.height, 0);
    values.insert(values.end(), vector.x.begin(), vector.x.end());
  }
  std::ranges::sort(values);
  const auto low = static_cast<float>(values.empty() ? 0 : percentile(values, 0.01));
  const auto high = static_cast<float>(values.empty() ? 1 : percentile(values, 0.995));
  const std::vector<std::string> names = class_names(model);
  Gallery gallery{.title = "Support vectors", .width = size.width, .height = size.height};
  for (const SupportVector& vector : vectors) {
    const int of_class = class_of(vector, task);
    gallery.pictures.push_back({.pixels = grey(vector.x, low, high),
                                .name = of_class < 0 ? "" : names[static_cast<std::size_t>(of_class)],
                                .detail = fmt::format("{:.3g}", coefficient_of(vector))});
  }
  const std::size_t all = model.stats().support_vectors;
  gallery.caption =
      fmt::format("{} as pictures of {} × {} pixels, with the class that each supports and {}.",
                  all > vectors.size() ? fmt::format("The {} of {} with the largest coefficients", vectors.size(), all)
                                       : fmt::format("All {}", all),
                  size.width, size.height, model.outputs() == 1 ? "its coefficient" : "the norm of its coefficients");
  return gallery;
}

}  // namespace kinglet::report
