// The corrected twin: the last warp waits for its threads between reading and writing.

#define LADDER_CORRECTED
#include "06_last_warp.cu"
