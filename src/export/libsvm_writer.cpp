// Writes model files of LIBSVM (libsvm_model.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/option_texts.hpp"
#include "export/libsvm_model.hpp"
#include "export/plain_columns.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

// The vectors of one class and their coefficients in the pairs of that class.
struct ClassVectors {
  std::string label;
  std::vector<std::size_t> vectors;
  std::vector<double> coefficients;  // k − 1 per vector
};

int label_number(const std::string& label) {
  const double number = number_or_nan(label);
  constexpr double kMost = std::numeric_limits<int>::max();
  if (std::isnan(number) || number != std::floor(number) || std::abs(number) > kMost) {
    throw Error(fmt::format("the labels of a LIBSVM model must be whole numbers, but '{}' is not", label));
  }
  return static_cast<int>(number);
}

std::string kernel_lines(const Kernel& kernel) {
  switch (kernel.kind) {
    case KernelKind::linear:
      return "kernel_type linear\n";
    case KernelKind::rbf:
      return fmt::format("kernel_type rbf\ngamma {}\n", kernel.gamma);
    case KernelKind::poly:
    case KernelKind::hpoly:
      return fmt::format("kernel_type polynomial\ndegree {}\ngamma {}\ncoef0 {}\n", kernel.degree, kernel.gamma,
                         kernel.kind == KernelKind::poly ? kernel.coef0 : 0);
    case KernelKind::sigmoid:
      return fmt::format("kernel_type sigmoid\ngamma {}\ncoef0 {}\n", kernel.gamma, kernel.coef0);
    case KernelKind::laplacian:
      break;
  }
  throw Error("LIBSVM has no laplacian kernel");
}

// A linear function of scaled features is also a linear function of the original features.
FlatModel unscale_linear(const FlatModel& plain) {
  FlatModel out = collapse_linear(plain);
  if (out.kernel.kind != KernelKind::linear || !out.is_shifted()) return out;
  for (std::size_t j = 0; j < out.size(); ++j) {
    double moved = 0;
    for (std::size_t f = 0; f < out.dimension; ++f) {
      float& z = out.vectors[j * out.dimension + f];
      z *= out.factor[f];
      moved += static_cast<double>(z) * static_cast<double>(out.shift[f]);
    }
    for (std::size_t m = 0; m < out.functions; ++m) out.biases[m] -= moved * out.row(j)[m];
  }
  out.scale = ScaleKind::none;
  out.shift.clear();
  out.factor.clear();
  return out;
}

// Converts to functions of pairs of classes, as in LIBSVM, with our last class first (except for votes, which are
// already in LIBSVM's order).
std::vector<ClassVectors> by_class(const FlatModel& plain) {
  const std::size_t k = plain.labels.size();
  std::vector<ClassVectors> classes(k);
  for (std::size_t place = 0; place < k; ++place) {
    const std::size_t c = k - 1 - place;
    ClassVectors& own = classes[place];
    own.label = plain.labels[c];
    for (std::size_t j = 0; j < plain.size(); ++j) {
      const double a = plain.row(j)[c];
      if (a == 0) continue;
      own.vectors.push_back(j);
      // f_own − f_other if own comes first in the pair, else f_other − f_own.
      for (std::size_t other = 0; other < k; ++other) {
        if (other != place) own.coefficients.push_back(other > place ? a : -a);
      }
    }
  }
  return classes;
}

std::vector<ClassVectors> by_class_of_votes(const FlatModel& plain) {
  const std::size_t k = plain.labels.size();
  std::vector<ClassVectors> classes(k);
  for (std::size_t c = 0; c < k; ++c) classes[c].label = plain.labels[c];
  const auto pair_of = [k](std::size_t a, std::size_t b) { return a * (2 * k - a - 1) / 2 + (b - a - 1); };
  for (std::size_t j = 0; j < plain.size(); ++j) {
    const auto row = plain.row(j);
    // A vector listed under a class covers the pairs of that class; other pairs are left to the next classes.
    std::vector<double> left(row.begin(), row.end());
    for (std::size_t c = 0; c < k; ++c) {
      std::vector<double> own;
      for (std::size_t other = 0; other < k; ++other) {
        if (other == c) continue;
        double& rest = left[pair_of(std::min(c, other), std::max(c, other))];
        own.push_back(rest);
        rest = 0;
      }
      if (std::ranges::all_of(own, [](double a) { return a == 0; })) continue;
      classes[c].vectors.push_back(j);
      classes[c].coefficients.insert(classes[c].coefficients.end(), own.begin(), own.end());
    }
  }
  return classes;
}

