#include "export/onnx_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/option_texts.hpp"
#include "export/plain_columns.hpp"
#include "export/protobuf.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

constexpr std::int64_t kIrVersion = 7;
constexpr std::int64_t kOpset = 13;
constexpr double kMostFileBytes = 1.5e9;  // protobuf messages are limited to 2 GB
// If γ‖z‖² is larger, 2γ x·z − γ‖x‖² − γ‖z‖² loses too many digits in single precision.
constexpr double kMostForFloat = 16;

// Field and type numbers of onnx.proto.
enum Type : std::int64_t { kFloat = 1, kInt64 = 7, kString = 8, kDouble = 11 };
enum AttributeType : std::int64_t { kInt = 2, kInts = 7 };

using Sizes = std::vector<std::int64_t>;
using Names = std::vector<std::string>;

ProtobufMessage attribute(const char* name, std::int64_t value) {
  ProtobufMessage out;
  out.bytes(1, name);
  out.integer(3, value);
  out.integer(20, kInt);
  return out;
}

ProtobufMessage attribute(const char* name, const Sizes& values) {
  ProtobufMessage out;
  out.bytes(1, name);
  for (const std::int64_t value : values) out.integer(8, value);
  out.integer(20, kInts);
  return out;
}

// A graph under construction. Every function returns the name of the node or value it added.
class Graph {
 public:
  std::string node(const char* op, const Names& inputs, const std::vector<ProtobufMessage>& attributes = {}) {
    std::string output = fmt::format("{}_{}", op, ++count_);
    add_node(op, inputs, attributes, output);
    return output;
  }
  // The same with a name that is visible to the user.
  void output(const char* op, const Names& inputs, const std::string& name, Type type, const Sizes& shape) {
    add_node(op, inputs, {}, name);
    graph_.message(12, value_info(name, type, shape));
  }
  std::string input(const std::string& name, std::int64_t features) {
    graph_.message(11, value_info(name, kFloat, {-1, features}));
    return name;
  }

  std::string floats(const Sizes& shape, const std::function<double(std::size_t)>& value, Type type = kFloat) {
    StateWriter data;
    for (std::size_t i = 0; i < size_of(shape); ++i) {
      if (type == kDouble) {
        data.put(value(i));
      } else {
        data.put(static_cast<float>(value(i)));
      }
    }
    return constant(shape, type, [&](ProtobufMessage& tensor) { tensor.bytes(9, data.bytes()); });
  }
  std::string integers(const Sizes& shape, const Sizes& values) {
    StateWriter data;
    for (const std::int64_t value : values) data.put(value);
    return constant(shape, kInt64, [&](ProtobufMessage& tensor) { tensor.bytes(9, data.bytes()); });
  }
  std::string texts(const std::vector<std::string>& values) {
    return constant({static_cast<std::int64_t>(values.size())}, kString, [&](ProtobufMessage& tensor) {
      for (const std::string& value : values) tensor.bytes(6, value);
    });
  }

  ProtobufMessage finish(const std::string& about) {
    graph_.bytes(2, "kinglet");
    graph_.bytes(10, about);
    return graph_;
  }

 private:
  static std::size_t size_of(const Sizes& shape) {
    std::size_t size = 1;
    for (const std::int64_t n : shape) size *= static_cast<std::size_t>(n);
    return size;
  }

  // In a shape, −1 stands for the number of rows.
  static ProtobufMessage value_info(const std::string& name, Type type, const Sizes& sizes) {
    ProtobufMessage shape;
    for (const std::int64_t size : sizes) {
      ProtobufMessage dimension;
      if (size < 0) {
        dimension.bytes(2, "N");
      } else {
        dimension.integer(1, size);
      }
      shape.message(1, dimension);
    }
    ProtobufMessage tensor, holder, info;
    tensor.integer(1, type);
    tensor.message(2, shape);
    holder.message(1, tensor);
    info.bytes(1, name);
    info.message(2, holder);
    return info;
  }

  void add_node(const char* op, const Names& inputs, const std::vector<ProtobufMessage>& attributes,
                const std::string& name) {
    ProtobufMessage node;
    for (const std::string& input : inputs) node.bytes(1, input);
    node.bytes(2, name);
    node.bytes(3, "make_" + name);
    node.bytes(4, op);
    for (const ProtobufMessage& each : attributes) node.message(5, each);
    graph_.message(1, node);
  }

