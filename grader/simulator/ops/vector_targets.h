#pragma once
// The vector instruction sets that lane loops are compiled for; before hwy/foreach_target.h. On x86-64 the
// machine decides between the baseline, AVX2 and AVX3.

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#ifndef __x86_64__  // on arm64 every machine has the baseline, NEON, and nothing else is chosen from
#define HWY_COMPILE_ONLY_STATIC
#endif