void append_vector(const FlatModel& plain, std::size_t j, std::span<const double> coefficients, std::string& text) {
  const auto base = static_cast<std::uint32_t>(plain.index_base.value_or(1));
  for (const double a : coefficients) fmt::format_to(std::back_inserter(text), "{} ", a);
  const auto x = plain.vector(j);
  for (std::uint32_t f = 0; f < x.size(); ++f) {
    if (x[f] != 0) fmt::format_to(std::back_inserter(text), "{}:{} ", f + base, static_cast<double>(x[f]));
  }
  text += '\n';
}

std::string text_of_classes(const FlatModel& plain, const std::vector<ClassVectors>& classes,
                            std::span<const double> rho) {
  std::string labels, counts, vectors;
  std::size_t total = 0;
  for (const ClassVectors& each : classes) {
    labels += fmt::format(" {}", label_number(each.label));
    counts += fmt::format(" {}", each.vectors.size());
    total += each.vectors.size();
    const std::size_t width = classes.size() - 1;
    for (std::size_t i = 0; i < each.vectors.size(); ++i) {
      append_vector(plain, each.vectors[i], std::span(each.coefficients).subspan(i * width, width), vectors);
    }
  }
  std::string text = "svm_type c_svc\n" + kernel_lines(plain.kernel);
  text += fmt::format("nr_class {}\ntotal_sv {}\nrho", classes.size(), total);
  for (const double each : rho) text += fmt::format(" {}", each);
  return text + "\nlabel" + labels + "\nnr_sv" + counts + "\nSV\n" + vectors;
}

// Two classes: f_01 = −f is positive for class 0, so that f(x) = 0 means class 1, as everywhere in kinglet.
std::string text_of_two(const FlatModel& plain) {
  std::vector<ClassVectors> classes(2);
  for (std::size_t c = 0; c < 2; ++c) classes[c].label = plain.labels[c];
  for (std::size_t j = 0; j < plain.size(); ++j) {
    const double a = -plain.row(j)[0];
    ClassVectors& own = classes[a > 0 ? 0 : 1];
    own.vectors.push_back(j);
    own.coefficients.push_back(a);
  }
  const double rho = plain.biases[0];
  return text_of_classes(plain, classes, {&rho, 1});
}

std::string text_of_largest(const FlatModel& plain) {
  const std::size_t k = plain.labels.size();
  std::vector<double> rho;
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t b = a + 1; b < k; ++b) rho.push_back(plain.biases[k - 1 - b] - plain.biases[k - 1 - a]);
  }
  return text_of_classes(plain, by_class(plain), rho);
}

std::string text_of_votes(const FlatModel& plain) {
  std::vector<double> rho;
  for (const double bias : plain.biases) rho.push_back(-bias);
  return text_of_classes(plain, by_class_of_votes(plain), rho);
}

std::string text_of_one(const FlatModel& plain, const char* type) {
  std::string text = fmt::format("svm_type {}\n{}nr_class 2\ntotal_sv {}\nrho {}\nSV\n", type,
                                 kernel_lines(plain.kernel), plain.size(), -plain.biases[0]);
  for (std::size_t j = 0; j < plain.size(); ++j) append_vector(plain, j, plain.row(j), text);
  return text;
}

}  // namespace

std::string libsvm_model_text(const FlatModel& plain) {
  require_plain_columns(plain, "a LIBSVM model");
  if (plain.scale == ScaleKind::unit) {
    throw Error(
        {"the model scales every row to length 1 (", option("scale", "unit"), "), which LIBSVM does not support"});
  }
  const FlatModel raw = unscale_linear(plain);
  if (raw.size() == 0) throw Error("the model has no support vectors, but a LIBSVM model needs at least one");
  switch (raw.decision) {
    case Decision::value:
      return text_of_one(raw, "epsilon_svr");
    case Decision::largest:
      return text_of_largest(raw);
    case Decision::votes:
      return text_of_votes(raw);
    case Decision::sign:
      break;
  }
  return raw.task == TaskKind::novelty ? text_of_one(raw, "one_class") : text_of_two(raw);
}

// svm-scale maps [min, max] to [0, 1] and omits features whose minimum and maximum are equal.
std::string libsvm_range_text(const FlatModel& plain) {
  if (plain.kernel.kind == KernelKind::linear || !plain.is_shifted()) return {};
  std::string text = "x\n0 1\n";
  const auto base = static_cast<std::uint32_t>(plain.index_base.value_or(1));
  for (std::uint32_t f = 0; f < plain.dimension; ++f) {
    const double low = static_cast<double>(plain.shift[f]), factor = static_cast<double>(plain.factor[f]);
    text += fmt::format("{} {} {}\n", f + base, low, factor == 0 ? low : low + 1 / factor);
  }
  return text;
}

}  // namespace kinglet
