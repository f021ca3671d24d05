// The class Model of the Python module: a kinglet::Model that reads arrays, lets other Python threads run, and can be
// interrupted with Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

namespace kinglet::python {

void bind_model(nanobind::module_& module);

}  // namespace kinglet::python
