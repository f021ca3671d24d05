#include "export/libsvm_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/option_texts.hpp"
#include "export/plain_columns.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

constexpr std::uint32_t kMostFeatures = 1u << 26;
constexpr double kMostValues = 1e9;  // limit for the number of values of all vectors in dense form

// Coefficient c of a vector of class a belongs to the pair (a, c), or (a, c + 1) if c ≥ a. Coefficients are `stride` apart.
void fill_pairs(const double* given, std::size_t stride, std::size_t of_class, std::size_t classes,
                std::span<double> row) {
  std::ranges::fill(row, 0.0);
  std::size_t pair = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b, ++pair) {
      if (a == of_class) row[pair] = given[(b - 1) * stride];
      if (b == of_class) row[pair] = given[a * stride];
    }
  }
}

// --- reading ---------------------------------------------------------------------------------------------------------

class Parser {
 public:
  Parser(std::string_view text, std::string name) : rest_(text), name_(std::move(name)) {}

  FlatModel parse() {
    read_header();
    check_header();
    read_vectors();
    place_vectors();
    check_flat(out_, name_);
    return std::move(out_);
  }

 private:
  using Words = std::vector<std::string_view>;

  [[noreturn]] void fail(const std::string& why) const { throw Error(fmt::format("{}:{}: {}", name_, line_, why)); }

  bool next_line(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    return true;
  }

