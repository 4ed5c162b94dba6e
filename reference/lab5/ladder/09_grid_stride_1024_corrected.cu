// The corrected twin: the last warp waits for its threads between reading and writing.

#define LADDER_CORRECTED
#include "09_grid_stride_1024.cu"
