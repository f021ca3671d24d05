// Exports a model as plain C99: one header and one source file with constant tables, no allocation, and no dependency
// except the mathematical functions of the C library (expf, tanhf, sqrtf). For firmware, and to read what a model does.
//
// Support vectors are floats, or 8-bit integers with an offset and a step for each feature, q = round((z − offset) /
// step). With integers, scoring costs no more than with floats, because the row is converted to the units of q only
// once:
//
//   u = (s(x) − offset) / step       ‖s(x) − z‖² ≈ Σ_f step_f² (u_f − q_f)²       s(x)·z ≈ Σ_f s_f offset_f + Σ_f (s_f step_f) q_f
//
// The header declares, for a model called NAME: NAME_scores, NAME_predict and, if there are labels, NAME_label.
#pragma once

#include <string>

#include "learn/flat_model.hpp"

namespace kinglet {

enum class CType { float32, int8 };

struct CSource {
  std::string header;
  std::string source;
  std::size_t table_bytes = 0;  // size of the constants, without code
  std::size_t stack_bytes = 0;  // size of the arrays on the stack while a row is scored
};

// `name` is a C identifier; `header_name` is how the source includes the header.
CSource c_source(const FlatModel& plain, CType type, const std::string& name, const std::string& header_name);

// A C identifier that resembles `text`.
std::string c_identifier(const std::string& text);

}  // namespace kinglet