  static Words words_of(std::string_view line) {
    constexpr std::string_view kSpace = " \t\r";
    Words words;
    for (std::size_t at = line.find_first_not_of(kSpace); at != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_of(kSpace, at), line.size());
      words.push_back(line.substr(at, end - at));
      at = line.find_first_not_of(kSpace, end);
    }
    return words;
  }

  double number(std::string_view text) const {
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || !std::isfinite(value)) {
      fail(fmt::format("'{}' is not a number", text));
    }
    return value;
  }

  std::uint64_t whole(std::string_view text, std::uint64_t most) const {
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || value > most) {
      fail(fmt::format("'{}' is not a whole number up to {}", text, most));
    }
    return value;
  }

  void read_header() {
    std::string_view line;
    while (next_line(line)) {
      const Words words = words_of(line);
      if (words.empty()) continue;
      if (words[0] == "SV") return;
      if (words.size() < 2) fail(fmt::format("{} has no value", words[0]));
      read_entry(words);
    }
    fail("there are no support vectors (no line SV); the file is truncated");
  }

  void read_entry(const Words& words) {
    constexpr std::uint64_t kMostVectors = 1u << 30;
    const std::string_view key = words[0];
    if (key == "svm_type") {
      type_ = words[1];
    } else if (key == "kernel_type") {
      kernel_ = words[1];
    } else if (key == "gamma") {
      out_.kernel.gamma = number(words[1]);
    } else if (key == "coef0") {
      out_.kernel.coef0 = number(words[1]);
    } else if (key == "degree") {
      out_.kernel.degree = static_cast<int>(whole(words[1], 64));
    } else if (key == "nr_class") {
      classes_ = static_cast<std::size_t>(whole(words[1], 1u << 15));
    } else if (key == "total_sv") {
      total_ = static_cast<std::size_t>(whole(words[1], kMostVectors));
    } else if (key == "rho") {
      for (std::size_t i = 1; i < words.size(); ++i) rho_.push_back(number(words[i]));
    } else if (key == "label") {
      for (std::size_t i = 1; i < words.size(); ++i) labels_.emplace_back(words[i]);
    } else if (key == "nr_sv") {
      for (std::size_t i = 1; i < words.size(); ++i) {
        counts_.push_back(static_cast<std::size_t>(whole(words[i], kMostVectors)));
      }
    } else if (key != "probA" && key != "probB" && key != "prob_density_marks") {
      fail(fmt::format("'{}' is not an entry of a LIBSVM model", key));
    }
  }

  void check_header() {
    set_kernel();
    const bool classifies = type_ == "c_svc" || type_ == "nu_svc";
    if (!classifies && type_ != "one_class" && type_ != "epsilon_svr" && type_ != "nu_svr") {
      fail(fmt::format("svm_type '{}' is not one of c_svc, nu_svc, one_class, epsilon_svr, nu_svr", type_));
    }
    if (classes_ < 2) fail("the model has fewer than two classes");
    if (!classifies && classes_ != 2) fail("nr_class must be 2 for models without classes");
    if (rho_.size() != classes_ * (classes_ - 1) / 2)
      fail("the number of rho entries must be the number of pairs of classes");
    if (!classifies) return;
    if (labels_.size() != classes_ || counts_.size() != classes_) fail("label and nr_sv must have one entry per class");
    std::size_t sum = 0;
    for (const std::size_t count : counts_) sum += count;
    if (sum != total_) fail("nr_sv does not add up to total_sv");
  }

  void set_kernel() {
    if (kernel_ == "rbf") {
      out_.kernel.kind = KernelKind::rbf;
    } else if (kernel_ == "linear") {
      out_.kernel.kind = KernelKind::linear;
    } else if (kernel_ == "polynomial") {
      // With coef0 = 0 this is the homogeneous polynomial kernel.
      out_.kernel.kind = out_.kernel.coef0 == 0 ? KernelKind::hpoly : KernelKind::poly;
      if (out_.kernel.degree < 1) fail("the degree of a polynomial kernel must be at least 1");
    } else if (kernel_ == "sigmoid") {
      out_.kernel.kind = KernelKind::sigmoid;
    } else if (kernel_ == "precomputed") {
      fail("precomputed kernels are not supported, as the file contains no vectors");
    } else {
      fail(fmt::format("kernel_type '{}' is not one of linear, polynomial, rbf, sigmoid", kernel_));
    }
    if (kernel_ != "linear" && !(out_.kernel.gamma > 0)) fail("gamma must be above 0");
  }

  void read_vectors() {
    std::string_view line;
    while (next_line(line)) {
      const Words words = words_of(line);
      if (words.empty()) continue;
      if (offsets_.size() > total_) fail("there are more support vectors than total_sv states");
      if (words.size() < classes_ - 1) fail(fmt::format("a support vector needs {} coefficients", classes_ - 1));
      for (std::size_t c = 0; c + 1 < classes_; ++c) given_.push_back(number(words[c]));
      for (std::size_t k = classes_ - 1; k < words.size(); ++k) read_value(words[k], k > classes_ - 1);
      offsets_.push_back(values_.size());
    }
    if (offsets_.size() != total_ + 1) {
      fail(fmt::format("total_sv is {} but there are only {} support vectors; the file is truncated", total_,
                       offsets_.size() - 1));
    }
  }

  void read_value(std::string_view word, bool has_predecessor) {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) fail(fmt::format("'{}' is not of the form index:value", word));
    const auto index = static_cast<std::uint32_t>(whole(word.substr(0, colon), kMostFeatures));
    if (has_predecessor && index <= indices_.back()) fail("indices must increase");
    indices_.push_back(index);
    values_.push_back(static_cast<float>(number(word.substr(colon + 1))));
  }

  // Indices count from 1, unless there is an index 0.
  void find_dimension() {
    const auto limits = std::ranges::minmax_element(indices_);
    const bool from_zero = !indices_.empty() && *limits.min == 0;
    out_.index_base = from_zero ? 0 : 1;
    out_.dimension = indices_.empty() ? 1 : *limits.max + (from_zero ? 1 : 0);
    if (static_cast<double>(out_.dimension) * static_cast<double>(total_) > kMostValues) {
      throw Error(fmt::format("{}: {} support vectors of {} features need too much memory in dense form", name_, total_,
                              out_.dimension));
    }
  }

  void place_vectors() {
    find_dimension();
    out_.origin = fmt::format("a LIBSVM model ({}) with {} support vectors", type_, total_);
    if (type_ == "one_class") {
      out_.task = TaskKind::novelty;
      out_.labels = {"-1", "1"};
    } else if (type_ == "c_svc" || type_ == "nu_svc") {
      out_.labels = labels_;
      out_.decision = classes_ == 2 ? Decision::sign : Decision::votes;
    } else {
      out_.task = TaskKind::regress;
      out_.decision = Decision::value;
    }
    out_.functions = functions_for(out_.decision, out_.labels.size());
    const double sign = orient_two_classes();
    for (const double rho : rho_) out_.biases.push_back(-sign * rho);
    std::vector<float> x(out_.dimension);
    std::vector<double> row(out_.functions);
    std::size_t of_class = 0, left = counts_.empty() ? total_ : counts_[0];
    for (std::size_t j = 0; j < total_; ++j) {
      while (left == 0 && of_class + 1 < counts_.size()) left = counts_[++of_class];
      --left;
      fill_vector(j, x);
      fill_row(j, of_class, sign, row);
      out_.append(x, row);
    }
  }

  // LIBSVM's function is positive for the first label in the file, ours for the last label in sorted order. −1 if these
  // differ.
  double orient_two_classes() {
    if (out_.task != TaskKind::classify || classes_ != 2) return 1;
    const double first = number_or_nan(labels_[0]), second = number_or_nan(labels_[1]);
    const bool rising = std::isnan(first) || std::isnan(second) ? labels_[0] < labels_[1] : first < second;
    if (rising) return -1;
    std::swap(out_.labels[0], out_.labels[1]);
    return 1;
  }

  void fill_vector(std::size_t j, std::vector<float>& x) const {
    std::ranges::fill(x, 0.0F);
    const std::uint32_t base = *out_.index_base == 0 ? 0 : 1;
    for (std::size_t k = offsets_[j]; k < offsets_[j + 1]; ++k) x[indices_[k] - base] = values_[k];
  }

  void fill_row(std::size_t j, std::size_t of_class, double sign, std::vector<double>& row) const {
    const double* given = &given_[j * (classes_ - 1)];
    if (out_.decision == Decision::votes) return fill_pairs(given, 1, of_class, classes_, row);
    row[0] = sign * given[0];
  }

  std::string_view rest_;
  std::string name_;
  std::size_t line_ = 0;
  FlatModel out_;
  std::string_view type_, kernel_;
  std::size_t classes_ = 0, total_ = 0;
  std::vector<double> rho_;
  std::vector<std::string> labels_;
  std::vector<std::size_t> counts_;
  std::vector<double> given_;  // coefficients, classes_ − 1 per vector
  std::vector<std::size_t> offsets_ = {0};
  std::vector<std::uint32_t> indices_;
  std::vector<float> values_;
};

