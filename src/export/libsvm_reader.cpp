// Reads model files of LIBSVM (libsvm_model.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/option_texts.hpp"
#include "export/libsvm_model.hpp"
#include "export/pairs_of_classes.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

constexpr std::uint32_t kMostFeatures = 1u << 26;
constexpr double kMostValues = 1e9;  // limit for the number of values of all vectors in dense form

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

}  // namespace

bool is_libsvm_model(std::string_view beginning) { return beginning.starts_with("svm_type"); }

FlatModel parse_libsvm_model(std::string_view text, const std::string& name) { return Parser(text, name).parse(); }

}  // namespace kinglet
