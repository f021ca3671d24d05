// The module kinglet._kinglet, on which the Python package (python/kinglet) is built.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "kinglet/error.hpp"
#include "kinglet/mix.hpp"
#include "model.hpp"
#include "records.hpp"
#include "registry.hpp"
#include "simd/isa.hpp"

namespace {

namespace nb = nanobind;

// Derived from ValueError, which users of scikit-learn expect.
void bind_error(nb::module_& module) {
  static PyObject* type = nullptr;
  type = PyErr_NewExceptionWithDoc("kinglet.Error", "An error in data, options or a model file, described in one line.",
                                   PyExc_ValueError, nullptr);
  if (type == nullptr) throw nb::python_error();
  module.attr("Error") = nb::handle(type);
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const kinglet::Error& error) {
      PyErr_SetString(type, kinglet::python::python_text(error.message()).c_str());
    }
  });
}

}  // namespace

NB_MODULE(_kinglet, module) {
  module.doc() = "Internal module of the package kinglet.";
  module.attr("__version__") = KINGLET_VERSION;
  module.attr("DEFAULT_ROUNDS") = kinglet::kDefaultRounds;
  bind_error(module);
  module.def(
      "use_isa", [](const std::string& name) { kinglet::simd::use_isa(name); }, nanobind::arg("name"),
      "Computes with this instruction set from now on. No other thread may compute meanwhile.");
  module.def(
      "current_isa", [] { return kinglet::simd::current_isa(); }, "The instruction set in use.");
  kinglet::python::bind_registry(module);
  kinglet::python::bind_records(module);
  kinglet::python::bind_model(module);
}
