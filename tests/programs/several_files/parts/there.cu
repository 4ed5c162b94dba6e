#include "parts.h"

__constant__ int factor = 1000;
static __global__ void apply(int* x) { x[threadIdx.x] += factor; }

void apply_there(int* device) { apply<<<1, 32>>>(device); }
