#include "svc.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "arrays.hpp"
#include "export/svc.hpp"
#include "kinglet/error.hpp"
#include "model/model_access.hpp"

namespace kinglet::python {
namespace {

Kernel kernel_of(const std::string& name, double gamma, double coef0, int degree) {
  for (const auto& [kind, text] : {std::pair{KernelKind::rbf, "rbf"}, std::pair{KernelKind::linear, "linear"},
                                   std::pair{KernelKind::poly, "poly"}, std::pair{KernelKind::sigmoid, "sigmoid"}}) {
    if (name == text) return {.kind = kind, .gamma = gamma, .coef0 = coef0, .degree = degree};
  }
  throw Error(fmt::format("the kernel {} is not supported", name));
}

}  // namespace

Model model_from_svc(const OptionTexts& kernel, const std::vector<std::string>& classes,
                     const std::vector<std::size_t>& counts, nb::handle vectors, nb::handle coefficients,
                     nb::handle biases, const std::vector<std::string>& feature_names) {
  const Array x(vectors, "support_vectors_"), a(coefficients, "dual_coef_"), b(biases, "intercept_");
  if (x.kind() != NumberKind::float32 || a.kind() != NumberKind::float64 || b.kind() != NumberKind::float64) {
    throw Error("support vectors must be float32, coefficients and intercepts float64");
  }
  SvcParts parts{.kernel = kernel_of(kernel.at("kernel"), std::stod(kernel.at("gamma")), std::stod(kernel.at("coef0")),
                                     std::stoi(kernel.at("degree"))),
                 .classes = classes,
                 .counts = counts,
                 .vectors = {x.as<float>(), x.size()},
                 .coefficients = {a.as<double>(), a.size()},
                 .biases = {b.as<double>(), b.size()},
                 .dimension = static_cast<std::uint32_t>(x.extent(1))};
  FlatModel plain = flat_from_svc(parts);
  if (!feature_names.empty()) {
    plain.columns = std::make_shared<const Columns>(Columns{.dimension = plain.dimension, .features = feature_names});
  }
  return fixed_model(plain);
}

}  // namespace kinglet::python
