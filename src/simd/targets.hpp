// Included before Highway by every file of vector code: which instruction sets are compiled. All that the compiler can
// make, the scalar one included, except: SSSE3 (SSE4 is everywhere by now) and the vectors of unknown length of
// SVE and RISC-V (tiles keep vectors in arrays). The scalar one is the plain one-lane form for every compiler: the
// emulation of 128-bit vectors takes minutes to compile with sanitizers.
#pragma once

#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_BROKEN_EMU128 1
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