  template <class Fill>
  std::string constant(const Sizes& shape, Type type, const Fill& fill) {
    std::string name = fmt::format("constant_{}", ++count_);
    ProtobufMessage tensor;
    for (const std::int64_t size : shape) tensor.integer(1, size);
    tensor.integer(2, type);
    tensor.bytes(8, name);
    fill(tensor);
    graph_.message(5, tensor);
    return name;
  }

  ProtobufMessage graph_;
  int count_ = 0;
};

class OnnxWriter {
 public:
  explicit OnnxWriter(const FlatModel& plain)
      : m_(plain), d_(plain.dimension), n_(static_cast<std::int64_t>(plain.size())), type_(precision(plain)) {}

  std::string write() {
    std::string x = scaled(g_.input("x", d_));
    if (type_ == kDouble) x = cast(x, kDouble);
    std::string f = functions(x);
    if (type_ == kDouble) f = cast(f, kFloat);
    decide(f);
    ProtobufMessage opset, model;
    opset.bytes(1, "");
    opset.integer(2, kOpset);
    model.integer(1, kIrVersion);
    model.bytes(2, "kinglet");
    model.bytes(3, KINGLET_VERSION);
    model.message(7, g_.finish("made from " + m_.origin));
    model.message(8, opset);
    return model.str();
  }

 private:
  static Type precision(const FlatModel& plain) {
    if (plain.kernel.kind != KernelKind::rbf) return kFloat;
    double longest = 0;
    for (std::size_t j = 0; j < plain.size(); ++j) {
      longest = std::max(longest, squared_norm(Features::dense(plain.vector(j))));
    }
    return plain.kernel.gamma * longest > kMostForFloat ? kDouble : kFloat;
  }

  std::string cast(const std::string& x, Type to) { return g_.node("Cast", {x}, {attribute("to", to)}); }
  std::string number(double value, Type type) {
    return g_.floats(
        {}, [=](std::size_t) { return value; }, type);
  }
  template <class Values>
  std::string row(const Values& values) {
    return g_.floats({static_cast<std::int64_t>(values.size())},
                     [&](std::size_t f) { return static_cast<double>(values[f]); });
  }

  std::string scaled(std::string x) {
    if (m_.has_missing) x = g_.node("Where", {g_.node("IsNaN", {x}), row(m_.fillers), x});
    if (m_.is_shifted()) x = g_.node("Mul", {g_.node("Sub", {x, row(m_.shift)}), row(m_.factor)});
    if (m_.scale != ScaleKind::unit) return x;
    // A row of zeros must stay a row of zeros.
    constexpr double kShortest = 1e-30;
    const std::string length = g_.node("Sqrt", {square(x)});
    return g_.node("Div", {x, g_.node("Max", {length, number(kShortest, kFloat)})});
  }

  std::string square(const std::string& x) {  // squared length of each row
    return g_.node("ReduceSumSquare", {x}, {attribute("axes", Sizes{1}), attribute("keepdims", 1)});
  }

  // factor Zᵀ, where the vectors are the rows of Z.
  std::string vectors(double factor) {
    return g_.floats(
        {d_, n_},
        [this, factor](std::size_t i) {
          const std::size_t count = m_.size();
          return factor * static_cast<double>(m_.vector(i % count)[i / count]);
        },
        type_);
  }

  std::string gaussian(const std::string& x) {
    const double gamma = m_.kernel.gamma;
    const std::string squares = g_.floats(
        {n_}, [&](std::size_t j) { return -gamma * squared_norm(Features::dense(m_.vector(j))); }, type_);
    const std::string product = g_.node("MatMul", {x, vectors(2 * gamma)});
    const std::string own = g_.node("Mul", {square(x), number(-gamma, type_)});
    const std::string sum = g_.node("Add", {g_.node("Add", {product, own}), squares});
    return g_.node("Exp", {g_.node("Min", {sum, number(0, type_)})});
  }

  std::string laplacian(const std::string& x) {
    const std::string axis = g_.integers({1}, {1}), last = g_.integers({1}, {2});
    const std::string all = g_.floats(
        {1, n_, d_}, [&](std::size_t i) { return static_cast<double>(m_.vectors[i]); }, type_);
    const std::string apart = g_.node("Abs", {g_.node("Sub", {g_.node("Unsqueeze", {x, axis}), all})});
    const std::string sum = g_.node("ReduceSum", {apart, last}, {attribute("keepdims", 0)});
    return g_.node("Exp", {g_.node("Mul", {sum, number(-m_.kernel.gamma, type_)})});
  }

