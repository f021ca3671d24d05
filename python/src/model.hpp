// The class Model of the module: a kinglet::Model that reads arrays, lets other threads of Python run meanwhile, and
// can be stopped with Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

namespace kinglet::python {

void bind_model(nanobind::module_& module);

}  // namespace kinglet::python
