// The corrected twin: the last warp waits for its threads between reading and writing.

#define LADDER_CORRECTED
#include "08_complete_unroll_warps8.cu"
