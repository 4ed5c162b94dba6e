#pragma once
// The vector instruction sets that lane loops are compiled for; include before hwy/foreach_target.h. On
// x86-64 the baseline, AVX2 or AVX3 is selected at run time.

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#ifndef __x86_64__  // on arm64 every machine has NEON, the baseline, and it is the only choice
#define HWY_COMPILE_ONLY_STATIC
#endif
