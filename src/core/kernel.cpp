#include "core/kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/assert.hpp"
#include "core/compose.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

// Calls each(x_f, z_f) for every feature f that is nonzero in either vector (and possibly for others).
template <class Each>
void for_each_pair(const Features& x, const Features& z, Each each) {
  const auto feature = [](const Features& v, std::uint32_t k) { return v.is_sparse() ? v.indices[k] : k; };
  std::uint32_t i = 0;
  std::uint32_t j = 0;
  while (i < x.count || j < z.count) {
    if (j == z.count || (i < x.count && feature(x, i) < feature(z, j))) {
      each(static_cast<double>(x.values[i++]), 0.0);
    } else if (i == x.count || feature(z, j) < feature(x, i)) {
      each(0.0, static_cast<double>(z.values[j++]));
    } else {
      each(static_cast<double>(x.values[i++]), static_cast<double>(z.values[j++]));
    }
  }
}

const OptionSpec kGamma{.name = "gamma",
                        .default_value = "auto",
                        .help = "kernel parameter; auto: set from the first examples",
                        .low = 0,
                        .high = 1e30,
                        .low_open = true,
                        .may_be_auto = true,
                        .search = {.low = 0x1p-4, .high = 0x1p6, .step = 4}};
const OptionSpec kDegree{.name = "degree",
                         .kind = OptionKind::integer,
                         .default_value = "3",
                         .help = "degree of the polynomial",
                         .low = 1,
                         .high = 64};

OptionSpec coef0(const char* default_value) {
  return {.name = "coef0", .default_value = default_value, .help = "additive constant of the poly and sigmoid kernels"};
}

}  // namespace

Message indefinite_kernel(const Options& options) {
  const std::string& kernel = options.text("kernel");
  if (kernel == "poly" && options.real("coef0") < 0) return {"poly with a negative ", option("coef0")};
  return kernel == "sigmoid" ? Message(kernel) : Message();
}

void fail_kernel_range() {
  throw Error(compose("a kernel value is too large: scale the features, or lower {}, {} or {}", option("gamma"),
                      option("coef0"), option("degree")));
}

double dot(const Features& x, const Features& z) {
  double sum = 0;
  for_each_pair(x, z, [&](double a, double b) { sum += a * b; });
  return sum;
}

double squared_norm(const Features& x) {
  double sum = 0;
  for (std::uint32_t k = 0; k < x.count; ++k)
    sum += static_cast<double>(x.values[k]) * static_cast<double>(x.values[k]);
  return sum;
}

double Kernel::operator()(const Features& x, const Features& z) const {
  double sum = 0;
  switch (kind) {
    case KernelKind::rbf:
      for_each_pair(x, z, [&](double a, double b) { sum += (a - b) * (a - b); });
      return std::exp(-gamma * sum);
    case KernelKind::laplacian:
      for_each_pair(x, z, [&](double a, double b) { sum += std::abs(a - b); });
      return std::exp(-gamma * sum);
    default:
      return from_dot(dot(x, z), 0);
  }
}

double Kernel::from_dot(double dot, double squared_norms) const {
  switch (kind) {
    case KernelKind::rbf:
      return std::exp(-gamma * std::max(0.0, squared_norms - 2 * dot));
    case KernelKind::linear:
      return dot;
    case KernelKind::poly:
      return std::pow(gamma * dot + coef0, degree);
    case KernelKind::hpoly:
      return std::pow(gamma * dot, degree);
    case KernelKind::sigmoid:
      return std::tanh(gamma * dot + coef0);
    case KernelKind::laplacian:
      break;
  }
  KINGLET_ASSERT(!"the laplacian kernel is not a function of the inner product");
  return 0;
}

std::span<const KernelEntry> kernel_entries() {
  static const std::array<KernelEntry, 6> entries{{
      {{.name = "rbf",
        .summary = "Gaussian: a universal kernel, the default",
        .formula = "exp(−γ ‖x − z‖²)",
        .cost = "O(d)",
        .options = {kGamma}},
       KernelKind::rbf},
      {{.name = "laplacian",
        .summary = "Laplacian: more peaked than the Gaussian, robust to outliers",
        .formula = "exp(−γ ‖x − z‖₁)",
        .cost = "O(d)",
        .options = {kGamma}},
       KernelKind::laplacian},
      {{.name = "linear", .summary = "linear", .formula = "x·z", .cost = "O(d)", .options = {}}, KernelKind::linear},
      {{.name = "poly",
        .summary = "polynomial with a constant term (inhomogeneous)",
        .formula = "(γ x·z + coef0)^degree",
        .cost = "O(d)",
        .options = {kGamma, coef0("1"), kDegree}},
       KernelKind::poly},
      {{.name = "hpoly",
        .summary = "homogeneous polynomial",
        .formula = "(γ x·z)^degree",
        .cost = "O(d)",
        .options = {kGamma, kDegree}},
       KernelKind::hpoly},
      {{.name = "sigmoid",
        .summary = "hyperbolic tangent, as in neural networks; not positive definite",
        .formula = "tanh(γ x·z + coef0)",
        .cost = "O(d)",
        .options = {kGamma, coef0("0")}},
       KernelKind::sigmoid},
  }};
  return entries;
}

namespace {

const KernelEntry& kernel_entry(const Options& options) {
  const auto entries = kernel_entries();
  const std::string& name = options.text("kernel");
  const auto found = std::ranges::find_if(entries, [&](const KernelEntry& each) { return each.entry.name == name; });
  if (found == entries.end()) throw Error("unknown kernel " + name);
  return *found;
}

}  // namespace

KernelKind kernel_kind(const Options& options) { return kernel_entry(options).kind; }

Kernel make_kernel(const Options& options) {
  const KernelEntry& entry = kernel_entry(options);
  Kernel kernel{.kind = entry.kind};
  for (const OptionSpec& option : entry.entry.options) {
    if (option.name == "gamma") kernel.gamma = options.real("gamma");
    if (option.name == "coef0") kernel.coef0 = options.real("coef0");
    if (option.name == "degree") kernel.degree = static_cast<int>(options.integer("degree"));
  }
  return kernel;
}

}  // namespace kinglet
