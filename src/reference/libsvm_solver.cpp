#include "reference/libsvm_solver.hpp"

#include <libsvm/svm.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "core/assert.hpp"
#include "core/compose.hpp"
#include "kinglet/error.hpp"
#include "model/memory.hpp"

namespace kinglet {
namespace {

int kernel_type(KernelKind kind) {
  switch (kind) {
    case KernelKind::rbf:
      return RBF;
    case KernelKind::linear:
      return LINEAR;
    case KernelKind::poly:
    case KernelKind::hpoly:
      return POLY;
    default:
      KINGLET_ASSERT(false && "a kernel that LIBSVM has not");
  }
  return RBF;
}

// The vectors as LIBSVM wants them: lists of non-zeros, each with an end mark.
class LibsvmRows {
 public:
  LibsvmRows(const SupportSet& set, std::span<const double> signs, std::size_t node_count) {
    nodes_.reserve(node_count);
    std::vector<float> x(set.dimension());
    for (std::size_t slot = 0; slot < set.size(); ++slot) {
      if (signs[slot] == 0) continue;
      set.copy_to(slot, x);
      begins_.push_back(nodes_.size());
      for (std::size_t f = 0; f < x.size(); ++f) {
        if (x[f] != 0) nodes_.push_back({static_cast<int>(f) + 1, static_cast<double>(x[f])});
      }
      nodes_.push_back({-1, 0});
      slots_.push_back(slot);
      signs_.push_back(signs[slot]);
    }
    for (const std::size_t begin : begins_) rows_.push_back(&nodes_[begin]);
  }
  // How many nodes there will be.
  static std::size_t nodes(const SupportSet& set, std::span<const double> signs) {
    std::vector<float> x(set.dimension());
    std::size_t count = 0;
    for (std::size_t slot = 0; slot < set.size(); ++slot) {
      if (signs[slot] == 0) continue;
      set.copy_to(slot, x);
      count += x.size() - static_cast<std::size_t>(std::ranges::count(x, 0.0F)) + 1;
    }
    return count;
  }

  svm_problem view() { return {static_cast<int>(signs_.size()), signs_.data(), rows_.data()}; }
  std::size_t slot(int index) const { return slots_[static_cast<std::size_t>(index)]; }

 private:
  std::vector<svm_node> nodes_;
  std::vector<std::size_t> begins_;
  std::vector<std::size_t> slots_;
  std::vector<double> signs_;
  std::vector<svm_node*> rows_;
};

// LIBSVM does not check its allocations, so a problem that is too large is refused here. `nonzeros` includes end marks.
void require_memory_for(std::size_t examples, std::size_t nonzeros, std::size_t cache_bytes) {
  constexpr std::uint64_t kPerExample = 256;  // of LIBSVM's arrays, for one class against the rest
  // The cache holds two rows of floats at least. LIBSVM copies the nodes of no vector.
  const std::uint64_t cache = std::max<std::uint64_t>(cache_bytes, 2 * sizeof(float) * examples);
  const std::uint64_t needed = nonzeros * sizeof(svm_node) + examples * kPerExample + cache;
  const std::uint64_t left = memory_left();
  if (needed <= left && can_reserve(needed)) return;
  throw Error(
      compose("svm needs {} more memory to solve the problem of {} examples, and there is less: give fewer examples, "
              "lower {} (now {}), or use lasvm",
              bytes_text(needed), examples, option("cache"), bytes_text(cache_bytes)));
}

struct FreeModel {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};

}  // namespace

void install_libsvm() { install_batch_solver(solve_with_libsvm); }

BatchSolution solve_with_libsvm(const BatchProblem& problem) {
  const auto examples =
      static_cast<std::size_t>(std::ranges::count_if(problem.signs, [](double sign) { return sign != 0; }));
  const std::size_t nodes = LibsvmRows::nodes(problem.set, problem.signs);
  require_memory_for(examples, nodes, problem.cache_bytes);
  LibsvmRows rows(problem.set, problem.signs, nodes);
  const Kernel& kernel = problem.set.kernel();
  int labels[] = {1, -1};
  double boxes[] = {problem.positive_box, problem.negative_box};
  svm_parameter parameters{};
  parameters.svm_type = C_SVC;
  parameters.kernel_type = kernel_type(kernel.kind);
  parameters.degree = kernel.degree;
  parameters.gamma = kernel.gamma;
  parameters.coef0 = kernel.kind == KernelKind::poly ? kernel.coef0 : 0;
  parameters.cache_size = static_cast<double>(problem.cache_bytes) / (1 << 20);
  parameters.eps = problem.tolerance;
  parameters.C = 1;
  parameters.nr_weight = 2;
  parameters.weight_label = labels;
  parameters.weight = boxes;
  parameters.shrinking = 1;
  const svm_problem view = rows.view();
  if (const char* wrong = svm_check_parameter(&view, &parameters)) throw Error(std::string("LIBSVM: ") + wrong);
  svm_set_print_string_function([](const char*) {});
  const std::unique_ptr<svm_model, FreeModel> model(svm_train(&view, &parameters));
  const double direction = model->label[0];  // the class for which LIBSVM's function is positive
  BatchSolution solution{.coefficients = std::vector<double>(problem.set.size(), 0.0)};
  for (int i = 0; i < model->l; ++i) {
    solution.coefficients[rows.slot(model->sv_indices[i] - 1)] = direction * model->sv_coef[0][i];
  }
  solution.bias = -direction * model->rho[0];
  return solution;
}

}  // namespace kinglet
