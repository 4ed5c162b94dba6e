// The corrected twin: threads past the end of the array add nothing, but stay for the barriers.

#define LADDER_CORRECTED
#include "03_interleaved.cu"
