// The corrected twin: the last warp waits for its threads between reading and writing.

#define LADDER_CORRECTED
#include "lecture6_reduce4.cu"
