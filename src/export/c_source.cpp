#include "export/c_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>

#include "export/compress.hpp"
#include "export/plain_columns.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

constexpr std::size_t kMostRefitted = 5000;  // least squares take cubic time
constexpr double kMostTableBytes = 512e6;    // a larger source file would be useless
constexpr int kLevels = 254;                 // steps of an 8-bit integer: −127 … 127

std::string float_text(double value) {
  std::string text = fmt::format("{:.9g}", static_cast<double>(static_cast<float>(value)));
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + "f";
}

// A string literal. Special characters become octal escapes, which always have three digits.
std::string string_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= 32 && byte < 127 && c != '"' && c != '\\' && c != '?';
    if (plain) {
      out += c;
    } else {
      out += fmt::format("\\{:03o}", byte);
    }
  }
  return out + "\"";
}

template <class Value>
std::string table_text(const std::string& declaration, std::size_t count, const Value& value) {
  std::string out = declaration + " = {";
  std::size_t column = 200;  // begins with a new line
  for (std::size_t i = 0; i < count; ++i) {
    const std::string text = value(i) + (i + 1 < count ? "," : "");
    if (column + text.size() + 1 > 100) {
      out += "\n   ";
      column = 3;
    }
    out += " " + text;
    column += text.size() + 1;
  }
  return out + "\n};\n\n";
}

// The vectors as 8-bit integers.
struct Quantised {
  std::vector<std::int8_t> values;
  std::vector<float> offset;
  std::vector<float> step;
};

Quantised quantise(const FlatModel& plain) {
  Quantised out;
  out.values.resize(plain.vectors.size());
  for (std::size_t f = 0; f < plain.dimension; ++f) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t j = 0; j < plain.size(); ++j) {
      low = std::min(low, static_cast<double>(plain.vector(j)[f]));
      high = std::max(high, static_cast<double>(plain.vector(j)[f]));
    }
    const double offset = plain.size() == 0 ? 0 : (low + high) / 2;
    // The feature is the same in all vectors: any step that keeps u in range works.
    const double step = high > low ? (high - low) / kLevels : std::max(1e-6, std::abs(offset) / kLevels);
    out.offset.push_back(static_cast<float>(offset));
    out.step.push_back(static_cast<float>(step));
    for (std::size_t j = 0; j < plain.size(); ++j) {
      const double z = static_cast<double>(plain.vector(j)[f]);
      const double q = std::round((z - static_cast<double>(out.offset[f])) / static_cast<double>(out.step[f]));
      out.values[j * plain.dimension + f] = static_cast<std::int8_t>(std::clamp(q, -127.0, 127.0));
    }
  }
  return out;
}

// The model with its vectors rounded to 8-bit integers and its coefficients refitted to compensate.
FlatModel rounded(const FlatModel& plain) {
  if (plain.size() > kMostRefitted) {
    throw Error(
        fmt::format("int8 needs to refit the coefficients, which is possible for at most {} support vectors, but the "
                    "model has {}: compress it first (kinglet compress)",
                    kMostRefitted, plain.size()));
  }
  const Quantised q = quantise(plain);
  std::vector<float> vectors(q.values.size());
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const std::size_t f = i % plain.dimension;
    vectors[i] = q.offset[f] + static_cast<float>(q.values[i]) * q.step[f];
  }
  return refitted(plain, std::move(vectors));
}

class CWriter {
 public:
  CWriter(const FlatModel& plain, CType type, const std::string& name, const std::string& header_name)
      : m_(type == CType::int8 ? rounded(plain) : plain),
        int8_(type == CType::int8),
        name_(name),
        upper_(upper_case(name)),
        header_name_(header_name) {
    const double bytes =
        static_cast<double>(m_.vectors.size()) * (int8_ ? 1 : 4) + static_cast<double>(m_.coefficients.size()) * 4;
    if (bytes > kMostTableBytes) {
      throw Error(
          fmt::format("the tables would take {:.0f} MB: compress the model first (kinglet compress)", bytes / 1e6));
    }
  }

  CSource write() {
    const std::string tables = write_tables();
    CSource out;
    out.table_bytes = table_bytes_;
    out.stack_bytes = stack_bytes();
    out.header = header_text(out);
    out.source = source_text(out, tables);
    return out;
  }

