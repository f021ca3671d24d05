// The module kinglet._kinglet: the library as the Python package (python/kinglet) uses it.
#include <nanobind/nanobind.h>

#include "kinglet/error.hpp"
#include "model.hpp"
#include "registry.hpp"

namespace {

namespace nb = nanobind;

// ValueError, because that is what callers of scikit-learn catch.
void bind_error(nb::module_& module) {
  static PyObject* type = nullptr;
  type = PyErr_NewExceptionWithDoc("kinglet.Error", "What is wrong with data, options or a model file, in one line.",
                                   PyExc_ValueError, nullptr);
  if (type == nullptr) throw nb::python_error();
  module.attr("Error") = nb::handle(type);
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const kinglet::Error& error) {
      PyErr_SetString(type, error.message().text(kinglet::python::python_option).c_str());
    }
  });
}

}  // namespace

NB_MODULE(_kinglet, module) {
  module.doc() = "The kinglet library. Users want the package kinglet, which is built on it.";
  module.attr("__version__") = KINGLET_VERSION;
  bind_error(module);
  kinglet::python::bind_registry(module);
  kinglet::python::bind_model(module);
}
