// A model as plain C99: one header and one source file, no dependency but the mathematics of the C library (expf, tanhf,
// sqrtf), no allocation, constant tables only. For firmware and for anybody who wants to read what a model does.
//
// Support vectors are floats, or 8-bit integers with an offset and a step for each feature, q = round((z − offset) / step).
// Such a row costs no more to score than one of floats: the row is brought into the units of q once,
//
//   u = (s(x) − offset) / step       ‖s(x) − z‖² ≈ Σ_f step_f² (u_f − q_f)²       s(x)·z ≈ Σ_f s_f offset_f + Σ_f (s_f step_f) q_f
//
// Functions of the header, for a model called NAME: NAME_scores, NAME_predict, and NAME_label where there are labels.
#pragma once

#include <string>

#include "learn/flat_model.hpp"

namespace kinglet {

enum class CType { float32, int8 };

struct CSource {
  std::string header;
  std::string source;
  std::size_t table_bytes = 0;  // constants, without code
  std::size_t stack_bytes = 0;  // of arrays while a row is scored
};

// `name` is a C identifier; `header_name` is how the source includes the header.
CSource c_source(const FlatModel& plain, CType type, const std::string& name, const std::string& header_name);

// A C identifier that resembles `text`.
std::string c_identifier(const std::string& text);

}  // namespace kinglet
