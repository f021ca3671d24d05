// Exports a model as an ONNX graph of standard operators, which every runtime has (opset 13): scaling, one matrix
// product for the kernel values, one for the functions, and the decision.
//
//   x [N, d] float  ─▶ label [N] (int64 if all labels are integers, else string), scores [N, outputs] float
//                   ─▶ value [N, 1] float for regression
//
// Gaussian distances are computed from inner products, −γ‖x − z‖² = 2γ x·z − γ‖x‖² − γ‖z‖², in double precision if
// single precision would lose too many digits. The laplacian kernel has no such form; it needs memory for N × vectors ×
// features numbers.
//
// ONNX: onnx/onnx.proto and docs/IR.md of the ONNX project.
#pragma once

#include <string>

#include "learn/flat_model.hpp"

namespace kinglet {

std::string onnx_model(const FlatModel& plain);

}  // namespace kinglet