 private:
  static std::string upper_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
  }

  bool is_distance() const { return m_.kernel.is_radial(); }
  bool has_classes() const { return m_.decision != Decision::value; }
  bool has_votes() const { return m_.decision == Decision::votes; }
  bool is_unit() const { return m_.scale == ScaleKind::unit; }
  // Whether a row is transformed before the sums, which needs a copy.
  bool has_copy() const { return int8_ || m_.is_shifted() || is_unit() || m_.has_missing; }

  std::size_t stack_bytes() const {
    std::size_t bytes = has_copy() ? m_.dimension * sizeof(float) : 0;
    if (has_votes()) bytes += (m_.functions + m_.labels.size()) * sizeof(float);
    if (has_classes() && !has_votes()) bytes += m_.functions * sizeof(float);
    return bytes;
  }

  // --- tables

  std::string floats(const char* what, std::size_t count, const std::function<double(std::size_t)>& value) {
    table_bytes_ += count * sizeof(float);
    return table_text(fmt::format("static const float {}[{}]", what, count), count,
                      [&](std::size_t i) { return float_text(value(i)); });
  }

  template <class Vector>
  std::string floats(const char* what, const Vector& values) {
    return floats(what, values.size(), [&](std::size_t i) { return static_cast<double>(values[i]); });
  }

  std::string write_tables() {
    std::string out;
    if (m_.is_shifted() && m_.size() > 0)
      out += "/* scaling: (x - shift) * factor */\n" + floats("shift", m_.shift) + floats("factor", m_.factor);
    if (m_.has_missing && m_.size() > 0)
      out += "/* replacements for missing values (NaN) */\n" + floats("filler", m_.fillers);
    if (int8_ && m_.size() > 0) {
      out += int8_tables();
    } else if (m_.size() > 0) {
      out += "/* scaled support vectors, one after the other */\n" + floats("vectors", m_.vectors);
    }
    if (m_.size() > 0) {
      out += "/* coefficients of the support vectors";
      out += m_.functions > 1 ? ", one for each function */\n" : " */\n";
      out += floats("coefficients", m_.coefficients);
    }
    return out + floats("biases", m_.biases);
  }

  // For distances, a row becomes u = (s − offset) · rate, and `weight` is γ step² (laplacian: γ step). For inner
  // products, it becomes s · step.
  std::string int8_tables() {
    const Quantised q = quantise(m_);
    table_bytes_ += q.values.size();
    std::string out = "/* support vectors as integers q: the scaled feature is offset + q * step */\n" +
                      table_text(fmt::format("static const int8_t vectors[{}]", q.values.size()), q.values.size(),
                                 [&](std::size_t i) { return std::to_string(q.values[i]); });
    out += floats("offset", q.offset);
    if (!is_distance()) return out + floats("step", q.step);
    const double gamma = m_.kernel.gamma;
    const bool squared = m_.kernel.kind == KernelKind::rbf;
    out += "/* 1 / step, and the weight of a squared or absolute difference of integers in the kernel */\n";
    out += floats("rate", q.step.size(), [&](std::size_t f) { return 1 / static_cast<double>(q.step[f]); });
    return out + floats("weight", q.step.size(), [&](std::size_t f) {
             const auto step = static_cast<double>(q.step[f]);
             return gamma * step * (squared ? step : 1);
           });
  }

  // --- code

  std::string row_code() const {
    if (!has_copy()) return "  const float *s = x;\n";
    std::string out = fmt::format("  float s[{}_FEATURES];\n", upper_);
    if (is_unit()) out += "  float length = 0.0f;\n";
    out += "  int f;\n";
    out += fmt::format("  for (f = 0; f < {}_FEATURES; ++f) {{\n    float value = x[f];\n", upper_);
    if (m_.has_missing) out += "    if (value != value) value = filler[f];\n";
    if (m_.is_shifted()) out += "    value = (value - shift[f]) * factor[f];\n";
    if (is_unit()) out += "    length += value * value;\n";
    out += "    s[f] = value;\n  }\n";
    if (is_unit()) {
      out += "  length = length > 0.0f ? 1.0f / sqrtf(length) : 0.0f;\n";
      out += fmt::format("  for (f = 0; f < {}_FEATURES; ++f) s[f] *= length;\n", upper_);
    }
    return out;
  }

  std::string int8_code() const {
    if (!int8_ || m_.size() == 0) return {};
    if (is_distance()) {
      return fmt::format("  for (f = 0; f < {}_FEATURES; ++f) s[f] = (s[f] - offset[f]) * rate[f];\n", upper_);
    }
    return fmt::format(
        "  float base = 0.0f;\n  for (f = 0; f < {}_FEATURES; ++f) {{\n    base += s[f] * offset[f];\n"
        "    s[f] *= step[f];\n  }}\n",
        upper_);
  }

  // The code that sums over the features of a vector z.
  std::string sum_code() const {
    const std::string z = int8_ ? "(float)z[i]" : "z[i]";
    const std::string weight = int8_ ? "weight[i] * " : "";
    switch (m_.kernel.kind) {
      case KernelKind::rbf:
        return fmt::format("      const float d = s[i] - {};\n      sum += {}d * d;\n", z, weight);
      case KernelKind::laplacian:
        return fmt::format("      const float d = s[i] - {};\n      sum += {}(d < 0.0f ? -d : d);\n", z, weight);
      default:
        return fmt::format("      sum += s[i] * {};\n", z);
    }
  }

  std::string kernel_code() const {
    const std::string gamma = float_text(m_.kernel.gamma), coef0 = float_text(m_.kernel.coef0);
    switch (m_.kernel.kind) {
      case KernelKind::rbf:
      case KernelKind::laplacian:
        return int8_ ? "expf(-sum)" : fmt::format("expf(-{} * sum)", gamma);
      case KernelKind::linear:
        return "sum";
      case KernelKind::poly:
        return fmt::format("power({} * sum + {})", gamma, coef0);
      case KernelKind::hpoly:
        return fmt::format("power({} * sum)", gamma);
      case KernelKind::sigmoid:
        break;
    }
    return fmt::format("tanhf({} * sum + {})", gamma, coef0);
  }

  std::string power_code() const {
    if (m_.size() == 0 || (m_.kernel.kind != KernelKind::poly && m_.kernel.kind != KernelKind::hpoly)) return {};
    return fmt::format(
        "static float power(float x) {{\n  float out = 1.0f;\n  int i;\n  for (i = 0; i < {}; ++i) out *= x;\n"
        "  return out;\n}}\n\n",
        m_.kernel.degree);
  }

  std::string functions_code() const {
    const std::string count = std::to_string(m_.functions);
    std::string out = power_code();
    out += "static void functions(const float *x, float *out) {\n";
    if (m_.size() == 0) {
      return out + fmt::format("  int m;\n  (void)x;\n  for (m = 0; m < {}; ++m) out[m] = biases[m];\n}}\n\n", count);
    }
    out += row_code() + int8_code();
    out += "  int j, m;\n";
    out += fmt::format("  for (m = 0; m < {}; ++m) out[m] = 0.0f;\n", count);
    out += fmt::format("  for (j = 0; j < {}_VECTORS; ++j) {{\n", upper_);
    out += fmt::format("    const {} *z = vectors + (size_t)j * {}_FEATURES;\n", int8_ ? "int8_t" : "float", upper_);
    out += fmt::format("    float sum = {};\n    float k;\n    int i;\n", int8_ && !is_distance() ? "base" : "0.0f");
    out += fmt::format("    for (i = 0; i < {}_FEATURES; ++i) {{\n{}    }}\n", upper_, sum_code());
    out += fmt::format("    k = {};\n", kernel_code());
    out += fmt::format("    for (m = 0; m < {0}; ++m) out[m] += coefficients[(size_t)j * {0} + m] * k;\n  }}\n", count);
    return out + fmt::format("  for (m = 0; m < {}; ++m) out[m] += biases[m];\n}}\n\n", count);
  }

  std::string votes_code() const {
    const std::size_t k = m_.labels.size();
    return fmt::format(
        "void {0}_scores(const float x[{1}_FEATURES], float scores[{1}_SCORES]) {{\n"
        "  float pairs[{2}];\n  int a, b, pair = 0;\n  functions(x, pairs);\n"
        "  for (a = 0; a < {3}; ++a) scores[a] = 0.0f;\n"
        "  for (a = 0; a < {3}; ++a) {{\n    for (b = a + 1; b < {3}; ++b, ++pair) scores[pairs[pair] > 0.0f ? a : b] "
        "+= 1.0f;\n  }}\n}}\n\n",
        name_, upper_, m_.functions, k);
  }

  std::string scores_code() const {
    if (has_votes()) return votes_code();
    return fmt::format(
        "void {0}_scores(const float x[{1}_FEATURES], float scores[{1}_SCORES]) {{\n  functions(x, scores);\n}}\n\n",
        name_, upper_);
  }

  std::string predict_code() const {
    const std::string head = fmt::format("_predict(const float x[{}_FEATURES]) {{\n", upper_);
    if (!has_classes()) {
      return fmt::format("float {}{}  float score;\n  functions(x, &score);\n  return score;\n}}\n", name_, head);
    }
    std::string out = fmt::format("int {}{}  float scores[{}_SCORES];\n", name_, head, upper_);
    if (m_.decision == Decision::sign) {
      out += fmt::format("  {}_scores(x, scores);\n  return scores[0] >= 0.0f ? 1 : 0;\n}}\n\n", name_);
    } else {
      out += fmt::format(
          "  int c, best = 0;\n  {}_scores(x, scores);\n  for (c = 1; c < {}_SCORES; ++c) {{\n"
          "    if (scores[c] > scores[best]) best = c;\n  }}\n  return best;\n}}\n\n",
          name_, upper_);
    }
    return out +
           fmt::format(
               "const char *{0}_label(const float x[{1}_FEATURES]) {{\n  return {0}_labels[{0}_predict(x)];\n}}\n",
               name_, upper_);
  }

  // --- files

  std::string about(const CSource& out) const {
    const std::string classes = has_classes() ? fmt::format(", {} classes", m_.labels.size()) : "";
    std::string what = m_.task == TaskKind::regress   ? "regression"
                       : m_.task == TaskKind::novelty ? "novelty detection"
                                                      : "classification";
    return fmt::format(
        "Generated by kinglet {} from {}.\n *\n * {}: {} {} vectors of {} features{}.\n"
        " * Tables: {} bytes of constants. Stack used by arrays during scoring: {} bytes. No allocation.",
        KINGLET_VERSION, comment_safe(m_.origin), what, m_.size(), int8_ ? "int8" : "float", m_.dimension, classes,
        out.table_bytes, out.stack_bytes);
  }

  static std::string comment_safe(std::string text) {
    for (std::size_t at = 0; (at = text.find("*/", at)) != std::string::npos;) text.replace(at, 2, "* /");
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < 32; }, ' ');
    return text;
  }

  std::string score_comment() const {
    if (m_.decision == Decision::value) return "the predicted number";
    if (m_.task == TaskKind::novelty) return "at least 0 if x is normal";
    if (m_.decision == Decision::sign) return "at least 0 for the second class";
    return has_votes() ? "the number of votes for each class" : "one for each class; the largest wins";
  }

  std::string header_text(const CSource& out) const {
    std::string text = fmt::format("/* {}\n */\n#ifndef {}_H\n#define {}_H\n\n", about(out), upper_, upper_);
    text += fmt::format("#define {0}_FEATURES {1}\n#define {0}_VECTORS {2}\n#define {0}_SCORES {3}\n", upper_,
                        m_.dimension, m_.size(), m_.scores());
    if (has_classes()) text += fmt::format("#define {}_CLASSES {}\n", upper_, m_.labels.size());
    text += "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    const std::string missing = m_.has_missing ? ", NaN for missing values" : "";
    text += fmt::format("/* x: the features of one row, not scaled{}.\n", missing);
    text += fmt::format(" * scores: {}. */\n", score_comment());
    text += fmt::format("void {0}_scores(const float x[{1}_FEATURES], float scores[{1}_SCORES]);\n\n", name_, upper_);
    if (has_classes()) {
      text += "/* The number of the predicted class, counted from 0, and its label. */\n";
      text += fmt::format("int {}_predict(const float x[{}_FEATURES]);\n", name_, upper_);
      text += fmt::format("const char *{}_label(const float x[{}_FEATURES]);\n", name_, upper_);
      text += fmt::format("extern const char *const {}_labels[{}_CLASSES];\n", name_, upper_);
    } else {
      text +=
          fmt::format("/* The predicted number. */\nfloat {}_predict(const float x[{}_FEATURES]);\n", name_, upper_);
    }
    return text + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  }

  std::string source_text(const CSource& out, const std::string& tables) const {
    std::string text = fmt::format("/* {}\n */\n#include \"{}\"\n\n", about(out), header_name_);
    text += "#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n\n";
    if (has_classes()) {
      text += table_text(fmt::format("const char *const {}_labels[{}_CLASSES]", name_, upper_), m_.labels.size(),
                         [&](std::size_t c) { return string_text(m_.labels[c]); });
    }
    return text + tables + functions_code() + scores_code() + predict_code();
  }

  const FlatModel m_;
  bool int8_;
  std::string name_;
  std::string upper_;
  std::string header_name_;
  std::size_t table_bytes_ = 0;
};

}  // namespace

CSource c_source(const FlatModel& plain, CType type, const std::string& name, const std::string& header_name) {
  require_plain_columns(plain, "C");
  const FlatModel simple = collapse_linear(plain);
  return CWriter(simple, type, name, header_name).write();
}

std::string c_identifier(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 128 && std::isalnum(byte) != 0 ? c : '_';
  }
  // A name must not begin with a digit, and names that begin with _ are reserved.
  if (out.empty() || std::isalpha(static_cast<unsigned char>(out[0])) == 0) out.insert(0, "model");
  return out;
}

}  // namespace kinglet
