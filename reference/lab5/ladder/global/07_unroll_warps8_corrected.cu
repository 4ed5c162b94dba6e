// The corrected twin: the last warp waits for its threads between reading and writing.

#define LADDER_CORRECTED
#include "07_unroll_warps8.cu"
