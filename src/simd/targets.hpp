// Selects the instruction sets to compile; included before Highway by every file of vector code. All that the compiler
// supports, including scalar, except SSSE3 (every machine has SSE4 by now) and the vectors of unknown length of SVE and
// RISC-V (tiles keep vectors in arrays). Scalar is the plain one-lane form for every compiler, because the emulation of
// 128-bit vectors takes minutes to compile with sanitizers.
#pragma once

#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_BROKEN_EMU128 1
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