// --- writing ---------------------------------------------------------------------------------------------------------

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

// Converts to functions of pairs of classes, as in LIBSVM, with our last class first (except for votes, which are already
// in LIBSVM's order).
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

bool is_libsvm_model(std::string_view beginning) { return beginning.starts_with("svm_type"); }

FlatModel parse_libsvm_model(std::string_view text, const std::string& name) { return Parser(text, name).parse(); }

FlatModel flat_from_svc(const SvcParts& svc) {
  const std::size_t k = svc.classes.size();
  FlatModel out;
  out.kernel = svc.kernel;
  out.labels = svc.classes;
  out.decision = k == 2 ? Decision::sign : Decision::votes;
  out.functions = functions_for(out.decision, k);
  out.dimension = svc.dimension;
  out.biases.assign(svc.biases.begin(), svc.biases.end());
  std::size_t total = 0;
  for (const std::size_t count : svc.counts) total += count;
  const bool fits = k >= 2 && svc.counts.size() == k && svc.vectors.size() == total * svc.dimension &&
                    svc.coefficients.size() == total * (k - 1);
  if (!fits) throw Error("the parts of the support vector machine have inconsistent sizes");
  out.origin = fmt::format("an SVC with {} support vectors", total);
  std::vector<double> row(out.functions);
  std::size_t j = 0;
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t i = 0; i < svc.counts[c]; ++i, ++j) {
      if (k == 2) {
        row[0] = svc.coefficients[j];
      } else {
        fill_pairs(&svc.coefficients[j], total, c, k, row);
      }
      out.append(svc.vectors.subspan(j * svc.dimension, svc.dimension), row);
    }
  }
  check_flat(out, "a support vector machine");
  return out;
}

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
