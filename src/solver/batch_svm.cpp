#include "solver/batch_svm.hpp"

#include <libsvm/svm.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/assert.hpp"
#include "kinglet/error.hpp"

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
class Problem {
 public:
  Problem(const SupportSet& set, const std::vector<double>& signs) {
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
  svm_problem view() { return {static_cast<int>(signs_.size()), signs_.data(), rows_.data()}; }
  std::size_t slot(int index) const { return slots_[static_cast<std::size_t>(index)]; }
  bool has(double sign) const { return std::ranges::find(signs_, sign) != signs_.end(); }

 private:
  std::vector<svm_node> nodes_;
  std::vector<std::size_t> begins_;
  std::vector<std::size_t> slots_;
  std::vector<double> signs_;
  std::vector<svm_node*> rows_;
};

struct FreeModel {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};

}  // namespace

void BatchSvm::append(double /*value*/) {
  signs_.push_back(0);
  boxes_.push_back(0);
  coefficients_.push_back(0);
}

void BatchSvm::learn(ExampleStore&, std::size_t slot, double y, double box) {
  signs_[slot] = y;
  boxes_[slot] = box;
}

double BatchSvm::box_of(double sign) const {
  double box = 0;
  for (std::size_t i = 0; i < signs_.size(); ++i) {
    if (signs_[i] != sign) continue;
    if (box != 0 && boxes_[i] != box) {
      throw Error("svm knows one weight for each side of two classes: use idsvm or lasvm for other weights");
    }
    box = boxes_[i];
  }
  return box;
}

void BatchSvm::finish(ExampleStore& store) {
  double boxes[] = {box_of(1), box_of(-1)};  // may refuse, before anything has changed
  Problem problem(store.set(), signs_);
  std::ranges::fill(coefficients_, 0.0);
  for (std::size_t i = 0; i < signs_.size(); ++i) note_change(i);
  if (!problem.has(1) || !problem.has(-1)) {
    bias_ = problem.has(1) ? 1 : problem.has(-1) ? -1 : 0;
    return;
  }
  const Kernel& kernel = store.set().kernel();
  int labels[] = {1, -1};
  svm_parameter parameters{};
  parameters.svm_type = C_SVC;
  parameters.kernel_type = kernel_type(kernel.kind);
  parameters.degree = kernel.degree;
  parameters.gamma = kernel.gamma;
  parameters.coef0 = kernel.kind == KernelKind::poly ? kernel.coef0 : 0;
  parameters.cache_size = static_cast<double>(cache_bytes_) / (1 << 20);
  parameters.eps = tolerance_;
  parameters.C = 1;
  parameters.nr_weight = 2;
  parameters.weight_label = labels;
  parameters.weight = boxes;
  parameters.shrinking = 1;
  const svm_problem view = problem.view();
  if (const char* wrong = svm_check_parameter(&view, &parameters)) throw Error(std::string("LIBSVM: ") + wrong);
  svm_set_print_string_function([](const char*) {});
  const std::unique_ptr<svm_model, FreeModel> model(svm_train(&view, &parameters));
  const double direction = model->label[0];
  for (int i = 0; i < model->l; ++i) {
    coefficients_[problem.slot(model->sv_indices[i] - 1)] = direction * model->sv_coef[0][i];
  }
  bias_ = -direction * model->rho[0];
}

void BatchSvm::remove(std::size_t slot) {
  for (std::vector<double>* array : {&signs_, &boxes_, &coefficients_}) {
    (*array)[slot] = array->back();
    array->pop_back();
  }
}

std::size_t BatchSvm::memory_bytes() const {
  return (signs_.capacity() + boxes_.capacity() + coefficients_.capacity()) * sizeof(double);
}

void BatchSvm::save(StateWriter& out) const {
  for (const std::vector<double>* array : {&signs_, &boxes_, &coefficients_}) out.put_array(*array);
  out.put(bias_);
}

void BatchSvm::load(StateReader& in, std::size_t count) {
  for (std::vector<double>* array : {&signs_, &boxes_, &coefficients_}) {
    *array = in.get_array<double>();
    StateReader::require(array->size() == count, "a problem of another size");
    StateReader::require(std::ranges::all_of(*array, [](double v) { return std::isfinite(v); }),
                         "a value is not finite");
  }
  bias_ = in.get<double>();
  StateReader::require(std::isfinite(bias_), "a bias that is no number");
  const auto is_sign = [](double sign) { return sign == 1 || sign == -1 || sign == 0; };
  StateReader::require(std::ranges::all_of(signs_, is_sign), "a sign that is none");
  StateReader::require(std::ranges::all_of(boxes_, [](double box) { return box >= 0; }), "a box that is none");
}

}  // namespace kinglet