  std::string kernel(const std::string& x) {
    const Kernel& k = m_.kernel;
    if (k.kind == KernelKind::rbf) return gaussian(x);
    if (k.kind == KernelKind::laplacian) return laplacian(x);
    std::string out = g_.node("MatMul", {x, vectors(k.kind == KernelKind::linear ? 1 : k.gamma)});
    if (k.kind == KernelKind::linear) return out;
    if (k.kind != KernelKind::hpoly) out = g_.node("Add", {out, number(k.coef0, type_)});
    if (k.kind == KernelKind::sigmoid) return g_.node("Tanh", {out});
    return g_.node("Pow", {out, number(k.degree, type_)});
  }

  std::string functions(const std::string& x) {
    const auto count = static_cast<std::int64_t>(m_.functions);
    const std::string biases = g_.floats(
        {count}, [&](std::size_t m) { return m_.biases[m]; }, type_);
    // Without vectors, multiply each row by zeros, which leaves the bias for each row.
    const bool empty = n_ == 0;
    const std::string weights = g_.floats(
        {empty ? d_ : n_, count}, [&](std::size_t i) { return empty ? 0 : m_.coefficients[i]; }, type_);
    return g_.node("Add", {g_.node("MatMul", {empty ? x : kernel(x), weights}), biases});
  }

  // --- the decision

  void decide(const std::string& f) {
    const auto outputs = static_cast<std::int64_t>(m_.scores());
    if (m_.decision == Decision::value) return g_.output("Identity", {f}, "value", kFloat, {-1, 1});
    const std::string scores = m_.decision == Decision::votes ? votes(f) : f;
    std::string best;
    if (m_.decision == Decision::sign) {
      const std::string above = cast(g_.node("GreaterOrEqual", {f, number(0, kFloat)}), kInt64);
      best = g_.node("Squeeze", {above, g_.integers({1}, {1})});
    } else {
      best = g_.node("ArgMax", {scores}, {attribute("axis", 1), attribute("keepdims", 0)});
    }
    output_label(best);
    g_.output("Identity", {scores}, "scores", kFloat, {-1, outputs});
  }

  void output_label(const std::string& best) {
    Sizes numbers;
    for (const std::string& label : m_.labels) {
      constexpr double kMost = 9007199254740992;  // 2^53
      const double number = number_or_nan(label);
      if (std::isnan(number) || number != std::floor(number) || std::abs(number) > kMost) break;
      numbers.push_back(static_cast<std::int64_t>(number));
    }
    const bool whole = numbers.size() == m_.labels.size();
    const std::string table =
        whole ? g_.integers({static_cast<std::int64_t>(numbers.size())}, numbers) : g_.texts(m_.labels);
    g_.output("Gather", {table, best}, "label", whole ? kInt64 : kString, {-1});
  }

  // A pair of classes a, b votes for a if its function is above 0, else for b.
  std::string votes(const std::string& f) {
    const std::size_t k = m_.labels.size();
    std::vector<double> moves(m_.functions * k), usual(k);
    std::size_t pair = 0;
    for (std::size_t a = 0; a < k; ++a) {
      for (std::size_t b = a + 1; b < k; ++b, ++pair) {
        moves[pair * k + a] = 1;
        moves[pair * k + b] = -1;
        usual[b] += 1;
      }
    }
    const std::string above = cast(g_.node("Greater", {f, number(0, kFloat)}), kFloat);
    const auto pairs = static_cast<std::int64_t>(m_.functions), classes = static_cast<std::int64_t>(k);
    const std::string moved =
        g_.node("MatMul", {above, g_.floats({pairs, classes}, [&](std::size_t i) { return moves[i]; })});
    return g_.node("Add", {moved, row(usual)});
  }

  const FlatModel& m_;
  std::int64_t d_;
  std::int64_t n_;
  Type type_;
  Graph g_;
};

}  // namespace

std::string onnx_model(const FlatModel& plain) {
  require_plain_columns(plain, "ONNX");
  const FlatModel simple = collapse_linear(plain);
  const double bytes = static_cast<double>(simple.vectors.size()) * sizeof(double);
  if (bytes > kMostFileBytes) {
    throw Error(
        "the model is too large for an ONNX file, which is limited to 2 GB: compress it first (kinglet compress)");
  }
  return OnnxWriter(simple).write();
}

}  // namespace kinglet
